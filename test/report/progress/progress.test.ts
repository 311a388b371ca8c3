import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PushEvent, Reporter } from '../../../src/report/views/events.ts';
import { createReporter, type ReporterOptions } from '../../../src/report/progress/progress.ts';
import { RejectGroups } from '../../../src/report/views/reject-groups.ts';
import { FakeTerminal, HandClock, TextFile } from '../fake-terminal.ts';
import { sending, waiting } from '../progress-events.ts';

const clock = new HandClock();

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

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
    code: 'row-empty' as const,
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
  it('prints a line at most every 5 seconds, and a last one', async () => {
    const file = new TextFile();
    const reporter = await open(file);
    const others = vi.getTimerCount();
    reporter.report(sending({ total: 100 }));
    for (let sent = 1; sent <= 33; sent += 1) {
      clock.ms += 1_000;
      reporter.report(sending({ total: 100, sent }));
    }
    reporter.report({ type: 'checking', what: 'the service', done: 0, total: 0 });
    reporter.close();
    reporter.close();
    const counts = file.text.split('\n').map((line) => line.split(' ')[1]);
    expect(counts).toEqual(['0', '5', '10', '15', '20', '25', '30', '33', undefined]);
    expect(file.text).not.toContain('\u001B');
    expect(vi.getTimerCount()).toBe(others);
  });

  it('is not flooded by a burst, and does not say the last one twice', async () => {
    const file = new TextFile();
    const reporter = await open(file);
    for (let sent = 0; sent <= 1_000; sent += 1) reporter.report(sending({ total: 1_000, sent }));
    reporter.report({ type: 'checking', what: 'the service', done: 0, total: 0 });
    clock.ms += 5_000;
    vi.advanceTimersByTime(5_000);
    reporter.close();
    expect(file.text).toBe('Sending 0 of 1,000\nSending 1,000 of 1,000\n');
  });

  it('tells of a wait that begins soon after a line, though nothing comes during it', async () => {
    const file = new TextFile();
    const reporter = await open(file);
    reporter.report(sending({ total: 1_000 }));
    clock.ms += 1_000;
    reporter.report(waiting(clock.ms + 30_000));
    reporter.report(waiting(clock.ms + 30_001));
    expect(file.text).toBe('Sending 0 of 1,000\n');
    clock.ms += 4_000;
    vi.advanceTimersByTime(4_000);
    expect(file.text).toBe(
      'Sending 0 of 1,000\nSending 0 of 1,000 · waiting 27 s: the service allows no more for now\n',
    );
    reporter.close();
  });

  it('says nothing of short waits', async () => {
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
    expect(printed).toEqual(['300 registrations · about 10 min\n', '']);
  });

  it.each([
    ['a terminal of 0 columns', new FakeTerminal(0)],
    ['a terminal of unknown width', Object.assign(new FakeTerminal(0), { columns: undefined })],
  ])('takes the place of the bar on %s, which has no room for it', async (_name, terminal) => {
    const reporter = await open(terminal, { mode: 'bar' });
    reporter.report(sending({}));
    reporter.close();
    expect(terminal.written).toBe('Sending 0 of 5,000\n');
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

  it('says the same once, however often the files are read', async () => {
    events.push(...events.slice(0, 2));
    expect((await printed({ mode: 'none' })).match(/careful/g)).toHaveLength(1);
    events.length -= 2;
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
