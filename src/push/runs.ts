import { createHash, randomBytes } from 'node:crypto';
import { EventregError, EXIT } from '../errors.ts';
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

const holderOf = ({ pid, host }: ProcessFacts, now: number): Holder => ({ pid, host, since: now });

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

/** One value for the rows of a run whatever their order: the same content finds the same run again. */
function contentKey(journal: Journal, run: string): string {
  const hash = createHash('sha256');
  const rows = journal.iterate<{ row_key: string; hash: string }>(
    `SELECT row_key, hash FROM row WHERE run = $run AND state <> 'rejected' ORDER BY row_key`,
    { $run: run },
  );
  for (const row of rows) hash.update(`${row.row_key}\n${row.hash}\n`);
  return hash.digest('hex');
}

/** The run to work on, and whether it was there before. */
export interface ClaimedRun {
  id: string;
  resumed: boolean;
}

/**
 * Settles which run the freshly read rows belong to. The same rows for the same event are an earlier
 * run, resumed; otherwise they are a new one. Either way rows take over what other runs know of them:
 * those sent exactly as they are count as unchanged, those in doubt stay in doubt. With `fresh`,
 * everything starts over. Throws when another process has the run. Call it in a transaction.
 */
export function claimRun(
  journal: Journal,
  target: Target,
  { read, fresh, now, self }: { read: string; fresh: boolean; now: number; self: ProcessFacts },
): ClaimedRun {
  nameRows(journal, read);
  const key = contentKey(journal, read);
  const values = { $service: target.service, $event: target.eventId, $key: key };
  const earlier = journal.get<StoredRun>(
    'SELECT * FROM run WHERE service = $service AND event = $event AND content_key = $key',
    values,
  );
  if (earlier !== undefined) {
    refuseIfHeld(toRun(earlier), self);
    if (!fresh) {
      resumeRun(journal, earlier.id, read, now, self);
      reopenOvertaken(journal, target, earlier.id, earlier.started_at);
      inheritFates(journal, target, earlier.id, earlier.started_at);
      return { id: earlier.id, resumed: true };
    }
    journal.run(`UPDATE run SET content_key = NULL, state = 'superseded' WHERE id = $id`, {
      $id: earlier.id,
    });
  }
  if (!fresh) inheritFates(journal, target, read, -1);
  journal.run(`UPDATE run SET content_key = $key, state = 'sending' WHERE id = $id`, {
    $key: key,
    $id: read,
  });
  return { id: read, resumed: false };
}

/** A row is known by its barcode, or else by its content and how many equal rows came before it. */
function nameRows(journal: Journal, run: string): void {
  journal.run(
    `UPDATE row SET row_key = CASE WHEN barcode IS NULL THEN 'h:' || hash || ':1' ELSE 'b:' || barcode END
     WHERE run = $run AND state <> 'rejected'`,
    { $run: run },
  );
  const repeated = journal.all<{ hash: string }>(
    `SELECT hash FROM row WHERE run = $run AND barcode IS NULL AND state <> 'rejected'
     GROUP BY hash HAVING count(*) > 1`,
    { $run: run },
  );
  for (const { hash } of repeated) {
    const rows = journal.all<{ seq: number }>(
      'SELECT seq FROM row WHERE run = $run AND row_key = $key ORDER BY seq',
      { $run: run, $key: `h:${hash}:1` },
    );
    for (const [at, { seq }] of rows.entries()) {
      journal.run('UPDATE row SET row_key = $key WHERE run = $run AND seq = $seq', {
        $run: run,
        $seq: seq,
        $key: `h:${hash}:${at + 1}`,
      });
    }
  }
}

/** Goes on with an earlier run: places come from the files as they are now, all else from the journal. */
function resumeRun(journal: Journal, id: string, read: string, now: number, self: ProcessFacts): void {
  journal.run(
    `UPDATE row SET (file, line) = (SELECT file, line FROM row AS fresh WHERE fresh.run = $read AND fresh.row_key = row.row_key)
     WHERE run = $id AND row_key IN (SELECT row_key FROM row WHERE run = $read)`,
    { $id: id, $read: read },
  );
  journal.run(`DELETE FROM row WHERE run = $id AND state = 'rejected'`, { $id: id });
  journal.run(
    `UPDATE row SET run = $id, seq = seq + 1 + (SELECT coalesce(max(seq), 0) FROM row AS kept WHERE kept.run = $id)
     WHERE run = $read AND state = 'rejected'`,
    { $id: id, $read: read },
  );
  journal.run(
    `UPDATE row SET state = 'pending' WHERE run = $id AND state IN ('failed', 'blocked', 'deleted')`,
    { $id: id },
  );
  journal.run(`UPDATE row SET state = 'uncertain' WHERE run = $id AND state = 'sending'`, { $id: id });
  journal.run(
    `UPDATE run SET state = 'sending', ended_at = NULL, message = NULL, holder = $holder,
       files = (SELECT files FROM run AS fresh WHERE fresh.id = $read) WHERE id = $id`,
    { $id: id, $read: read, $holder: JSON.stringify(holderOf(self, now)) },
  );
  deleteRun(journal, read);
}

