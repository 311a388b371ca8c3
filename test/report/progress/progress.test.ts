import stringWidth from 'string-width';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PushEvent, Reporter } from '../../../src/report/views/events.ts';
import { createReporter, type ReporterOptions } from '../../../src/report/progress/progress.ts';
import { RejectGroups } from '../../../src/report/views/reject-groups.ts';
import { FakeTerminal, HandClock, TextFile } from '../fake-terminal.ts';
import { sending, waiting } from '../progress-events.ts';

const clock = new HandClock();

function open(stream: ReporterOptions['stream'], options: Partial<ReporterOptions> = {}): Promise<Reporter> {
  const defaults = {
    mode: 'auto',
    clock,
    quiet: false,
    verbose: false,
    color: false,
    showValues: false,
    allErrors: false,
  } as const;
  return createReporter({ ...defaults, ...options, stream });
}

function rejected(...lines: number[]): PushEvent {
  const reason = {
    column: 'Name',
    field: 'name',
    value: 'Ann',
    problem: 'is odd',
    remedy: undefined,
    personal: true,
  };
  const rejects = lines.map((line) => ({ place: { file: 'a.csv', line }, reasons: [reason] }));
  const groups = new RejectGroups();
  for (const reject of rejects) groups.add(reject);
  return { type: 'rejected', rejects: groups.view(20, () => rejects) };
}

describe('text progress', () => {
  it('prints a line at most every 5 seconds, and at every tenth', async () => {
    const file = new TextFile();
    const reporter = await open(file, { color: true });
    reporter.report(sending({ total: 100 }));
    for (let sent = 1; sent <= 30; sent += 1) {
      clock.ms += 1_000;
      reporter.report(sending({ total: 100, sent }));
    }
    reporter.close();
    const counts = file.text.split('\n').map((line) => line.split(' ')[0]);
    expect(counts).toEqual(['0', '5', '10', '15', '20', '25', '30', '']);
    expect(file.text).not.toContain('\u001B');
  });

  it('prints every tenth even when they come fast, and nothing between', async () => {
    const file = new TextFile();
    const reporter = await open(file);
    for (let sent = 0; sent <= 1_000; sent += 1) reporter.report(sending({ total: 1_000, sent }));
    expect(file.text.split('\n')).toHaveLength(12);
  });

  it('tells of a long wait at once, and of the same wait only once', async () => {
    const file = new TextFile();
    const reporter = await open(file);
    reporter.report(sending({ total: 1_000 }));
    reporter.report(waiting(clock.ms + 4_000));
    reporter.report(waiting(clock.ms + 30_000));
    reporter.report(waiting(clock.ms + 30_001));
    expect(file.text).toBe('0 of 1,000 sent\nwaiting 30 s for the budget · 0 of 1,000 sent\n');
  });

  it('is not flooded by short waits, and says nothing of one before anything else', async () => {
    const file = new TextFile();
    const reporter = await open(file);
    reporter.report(waiting(clock.ms + 3_000));
    reporter.report(sending({ total: 100 }));
    for (let second = 1; second <= 60; second += 1) {
      clock.ms += 1_000;
      reporter.report(sending({ total: 1_000, sent: second }));
      reporter.report(waiting(clock.ms + 3_000));
    }
    expect(file.text.split('\n')).toHaveLength(14);
    expect(file.text).not.toContain('waiting');
  });

  it('says once what is about to be asked, unless it is to be quiet', async () => {
    const budget = { limit: 30, remaining: 0, windowMs: 60_000, refillsAtMs: undefined };
    const printed = await Promise.all(
      [false, true].map(async (quiet) => {
        const file = new TextFile();
        const reporter = await open(file, { quiet });
        reporter.report({ type: 'expecting', rows: 300, requests: 300, budget });
        return file.text;
      }),
    );
    expect(printed).toEqual(['300 requests at 30 a minute: about 10 min.\n', '']);
  });

  it('tells when a phase begins', async () => {
    const file = new TextFile();
    const reporter = await open(file);
    reporter.report({ type: 'reading', file: 'a.csv', rows: 0 });
    reporter.report({ type: 'reading', file: 'a.csv', rows: 500 });
    reporter.report({ type: 'checking', what: 'the service', done: 0, total: 50 });
    expect(file.text).toBe('reading a.csv\nchecking the service · 0 of 50\n');
  });

  it.each([
    ['a terminal of 0 columns', new FakeTerminal(0)],
    ['a terminal of unknown width', Object.assign(new FakeTerminal(0), { columns: undefined })],
  ])('takes the place of the bar on %s, where ora would hang', async (_name, terminal) => {
    const reporter = await open(terminal, { mode: 'bar' });
    reporter.report(sending({}));
    reporter.close();
    expect(terminal.written).toBe('0 of 5,000 sent\n');
  });
});

