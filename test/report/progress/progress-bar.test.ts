import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createReporter, type ReporterOptions } from '../../../src/report/progress/progress.ts';
import { barLine } from '../../../src/report/progress/progress-bar.ts';
import { displayWidth, fitWidth } from '../../../src/report/words/display-width.ts';
import { painter } from '../../../src/report/words/paint.ts';
import type { Reporter } from '../../../src/report/views/events.ts';
import { FakeTerminal, HandClock } from '../fake-terminal.ts';
import { sending, waiting } from '../progress-events.ts';

const clock = new HandClock();

function open(stream: FakeTerminal, options: Partial<ReporterOptions> = {}): Promise<Reporter> {
  const defaults = { mode: 'auto', clock, quiet: false, verbose: false, color: false } as const;
  return createReporter({ ...defaults, showValues: false, allErrors: false, ...options, stream });
}

beforeEach(() => {
  // A terminal without braille has another spinner.
  vi.stubEnv('TERM', 'xterm-256color');
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

describe('the bar', () => {
  it('draws how much is done, and leaves nothing behind', async () => {
    const terminal = new FakeTerminal(80);
    const reporter = await open(terminal);
    // What the tests before this file have left running in the process may set a timer too.
    const others = vi.getTimerCount();
    expect(terminal.written).toBe('');
    reporter.report(sending({ total: 240, sent: 61, failed: 1 }));
    expect(terminal.screen()).toEqual(['⠋ Sending ━━━━━─────────────── 61 of 240 · 1 refused']);
    reporter.close();
    reporter.close();
    expect(terminal.screen()).toEqual(['']);
    expect(vi.getTimerCount()).toBe(others);
    expect(terminal.listenerCount('resize')).toBe(0);
  });

  it('begins with a spinner, which turns while nothing is told', async () => {
    const terminal = new FakeTerminal(40);
    const reporter = await open(terminal);
    reporter.report({ type: 'reading', file: 'a.csv', rows: 0 });
    const seen = new Set<string>();
    for (let tick = 0; tick < 10; tick += 1) {
      seen.add(terminal.screen().join('\n'));
      vi.advanceTimersByTime(80);
    }
    expect([...seen].slice(0, 3)).toEqual(['⠋ Reading a.csv', '⠙ Reading a.csv', '⠹ Reading a.csv']);
    expect(seen.size).toBe(10);
    reporter.close();
  });

  it('hides the cursor, and shows it while it is cleared', async () => {
    const [hidden, shown] = ['\u001B[?25l', '\u001B[?25h'];
    const terminal = new FakeTerminal(80);
    const reporter = await open(terminal);
    for (const end of [() => reporter.pause(), () => reporter.close()]) {
      terminal.written = '';
      reporter.report(sending({}));
      expect(terminal.written).toContain(hidden);
      expect(terminal.written).not.toContain(shown);
      end();
      expect(terminal.written.lastIndexOf(shown)).toBeGreaterThan(terminal.written.lastIndexOf(hidden));
    }
  });

  it('has the colours of what it says', async () => {
    const terminal = new FakeTerminal(80);
    const reporter = await open(terminal, { color: true });
    reporter.report(sending({ total: 2, sent: 1 }));
    reporter.report(waiting(clock.ms + 12_000));
    expect(terminal.written).toContain('\u001B[32m━━');
    expect(terminal.written).toContain(
      '\u001B[33mwaiting 12 s: the service allows no more for now\u001B[39m',
    );
    reporter.close();
  });

  it.each([1, 5, 12, 20, 40, 60, 79])('takes no more than a terminal of %d columns has', (width) => {
    const view = {
      label: 'Reading 参加者一覧表👩‍🚀.csv',
      share: 0.5,
      parts: [{ text: '62 of 240' }, { text: 'waiting 12 s: the service allows 30 a minute' }],
    };
    const line = barLine(view, width, painter(false), { displayWidth, fitWidth });
    expect(displayWidth(line)).toBeLessThanOrEqual(width);
    if (width === 20) expect(line).toBe('Reading 参加者一覧…');
  });

  it('is cleared whole when the terminal became narrower, however that wraps what was drawn', async () => {
    const terminal = new FakeTerminal(80);
    const reporter = await open(terminal);
    terminal.write('before\n');
    reporter.report(sending({ total: 240, sent: 62 }));
    for (const columns of [30, 12, 100]) {
      terminal.resize(columns);
      expect(terminal.screen()).toHaveLength(2);
      expect(terminal.screen()[0]).toBe('before');
    }
    reporter.close();
    expect(terminal.screen()).toEqual(['before', '']);
  });

  it.each(['print', 'close'] as const)(
    'is cleared whole before a terminal told that it is narrower: %s',
    async (how) => {
      const terminal = new FakeTerminal(80);
      const reporter = await open(terminal);
      reporter.report(sending({ total: 240, sent: 62 }));
      terminal.shrink(12);
      if (how === 'print') reporter.report({ type: 'note', text: 'printed' });
      else reporter.close();
      expect(terminal.screen()).toEqual(
        how === 'print' ? ['printed', expect.stringMatching(/^⠋ Sending/)] : [''],
      );
      reporter.close();
    },
  );

  it('is not wrapped by a terminal that has become narrower, and has not told yet', async () => {
    const terminal = new FakeTerminal(80);
    const reporter = await open(terminal);
    terminal.shrink(30);
    reporter.report(sending({ total: 240 }));
    reporter.close();
    expect(terminal.screen()).toEqual(['']);
  });

  it('counts a wait down without events, at most 4 times a second', async () => {
    const terminal = new FakeTerminal(80);
    const reporter = await open(terminal);
    reporter.report(waiting(clock.ms + 12_000));
    const texts = new Set<string>();
    for (let tick = 0; tick < 100; tick += 1) {
      clock.ms += 20;
      vi.advanceTimersByTime(20);
      for (const match of terminal.seen().matchAll(/waiting \d+ s/g)) texts.add(match[0]);
    }
    expect([...texts]).toEqual(['waiting 12 s', 'waiting 11 s', 'waiting 10 s']);
    reporter.close();
  });

  it('draws a burst of events at most 4 times a second', async () => {
    const terminal = new FakeTerminal(80);
    const reporter = await open(terminal);
    for (let sent = 0; sent < 1_000; sent += 1) {
      clock.ms += 1;
      vi.advanceTimersByTime(1);
      reporter.report(sending({ sent }));
    }
    const drawn = new Set(terminal.seen().match(/\d+ of 5,000/g));
    expect(drawn.size).toBeGreaterThan(2);
    expect(drawn.size).toBeLessThanOrEqual(8);
    reporter.close();
  });

  it('stands below what is printed, also after a pause', async () => {
    const terminal = new FakeTerminal(80);
    const reporter = await open(terminal, { color: true });
    const bar = '⠋ Sending ──────────────────── 0 of 5,000';
    reporter.report(sending({}));
    reporter.report({ type: 'warning', text: 'careful' });
    expect(terminal.written).toContain('\u001B[33mwarning:\u001B[39m careful\n');
    expect(terminal.screen()).toEqual(['warning: careful', bar]);
    reporter.pause();
    expect(terminal.screen()).toEqual(['warning: careful', '']);
    reporter.report({ type: 'note', text: 'asked' });
    reporter.report(sending({}));
    expect(terminal.screen()).toEqual(['warning: careful', 'asked', bar]);
    reporter.close();
  });

  it.each([0, 3])('stops when the terminal shrinks to %d columns', async (columns) => {
    const terminal = new FakeTerminal(80);
    const reporter = await open(terminal);
    const others = vi.getTimerCount();
    reporter.report(sending({}));
    terminal.columns = columns;
    terminal.emit('resize');
    terminal.seen();
    vi.advanceTimersByTime(1_000);
    reporter.report(sending({ sent: 1 }));
    expect(terminal.seen()).toBe('');
    expect(vi.getTimerCount()).toBe(others);
    reporter.close();
  });
});