/**
 * What other runs of the event did last to the registrations of a run's rows, later than the run itself
 * knows of: after the row was sent, else after `$since`.
 */
const LATER_FATES = `
  SELECT mine.seq, past.state, past.hash, past.sent_at, past.message, row_number() OVER
    (PARTITION BY mine.seq ORDER BY past.sent_at DESC, past.done_at DESC) AS place
  FROM row AS mine JOIN row AS past ON past.row_key = mine.row_key AND past.run <> mine.run
    JOIN run ON run.id = past.run AND run.service = $service AND run.event = $event
  WHERE mine.run = $id AND mine.row_key IS NOT NULL
    AND past.state NOT IN ('rejected', 'unchanged', 'pending', 'blocked')
    AND past.sent_at > coalesce(mine.sent_at, $since)`;

/** A run that is resumed: what it sent may have been overtaken since, by an edited file or a delete. */
function reopenOvertaken(journal: Journal, { service, eventId }: Target, id: string, since: number): void {
  journal.run(
    `UPDATE row SET state = 'pending' FROM (${LATER_FATES}) AS fate
     WHERE row.run = $id AND row.seq = fate.seq AND fate.place = 1
       AND row.state IN ('done', 'accepted', 'unchanged')
       AND NOT (fate.state IN ('done', 'accepted') AND fate.hash = row.hash)`,
    { $id: id, $service: service, $event: eventId, $since: since },
  );
}

/**
 * Pending rows whose latest fate elsewhere is to have been sent exactly as they are need no sending;
 * those of which it is not known, or which were in conflict, must not be sent blindly.
 */
function inheritFates(journal: Journal, { service, eventId }: Target, id: string, since: number): void {
  journal.run(
    `UPDATE row SET sent_at = fate.sent_at,
       message = CASE WHEN fate.state IN ('done', 'accepted') THEN NULL ELSE fate.message END,
       state = CASE fate.state WHEN 'conflict' THEN 'conflict' WHEN 'uncertain' THEN 'uncertain'
         WHEN 'sending' THEN 'uncertain' ELSE 'unchanged' END
     FROM (${LATER_FATES}) AS fate
     WHERE row.run = $id AND row.seq = fate.seq AND fate.place = 1 AND row.state = 'pending'
       AND fate.hash = row.hash AND fate.state IN ('done', 'accepted', 'uncertain', 'sending', 'conflict')`,
    { $id: id, $service: service, $event: eventId, $since: since },
  );
}

/** Who else works on a run. A holder that is gone from this machine holds nothing. */
export function otherHolder({ holder }: Run, self: ProcessFacts): Holder | undefined {
  if (holder?.host !== self.host) return holder;
  return holder.pid === self.pid || !self.isAlive(holder.pid) ? undefined : holder;
}

/** Two processes never work on one run. */
function refuseIfHeld(run: Run, self: ProcessFacts): void {
  const holder = otherHolder(run, self);
  if (holder === undefined) return;
  const since = new Date(holder.since).toISOString().slice(0, 19).replace('T', ' ');
  throw new EventregError(
    EXIT.guarded,
    `These rows are being sent by another eventreg: process ${holder.pid} on ${holder.host}, since ${since} UTC (run ${run.id}).`,
    { hint: 'Wait for it to end, or stop it with Ctrl-C there; then run this command again.' },
  );
}

/** All runs, newest first. */
export function listRuns(journal: Journal): Run[] {
  return journal.all<StoredRun>('SELECT * FROM run ORDER BY started_at DESC, rowid DESC').map(toRun);
}

/** One run by its id, or by the first characters of it. */
export function findRun(journal: Journal, id: string): Run | undefined {
  const rows = journal.all<StoredRun>(
    'SELECT * FROM run WHERE id = $id OR substr(id, 1, length($id)) = $id LIMIT 2',
    {
      $id: id,
    },
  );
  const exact = rows.find((row) => row.id === id);
  const found = exact ?? (rows.length === 1 ? rows[0] : undefined);
  return found && toRun(found);
}

/** Forgets runs that ended before a time; those being worked on stay. Returns how many. */
export function purgeRuns(journal: Journal, before: number, self: ProcessFacts): number {
  let purged = 0;
  for (const run of listRuns(journal)) {
    const held = run.holder !== undefined && (run.holder.host !== self.host || self.isAlive(run.holder.pid));
    if (held || (run.endedAt ?? run.startedAt) >= before) continue;
    deleteRun(journal, run.id);
    purged += 1;
  }
  if (purged > 0) journal.run('VACUUM');
  return purged;
}

/** Notes that a registration has been deleted, so that a push of the same row sends it again. */
export function forgetRegistration(
  journal: Journal,
  service: string,
  { id, barcode }: { id: string; barcode: string | undefined },
): void {
  journal.run(
    `UPDATE row SET state = 'deleted' WHERE state IN ('done', 'accepted', 'unchanged', 'conflict')
       AND run IN (SELECT id FROM run WHERE service = $service)
       AND (remote_id = $id OR ($barcode IS NOT NULL AND barcode = $barcode))`,
    { $service: service, $id: id, $barcode: barcode ?? null },
  );
}
