import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Bench, pushBench } from '../../sync/push-bench.ts';
import { commandIn, follow, type Sent } from './printed-command.ts';
import { casesOf } from '../../support/night.ts';
import { text, workbook } from '../../support/workbook.ts';
import { paired } from '../../support/tables.ts';

const FIXTURES = join(import.meta.dirname, '../../../fixtures');
const FOLDERS = ['attendees', 'damage', 'mistakes', 'people', 'workbooks'];
const LISTS = FOLDERS.flatMap((folder) =>
  (readdirSync(join(FIXTURES, folder), { recursive: true }) as string[])
    .filter((name) => /\.(?:csv|xlsx|json|ndjson|txt)$/.test(name) && !/expected\./.test(name))
    .map((name) => join(folder, name)),
);

/** Whether somebody is in it, in the right columns. */
function isSomebody({ first_name: first = '', last_name: last = '', email = '' }: Sent): boolean {
  const names = `${first} ${last}`;
  return !names.includes('@') && (email === '' || email.includes('@')) && /\p{L}/u.test(names + email);
}

test('there are lists of all kinds', () => {
  expect(LISTS.length).toBeGreaterThan(80);
});

test.each(casesOf(LISTS, 4))('what is printed for %s does no harm', async (name) => {
  const bench = await pushBench();
  const file = name.replaceAll('/', ' ');
  cpSync(join(FIXTURES, name), join(bench.directory, file), { recursive: true });
  const followed = await follow(bench, file);
  expect((followed?.sent ?? []).filter((fields) => !isSomebody(fields))).toEqual([]);
});

type Sheet = readonly (readonly string[])[];

function writeSheets(bench: Bench, sheets: Readonly<Record<string, Sheet>>, hidden?: string): string {
  const parts = Object.entries(sheets).map(([name, rows]) => ({
    name,
    ...(name === hidden ? { state: 'hidden' as const } : {}),
    xml: `<sheetData>${rows.map((cells) => `<row>${cells.map((cell) => text(cell)).join('')}</row>`).join('')}</sheetData>`,
  }));
  writeFileSync(join(bench.directory, 'a.xlsx'), workbook({ sheets: parts }));
  return 'a.xlsx';
}

const NOTES: Sheet = [
  ['Notes', 'Phone'],
  ['Caterer', '+34600000001'],
  ['Hall', '+34600000002'],
];
const GUESTS: Sheet = [
  ['Vorname', 'Nachname', 'E-Mail'],
  ['Ana', 'Roth', 'a@example.com'],
  ['Bo', 'Roth', 'b@example.com'],
];
const PIVOT: Sheet = paired('Company → Count | Acme → 3 | Blue → 4 | Cy → 1 | Di → 2 | E → 9');

describe('of the sheets of a workbook', () => {
  test.each<[string, Record<string, Sheet>, string | undefined, string]>([
    ['notes stand first', { Notes: NOTES, Guests: GUESTS }, undefined, '--set sheet=Guests'],
    [
      'a summary has more rows',
      { Pivot: PIVOT, Notes: NOTES, 'All guests': GUESTS },
      undefined,
      '--set "sheet=All guests"',
    ],
  ])('the likeliest is proposed where %s', async (_, sheets, hidden, flag) => {
    const bench = await pushBench();
    const followed = await follow(bench, writeSheets(bench, sheets, hidden));
    expect(followed?.command).toContain(flag);
    expect(followed?.sent.map(({ email }) => email).sort()).toEqual(['a@example.com', 'b@example.com']);
  });

  test('none is where nothing is known of any, or where it is hidden', async () => {
    const bench = await pushBench();
    expect(await follow(bench, writeSheets(bench, { A: [['x'], ['1']], B: [['y'], ['2']] }))).toBeUndefined();
    const hidden = await bench.run([
      'push',
      writeSheets(bench, { A: [['x'], ['1']], Guests: GUESTS }, 'Guests'),
    ]);
    expect([hidden.code, commandIn(hidden)]).toEqual([2, undefined]);
  });
});

test('The kind of guest that has most of the columns comes first', async () => {
  const bench = await pushBench();
  const rows = ['First name,E-mail,Date and time of the talk', 'Ana,a@example.com,2027-03-02'];
  const talks = await bench.run(['push', bench.write('b.csv', rows.join('\n'))]);
  expect(commandIn(talks)).toContain('--persona speaker');
});

