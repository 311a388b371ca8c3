import { expect, test } from 'vitest';
import { freshState, isLearnt, NEVER_MS } from '../../src/pacing/pacer-state.ts';
import { learnt } from './states.ts';

test('before the first request nothing is known', () => {
  const { began, ...state } = freshState();
  expect(began).toEqual({ afterMs: NEVER_MS, atMs: NEVER_MS, byMs: NEVER_MS });
  expect(state).toMatchObject({
    isGuessed: false,
    isScouted: false,
    isSure: false,
    shape: 'window',
    underWay: [],
    sendings: [],
  });
  const times = [state.lastSentMs, state.newsMs, state.toldMs, state.noRefillMs, state.countedFromMs];
  expect(new Set([...times, state.silentUntilMs])).toEqual(new Set([NEVER_MS]));
});

test('a service is learnt once its limit, its window and what it has granted are known', () => {
  expect(isLearnt(learnt())).toBe(true);
  for (const key of ['limit', 'windowMs', 'granted'] as const) {
    expect(isLearnt({ ...learnt(), [key]: undefined })).toBe(false);
  }
});
