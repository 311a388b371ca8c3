import { expect, test } from 'vitest';
import { cameTo, contradictedBy, CONTRADICTIONS } from '../support/rate/contradictions.ts';

const rowsOf = (part: string): [string, (typeof CONTRADICTIONS)[number]][] =>
  CONTRADICTIONS.filter(({ name }) => name.includes(part)).map((row) => [row.name, row]);

test.each([
  ...rowsOf('each costs 2, first-request'),
  ...rowsOf('20 per 10 s'),
  ...rowsOf('none after 40 s'),
  ...rowsOf('sliding-log, headers of less left'),
  ...rowsOf('2 nodes, at random, sliding-log'),
  ...rowsOf('late by an answer, first-request'),
  ...rowsOf('costs 5, token-bucket'),
  ...rowsOf('Reset and no Remaining, aligned'),
  ...rowsOf('Remaining never falls'),
  ...rowsOf('1 of 60 refused for no reason, Retry-After'),
  ...rowsOf('2 of 700 refused for no reason, headers'),
  ...rowsOf('first-request, neither told'),
])('a service that contradicts the model: %s', (_, row) => {
  expect(contradictedBy(cameTo(row), row.most)).toEqual([]);
});
