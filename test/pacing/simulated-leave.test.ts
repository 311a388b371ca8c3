import { expect, test } from 'vitest';
import { Pacer } from '../../src/pacing/pacer.ts';
import type { Client, World } from '../support/rate/world.ts';
import { push, SECOND, type Setting } from './any-world.ts';

const LINES = [
  { limit: 30, windowMs: 60 * SECOND },
  { limit: 30, windowMs: 2 * SECOND },
  { limit: 100, windowMs: 10 * SECOND },
];
const WORLDS = LINES.flatMap((line) =>
  [1, 3, 10, 20].flatMap((leave) => [0, 1, 2, 3].map((seed) => ({ ...line, leave, seed, latencyMs: 20 }))),
);

/** How far into what is kept for others a push went, in its first three windows' worth and after them. */
function taken(setting: Setting): { learning: number; learnt: number } {
  const pacer = new Pacer();
  const { leave = 0, limit } = setting;
  const deepest = { learning: 0, learnt: 0 };
  let granted = 0;
  const client: Client = {
    delayMs: (now, left, wanted) => pacer.delayMs(now, left, wanted),
    sent: (now) => pacer.sent(now),
    lost: (ticket, now) => pacer.lost(ticket, now),
    answered(ticket, now, answer) {
      if (!answer.refused) granted += 1;
      const phase = granted > 3 * limit ? 'learnt' : 'learning';
      deepest[phase] = Math.max(deepest[phase], leave - (answer.remaining ?? 0));
      pacer.answered(ticket, now, answer);
    },
  };
  expect(push(setting, { client, requests: 8 * limit }).stalled).toBe(false);
  return deepest;
}

// Learning costs what is asked for to see whether something came back; after it nothing shall be touched.
test.each<[World['kind'], learning: number, learnt: number]>([
  ['first-request', 6, 0],
  ['aligned', 6, 0],
  ['token-bucket', 2, 0],
  ['gcra', 2, 0],
  ['sliding-log', 6, 1],
  ['sliding-counter', 20, 4],
])(
  '%s: of what is left to others at most %d are taken while learning, then %d (wanted: 0)',
  (kind, ...most) => {
    const deepest = WORLDS.map((world) => taken({ kind, ...world }));
    expect(Math.max(...deepest.map(({ learning }) => learning))).toBeLessThanOrEqual(most[0]);
    expect(Math.max(...deepest.map(({ learnt }) => learnt))).toBeLessThanOrEqual(most[1]);
  },
);

test('what is left to others costs no more than that', () => {
  for (const { kind, leave } of [
    { kind: 'first-request', leave: 10 },
    { kind: 'token-bucket', leave: 20 },
  ] as const) {
    const { sendings, endMs } = push(
      { seed: 1, kind, limit: 30, windowMs: 10 * SECOND, latencyMs: 20, leave },
      { requests: 300 },
    );
    const permitted = kind === 'token-bucket' ? 30 : 20;
    const windows = (endMs - (sendings[60]?.sentMs ?? 0)) / (10 * SECOND);
    expect(240 / permitted / windows).toBeGreaterThan(0.93);
  }
});
