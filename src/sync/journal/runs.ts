import { IN_DOUBT, OPEN, among } from '../../registration/model/row-states.ts';
import { randomBytes } from 'node:crypto';
import type { EventInfo } from '../../registration/model/persona.ts';
import { countRun } from './count-run.ts';
import { RUN, type Holder, type LaterEvent, type Run, type RunKind, type RunState } from './run.ts';
import type { Journal } from './journal.ts';
import { endBlock } from './departures.ts';
import { journalError } from './journal-schema.ts';
import { GuardError } from '../../errors.ts';
import { plural } from '../../report/words/number.ts';

/** What identifies the service and event of a run: registrations of one are nothing to another. */
export interface Target {
  /** Origin and path of the service, or the identity of a sandbox's data. */
  service: string;
  eventId: string;
  eventName: string;
}

/** This process, as others are told of it. */
export type ProcessFacts = Omit<Holder, 'since'>;

/** What a run starts with. */
interface RunStart {
  kind: RunKind;
  target: Target;
  files: readonly string[];
  /** As the service describes it: what was sent cannot be read without. */
  event?: EventInfo;
  /** The run that it takes back. */
  undoes?: string;
  /** `reading` unless given: it is not known yet whether there is anything to do. */
  state?: 'reading' | 'sending';
}

/** Starts a run, and takes it; its id sorts by time and is short enough to type. */
export function beginRun(
  journal: Journal,
  { kind, target, files, event, undoes, state = 'reading' }: RunStart,
  now: number,
  self: ProcessFacts,
): string {
  const day = new Date(now).toISOString().slice(0, 10).replaceAll('-', '');
  const id = `${day}-${randomBytes(3).toString('hex')}`;
  takeRun(journal, id);
  journal.add('run', {
    id,
    kind,
    undoes,
    service: target.service,
    event: target.eventId,
    eventName: target.eventName,
    files,
    eventInfo: event,
    who: journal.sharing?.who,
    state,
    startedAt: now,
    holder: holderOf(self, now),
  });
  return id;
}

/** False when another process has the run. Throws as the journal does. */
export function takeRun(journal: Journal, id: string): boolean {
  try {
    return journal.locks.take(id);
  } catch (error) {
    throw journalError(error, journal.file);
  }
}

export const holderOf = ({ pid, host, startedAt }: ProcessFacts, now: number): Holder => ({
  pid,
  host,
  startedAt,
  since: now,
});

/** Puts a run to work whose guards have spoken. */
export function startRun(journal: Journal, run: string): void {
  journal.run(`UPDATE run SET state = 'sending' WHERE id = $run`, { run });
}

/** Lets go of a run, and forgets it where it never came further than reading. */
export function releaseReading(journal: Journal, run: string): void {
  journal.run(`DELETE FROM run WHERE id = $run AND state = 'reading'`, { run });
  journal.locks.release(run);
}

/** Ends a run with what it came to, and lets go of it. */
export function endRun(journal: Journal, id: string, state: RunState, now: number, message?: string): void {
  endBlock(journal, id);
  journal.run(
    `UPDATE run SET state = $state, ended_at = $now, holder = NULL, message = $message, counts = $counts
     WHERE id = $id`,
    { id, state, now, message, counts: JSON.stringify(countRun(journal, id)) },
  );
  journal.locks.release(id);
}

/** Notes what became of a run after its end: what it came to then stays as it was. */
export function noteLater(journal: Journal, run: string, { at, text }: LaterEvent): void {
  journal.run(
    `UPDATE run SET later = json_insert(coalesce(later, '[]'), '$[#]', json_object('at', $at, 'text', $text))
     WHERE id = $run`,
    { run, at, text },
  );
}

/** Where a run has kept what it deletes, the latest first: those are the files that it is listed with. */
export function backupsOf(journal: Journal, run: string): string[] {
  const row = journal.get<{ files: string }>('SELECT files FROM run WHERE id = $run', { run });
  return JSON.parse(row?.files ?? '[]') as string[];
}

