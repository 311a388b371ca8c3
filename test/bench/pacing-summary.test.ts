import { describe, expect, test } from 'vitest';
import { type Push, type Setting, summarise } from '../../bench/pacing/summary.ts';
import { headingLine, summaryLine } from '../../bench/pacing/table.ts';

const setting: Setting = { kind: 'aligned', limit: 30, windowMs: 10_000, latencyMs: 20 };

const push = (more: Partial<Push>): Push => ({
  overall: 1,
  steady: 1,
  together: 1,
  refusedShare: 0,
  othersAsked: 0,
  othersRefused: 0,
  longestIdleMs: 0,
  steadyIdleMs: 0,
  longestStorm: 0,
  stalled: false,
  ...more,
});

describe('a summary of pushes', () => {
  test('tells medians, means and the worst', () => {
    const pushes = [0.9, 0.5, 0.8].map((overall) =>
      push({ overall, steady: overall / 2, refusedShare: 1 - overall }),
    );
    const { overall, steady, refused } = summarise(setting, pushes);
    expect({ overall, steady }).toEqual({
      overall: { median: 0.8, worst: 0.5 },
      steady: { median: 0.4, worst: 0.25 },
    });
    expect(refused.mean).toBeCloseTo(0.8 / 3);
    expect(refused.worst).toBe(0.5);
  });

  test('takes what is steady from the longer pushes, and the longest idle and storm from all', () => {
    const whole = [push({ steady: 0.2, longestIdleMs: 20_000, steadyIdleMs: 1000, longestStorm: 2 })];
    const longer = [push({ steady: 0.9, longestIdleMs: 5000, steadyIdleMs: 5000, overall: 0.1 })];
    expect(summarise(setting, whole, longer)).toMatchObject({
      overall: { median: 1 },
      steady: { median: 0.9 },
      longestIdle: 2,
      steadyIdle: 0.5,
      longestStorm: 2,
      pushes: 2,
    });
  });

  test('counts a push without an end as nothing reached', () => {
    const { overall, stalled } = summarise(setting, [push({ stalled: true }), push({})]);
    expect([overall.worst, stalled]).toEqual([0, 1]);
  });

  test('tells of the other client only where there is one', () => {
    expect(summarise(setting, [push({})]).theirsRefused).toBeNaN();
    const shared = [push({ othersAsked: 30, othersRefused: 3 }), push({ othersAsked: 10, othersRefused: 1 })];
    expect(summarise(setting, shared).theirsRefused).toBe(0.1);
  });
});

test('a row of the table stands under its headings', () => {
  const summary = summarise(setting, [push({ overall: 0.8, refusedShare: 0.012, longestStorm: 3 })]);
  const heading = headingLine('30 / 60 s');
  const row = summaryLine('aligned, 20 ms', summary);
  const under = (word: string) =>
    row
      .slice(0, heading.indexOf(word) + word.length)
      .split(' ')
      .at(-1);
  expect(['overall', 'refused', 'time', 'storm'].map(under)).toEqual(['80.0', '1.20', '1.250', '3']);
});
