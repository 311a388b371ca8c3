import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type Cli, createCli } from '../support/cli.ts';
import { casesOf } from '../support/night.ts';
import { addToSheet, addToText } from '../support/one-column-more.ts';
import { openTerminals, PRESS } from '../support/pseudo-terminal.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { listIn } from '../support/documents.ts';

const PEOPLE = fileURLToPath(new URL('../../fixtures/people/', import.meta.url));

const terminals = await openTerminals();
if (terminals === undefined) process.stderr.write('No pseudo-terminal here: lists are not pushed at one.\n');

/** What has to be on the screen, and the keys that a person then presses. */
type Step = readonly [shown: string, ...keys: string[]];

interface List {
  file: string;
  rows: number;
  steps: readonly Step[];
  /** What is known of values that nothing proposes. */
  meanings: Readonly<Record<string, string>>;
  addColumn: (file: string) => Promise<void>;
}

const { enter, down } = PRESS;

const VISITORS: Step = ['who are the people', enter];
const LEAVE_OUT: readonly Step[] = [
  ['columns of', down + enter],
  ['columns of[^]*\\[all right\\]', enter],
];
const ALL_MEANT: Step = ['they mean[^]*\\[all right\\]', enter];

/** Picks the fourth of the options of the kinds of tickets. */
const premium = (text: string): readonly Step[] => [
  [`"${text}" in \\w+ ·[^]*● undecided`, down, down, down],
  [`"${text}" in \\w+ ·[^]*● Premium`, enter],
];

const LISTS: readonly List[] = [
  {
    file: 'guest-list.xlsx',
    rows: 31,
    steps: [
      ['Which sheet', enter],
      VISITORS,
      ...LEAVE_OUT,
      ['\\? "VIP" in Ticket[^]*\\[decide the open one\\]', enter],
      ...premium('VIP'),
      ALL_MEANT,
    ],
    meanings: { VIP: 'Premium' },
    addColumn: (file) => addToSheet(file, { column: 'M', headingRow: 4, lastRow: 35 }),
  },
  {
    file: 'form.csv',
    rows: 24,
    steps: [
      VISITORS,
      ...LEAVE_OUT,
      ['\\? "No lunch for me" in What[^]*\\[decide the open one\\]', enter],
      ['"No lunch for me" in What[^]* ·[^]*● undecided', down],
      ['"No lunch for me" in What[^]* ·[^]*● left blank', enter],
      ['it mean[^]*\\[all right\\]', enter],
    ],
    meanings: { 'No lunch for me': '' },
    addColumn: (file) => addToText(file, 'utf8', ','),
  },
  {
    file: 'ticket-shop.csv',
    rows: 28,
    steps: [
      VISITORS,
      ...LEAVE_OUT,
      ['\\? "VIP-Ticket" in Ticketkategorie[^]*\\[decide the open one\\]', enter],
      ...premium('VIP-Ticket'),
      ALL_MEANT,
    ],
    meanings: { 'VIP-Ticket': 'Premium' },
    // Its bytes stand for themselves, as in Windows-1252.
    addColumn: (file) => addToText(file, 'latin1', ';'),
  },
];

/** A registration, with its phone number as digits. */
interface Guest {
  persona: string;
  barcode?: string;
  fields: Record<string, unknown>;
}

function comparable(guests: readonly Guest[], withBarcodes: boolean): Guest[] {
  return guests
    .map(({ persona, barcode, fields }) => {
      const { phone } = fields;
      const digits = typeof phone === 'string' ? { phone: phone.replaceAll(/\D/g, '') } : {};
      return { persona, ...(withBarcodes ? { barcode } : {}), fields: { ...fields, ...digits } };
    })
    .sort((one, other) => emailOf(one).localeCompare(emailOf(other)));
}

const emailOf = ({ fields }: Guest): string => JSON.stringify(fields['email']);

/** Holds all that the practice service has against what is expected of the file. */
async function expectAllSent(cli: Cli, file: string): Promise<void> {
  const name = file.replace(/\.\w+$/, '.json');
  const expected = JSON.parse(readFileSync(join(PEOPLE, name), 'utf8')) as Guest[];
  const { out } = await cli.run(['list', '--all', '--json', '--sandbox']);
  const withBarcodes = expected.some(({ barcode }) => barcode !== undefined);
  expect(comparable(listIn<Guest>(out), withBarcodes)).toEqual(comparable(expected, withBarcodes));
}

