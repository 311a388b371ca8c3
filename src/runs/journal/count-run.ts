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
  const counts: RunCounts = {
    new: 0,
    changed: 0,
    sent: 0,
    unchanged: 0,
    kept: 0,
    deleted: 0,
    restored: 0,
    left: 0,
    rejected: 0,
    failed: 0,
    conflict: 0,
    values: 0,
    blocked: 0,
    uncertain: 0,
    open: 0,
  };
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
      return undo === 1 ? 'restored' : sentAs(plan);
    case 'deleted':
      // What was sent, and has been deleted since, was sent all the same.
      return op === 'delete' ? 'deleted' : sentAs(plan);
    case 'conflict':
      return undo === 1 ? 'left' : 'conflict';
    default:
      return state;
  }
}

function sentAs(plan: string | undefined): 'new' | 'changed' | 'sent' {
  if (plan === 'create') return 'new';
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
  ['uncertain', 'not known whether they arrived'],
  ['open', 'still to do'],
];

/** `5 new, 1 changed, 234 the same`; `nothing` for a run without rows. */
export function describeCounts(counts: RunCounts): string {
  const parts = COUNT_WORDS.flatMap(([key, words]) =>
    counts[key] > 0
      ? [
          `${formatCount(counts[key])} ${key === 'values' && counts.values === 1 ? 'value in conflict' : words}`,
        ]
      : [],
  );
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}
