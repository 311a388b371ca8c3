import { Writable } from 'node:stream';
import xterm from '@xterm/headless';
import { describe, expect, test } from 'vitest';
import { type Bench, pushBench } from '../sync/push-bench.ts';

const GUESTS = [
  'barcode,First name,Last name,E-mail,Company,Ticket type,Country',
  'EV-1017,Anna,Álvarez de la Vega,anna.alvarez@example.com,Hafenlogistik Nord GmbH & Co. KG,Standard,Spain',
  'EV-1018,अनिता,शर्मा,anita@example.com,शर्मा एंड संस,Premium,India',
  'EV-1019,太郎,山田,taro@example.com,株式会社サンプル商事,Press,Japan',
];
/** Headings that no list of words will ever know. */
const MISTAKES = [
  'barcode,First name,Last name,E-mail,Zzyzx of the quux,Quuz',
  'EV-2001,Ada,Lane,ada@example.com,Northport harbour basin,17',
  'EV-2002,Zoe,Blum,zoe.example.com,Southport,eighteen',
];

/** What people type, one after the other. */
const COMMANDS: readonly (readonly string[])[] = [
  ['push', 'guests.csv', '--persona', 'visitor'],
  ['push', 'guests.csv', '--persona', 'visitor', '--dry-run', '--diff'],
  ['push', 'mistakes.csv', '--persona', 'visitor'],
  ['push', 'mistakes.csv', '--persona', 'visitor', '--ignore-column', '*'],
  ['list'],
  ['runs'],
  ['runs', 'show'],
  ['runs', 'why', 'EV-1017'],
  ['runs', 'why', 'EV-1018', '--show-values'],
  ['runs', 'why', 'nobody'],
  ['event'],
  ['event', 'fields', 'visitor'],
  ['profiles'],
];

/** What a command leaves on a terminal of some width, after the command itself. */
async function shoot(bench: Bench, argv: readonly string[], columns: number): Promise<string> {
  const terminal = new xterm.Terminal({ cols: columns, rows: 200, allowProposedApi: true, convertEol: true });
  const stream = () => {
    const write = (chunk: Buffer, _encoding: unknown, done: () => void): void => {
      terminal.write(chunk);
      done();
    };
    return Object.assign(new Writable({ write }), { isTTY: true, columns });
  };
  const env = { ...bench.env, NO_COLOR: '1' };
  await bench.run([...argv, '--progress', 'text'], { stdout: stream(), stderr: stream(), env });
  await new Promise<void>((resolve) => terminal.write('', resolve));
  const { active } = terminal.buffer;
  const lines = Array.from({ length: active.length }, (_, at) => active.getLine(at));
  const texts = lines.map((line) => line?.translateToString() ?? '');
  const broken = texts.filter((text, at) => lines[at + 1]?.isWrapped === true && !text.endsWith(' '));
  // A path or an address may be wider than the terminal.
  expect([argv, broken.filter((text) => !/^\S+$/.test(text.trim()))]).toEqual([argv, []]);
  return [`$ eventreg ${argv.join(' ')}`, ...texts.map((text) => text.trimEnd())].join('\n').trimEnd();
}

/** What differs each time, in as many columns. */
const steady = (text: string): string =>
  text
    .replace(/127\.0\.0\.1:\d{5}/g, '127.0.0.1:54321')
    .replace(/(\d{8})-[0-9a-f]{6}/g, '$1-0a1b2c')
    .replace(/reg-[0-9a-f]{8}/g, 'reg-0a1b2c3d')
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '0a1b2c3d-4e5f-6789-abcd-ef0123456789');

describe.each([60, 80, 120])('a terminal of %d columns', (columns) => {
  test('has whole words, and nothing that is cut without a sign', async () => {
    const bench = await pushBench();
    bench.write('guests.csv', `${GUESTS.join('\n')}\n`);
    bench.write('mistakes.csv', `${MISTAKES.join('\n')}\n`);
    const shots: string[] = [];
    for (const argv of COMMANDS) shots.push(await shoot(bench, argv, columns));
    await expect(`${steady(shots.join('\n\n'))}\n`).toMatchFileSnapshot(`screens/${columns}.txt`);
  });
});
