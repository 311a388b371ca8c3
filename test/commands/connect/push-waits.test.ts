import { expect, test } from 'vitest';
import { waits } from '../../../src/commands/connect/workplace.ts';
import type { PushEvent } from '../../../src/report/views/events.ts';
import { fakeClock } from '../../support/fake-clock.ts';

const budget = {
  limit: 30,
  remaining: 0,
  share: 1,
  windowMs: 60_000,
  refillsAtMs: 5_000,
  confirmedAtMs: undefined,
  roundTripMs: undefined,
};

test('waits that can be noticed are told, with what the command may take of the budget', () => {
  const events: PushEvent[] = [];
  const reporter = { report: (event: PushEvent) => void events.push(event), pause() {}, close() {} };
  const told = waits(reporter, fakeClock({ startMs: 0 }), { leave: 10, maxWait: 60_000 });
  told.onWait(1_999, budget);
  told.onRetryWait(1_999);
  expect(events).toEqual([]);
  told.onWait(2_000, budget);
  told.onRetryWait(3_000);
  expect(events).toEqual([
    {
      type: 'waiting',
      untilMs: 2_000,
      why: 'budget',
      budget: { ...budget, waitMs: 5_000, leave: 10, maxWaitMs: 60_000 },
    },
    { type: 'waiting', untilMs: 3_000, why: 'retry', budget: undefined },
  ]);
});
