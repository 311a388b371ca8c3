import { expect, test } from 'vitest';
import { checkBudget } from '../../../src/commands/doctor/doctor-budget.ts';
import type { Budget } from '../../../src/pacing/pacer-state.ts';
import { UNKNOWN } from '../../pacing/states.ts';

const NOW = Date.UTC(2026, 0, 15, 12);
const said = (
  budget: Partial<Budget>,
  probe: { limit?: number; remaining?: number } = { limit: 30, remaining: 29 },
) =>
  checkBudget({ limit: undefined, remaining: undefined, ...probe }, { ...UNKNOWN, ...budget }, NOW).map(
    ({ check, result, found }) => `${check} ${result}: ${found}`,
  );

test('what is known of the limit is said, since when, and what an hour of it comes to', () => {
  const known = { windowMs: 60_000, refillsAtMs: NOW + 44_001, confirmedAtMs: NOW - 180_000 };
  expect(said(known)).toEqual([
    'rate limit ok: 30 requests a minute, 29 left, more in 45 s; the window was last seen to be right 3 min ago (2026-01-15T11:57:00Z)',
    'requests an hour ok: 1,800; 5,000 rows take about 2 h 47 min',
  ]);
  expect(said({ windowMs: 10_000, refillsAtMs: NOW - 1 }, { limit: 1, remaining: 0 })).toEqual([
    'rate limit ok: 1 request every 10 s, 0 left; the window is a first guess, which the next push checks',
    'requests an hour ok: 360; 5,000 rows take about 13 h 53 min',
  ]);
});

test('the limit of several servers that count apart is said to be added up', () => {
  const known = { limit: 60, remaining: 41, windowMs: 60_000, confirmedAtMs: NOW - 1000, nodes: 2 };
  expect(said(known)).toEqual([
    'rate limit ok: 60 requests a minute, added up over 2 servers that count apart, 41 left; the window was last seen to be right 1 s ago (2026-01-15T11:59:59Z)',
    'requests an hour ok: 3,600; 5,000 rows take about 1 h 23 min',
  ]);
});

test('another limit that gives less is said, and decides how long rows take', () => {
  const beside = { ...UNKNOWN, limit: 100, windowMs: 300_000, confirmedAtMs: NOW };
  expect(said({ windowMs: 60_000, confirmedAtMs: NOW - 180_000, beside })).toEqual([
    'rate limit ok: 30 requests a minute, 29 left; the window was last seen to be right 3 min ago (2026-01-15T11:57:00Z); no more than 100 requests every 5 min either, of which only refusals tell',
    'requests an hour ok: 1,200; 5,000 rows take about 4 h 10 min',
  ]);
});

test('a window that is not known yet is said to be, and how it will be', () => {
  expect(said({})).toEqual([
    'rate limit ok: 30 requests a window, 29 left; how long a window is, the next push that uses one up will learn',
    'requests an hour skipped: how long a window lasts is not known yet',
  ]);
});

test('an answer without the headers is a warning where nothing is known', () => {
  expect(said({ windowMs: 60_000 }, { remaining: 3 })).toEqual([
    'rate limit warning: the answer did not have X-Ratelimit-Limit, and nothing is known from earlier answers',
    'requests an hour skipped: the rate limit is not known',
  ]);
});

test('what earlier answers told is said where this one did not', () => {
  expect(said({ limit: 23, windowMs: 10_000, confirmedAtMs: NOW - 1000 }, {})).toEqual([
    'rate limit ok: 23 requests every 10 s; the window was last seen to be right 1 s ago (2026-01-15T11:59:59Z); known from earlier answers, this one did not have X-Ratelimit-Limit and X-Ratelimit-Remaining',
    'requests an hour ok: 8,280; 5,000 rows take about 36 min 14 s',
  ]);
  expect(said({ remaining: 4 }, { limit: 30 })).toContain(
    'rate limit ok: 30 requests a window, 4 left; how long a window is, the next push that uses one up will learn; known from earlier answers, this one did not have X-Ratelimit-Remaining',
  );
});
