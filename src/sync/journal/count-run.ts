import { formatCount } from '../../report/words/number.ts';
import type { RowState } from '../../registration/model/row-states.ts';
import type { Journal } from './journal.ts';
import type { RowOp, RunCounts } from './run.ts';

/** What tells where a row counts. */
export interface Share {
  /** 1 for a row of an undo. */
  undo: number;
  op: RowOp;
  state: RowState;
  /** See `FIRST_PLAN`. */
  plan?: string | undefined;
}

/** An update of what was not there before the run first tried to send it: an interruption came between. */
export const FIRST_PLAN = `CASE WHEN plan = 'update' AND before IS NULL THEN 'create' ELSE plan END`;

/** Counts what became of the rows of a run, from its beginning on, whatever it was interrupted by. */
export function countRun(journal: Journal, run: string): RunCounts {
  const counts = Object.fromEntries(COUNT_WORDS.map(([key]) => [key, 0])) as Record<keyof RunCounts, number>;
  for (const share of readShares(journal, run)) counts[shareOf(share)] += share.n;
  return { ...counts, values: countConflictingValues(journal, run) };
}

/** How many rows of a run count alike. */
export function readShares(journal: Journal, run: string): (Share & { n: number })[] {
  return journal.all<Share & { n: number }>(
    `SELECT run.kind = 'undo' AS undo, op, row.state, ${FIRST_PLAN} AS plan, count(*) AS n
     FROM row JOIN run ON run.id = row.run WHERE row.run = $run GROUP BY op, row.state, ${FIRST_PLAN}`,
    { run },
  );
}

function countConflictingValues(journal: Journal, run: string): number {
  return journal.count(
    `FROM row, json_each(row.verdicts)
     WHERE row.run = $run AND row.op = 'send' AND row.verdicts IS NOT NULL AND row.state <> 'conflict'
       AND value = 'conflict'`,
    { run },
  );
}

/** What a row counts as. */
export function shareOf({ undo, op, state, plan }: Share): Exclude<keyof RunCounts, 'values'> {
  switch (state) {
    case 'pending':
      return 'open';
    case 'sending':
      return 'uncertain';
    case 'unchanged':
      return plan === 'kept' ? 'kept' : 'unchanged';
    case 'done':
    case 'accepted':
    case 'deleted':
      if (op === 'delete') return 'deleted';
      // What was deleted since, or was to be, had been sent, brought back or found the same all the same.
      return undo === 1 ? 'restored' : heldAs(plan);
    case 'conflict':
      return undo === 1 ? 'left' : 'conflict';
    default:
      return state;
  }
}

function heldAs(plan: string | undefined): 'new' | 'changed' | 'sent' | 'unchanged' | 'kept' {
  if (plan === 'create') return 'new';
  if (plan === 'unchanged' || plan === 'kept') return plan;
  return plan === 'update' ? 'changed' : 'sent';
}

/** What the counts mean, in the order in which they are told. */
export const COUNT_WORDS: readonly (readonly [keyof RunCounts, string])[] = [
  ['new', 'new'],
  ['changed', 'changed'],
  ['sent', 'sent, not compared'],
  ['deleted', 'deleted'],
  ['restored', 'brought back'],
  ['unchanged', 'the same'],
  ['kept', 'kept as edited in the service'],
  ['left', 'left alone'],
  ['rejected', 'rejected'],
  ['failed', 'refused by the service'],
  ['conflict', 'in conflict'],
  ['values', 'values in conflict'],
  ['blocked', 'not sent because of their parent'],
  ['postponed', 'held back until more is known of the service'],
  ['uncertain', 'not known whether they arrived'],
  ['open', 'still to do'],
];

/** `5 new, 1 changed, 234 the same`; `nothing` for a run without rows. */
export function describeCounts(counts: RunCounts): string {
  const parts = COUNT_WORDS.filter(([key]) => counts[key] > 0).map(([key, words]) => {
    const isOneValue = key === 'values' && counts.values === 1;
    return `${formatCount(counts[key])} ${isOneValue ? 'value in conflict' : words}`;
  });
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}
