import { expect, test } from 'vitest';
import { coveringRows, openPairs, pairsOf } from './covering-rows.ts';
import { pairFactors } from './pairs.ts';
import { random } from './random.ts';

test('every two values meet, in far fewer rows than there are combinations', () => {
  const factors = pairFactors();
  const rows = coveringRows(factors, random(1));
  const met = new Set(rows.flatMap(pairsOf));
  expect([...openPairs(factors)].filter((pair) => !met.has(pair))).toEqual([]);
  expect(rows.every((row) => row.size === factors.size)).toBe(true);
  expect(rows.length).toBeLessThan(130);
});

test('a pair is met by both of its values', () => {
  const factors = new Map<string, readonly unknown[]>([
    ['a', [1, 2]],
    ['b', ['x', 'y', 'z']],
  ]);
  expect([...openPairs(factors)].sort()).toEqual([
    'a=1 b=x',
    'a=1 b=y',
    'a=1 b=z',
    'a=2 b=x',
    'a=2 b=y',
    'a=2 b=z',
  ]);
  expect(coveringRows(factors, random(1))).toHaveLength(6);
  expect(
    pairsOf(
      new Map<string, unknown>([
        ['b', 'x'],
        ['a', 2],
      ]),
    ),
  ).toEqual(['a=2 b=x']);
});
