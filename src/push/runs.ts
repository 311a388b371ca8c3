import { randomBytes } from 'node:crypto';
import type { Holder, Journal, Run, RunState } from './journal.ts';

/** What identifies the service and event of a run: registrations of one are nothing to another. */
export interface Target {
  /** Origin and path of the service, or the identity of a sandbox's data. */
  service: string;
  eventId: string;
  eventName: string;
}

/** This process, and how to tell whether another one still lives. */
export interface ProcessFacts {
  pid: number;
  host: string;
  isAlive(pid: number): boolean;
}

interface StoredRun {
  id: string;
  service: string;
  event: string;
  event_name: string;
  files: string;
  state: RunState;
  started_at: number;
  ended_at: number | null;
  holder: string | null;
  message: string | null;
}

function toRun(stored: StoredRun): Run {
  return {
    id: stored.id,
    service: stored.service,
    event: stored.event,
    eventName: stored.event_name,
    files: JSON.parse(stored.files) as string[],
    state: stored.state,
    startedAt: stored.started_at,
    endedAt: stored.ended_at ?? undefined,
    holder: stored.holder === null ? undefined : (JSON.parse(stored.holder) as Holder),
    message: stored.message ?? undefined,
  };
}

/** Starts a run in state `reading`; its id sorts by time and is short enough to type. */
export function beginRun(
  journal: Journal,
  target: Target,
  files: readonly string[],
  now: number,
  self: ProcessFacts,
): string {
  const day = new Date(now).toISOString().slice(0, 10).replaceAll('-', '');
  const id = `${day}-${randomBytes(3).toString('hex')}`;
  journal.run(
    `INSERT INTO run (id, service, event, event_name, files, state, started_at, holder)
     VALUES ($id, $service, $event, $name, $files, 'reading', $now, $holder)`,
    {
      $id: id,
      $service: target.service,
      $event: target.eventId,
      $name: target.eventName,
      $files: JSON.stringify(files),
      $now: now,
      $holder: JSON.stringify(holderOf(self, now)),
    },
  );
  return id;
}

export const holderOf = ({ pid, host }: ProcessFacts, now: number): Holder => ({ pid, host, since: now });

/** Ends a run for now. It can be resumed unless its state is `refused` or `superseded`. */
export function endRun(journal: Journal, id: string, state: RunState, now: number, message?: string): void {
  journal.run(
    'UPDATE run SET state = $state, ended_at = $now, holder = NULL, message = $message WHERE id = $id',
    {
      $id: id,
      $state: state,
      $now: now,
      $message: message ?? null,
    },
  );
}

export function deleteRun(journal: Journal, id: string): void {
  journal.run('DELETE FROM run WHERE id = $id', { $id: id });
}

/** Who else works on a run. A holder that is gone from this machine holds nothing. */
export function otherHolder({ holder }: Run, self: ProcessFacts): Holder | undefined {
  if (holder?.host !== self.host) return holder;
  return holder.pid === self.pid || !self.isAlive(holder.pid) ? undefined : holder;
}

/** All runs, newest first. */
export function listRuns(journal: Journal): Run[] {
  return journal.all<StoredRun>('SELECT * FROM run ORDER BY started_at DESC, rowid DESC').map(toRun);
}

/** The run with an id, or all whose ids begin with it, newest first. */
export function findRuns(journal: Journal, id: string): Run[] {
  const rows = journal.all<StoredRun>(
    'SELECT * FROM run WHERE substr(id, 1, length($id)) = $id ORDER BY started_at DESC, rowid DESC',
    { $id: id },
  );
  const exact = rows.find((row) => row.id === id);
  return (exact === undefined ? rows : [exact]).map(toRun);
}

/** The run of an event that can be resumed with exactly these rows. */
export function findRunByContent(
  journal: Journal,
  { service, eventId }: Target,
  key: string,
): Run | undefined {
  const stored = journal.get<StoredRun>(
    'SELECT * FROM run WHERE service = $service AND event = $event AND content_key = $key',
    { $service: service, $event: eventId, $key: key },
  );
  return stored && toRun(stored);
}

/** Runs that ended before a time; those being worked on do not count. */
export function oldRuns(journal: Journal, before: number, self: ProcessFacts): Run[] {
  return listRuns(journal).filter(({ holder, endedAt, startedAt }) => {
    const held = holder !== undefined && (holder.host !== self.host || self.isAlive(holder.pid));
    return !held && (endedAt ?? startedAt) < before;
  });
}

/** Forgets runs that ended before a time. Returns how many. */
export function purgeRuns(journal: Journal, before: number, self: ProcessFacts): number {
  return forgetRuns(journal, oldRuns(journal, before, self));
}

/**
 * What every push tidies up: old runs, but for those with rows in doubt, which would be sent again
 * blindly; and what processes that were killed while reading have left.
 */
export function tidyRuns(journal: Journal, before: number, self: ProcessFacts): void {
  const left = listRuns(journal).filter(
    (run) => run.state === 'reading' && otherHolder(run, self) === undefined,
  );
  const old = oldRuns(journal, before, self).filter(({ id }) => !hasDoubt(journal, id));
  forgetRuns(journal, [...left, ...old]);
}

function hasDoubt(journal: Journal, run: string): boolean {
  const row = journal.get(
    `SELECT 1 FROM row WHERE run = $run AND state IN ('sending', 'uncertain') LIMIT 1`,
    { $run: run },
  );
  return row !== undefined;
}

function forgetRuns(journal: Journal, old: readonly Run[]): number {
  for (const { id } of old) deleteRun(journal, id);
  if (old.length > 0) journal.run('VACUUM');
  return old.length;
}

/**
 * Notes what is known of a registration that `eventreg delete` deals with. Before the request
 * `uncertain`: the next push of its row looks it up. After it `deleted`: the next push sends the row
 * again; or `done`, when the service kept it. The note is on the disk when this returns.
 */
export function noteDeletion(
  journal: Journal,
  service: string,
  { id, barcode }: { id: string | undefined; barcode: string | undefined },
  state: 'uncertain' | 'deleted' | 'done',
): void {
  journal.run(
    `UPDATE row SET state = $state, message = CASE $state WHEN 'done' THEN NULL ELSE 'deleted with eventreg delete' END
     WHERE state IN ('done', 'accepted', 'unchanged', 'conflict', 'sending', 'uncertain')
       AND run IN (SELECT id FROM run WHERE service = $service)
       AND (remote_id = $id OR barcode = $barcode)`,
    { $service: service, $state: state, $id: id ?? null, $barcode: barcode ?? null },
  );
}