/** Notes one more backup of a run. */
export function noteBackup(journal: Journal, run: string, file: string): void {
  const files = JSON.stringify([file, ...backupsOf(journal, run)]);
  journal.run('UPDATE run SET files = $files WHERE id = $run', { run, files });
}

export function deleteRun(journal: Journal, id: string): void {
  journal.run('DELETE FROM run WHERE id = $id', { id });
  journal.locks.forget(id);
}

/** Who else works on a run: somebody is there for as long as the run is locked. */
export function otherHolder(journal: Journal, { id, holder }: Run): Holder | undefined {
  if (holder === undefined) return undefined;
  return journal.locks.isHeld(id) ? holder : undefined;
}

/** Other runs of the same event that a process is sending or deleting for, each with who that is. */
export function runsAtWork(
  journal: Journal,
  target: Pick<Target, 'service' | 'eventId'>,
  except?: string,
): { run: Run; holder: Holder }[] {
  return listRuns(journal, target).flatMap((run) => {
    const holder = run.id === except || run.state === 'reading' ? undefined : otherHolder(journal, run);
    return holder === undefined ? [] : [{ run, holder }];
  });
}

/** All runs, of an event where one is given, newest first. */
export function listRuns(journal: Journal, of?: Pick<Target, 'service' | 'eventId'>): Run[] {
  const runs = journal.read(RUN, 'FROM run ORDER BY started_at DESC, rowid DESC');
  return of === undefined
    ? runs
    : runs.filter((run) => run.service === of.service && run.event === of.eventId);
}

/** The run with an id, or all whose ids begin with it, newest first. */
export function findRuns(journal: Journal, id: string): Run[] {
  const rows = journal.read(
    RUN,
    'FROM run WHERE substr(id, 1, length($id)) = $id ORDER BY started_at DESC, rowid DESC',
    { id },
  );
  const exact = rows.find((row) => row.id === id);
  return exact === undefined ? rows : [exact];
}

/** Rows of a run whose fate is not known; of a run that was killed also those that it was sending. */
export const doubtful = (journal: Journal, run: string): number[] =>
  journal
    .all<{ seq: number }>(
      `SELECT seq FROM row WHERE run = $run AND op = 'send' AND state ${among(IN_DOUBT)} ORDER BY seq`,
      { run },
    )
    .map(({ seq }) => seq);

/** Throws GuardError when another process is about to send or delete what is on the list of a run, by id or barcode. */
export function refuseIfBusy(journal: Journal, target: Target, run: string): void {
  for (const { run: other, holder } of runsAtWork(journal, target, run)) {
    const shared = countShared(journal, run, other.id);
    if (shared === 0) continue;
    const some = plural(shared, 'registration is', 'registrations are');
    throw heldBy(`${some} also being ${deedOf(other)}`, holder, { run: other.id });
  }
}

function countShared(journal: Journal, mine: string, theirs: string): number {
  const open = `FROM row WHERE run = $theirs AND state ${among(OPEN)}`;
  return journal.count(
    `FROM row WHERE run = $mine AND state ${among(OPEN)}
       AND (remote_id IN (SELECT remote_id ${open} AND remote_id IS NOT NULL)
         OR barcode IN (SELECT barcode ${open} AND barcode IS NOT NULL))`,
    { mine, theirs },
  );
}

const deedOf = ({ kind }: Run): string =>
  kind === 'push' ? 'sent' : kind === 'undo' ? 'brought back to what they were' : 'deleted';

/** The error for what another process is at: `what`. `run`: for which run, where that is not said; `when`: since when. */
export function heldBy(
  what: string,
  holder: Pick<Holder, 'pid' | 'host'> | undefined,
  { run, when = '' }: { run?: string; when?: string | undefined } = {},
): GuardError {
  const who = holder === undefined ? 'another eventreg' : `another eventreg: ${processOf(holder)}${when}`;
  const which = run === undefined ? '' : ` (run ${run})`;
  return new GuardError('busy', `${what} by ${who}${which}.`, {
    hint: 'Wait for it to end, or stop it with Ctrl-C there; then run this command again.',
  });
}

/** Who works on a run. */
export const processOf = ({ pid, host }: Pick<Holder, 'pid' | 'host'>): string => `process ${pid} on ${host}`;
