import { expect, test } from 'vitest';
import { cameTo, contradictedBy, CONTRADICTIONS } from '../support/rate/contradictions.ts';
import { median } from '../support/rate/promises.ts';

const rowsOf = (part: string): [string, (typeof CONTRADICTIONS)[number]][] =>
  CONTRADICTIONS.filter(({ name }) => name.includes(part)).map((row) => [row.name, row]);

test.each([
  ...rowsOf('each costs 2'),
  ...rowsOf('20 per 10 s, first-request, headers of the first'),
  ...rowsOf('Reset and no Remaining'),
  ...rowsOf('1 of 60 refused for no reason, Retry-After'),
  ...rowsOf('2 of 700 refused for no reason, headers'),
  ...rowsOf('first-request, neither told'),
])('a service that contradicts the model: %s', (_, row) => {
  expect(contradictedBy(cameTo(row), row.most)).toEqual([]);
});

// Wanted is 1.15 of the shortest; taken for one limit that changes, they took up to ten times as long.
test.each(rowsOf('headers of less left'))('two limits, told of in turn, in twice the time: %s', (_, row) => {
  const { over, refused } = cameTo(row);
  expect(over.at(-1)).toBeLessThan(2);
  expect(median(refused)).toBeLessThan(3);
});