test('Rows with neither a name nor an e-mail address need a yes', async () => {
  const bench = await pushBench();
  const file = bench.write('a.csv', 'Vorname,Telefon\nAna,\n,+34600000001\n,+34600000002\n');
  const argv = [file, '--persona', 'visitor'];
  const asked = await bench.push(argv);
  expect([asked.code, asked.summary.rejected, bench.posts()]).toEqual([3, 2, []]);
  expect(asked.err).toMatch(/has no name and no e-mail address[^]*--set accept=nameless/);
  const left = await bench.push([...argv, '--invalid', 'skip']);
  expect([left.code, left.summary.sent, left.summary.rejected]).toEqual([3, 1, 2]);
  expect(left.err).toContain('a.csv:3  has no name and no e-mail address');
  expect((await bench.push([...argv, '--set', 'accept=nameless'])).summary.sent).toBe(2);
});

test('Rows with a value of which nothing is known are named as what the command leaves out', async () => {
  const bench = await pushBench();
  const argv = [bench.write('a.csv', 'Vorname,Menü,Zeit\nAna,Fleisch,x\nBo,xxx,y\n'), '--persona', 'visitor'];
  const followed = await follow(bench, ...argv);
  expect(followed).toMatchObject({ code: 3, sent: [{ first_name: 'Ana', meal: 'Meat' }] });
  expect(followed?.hint).toContain('(leaves out: "Zeit", the rows with "xxx" in Menü), this is the command');
});

test('A barcode alone is somebody, but no command says so for its owner', async () => {
  const bench = await pushBench();
  const file = bench.write('a.csv', 'Barcode,Telefon\nB1,+34600000001\n');
  expect(await follow(bench, file)).toBeUndefined();
  expect((await bench.push([file, '--persona', 'visitor'])).summary.sent).toBe(1);
});

test('What is left out is named, and values and numbers are said as they are most likely meant', async () => {
  const bench = await pushBench();
  const rows = [
    'Vorname,Menü,Handy,Vortragsart,Kurzbiografie',
    'Ana,Fleisch,0170 1234567,x,y',
    'Bo,Fisch,+49 170 1234568,x,z',
    'Cy,,+49 170 1234569,x,z',
  ];
  const argv = [bench.write('a.csv', rows.join('\n')), '--persona', 'visitor', '--map', 'Menü=meal'];
  const { err } = await bench.run(['push', ...argv]);
  expect(err).toContain('(leaves out: "Vortragsart", "Kurzbiografie")');
  const followed = await follow(bench, ...argv);
  expect(followed?.sent).toEqual([
    { first_name: 'Ana', meal: 'Meat', phone: '+491701234567' },
    { first_name: 'Bo', meal: 'Fish', phone: '+49 170 1234568' },
    { first_name: 'Cy', phone: '+49 170 1234569' },
  ]);
});

test('Many flags for columns are shorter in a mapping file, which takes null for one that is left out', async () => {
  const bench = await pushBench();
  const heads = ['E-Mail', ...['Tisch', 'Quuz', 'Zyx', 'Blorp', 'Flum'].map((name) => `${name} of the quux`)];
  const file = bench.write('a.csv', `${heads.join(',')}\na@example.com,1,q,z,b,f\n`);
  const flags = heads.slice(1, 5).flatMap((name) => ['--ignore-column', name]);
  const hint = 'takes a file with {"columns":{"Tisch of the quux":null}} for a column that is left out';
  const told = async (...some: string[]): Promise<string> =>
    (await bench.run(['push', file, '--persona', 'visitor', ...some])).err.replaceAll(/\s+/g, ' ');
  expect(await told(...flags)).toContain(hint);
  expect(await told(...flags.slice(0, 2))).not.toContain('takes a file with');
});

test.each(['-list.csv', `it's "$HOME" \`x\` \\!.csv`, 'folder/a b.csv', '~list&.csv'])(
  'the command for %s reaches that file, and the column of that name',
  async (file) => {
    const bench = await pushBench();
    mkdirSync(join(bench.directory, 'folder'));
    const heading = file.replaceAll('"', "''");
    bench.write(file, `Vorname,"${heading}"\nAna,x\n`);
    const followed = await follow(bench, '--map', `${heading}=remarks`, '--', file);
    expect(followed?.sent).toEqual([{ first_name: 'Ana', remarks: 'x' }]);
  },
);
