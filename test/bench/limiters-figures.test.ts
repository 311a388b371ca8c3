import { expect, test } from 'vitest';
import { figuresOf } from '../../bench/limiters/figures.ts';
import { SERVERS } from '../../bench/limiters/servers.ts';

const [spec] = SERVERS;

/** The steady share of a push that was granted a limit's worth at the beginning of each window. */
function steadyOver(windows: number): number | undefined {
  if (spec === undefined) throw new Error('There is no server.');
  const { limit, windowMs } = spec;
  const decisions = Array.from({ length: limit * windows }, (_, n) => ({
    status: 201,
    atMs: Math.floor(n / limit) * windowMs,
  }));
  return figuresOf(spec, decisions, { startMs: 0, endMs: windows * windowMs }).steady;
}

test('a steady share is told from four windows on after the three to learn in', () => {
  expect([5.5, 7, 7.5, 12.5].map(steadyOver)).toEqual([undefined, undefined, 1, 1]);
});
