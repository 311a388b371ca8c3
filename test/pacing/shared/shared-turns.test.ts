import { describe, expect, test } from 'vitest';
import {
  isSilent,
  type Member,
  takenAtStart,
  whoGoesFirst,
} from '../../../src/pacing/shared/shared-turns.ts';

function member(taken: number, more: Partial<Member> = {}): Member {
  return { id: String(taken), seenAtMs: 0, waiting: true, leave: 0, taken, requests: [], ...more };
}

const first = (me: Member, others: Member[], limit?: number): number | undefined =>
  whoGoesFirst(me, others, { limit, mayGo: () => false })?.taken;

describe('the turn', () => {
  test.each<[string, number, Member[], number | undefined]>([
    ['is ours when we are alone', 7, [], undefined],
    ['is ours when all have had as much', 7, [member(7), member(8)], undefined],
    ['is that of whoever waits and has had less', 7, [member(9), member(6)], 6],
    ['is not that of somebody who does not wait', 7, [member(6, { waiting: false })], undefined],
    ['is not that of somebody who may not go, as he leaves more', 7, [member(6, { leave: 1 })], undefined],
  ])('%s', (_, taken, others, expected) => {
    expect(first(member(taken), others)).toBe(expected);
  });

  test('is several requests where there are many', () => {
    expect(first(member(9), [member(0)], 300)).toBeUndefined();
    expect(first(member(10), [member(0)], 300)).toBe(0);
  });
});

describe('whoever begins to wait', () => {
  test('has saved up one turn at most', () => {
    expect(takenAtStart(member(3), [member(20), member(30)], undefined)).toBe(19);
    expect(takenAtStart(member(3), [member(200)], 300)).toBe(190);
  });

  test('keeps what it has had more', () => {
    expect(takenAtStart(member(25), [member(20)], undefined)).toBe(25);
  });

  test('is compared with those only who wait', () => {
    expect(takenAtStart(member(3), [member(20, { waiting: false })], undefined)).toBe(3);
  });
});

test('a process is silent after three seconds', () => {
  expect([isSilent(member(0), 3000), isSilent(member(0), 3001)]).toEqual([false, true]);
});
