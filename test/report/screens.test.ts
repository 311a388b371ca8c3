import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createReporter } from '../../src/report/progress/progress.ts';
import { createRecordWriter } from '../../src/report/records/record-writer.ts';
import { formatSummary } from '../../src/report/summary/push-summary.ts';
import type { PushAhead, PushEvent } from '../../src/report/views/events.ts';
import type { SummaryView } from '../../src/report/views/summary-view.ts';
import { displayWidth } from '../../src/report/words/display-width.ts';
import { painter } from '../../src/report/words/paint.ts';
import { writeMessage } from '../../src/report/words/wrap-words.ts';
import { records } from '../support/tables.ts';
import { FakeTerminal, HandClock } from './fake-terminal.ts';
import { counts, NO_PLAN, view } from './summary/summary-fixture.ts';
import { budgetView, sending, waiting } from './progress-events.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const MINUTE = { limit: 30, remaining: 0, windowMs: 60_000 };
const clock = new HandClock();

/** The bar as it is drawn last. */
// oxlint-disable-next-line no-control-regex
const BAR = /(?:\u001B\[[\d?]+[a-zG-K])*\u001B\[\?7l([^\r]*)\u001B\[J\r\u001B\[\?7h\u001B\[\?2026l$/;

const AHEAD: PushAhead = {
  event: 'Harbour Trade Fair 2027',
  live: { host: 'events.example.com', profile: 'default' },
  create: 37,
  update: 3,
  same: 200,
  unknown: 0,
  kept: 0,
  conflict: 1,
  doubtful: 0,
  rejected: 2,
  delete: 0,
  noLonger: 3,
};

const EVENTS: readonly PushEvent[] = [
  {
    type: 'note',
    text: '12 columns are sent as text, unchecked, because the type is not known: 備考, 座席, Notes, … (--verbose names all).',
  },
  {
    type: 'warning',
    text: 'この名前 👩‍🚀 of "Gästeliste Hafenmesse 2027.xlsx" is there twice, and nobody but you can tell which of the two rows is meant.',
  },
  { type: 'expecting', rows: 40, requests: 60, budget: budgetView(MINUTE), ahead: AHEAD },
];

const SUMMARY: SummaryView = view({
  run: '20261122-597086',
  state: 'interrupted',
  event: AHEAD.event,
  live: AHEAD.live,
  counts: counts({ done: 30, unchanged: 200, failed: 1, conflict: 1, uncertain: 1, pending: 9, rejected: 2 }),
  plan: { ...NO_PLAN, create: 5, update: 4, unchanged: 200 },
  created: 28,
  updated: 2,
  noLonger: [
    { id: '1', barcode: 'HM-025', name: 'Stefan Seidel' },
    { id: '2', barcode: 'HM-301', name: 'この名前' },
    { id: '3', barcode: undefined, name: '' },
  ],
  requests: 9,
  budget: budgetView(MINUTE),
  durationMs: 61_000,
  problems: [
    {
      place: '参加者.xlsx:名簿:7',
      state: 'failed',
      barcode: 'HTF27-0007',
      message:
        'the service said: 電話番号 is too long for a badge, and not written as a number with the code of its country',
    },
    { place: 'a.csv:9', state: 'uncertain', barcode: undefined, message: 'no answer came within 30 s' },
  ],
});

const GUESTS = records(`
  registration_id | persona | barcode | first_name | company | email
  8f14e45f-ceea-467f-9575-2c9c3f1b8d0a | visitor | HTF27-0001 | 山田太郎 | 株式会社サンプル商事 東京本社 | taro@example.com
  c9f0f895-fb98-4b91-8f7a-6d1a2b3c4d5e | exhibitor | HTF27-0120 | Zoë 👩‍🚀 | Jörg & Söhne | zoe@example.com
  reg-3 | visitor | HTF27-3 | 한국 | | k@example.com
`);

const RUNS = records(`
  run | started | file | came to | state
  20261122-597086 | 2026-11-22T10:58:00.000Z | form2.csv | 3 new, 22 the same | done
  20261121-0a1b2c | 2026-11-21T17:02:00.000Z | Gästeliste 参加者.xlsx | 5 new, 1 refused by the service | interrupted
  20261101-3d4e5f | 2026-11-01T09:00:00.000Z | undo | 4 deleted, 12 brought back | stopped
`).map((run): Record<string, unknown> => ({ ...run, blocked: 0 }));

async function table(terminal: FakeTerminal, records: readonly Record<string, unknown>[], color: boolean) {
  const here = { nowMs: NOW, timeZone: 'UTC' };
  const writer = createRecordWriter({
    format: 'table',
    stream: terminal,
    columns: Object.keys(records[0] ?? {}),
    width: terminal.columns,
    color,
    here,
  });
  for (const record of records) await writer.write(record);
  await writer.end();
}

/** All reports of a push, and two tables, as they stand on a terminal: each part after a line of its name. */
async function screen(columns: number, color: boolean): Promise<string> {
  const parts: string[] = [];
  const shoot = async (
    name: string,
    draw: (terminal: FakeTerminal) => Promise<void> | void,
  ): Promise<void> => {
    const terminal = new FakeTerminal(columns);
    await draw(terminal);
    parts.push(`── ${name}`, terminal.written.replace(BAR, '$1\n'));
  };
  await shoot('before it sends', async (terminal) => {
    const reporter = await open(terminal, color);
    for (const event of EVENTS) reporter.report(event);
  });
  for (const [name, event] of [
    ['sending', sending({ total: 240, sent: 62 }, { ...MINUTE, remaining: 400 })],
    ['sending, some refused', sending({ total: 240, sent: 60, failed: 1, uncertain: 1 })],
  ] as const) {
    await shoot(name, async (terminal) => (await open(terminal, color)).report(event));
  }
  await shoot('waiting', async (terminal) => {
    const reporter = await open(terminal, color);
    reporter.report(waiting(clock.ms + 12_000, 'budget', MINUTE));
    reporter.pause();
    terminal.written = '';
    reporter.report(sending({ total: 240, sent: 62 }, MINUTE));
  });
  await shoot('summary', (terminal) => writeMessage(terminal, formatSummary(SUMMARY, false, painter(color))));
  await shoot('list', (terminal) => table(terminal, GUESTS, color));
  await shoot('runs', (terminal) => table(terminal, RUNS, color));
  return parts.join('\n').replaceAll('\u001B', '␛');
}

function open(stream: FakeTerminal, color: boolean) {
  const options = { mode: 'auto', clock, quiet: false, verbose: false, showValues: false } as const;
  return createReporter({ ...options, stream, color, allErrors: false });
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

describe.each([60, 80, 120, 200])('a terminal of %d columns', (columns) => {
  test.each([
    ['without colours', false],
    ['with colours', true],
  ])('%s', async (name, color) => {
    await expect(await screen(columns, color)).toMatchFileSnapshot(
      `screens/${columns}-${name.replace(/ /g, '-')}.txt`,
    );
  });

  test('has no line that is wider, and colours change nothing but colours', async () => {
    const plain = await screen(columns, false);
    for (const line of plain.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
    expect((await screen(columns, true)).replace(/␛\[\d+m/g, '')).toBe(plain);
  });

  test('shows every id whole, and columns that stand below each other', async () => {
    const plain = await screen(columns, false);
    for (const id of [
      ...GUESTS.flatMap(({ registration_id, barcode }) => [registration_id, barcode]),
      ...RUNS.map(({ run }) => String(run)),
    ]) {
      expect(plain).toContain(id);
    }
    const rows = plain.split('\n').filter((line) => /HTF27-(?:0001|0120|3)\b/.test(line));
    const before = rows.map((line) => displayWidth(line.slice(0, line.indexOf('HTF27'))));
    expect(new Set(before.slice(1)).size).toBe(1);
  });
});
