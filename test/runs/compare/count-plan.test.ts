import { expect, test } from 'vitest';
import { countPlan } from '../../../src/runs/compare/count-plan.ts';
import { ROW_STATES } from '../../../src/registration/model/row-states.ts';
import { openJournal, readRun } from '../journal-bench.ts';

const PLANS = ['create', 'update', 'unchanged', 'conflict', 'unknown', null] as const;

test('What is left to do counts, and what is in the service as it is; what was done or cannot be does not', () => {
  const journal = openJournal();
  const cases = ROW_STATES.flatMap((state) => PLANS.map((plan) => ({ state, plan, op: 'send' })));
  const deletions = ROW_STATES.map((state) => ({ state, plan: 'delete', op: 'delete' }));
  const rows = [...cases, ...deletions];
  const run = readRun(
    journal,
    rows.map(() => ({})),
  );
  for (const [seq, { state, plan, op }] of rows.entries()) {
    journal.run('UPDATE row SET state = $state, plan = $plan, op = $op WHERE run = $run AND seq = $seq', {
      $run: run,
      $seq: seq,
      $state: state,
      $plan: plan,
      $op: op,
    });
  }
  // Of pending rows one each, and all others without comparing; unchanged, done and accepted ones are there.
  expect(countPlan(journal, run)).toEqual({
    create: 1,
    update: 1,
    unknown: 4,
    unchanged: 3,
    kept: 0,
    delete: 1,
  });
  expect(countPlan(journal, 'none')).toEqual({
    create: 0,
    update: 0,
    unknown: 0,
    unchanged: 0,
    kept: 0,
    delete: 0,
  });
});
