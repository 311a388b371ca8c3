import type { PlanAction } from '../decide/plan-decision.ts';
import {
  among,
  PROBLEMS,
  ROW_STATES,
  type RowCounts,
  type RowState,
  THERE,
} from '../../registration/model/row-states.ts';
import type { PlanCounts } from '../../report/views/summary-view.ts';
import type { Journal } from './journal.ts';
import { COUNTS, type RowOp, type RunCounts } from './run.ts';

/** What rows that count alike have in common, besides what they ask for and where they stand. */
export const FACTS = {
  /** Something shows that it was new. */
  isProven: 'proof IS NOT NULL',
  /** It was listed before. */
  wasListed: 'before IS NOT NULL',
  /** It asks for messages. */
  asks: 'enable_comms',
  isCompanion: 'part > 0',
  /** It was read back, and is not as it was to be left. */
  isChecked: 'checked_at IS NOT NULL',
  isDifferent: 'differences IS NOT NULL',
  hasId: 'remote_id IS NOT NULL',
  /** Somebody has to be told of it. */
  isProblem: `state ${among(PROBLEMS)} OR differences IS NOT NULL
    OR (verdicts IS NOT NULL AND EXISTS (SELECT 1 FROM json_each(verdicts) WHERE value = 'conflict'))`,
  /** Somebody has said that it stays deleted in the service. */
  staysGone: `plan IS 'kept' AND verdicts IS NULL`,
  /** There is something to say of it. */
  isRemarkable: `state ${among(PROBLEMS)} OR message IS NOT NULL OR differences IS NOT NULL
    OR notes IS NOT NULL OR verdicts IS NOT NULL`,
  /** Sent, and settled, since a time. */
  sentSince: 'coalesce(sent_at >= $since, 0)',
  doneSince: 'coalesce(done_at >= $since, 0)',
};
type Fact = keyof typeof FACTS;
const NAMES = Object.keys(FACTS) as Fact[];
const BITS = Object.values(FACTS)
  .map((sql, at) => `((${sql}) << ${at})`)
  .join(' | ');
const factsIn = (bits: number): Record<Fact, boolean> =>
  Object.fromEntries(NAMES.map((name, at) => [name, ((bits >> at) & 1) === 1])) as Record<Fact, boolean>;

/** Rows of a run that count alike, and how many they are. */
export interface Share extends Readonly<Record<Fact, boolean>> {
  op: RowOp;
  state: RowState;
  plan: PlanAction | undefined;
  /** Of the last answer. */
  status: number | undefined;
  n: number;
}

/** `since`: what the counts of this push begin with. */
export const readShares = (journal: Journal, run: string, since = 0): Share[] =>
  journal
    .all<Omit<Share, Fact> & { bits: number }>(
      `SELECT op, state, plan, status, ${BITS} AS bits, count(*) AS n
       FROM row WHERE run = $run GROUP BY 1, 2, 3, 4, 5`,
      { run, since },
    )
    .map(({ bits, ...share }) => ({ ...share, ...factsIn(bits) }));

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

/** Counts what became of the rows of a run, from its beginning on, whatever it was interrupted by. */
export function countRun(journal: Journal, run: string): RunCounts {
  const undo = journal.has(`FROM run WHERE id = $run AND kind = 'undo'`, { run });
  const counts = Object.fromEntries(COUNTS.map((name) => [name, 0])) as RunCounts;
  for (const share of readShares(journal, run)) counts[shareOf(share, undo)] += share.n;
  for (const { verdict, ofConflict, n } of countVerdicts(journal, run)) {
    if (verdict === 'conflict' && ofConflict === 0) counts.values += n;
  }
  return counts;
}

/** What a row counts as; `undo`: of an undo. */
export function shareOf(
  { op, state, plan = '' }: { op: RowOp; state: RowState; plan?: string | undefined },
  undo: boolean,
): Exclude<keyof RunCounts, 'values'> {
  switch (state) {
    case 'pending':
      return 'open';
    case 'sending':
      return 'uncertain';
    case 'unchanged':
      return plan === 'kept' ? 'kept' : 'unchanged';
    case 'conflict':
      return undo ? 'left' : 'conflict';
    case 'done':
    case 'accepted':
    case 'deleted':
      if (op === 'delete') return 'deleted';
      // What was deleted since, or was to be, had been sent, brought back or found the same all the same.
      return undo ? 'restored' : (HELD_AS[plan] ?? 'sent');
    default:
      return state;
  }
}

const HELD_AS: Readonly<Record<string, 'new' | 'changed' | 'unchanged' | 'kept'>> = {
  create: 'new',
  update: 'changed',
  unchanged: 'unchanged',
  kept: 'kept',
};
