import { among, HELD_BACK, UNANSWERED, type RowState, THERE } from '../../registration/model/row-states.ts';
import type { RecordImage, Registration } from '../../registration/model/registration.ts';
import { addStep, type StepName } from './steps.ts';
import { json, rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';
import type { RowOutcome } from '../decide/judge-found.ts';
import type { RowOp } from './run.ts';
import type { Journal } from './journal.ts';
import { ASIDE } from '../../sqlite/late-writes.ts';
import { columns } from './row-tables.ts';

export const QUEUED = rowCodec({
  ...columns('seq', 'position', 'place', 'registration', 'sentAt', 'plan', 'before'),
  ...columns('verdicts', 'remoteId', 'near'),
});

/** A row that is to be sent. */
export type QueuedRow = RowOf<typeof QUEUED>;

/** Pending rows of a depth, in sending order, after a given place in it; at most `limit`. */
export const queuedRows = (
  journal: Journal,
  run: string,
  {
    depth,
    after,
    limit,
  }: { depth: number; after?: Pick<QueuedRow, 'position' | 'seq'> | undefined; limit: number },
): QueuedRow[] =>
  journal.read(
    QUEUED,
    `FROM row WHERE run = $run AND state = 'pending' AND depth = $depth AND op = 'send'
       AND (position, seq) > ($position, $seq) ORDER BY position, seq LIMIT $limit`,
    { run, depth, position: after?.position ?? -1, seq: after?.seq ?? -1, limit },
  );

const PENDING = rowCodec({
  ...columns('seq', 'part', 'before'),
  rowKey: value<string>('row.row_key'),
  /** As the file has it. */
  registration: json<Registration>('row.payload'),
});
/** A row that is still to be sent, as the file has it. */
export type PendingRow = RowOf<typeof PENDING>;

/** Of some rows those that are still to be sent. */
export const pendingAmong = (journal: Journal, run: string, seqs: readonly number[]): PendingRow[] =>
  journal.read(
    PENDING,
    `FROM row WHERE run = $run AND op = 'send' AND state = 'pending'
       AND seq IN (SELECT value FROM json_each($seqs)) ORDER BY seq`,
    { run, seqs: JSON.stringify(seqs) },
  );

const STANDING = rowCodec({
  ...columns('state', 'persona', 'barcode', 'remoteId'),
  parent: value<string | undefined>('parent_barcode'),
  registration: json<Registration | undefined>('payload'),
  /** In a conflict, whom it may be about. */
  near: json<readonly RecordImage[] | undefined>(`CASE WHEN state = 'conflict' THEN near END`),
});
/** Where a row of the files stands, and for whom. */
export type StandingRow = RowOf<typeof STANDING>;

/** The rows of the files of a run. */
export const standingRows = (journal: Journal, run: string): StandingRow[] =>
  journal.read(STANDING, `FROM row WHERE run = $run AND op = 'send' ORDER BY seq`, { run });

/** Rows of a run whose turn has not come are to be sent once more: what stood in their way is settled. */
export const releaseHeldBack = (
  journal: Journal,
  run: string,
  held: Iterable<RowState> = HELD_BACK,
): void => {
  journal.run(`UPDATE operation SET state = 'pending' WHERE run = $run AND state ${among(held)}`, { run });
};

/** The row of a run with a number. */
export const queuedRow = (journal: Journal, run: string, seq: number): QueuedRow | undefined =>
  journal.readOne(QUEUED, 'FROM row WHERE run = $run AND seq = $seq', { run, seq });

/** Whether a row that is to be sent has not been set aside meanwhile. */
export const isQueued = (journal: Journal, run: string, seq: number): boolean =>
  journal.has(`FROM operation ${ASIDE} WHERE run = ? AND seq = ? AND state ${among(UNANSWERED)}`, [run, seq]);

/** Writes the intent: from here on the request may have left. It is on the disk when this, or its group, has returned. */
export const writeIntent = (
  journal: Journal,
  run: string,
  seq: number,
  intent: { at: number; requestId: string; detail?: string | undefined },
): void =>
  journal.together(() => {
    journal.departures.add(run, { seq, sent: intent }, [`${run} ${seq}`]);
  });

const WRITE_OUTCOME = `UPDATE operation SET state = ?, status = ?, remote_id = coalesce(?, remote_id), message = ?, done_at = ?,
  listed_no = coalesce(?, listed_no) WHERE run = ? AND seq = ?`;

/**
 * Writes the outcome, and what it came by: by the answer to its request, unless said otherwise. It is on the disk when
 * this returns. `done` and `accepted` say that the service holds the row as it is; `unchanged` that it did already.
 */
export function writeOutcome(
  journal: Journal,
  run: string,
  seq: number,
  { state, status, message, requestId, remoteId, isUnlisted }: RowOutcome,
  now: number,
  what?: StepName,
): void {
  const detail = message === undefined ? state : `${state}: ${message}`;
  const step = { at: now, status, requestId, detail };
  const isThere = THERE.has(state);
  journal.together((no) => {
    if (what === undefined) {
      const outcome = { state, remoteId, message, isUnlisted };
      const about = [`${run} ${seq}`, ...(remoteId === undefined ? [] : [remoteId])];
      return journal.departures.add(run, { seq, outcome, answer: step }, about, true);
    }
    addStep(journal, run, seq, { ...step, what });
    journal.run(WRITE_OUTCOME, [state, status, remoteId, message, now, isThere ? no : undefined, run, seq]);
    // It may come after it was listed otherwise; an answer comes right after its request.
    if (isThere) journal.run('UPDATE sides SET after = NULL WHERE run = ? AND seq = ?', [run, seq]);
  });
}

/** How many rows of a run are in one of some states, of one kind when given. */
export const countIn = (journal: Journal, run: string, states: Iterable<RowState>, op?: RowOp): number =>
  journal.count(
    'FROM row WHERE run = $run AND state IN (SELECT value FROM json_each($states)) AND ($op IS NULL OR op = $op)',
    { run, states: JSON.stringify([...states]), op },
  );

/** How many rows that a run sends are in which state, without conflicts of which nothing was tried. */
export const countTried = (journal: Journal, run: string): ReadonlyMap<RowState, number> =>
  new Map(
    journal
      .all<{ state: RowState; n: number }>(
        `SELECT state, count(*) AS n FROM operation
         WHERE run = $run AND op = 'send' AND (state <> 'conflict' OR attempts > 0) GROUP BY state`,
        { run },
      )
      .map(({ state, n }) => [state, n]),
  );

const STATE = rowCodec({ state: value<RowState>() });

/** Where a row stands; nothing is to become of one that is not there. */
export const readState = (journal: Journal, run: string, seq: number): RowState =>
  journal.readOne(STATE, 'FROM operation WHERE run = $run AND seq = $seq', { run, seq })?.state ?? 'rejected';
