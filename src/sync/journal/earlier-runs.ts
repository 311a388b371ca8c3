import type { Registration } from '../../registration/model/registration.ts';
import { among, IN_DOUBT, MAY_HAVE_LANDED, OPEN, SENT, THERE } from '../../registration/model/row-states.ts';
import { json, rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';
import { countRun } from './count-run.ts';
import { doubtSending, IS_ELSEWHERE } from './doubts.ts';
import { columns } from './row-tables.ts';
import type { Journal } from './journal.ts';
import type { Run, RunKind } from './run.ts';
import { holderOf, listRuns, type ProcessFacts, takeRun, type Target } from './runs.ts';
import { countIn } from './queued-rows.ts';
import { claimsOf } from './sent-rows.ts';
import { notTakenBack } from './undo-rows.ts';

/* What the runs before a push have done to the registrations of its event, where the bases do not tell. */

export const OF_EVENT = 'run.service = $service AND run.event = $event';
export const eventOf = ({ service, eventId }: Target): { service: string; event: string } => ({
  service,
  event: eventId,
});

const DOUBT = rowCodec({
  ...columns('run', 'seq', 'place', 'hash', 'message', 'remoteId'),
  rowKey: value<string>(),
  registration: json<Registration>('row.payload'),
});
/** A row of an earlier run of which nobody knows whether the service has it. */
export type EarlierDoubt = RowOf<typeof DOUBT>;

/** Newest first. */
export const earlierDoubts = (journal: Journal, target: Target): EarlierDoubt[] =>
  journal.read(
    DOUBT,
    `FROM run CROSS JOIN row ON row.run = run.id AND row.state ${among(IN_DOUBT)}
     WHERE ${OF_EVENT} AND run.state <> 'reading' AND row.op = 'send' AND row.row_key IS NOT NULL
       AND NOT ${IS_ELSEWHERE}
     ORDER BY run.started_at DESC, run.rowid DESC, row.seq`,
    eventOf(target),
  );

const KEYS = rowCodec({ key: value<string>('row_key') });

/** What the rows of a run are known by. */
export const rowKeysOf = (journal: Journal, run: string): Set<string> =>
  new Set(
    journal.read(KEYS, `FROM row WHERE run = $run AND row_key IS NOT NULL`, { run }).map(({ key }) => key),
  );

/** Whether a row is known to a run by this. */
export const hasRowOf = (journal: Journal, run: string, key: string): boolean =>
  journal.has('FROM source WHERE run = $run AND row_key = $key', { run, key });

/** The barcodes that a run is about to delete. */
export const barcodesToDelete = (journal: Journal, run: string): string[] =>
  journal
    .all<{ barcode: string }>(
      `SELECT barcode FROM row WHERE run = $run AND op = 'delete' AND barcode IS NOT NULL AND state ${among(OPEN)}`,
      { run },
    )
    .map(({ barcode }) => barcode);

/** Runs that have sent something since a step, each with the keys of the rows. */
export function sentSince(journal: Journal, target: Target, step: number): Map<string, Set<string>> {
  const rows = journal.all<{ run: string; key: string }>(
    `SELECT row.run, row.row_key AS key FROM run CROSS JOIN row ON row.run = run.id AND row.sent_no > $step
     WHERE ${OF_EVENT} AND run.kind = 'push' AND row.row_key IS NOT NULL`,
    { ...eventOf(target), step },
  );
  const runs = new Map<string, Set<string>>();
  for (const { run, key } of rows) runs.set(run, (runs.get(run) ?? new Set()).add(key));
  return runs;
}

/** When another run last sent something and got no answer, in milliseconds since 1970; undefined: none did. */
export const lastUnanswered = (journal: Journal, target: Target): number | undefined =>
  journal.get<{ at?: number }>(
    `SELECT max(row.sent_at) AS at FROM run CROSS JOIN row ON row.run = run.id AND row.state ${among(IN_DOUBT)}
     WHERE ${OF_EVENT}`,
    eventOf(target),
  )?.at;

/** Rows that changed somebody else's registration, not undone, nor found to stand for one since; oldest run first. */
export const overwriting = (journal: Journal, target: Target): { run: string; key: string }[] =>
  journal.all(
    `SELECT run.id AS run, hit.row_key AS key FROM run CROSS JOIN row AS hit ON hit.run = run.id
       AND hit.state = 'conflict' AND hit.proof = 'not-new'
     WHERE ${OF_EVENT} AND ${notTakenBack('hit')}
       AND NOT EXISTS (SELECT 1 FROM row AS later JOIN run AS its ON its.id = later.run AND its.rowid > run.rowid
         WHERE later.row_key = hit.row_key AND later.state ${among(THERE)})
     ORDER BY run.rowid`,
    eventOf(target),
  );

/** Whether an update of a registration of an event was sent from here. */
export const hasUpdated = (journal: Journal, target: Target): boolean =>
  journal.has(
    `FROM run CROSS JOIN row ON row.run = run.id AND row.plan = 'update' AND row.state ${among(SENT)}
     WHERE ${OF_EVENT}`,
    eventOf(target),
  );

/** Whether a row was sent as it is since a time (milliseconds since 1970), and not deleted again. */
export const wasSentSince = (journal: Journal, target: Target, key: string, since: number): boolean =>
  journal.has(
    `FROM run CROSS JOIN row ON row.run = run.id AND row.row_key = $key AND row.op = 'send'
       AND row.state ${among(MAY_HAVE_LANDED)} AND row.sent_at >= $since
     WHERE ${OF_EVENT}`,
    { ...eventOf(target), key, since },
  );

const PUSHED = rowCodec({
  files: json<readonly string[]>(),
  first: value<number>('min(rowid)'),
  last: value<number>('max(rowid)'),
});

/** The files of all pushes, as they were named, with the first and the last of their pushes. */
export const filesPushed = (journal: Journal, target: Target): RowOf<typeof PUSHED>[] =>
  journal.read(
    PUSHED,
    `FROM run WHERE ${OF_EVENT} AND kind = 'push' AND state <> 'reading' GROUP BY files`,
    eventOf(target),
  );

/** The sheets of some files that pushes have sent rows of; undefined where a file has none. */
export const sheetsPushed = (
  journal: Journal,
  target: Target,
  files: readonly string[],
): (string | undefined)[] =>
  journal
    .all<{ sheet?: string }>(
      `SELECT DISTINCT row.sheet FROM run CROSS JOIN row ON row.run = run.id AND row.op = 'send'
       WHERE ${OF_EVENT} AND run.files = $files`,
      { ...eventOf(target), files: JSON.stringify(files) },
    )
    .map(({ sheet }) => sheet);

/** Whether a run was broken off before its end; of a push unless another kind is given. */
export function isInterrupted(run: Run, { service, eventId }: Target, kind: RunKind = 'push'): boolean {
  if (run.kind !== kind || run.service !== service || run.event !== eventId) return false;
  return run.state === 'sending' || run.state === 'interrupted' || run.state === 'stopped';
}

/** Whether a run was interrupted before it had looked at what it has sent. */
export const isUnproven = (journal: Journal, run: Run, target: Target): boolean =>
  isInterrupted(run, target, run.kind) && claimsOf(journal, run.id).length > 0;

/** Runs of an event that are in doubt about rows, or have not looked at what they have sent; oldest first. */
export const unsettledRuns = (journal: Journal, target: Target): Run[] =>
  listRuns(journal, target)
    .filter(
      (run) =>
        run.state !== 'reading' &&
        (countIn(journal, run.id, IN_DOUBT) > 0 || isUnproven(journal, run, target)),
    )
    .toReversed();

/** Works on a run of before, unless another process does; its state stays, and what it was sending is in doubt. */
export async function revisitRun(
  { journal, self, clock }: { journal: Journal; self: ProcessFacts; clock: { now(): number } },
  run: string,
  work: () => Promise<void>,
): Promise<void> {
  if (!takeRun(journal, run)) return;
  journal.transaction(() => {
    doubtSending(journal, run);
    const holder = JSON.stringify(holderOf(self, clock.now()));
    const counts = JSON.stringify(countRun(journal, run));
    journal.run('UPDATE run SET holder = $holder, counts = coalesce(counts, $counts) WHERE id = $run', {
      run,
      holder,
      counts,
    });
  });
  try {
    await work();
  } finally {
    journal.run(
      `UPDATE run SET holder = NULL, ended_at = coalesce(ended_at, $now),
         state = CASE state WHEN 'sending' THEN 'interrupted' ELSE state END WHERE id = $run`,
      { run, now: clock.now() },
    );
    journal.locks.release(run);
  }
}

/** Closes an interrupted run, which is locked for that: another one goes on from it. */
export function closeRun(
  journal: Journal,
  { id, endedAt }: Run,
  { by, now }: { by: string; now: number },
): void {
  const counts = JSON.stringify(countRun(journal, id));
  journal.run(
    `UPDATE run SET state = 'closed', holder = NULL, continued_by = $by, ended_at = $ended,
       counts = coalesce(counts, $counts) WHERE id = $id`,
    { id, by, ended: endedAt ?? now, counts },
  );
  journal.locks.release(id);
}

type Content = { key: string; content: string; isOpen: number };
/** The rows of a run: what they are known by, with all that they say, and whether they were not sent or are in doubt. */
export const contentsOf = (journal: Journal, run: string): Content[] =>
  journal.all<Content>(
    `SELECT row_key AS key, row_key || char(10) || hash AS content, state ${among(OPEN)} AS isOpen FROM row
     WHERE run = $run AND op = 'send' AND row_key IS NOT NULL`,
    { run },
  );
