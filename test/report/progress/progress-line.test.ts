import { describe, expect, it } from 'vitest';
import type { BudgetView } from '../../../src/report/views/events.ts';
import { progressLine } from '../../../src/report/progress/progress-line.ts';
import {
  advanceProgress,
  NO_PROGRESS,
  type ProgressEvent,
} from '../../../src/report/progress/progress-state.ts';
import { budgetView, sending, waiting } from '../progress-events.ts';

/** The line after events, each at its time in seconds; told at the time of the last. */
function lineAfter(...steps: [seconds: number, event: ProgressEvent][]): string {
  const state = steps.reduce((state, [s, event]) => advanceProgress(state, event, s * 1_000), NO_PROGRESS);
  return progressLine(state, (steps.at(-1)?.[0] ?? 0) * 1_000);
}

describe('progressLine', () => {
  it('is empty before anything happens', () => {
    expect(progressLine(NO_PROGRESS, 0)).toBe('');
  });

  it('tells what is read and checked', () => {
    expect(lineAfter([0, { type: 'reading', file: 'a\u001B.csv', rows: 0 }])).toBe(
      String.raw`Reading a\u{1b}.csv`,
    );
    expect(lineAfter([0, { type: 'surveying', file: 'a.csv', rows: 5 }])).toBe(
      'Looking through a.csv · 5 rows',
    );
    expect(lineAfter([0, { type: 'reading', file: 'a.csv', rows: 12_345 }])).toBe(
      'Reading a.csv · 12,345 rows',
    );
    expect(lineAfter([0, { type: 'checking', what: 'domains', done: 3, total: 1_000 }])).toBe(
      'Checking domains 3 of 1,000',
    );
    expect(lineAfter([0, { type: 'checking', what: 'the event', done: 0, total: 0 }])).toBe(
      'Checking the event',
    );
  });

  it('tells rows, time left and what went wrong', () => {
    const budget = { limit: 30, remaining: 4, windowMs: 60_000 };
    expect(lineAfter([0, sending({})])).toBe('Sending 0 of 5,000');
    expect(lineAfter([0, sending({ sent: 95 })], [60, sending({ sent: 123, failed: 1 }, budget)])).toBe(
      'Sending 123 of 5,000 · 2 h 43 min left · 1 refused',
    );
    expect(lineAfter([0, sending({ sent: 1, uncertain: 2, notSent: 3 }, { remaining: 9 })])).toBe(
      'Sending 1 of 5,000 · 2 not known whether they arrived · 3 not sent',
    );
  });

  it('takes the time left from the last minute, not from the whole run', () => {
    const fast: [number, ProgressEvent][] = Array.from({ length: 61 }, (_, s) => [
      s,
      sending({ sent: s * 10 }),
    ]);
    const slow: [number, ProgressEvent][] = Array.from({ length: 60 }, (_, s) => [
      61 + s,
      sending({ sent: 601 + s }),
    ]);
    expect(lineAfter(...fast)).toBe('Sending 600 of 5,000 · 7 min left');
    expect(lineAfter(...fast, ...slow)).toContain('Sending 660 of 5,000 · 1 h 12 min left');
  });

  it('does not count rows of an earlier run into the rate, and tells no time at once', () => {
    expect(lineAfter([0, sending({ sent: 4_000 })], [1, sending({ sent: 4_010 })])).toBe(
      'Sending 4,010 of 5,000',
    );
    expect(lineAfter([0, sending({ sent: 4_000 })], [10, sending({ sent: 4_010 })])).toContain(
      '· 17 min left',
    );
    expect(lineAfter([0, sending({})], [120, sending({ sent: 1 })])).toContain('· 6 d 23 h left');
  });

  it('tells the time left from the budget when its window is known', () => {
    const burst = sending({ sent: 30 }, { limit: 30, remaining: 0, windowMs: 60_000 });
    expect(lineAfter([0, sending({})], [3, burst])).toContain('· 2 h 46 min left');
    const hourly = sending({ sent: 30 }, { limit: 1_000, remaining: 0, windowMs: 3_600_000 });
    expect(lineAfter([0, sending({})], [60, hourly])).toContain('· 4 h 58 min left');
    const slowService = sending({ sent: 10 }, { limit: 600, remaining: 9, windowMs: 60_000 });
    expect(lineAfter([0, sending({})], [60, slowService])).toContain('· 8 h 19 min left');
  });

  it('tells the time left from what was really sent in the last windows, where others share the limit', () => {
    const budget = { limit: 30, remaining: 0, windowMs: 10_000 };
    const after = (seconds: number, a: number, all: number): string => {
      const sent = (s: number) => all + Math.floor(s / 10) * a;
      return lineAfter(
        ...Array.from({ length: seconds + 1 }, (_, s): [number, ProgressEvent] => [
          s,
          sending({ total: 300, sent: sent(s) }, budget),
        ]),
      );
    };
    // Alone, and with a few less than the limit.
    expect(after(40, 30, 30)).toBe('Sending 150 of 300 · 50 s left');
    expect(after(40, 26, 26)).toBe('Sending 130 of 300 · 55 s left');
    // Ten of each window come to it; nothing is said of that before two windows have passed.
    expect(after(19, 10, 10)).toBe('Sending 20 of 300 · 1 min 35 s left');
    expect(after(20, 10, 10)).toBe('Sending 30 of 300 · 5 min left');
    // A first window that was full does not count for long.
    expect(after(40, 10, 30)).toBe('Sending 70 of 300 · 4 min left');
    const long = { limit: 30, remaining: 0, windowMs: 3_600_000 };
    const hours = lineAfter([0, sending({}, long)], [3_500, sending({ sent: 10 }, long)]);
    expect(hours).toContain(' · 6 d 22 h left');
    expect(lineAfter([0, sending({}, long)], [3_600, sending({ sent: 10 }, long)])).toContain(
      ' · 20 d 19 h left',
    );
  });

  it('shows no time left when all is done', () => {
    expect(lineAfter([0, sending({})], [60, sending({ sent: 4_999, failed: 1 })])).toBe(
      'Sending 4,999 of 5,000 · 1 refused',
    );
  });

  it('counts a wait down, in whole seconds', () => {
    const sent = advanceProgress(NO_PROGRESS, sending({ sent: 7 }), 0);
    const state = advanceProgress(sent, waiting(12_000), 0);
    expect(progressLine(state, 0)).toBe(
      'Sending 7 of 5,000 · waiting 12 s: the service allows no more for now',
    );
    expect(progressLine(state, 10_999)).toContain(' · waiting 2 s: ');
    expect(progressLine(state, 11_001)).toContain(' · waiting 1 s: ');
    expect(progressLine(state, 12_000)).toBe('Sending 7 of 5,000');
    expect(lineAfter([0, waiting(90_000, 'retry')])).toBe('waiting 1 min 30 s to try again');
  });

  it('tells what the service allows while it waits for it, and else not', () => {
    const known = { limit: 30, remaining: 0, windowMs: 60_000 };
    const state = advanceProgress(NO_PROGRESS, sending({ sent: 7 }, known), 0);
    expect(progressLine(state, 0)).toBe('Sending 7 of 5,000 · 2 h 46 min left');
    const waitingFor = (budget: Partial<BudgetView>): string =>
      progressLine(advanceProgress(state, waiting(12_000, 'budget', budget), 0), 0);
    expect(waitingFor(known)).toBe(
      'Sending 7 of 5,000 · waiting 12 s: the service allows 30 a minute · 2 h 46 min left',
    );
    expect(waitingFor({ limit: 30 })).toContain(': the service allows 30 at a time');
    expect(waitingFor({ ...known, leave: 10 })).toContain(' 30 a minute, 10 of them kept for others');
  });

  it('tells of a wait whatever goes on, and of none that is the usual gap between two requests', () => {
    const checking: ProgressEvent = { type: 'checking', what: 'the event', done: 1, total: 3 };
    expect(lineAfter([0, waiting(30_000)])).toBe('waiting 30 s: the service allows no more for now');
    expect(lineAfter([0, checking], [1, waiting(31_000)])).toBe(
      'Checking the event 1 of 3 · waiting 30 s: the service allows no more for now',
    );
    expect(lineAfter([0, sending({ sent: 7 })], [1, waiting(5_999)])).toBe('Sending 7 of 5,000');
  });

  it('holds a wait while answers from before it come in, and forgets it once requests go on', () => {
    const during = (s: number): string =>
      lineAfter([0, sending({ sent: 7 })], [1, waiting(61_000)], [s, sending({ sent: 8 })]);
    expect(during(2)).toBe(
      'Sending 8 of 5,000 · waiting 59 s: the service allows no more for now · 2 h 46 min left',
    );
    expect(during(3)).not.toContain('waiting');
    // Told again near its end it is still the same long wait.
    expect(lineAfter([0, waiting(60_000)], [57, waiting(60_000)])).toBe(
      'waiting 3 s: the service allows no more for now',
    );
  });

  it('tells the time left before anything was measured, with requests to read, and without what is left to others', () => {
    const known = { limit: 30, remaining: 30, windowMs: 60_000 };
    const expecting = (budget: object): ProgressEvent => ({
      type: 'expecting',
      rows: 5_000,
      requests: 5_100,
      budget: budgetView(budget),
    });
    expect(lineAfter([0, sending({}, known)])).toContain('· 2 h 47 min left');
    expect(lineAfter([0, expecting(known)], [0, sending({}, known)])).toContain('· 2 h 50 min left');
    expect(lineAfter([0, sending({}, { ...known, leave: 10 })])).toContain('· 4 h 10 min left');
  });

  it('does not take a first burst for the rate of all, but where the burst is all there is', () => {
    const burst = (total: number): string =>
      lineAfter([0, sending({ total })], [3, sending({ total, sent: 20 }, { limit: 30, remaining: 10 })]);
    expect(burst(5_000)).toBe('Sending 20 of 5,000');
    expect(burst(30)).toBe('Sending 20 of 30 · 2 s left');
  });

  it('never tells less time left than the wait, whatever the rate was', () => {
    const waited = (budget: Partial<BudgetView>, nowMs: number, untilMs: number): string => {
      const events = [sending({ total: 120 }), sending({ total: 120, sent: 20 }, budget), waiting(untilMs)];
      const state = [0, 2_000, 3_000].reduce(
        (before, atMs, at) => advanceProgress(before, events[at] ?? waiting(0), atMs),
        NO_PROGRESS,
      );
      return progressLine(state, nowMs);
    };
    expect(waited({}, 3_000, 900_000)).toMatch(/ · waiting 14 min 57 s: .* · 15 min left$/);
    const known = { limit: 30, remaining: 0, windowMs: 10_000 };
    // A window's rows go after the wait, the others in the windows after that.
    expect(waited(known, 3_000, 900_000)).toContain(' · 15 min left');
    expect(waited(known, 3_000, 63_000)).toContain(' · 1 min 25 s left');
    expect(waited(known, 3_000, 11_000)).toContain(' · 35 s left');
  });

  it('tells of deleting what it tells of sending', () => {
    const budget = budgetView({ limit: 30, remaining: 4, windowMs: 60_000, refillsAtMs: 5_000 });
    expect(lineAfter([0, { type: 'deleting', done: 5, total: 50, budget }])).toBe(
      'Deleting 5 of 50 · 1 min 30 s left',
    );
    expect(lineAfter([0, { type: 'deleting', done: 5, total: 6, budget }], [0, waiting(59_000)])).toMatch(
      / · waiting 59 s: .* · 1 min left$/,
    );
    expect(lineAfter([0, { type: 'deleting', done: 50, total: 50, budget: budgetView() }])).toBe(
      'Deleting 50 of 50',
    );
  });

  it('keeps few samples, however many events come', () => {
    let state = NO_PROGRESS;
    for (let ms = 0; ms < 300_000; ms += 10) state = advanceProgress(state, sending({ sent: ms / 10 }), ms);
    expect(state.samples.length).toBeLessThanOrEqual(62);
  });
});