function setUp(file: string) {
  const directory = temporaryDirectory();
  copyFileSync(join(PEOPLE, file), join(directory, file));
  return { directory, cli: createCli(directory) };
}

describe.skipIf(terminals === undefined)('at a terminal', () => {
  /** Pushes as a person does who reads before they press; tells how often they decided, and pressed keys. */
  async function push(file: string, directory: string, cli: Cli, steps: readonly Step[]) {
    const run = terminals!.eventreg(['push', file, '--sandbox'], {
      env: cli.env,
      cwd: directory,
      columns: 100,
      rows: 40,
    });
    for (const [shown, ...keys] of steps) {
      // The keys that may be pressed stand below a question once it listens.
      await run.until(new RegExp(`${shown}[^]*Enter[^\n]*$`));
      for (const key of keys) run.send(key);
    }
    const { code } = await run.ended;
    const lines = await run.lines();
    const keys = steps.flatMap(([, ...pressed]) => pressed);
    return {
      code,
      shown: lines.join('\n'),
      answers: keys.filter((key) => key === enter).length,
      keys: keys.length,
    };
  }

  test.each(casesOf(LISTS, 3))('$file is sent with few answers, and then without any', async (list) => {
    const { file, rows, steps, addColumn } = list;
    const { directory, cli } = setUp(file);
    const first = await push(file, directory, cli, steps);
    expect([first.code, first.shown]).toEqual([0, expect.stringContaining(`${rows} sent (${rows} new)`)]);
    expect(first.answers).toBeLessThanOrEqual(8);
    expect(first.keys).toBeLessThanOrEqual(60);
    await expectAllSent(cli, file);

    const unchanged = `${rows} unchanged`;
    const second = await push(file, directory, cli, []);
    expect([second.code, second.shown]).toEqual([0, expect.stringContaining(unchanged)]);

    await addColumn(join(directory, file));
    const third = await push(file, directory, cli, [
      ['\\? Table number', down + enter],
      ['· Table number[^]*\\[all right\\]', enter],
    ]);
    expect([third.code, third.shown]).toEqual([0, expect.stringContaining(unchanged)]);
    expect(third.answers).toBeLessThanOrEqual(1);
  });
});

describe('without a terminal', () => {
  /** How many lines a terminal of 100 columns would show. */
  const linesOf = (text: string): number =>
    text
      .trimEnd()
      .split('\n')
      .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 100)), 0);

  test.each(casesOf(LISTS, 3))('$file is sent by what is printed', async ({ file, meanings }) => {
    const { directory, cli } = setUp(file);
    const asked = await cli.run(['push', file, '--sandbox'], { cwd: directory });
    expect(asked.code).toBe(2);
    expect(linesOf(asked.err)).toBeLessThanOrEqual(40);
    const command = /this is the command: eventreg (.*)/.exec(asked.err)?.[1] ?? '';
    // Words in quotes, with no quotes in them.
    const args = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
    const refused = await cli.run([...args, '--write-mapping', 'means.json'], { cwd: directory });
    expect([refused.code, refused.err]).toEqual([3, expect.stringContaining('push with --mapping FILE')]);
    expect(linesOf(refused.err)).toBeLessThanOrEqual(40);
    const written = join(directory, 'means.json');
    const mapping = JSON.parse(readFileSync(written, 'utf8')) as { values: Record<string, object> };
    const open = Object.values(mapping.values).flatMap((of) =>
      Object.entries(of)
        .filter(([, meaning]) => meaning === null)
        .map(([text]) => text),
    );
    expect(open).toEqual(Object.keys(meanings));
    for (const of of Object.values(mapping.values))
      for (const text of Object.keys(of)) if (text in meanings) Object.assign(of, { [text]: meanings[text] });
    writeFileSync(written, JSON.stringify(mapping));
    const sent = await cli.run([...args, '--mapping', 'means.json'], { cwd: directory });
    expect([sent.code, sent.err]).toEqual([0, expect.any(String)]);
    await expectAllSent(cli, file);
  });
});
