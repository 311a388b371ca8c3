import { THERE } from '../../registration/model/row-states.ts';
import type { RowState } from '../../registration/model/row-state.ts';
import type { PlanCounts } from '../../report/views/summary-view.ts';
import type { Journal } from '../journal/journal.ts';
import type { RowOp } from '../journal/run.ts';
import type { PlanAction } from '../judge/plan-action.ts';

interface Share {
  op: RowOp;
  state: RowState;
  plan: PlanAction | null;
  n: number;
}

/** What is left to do of a run, and what there is not to do. */
export function countPlan(journal: Journal, run: string): PlanCounts {
  const counts: PlanCounts = { create: 0, update: 0, unchanged: 0, kept: 0, unknown: 0, delete: 0 };
  const shares = journal.all<Share>(
    'SELECT op, state, plan, count(*) AS n FROM row WHERE run = $run GROUP BY op, state, plan',
    { $run: run },
  );
  for (const share of shares) {
    const kind = kindOf(share);
    if (kind !== undefined) counts[kind] += share.n;
  }
  return counts;
}

function kindOf({ op, state, plan }: Share): keyof PlanCounts | undefined {
  if (op === 'delete') return state === 'pending' ? 'delete' : undefined;
  if (state === 'pending') return plan === 'create' || plan === 'update' ? plan : 'unknown';
  return THERE.has(state) && (plan === 'unchanged' || plan === 'kept') ? plan : undefined;
}
