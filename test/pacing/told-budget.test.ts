import { expect, test } from 'vitest';
import { Pacer } from '../../src/pacing/pacer.ts';
import { freshState } from '../../src/pacing/pacer-state.ts';
import { toldBudget } from '../../src/pacing/pacer-memory.ts';
import { at } from './states.ts';

test('a budget that is told is sure, and its window began no earlier than it was told', () => {
  const state = toldBudget({ limit: 30, windowMs: 1000 }, at(0));
  expect(state).toEqual({
    ...freshState(),
    limit: 30,
    windowMs: 1000,
    isSure: true,
    confirmedMs: at(0),
    began: { ...freshState().began, afterMs: at(0) },
  });
  expect(new Pacer(state).budget(at(0))).toMatchObject({ limit: 30, windowMs: 1000, confirmedAtMs: at(0) });
});