describe('notes, warnings and rejects', () => {
  const events: PushEvent[] = [
    { type: 'note', text: 'two\nlines\u001B' },
    { type: 'warning', text: 'careful\u202E' },
    sending({}),
    rejected(2, 3, 4),
  ];
  const reject = (line: number) => `a.csv:${line}  column "Name" (name): "A••" is odd\n`;

  async function printed(options: Partial<ReporterOptions>): Promise<string> {
    const file = new TextFile();
    const reporter = await open(file, options);
    for (const event of events) reporter.report(event);
    reporter.close();
    reporter.close();
    return file.text;
  }

  it('prints them all in mode none', async () => {
    expect(await printed({ mode: 'none' })).toBe(
      `two\\nlines\\u{1b}\nwarning: careful\\u{202e}\n${reject(2)}${reject(3)}${reject(4)}`,
    );
  });

  it('prints only warnings and rejects when quiet', async () => {
    expect(await printed({ quiet: true, mode: 'text' })).toBe(
      `warning: careful\\u{202e}\n${reject(2)}${reject(3)}${reject(4)}`,
    );
  });

  it('shows values when asked to', async () => {
    expect(await printed({ quiet: true, showValues: true })).toContain('"Ann" is odd');
  });
});

describe('bar', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('draws the line beside a spinner, and leaves nothing behind but a visible cursor', async () => {
    const terminal = new FakeTerminal(80);
    const reporter = await open(terminal);
    expect(terminal.written).toBe('');
    reporter.report(sending({ sent: 123, failed: 1 }));
    expect(terminal.written).toContain('\u001B[?25l');
    expect(terminal.seen()).toMatch(/^\S 123 of 5,000 sent · 1 failed$/);
    reporter.close();
    reporter.close();
    expect(terminal.written.endsWith('\u001B[?25h')).toBe(true);
    expect(terminal.seen()).toBe('');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('fits the line into the terminal', async () => {
    const terminal = new FakeTerminal(20);
    const reporter = await open(terminal);
    reporter.report({ type: 'reading', file: '参加者一覧表参加者一覧表.csv', rows: 3 });
    const line = terminal.seen();
    expect(line).toMatch(/^\S reading 参加者一…$/);
    expect(stringWidth(line)).toBeLessThan(20);
    reporter.close();
  });

  it('counts a wait down without events, at most 4 times a second', async () => {
    const terminal = new FakeTerminal(80);
    const reporter = await open(terminal);
    const start = clock.ms;
    reporter.report(waiting(start + 12_000));
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
    const drawn = new Set(terminal.seen().match(/\d+ of 5,000 sent/g));
    expect(drawn.size).toBeLessThanOrEqual(8);
    reporter.close();
  });

  it('prints notes and rejects above the bar', async () => {
    const terminal = new FakeTerminal(80);
    const reporter = await open(terminal, { color: true });
    reporter.report(sending({}));
    terminal.seen();
    reporter.report({ type: 'warning', text: 'careful' });
    expect(terminal.written).toContain('\u001B[33mwarning:\u001B[39m careful\n');
    expect(terminal.seen()).toMatch(/^warning: careful\n\S 0 of 5,000 sent$/);
    reporter.report(rejected(2));
    expect(terminal.seen()).toMatch(/^a\.csv:2 {2}column "Name" \(name\): "A••" is odd\n\S 0 of/);
    reporter.close();
  });

  it('stops when the terminal shrinks to nothing, where ora would hang', async () => {
    const terminal = new FakeTerminal(80);
    const reporter = await open(terminal);
    reporter.report(sending({}));
    terminal.columns = 0;
    terminal.emit('resize');
    terminal.seen();
    vi.advanceTimersByTime(1_000);
    reporter.report(sending({ sent: 1 }));
    expect(terminal.seen()).toBe('');
    expect(vi.getTimerCount()).toBe(0);
    reporter.close();
  });
});
