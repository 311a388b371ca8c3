import type { PlanAction } from '../decide/plan-decision.ts';
import { ROW_STATES, type RowCounts, type RowState, THERE } from '../../registration/model/row-states.ts';
import type { PlanCounts } from '../../report/views/summary-view.ts';
import type { Journal } from './journal.ts';
import type { RowOp, RunCounts } from './run.ts';

/** An update of what was not there before the run first tried to send it: an interruption came between. */
export const FIRST_PLAN = `CASE WHEN plan = 'update' AND before IS NULL THEN 'create' ELSE plan END`;

/** Rows of a run that count alike, and how many they are. */
export interface Share {
  op: RowOp;
  state: RowState;
  plan?: PlanAction;
  firstPlan?: PlanAction;
  /** As the columns have it: 1 for yes. Something shows that it was new. */
  isProven: 0 | 1;
  /** It was listed before. */
  wasListed: 0 | 1;
  /** It asks for messages. */
  asks: 0 | 1;
  /** Sent, and settled, since a time. */
  sentSince: 0 | 1;
  doneSince: 0 | 1;
  n: number;
}

/** `since`: what the counts of this push begin with. */
export const readShares = (journal: Journal, run: string, since = 0): Share[] =>
  journal.all<Share>(
    `SELECT op, state, plan, ${FIRST_PLAN} AS firstPlan, proof IS NOT NULL AS isProven, before IS NOT NULL AS wasListed,
       enable_comms AS asks, coalesce(sent_at >= $since, 0) AS sentSince, coalesce(done_at >= $since, 0) AS doneSince,
       count(*) AS n
     FROM row WHERE run = $run GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9`,
    { run, since },
  );

export const countShares = (shares: readonly Share[], which: (share: Share) => boolean): number =>
  shares.reduce((sum, share) => (which(share) ? sum + share.n : sum), 0);

/** Rows by where they stand. */
export function countStates(shares: readonly Share[], op: RowOp): RowCounts {
  const counts = Object.fromEntries(ROW_STATES.map((state) => [state, 0])) as Record<RowState, number>;
  for (const share of shares) if (share.op === op) counts[share.state] += share.n;
  return counts;
}

/** What is left to do of a run, and what there is not to do. */
export function countPlan(shares: readonly Share[]): PlanCounts {
  const counts: PlanCounts = { create: 0, update: 0, unchanged: 0, kept: 0, unknown: 0, delete: 0 };
  for (const share of shares) {
    const kind = plannedAs(share);
    if (kind !== undefined) counts[kind] += share.n;
  }
  return counts;
}

function plannedAs({ op, state, plan }: Share): keyof PlanCounts | undefined {
  if (op === 'delete') return state === 'pending' ? 'delete' : undefined;
  if (state === 'pending') return plan === 'create' || plan === 'update' ? plan : 'unknown';
  return THERE.has(state) && (plan === 'unchanged' || plan === 'kept') ? plan : undefined;
}

/** Values of the rows of a run that are not sent, by what became of them, and whether their rows are in conflict as a whole. */
export const countVerdicts = (
  journal: Journal,
  run: string,
): { verdict: string; ofConflict: 0 | 1; n: number }[] =>
  journal.all<{ verdict: string; ofConflict: 0 | 1; n: number }>(
    `SELECT value AS verdict, row.state = 'conflict' AS ofConflict, count(*) AS n FROM row, json_each(row.verdicts)
     WHERE row.run = $run AND row.op = 'send' AND row.verdicts IS NOT NULL GROUP BY 1, 2`,
    { run },
  );

const NONE: RunCounts = {
  new: 0,
  changed: 0,
  sent: 0,
  deleted: 0,
  restored: 0,
  unchanged: 0,
  kept: 0,
  left: 0,
  rejected: 0,
  failed: 0,
  conflict: 0,
  values: 0,
  blocked: 0,
  postponed: 0,
  uncertain: 0,
  open: 0,
};

/** Counts what became of the rows of a run, from its beginning on, whatever it was interrupted by. */
export function countRun(journal: Journal, run: string): RunCounts {
  const undo = journal.has(`FROM run WHERE id = $run AND kind = 'undo'`, { run });
  const counts = { ...NONE };
  for (const share of readShares(journal, run)) counts[shareOf(share, undo)] += share.n;
  for (const { verdict, ofConflict, n } of countVerdicts(journal, run)) {
    if (verdict === 'conflict' && ofConflict === 0) counts.values += n;
  }
  return counts;
}

/** What a row counts as; `undo`: of an undo. */
export function shareOf(
  { op, state, firstPlan }: { op: RowOp; state: RowState; firstPlan?: string | undefined },
  undo: boolean,
): Exclude<keyof RunCounts, 'values'> {
  switch (state) {
    case 'pending':
      return 'open';
    case 'sending':
      return 'uncertain';
    case 'unchanged':
      return firstPlan === 'kept' ? 'kept' : 'unchanged';
    case 'done':
    case 'accepted':
    case 'deleted':
      if (op === 'delete') return 'deleted';
      // What was deleted since, or was to be, had been sent, brought back or found the same all the same.
      return undo ? 'restored' : heldAs(firstPlan);
    case 'conflict':
      return undo ? 'left' : 'conflict';
    default:
      return state;
  }
}

function heldAs(plan: string | undefined): 'new' | 'changed' | 'sent' | 'unchanged' | 'kept' {
  if (plan === 'create') return 'new';
  if (plan === 'unchanged' || plan === 'kept') return plan;
  return plan === 'update' ? 'changed' : 'sent';
}
