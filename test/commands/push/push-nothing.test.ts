import { expect, test } from 'vitest';
import { pushBench } from '../../sync/push-bench.ts';
import { type FakeAnswer, fakePrompt } from '../../support/fake-runtime.ts';
import { listed } from '../../support/tables.ts';

const WORDS = [
  '*|FNAME|*',
  '${name}',
  ...listed(`
    n/a | k.A. | - | – | keine | nothing | NULL | \\N | undefined | [object Object] | # | unbekannt | TBD |
    tba | {{first_name}} | %FIRSTNAME% | [FIRST NAME] | <<name>> | NaN | nil | (null) | (blank) | (leer) |
    n.v. | s/d | néant | ninguno | aucun
  `),
];
/** One of each kind; those that hold any text in front. */
const TEXTS = ['Last name', 'Remarks'];
const OTHERS = listed(`
  E-Mail | Mobile phone | Country | Date of birth | Number of guests | Website | Photo | Lunch
`);
/** A single one may be the name of somebody. */
const NAMES = ['NULL', 'NaN'];
const ARGV = ['--persona', 'visitor'];

/** A row a word, in all of the columns. */
function listOf(columns: readonly string[]): string {
  const rows = WORDS.map((word, at) => [`A${at}`, 'Ada', ...columns.map(() => word)].join(','));
  return [['Barcode', 'First name', ...columns].join(','), ...rows, ''].join('\n');
}

const fieldsOf = (bench: Awaited<ReturnType<typeof pushBench>>) =>
  Object.fromEntries(bench.kept().map(({ barcode, fields }) => [barcode, fields]));

/** A column and a word of it; a single one may be the name of somebody. */
const PAIRS = WORDS.flatMap((word, at) =>
  [...TEXTS, ...OTHERS]
    .filter((column) => column !== 'Last name' || !NAMES.includes(word))
    .map((column) => ({ column, word, line: at + 2 })),
);

test('No word for nothing is sent unasked, whatever the kind of its field', async () => {
  const bench = await pushBench();
  const list = bench.write('a.csv', listOf([...TEXTS, ...OTHERS]));
  const { code, out, err } = await bench.push([list, ...ARGV]);
  expect([code, bench.posts().length]).toEqual([2, 0]);
  const { questions } = (JSON.parse(out) as { error: { questions: { text: string }[] } }).error;
  const asked = questions.map(({ text }) => text.slice(text.indexOf('left blank? ') + 12));
  expect(asked.sort()).toEqual(PAIRS.map(({ word, column }) => `"${word}" in ${column}`).sort());
  expect(err.replaceAll(/\s+/g, ' ')).toMatch(/command: eventreg push a\.csv .*--set nothing=blank $/);
});

test('Left blank, each has a note, and nothing of it is sent', async () => {
  const bench = await pushBench();
  const list = bench.write('a.csv', listOf([...TEXTS, ...OTHERS]));
  const { code, out } = await bench.push([list, ...ARGV, '--set', 'nothing=blank', '--show-values']);
  expect(code).toBe(0);
  const { notes } = JSON.parse(out) as { notes: { column: string; before: string; after: string }[] };
  const told = notes.map(({ column, before, after }) => `${column}: ${before} → ${after}`);
  const wanted = PAIRS.map(({ word, column }) => `${column}: ${word} → `);
  expect(told.sort()).toEqual(wanted.sort());
  const kept = fieldsOf(bench);
  for (const [at, word] of WORDS.entries()) {
    const named = NAMES.includes(word) ? { last_name: word } : {};
    expect(kept[`A${at}`]).toEqual({ first_name: 'Ada', ...named });
  }
});

test('Kept, texts and names are sent as they are, and other kinds are refused', async () => {
  const bench = await pushBench();
  const kept = [...ARGV, '--set', 'nothing=kept'];
  const texts = await bench.push([bench.write('a.csv', listOf(TEXTS)), ...kept]);
  expect(texts.code).toBe(0);
  const fields = fieldsOf(bench);
  for (const [at, word] of WORDS.entries()) {
    expect(fields[`A${at}`]).toEqual({ first_name: 'Ada', last_name: word, remarks: word });
  }
  const others = await bench.push([bench.write('b.csv', listOf(OTHERS)), ...kept]);
  expect([others.code, others.summary.rejected]).toEqual([3, WORDS.length]);
  const { problems } = JSON.parse(others.out) as { problems: { column: string; line: number }[] };
  const wrong = problems.map(({ column, line }) => `${column} ${line}`);
  const refused = PAIRS.filter(({ column }) => OTHERS.includes(column));
  expect(wrong.sort()).toEqual(refused.map(({ column, line }) => `${column} ${line}`).sort());
});

/** A person at a terminal who answers so. */
function person(answers: Readonly<Record<string, FakeAnswer>>) {
  const { prompt, asked } = fakePrompt(answers);
  return { asked, terminal: { tty: true, prompt: async () => prompt } };
}

const GUESTS = [
  'Barcode,First name,Last name,Company,Remarks,Lunch',
  'A1,Ana,Null,n/a,none,keine',
  'A2,Bo,Lane,n/a,,Meat',
  '',
].join('\n');

test('At a terminal one question for the file is answered by Enter, and remembered for its columns', async () => {
  const bench = await pushBench();
  const first = person({ 'left blank?': {} });
  const { code, err } = await bench.push([bench.write('a.csv', GUESTS), ...ARGV], first.terminal);
  expect(code).toBe(0);
  expect(first.asked).toEqual([
    'a.csv: "n/a" (2 cells in Company), "none" (1 cell in Remarks), "keine" (1 cell in Lunch) say nothing. Are they left blank?',
  ]);
  expect(err).toContain('The same without being asked: --set nothing=blank');
  expect(fieldsOf(bench)['A1']).toEqual({ first_name: 'Ana', last_name: 'Null' });
  const next = bench.write('b.csv', GUESTS.replaceAll('n/a', 'tbd'));
  expect((await bench.push([next, ...ARGV])).summary).toMatchObject({ unchanged: 2 });
});

test('Word by word some are kept, which is remembered too', async () => {
  const bench = await pushBench();
  const first = person({ 'left blank?': { none: 'kept' } });
  expect((await bench.push([bench.write('a.csv', GUESTS), ...ARGV], first.terminal)).code).toBe(0);
  expect(fieldsOf(bench)['A1']).toEqual({ first_name: 'Ana', last_name: 'Null', remarks: 'none' });
  expect((await bench.push([bench.write('b.csv', GUESTS), ...ARGV])).summary).toMatchObject({ unchanged: 2 });
});

test('A mapping file says it of each word, and an option that is such a word stays one', async () => {
  const bench = await pushBench();
  const values = { Company: { 'N/A': '' }, Remarks: { none: 'none' }, Lunch: { keine: '' } };
  const mapping = bench.write('m.json', JSON.stringify({ values }));
  const { code } = await bench.push([bench.write('a.csv', GUESTS), ...ARGV, '--mapping', mapping]);
  expect(code).toBe(0);
  expect(fieldsOf(bench)['A1']).toEqual({ first_name: 'Ana', last_name: 'Null', remarks: 'none' });
});

test('Barcodes, parents, switches and companions that say nothing are blank', async () => {
  const bench = await pushBench();
  const guests = [
    'Barcode,Parent barcode,Enable comms,First name,E-Mail,Companion 1 First name',
    'n/a,-,k.A.,Ana,ana@example.com,-',
    'n/a,-,k.A.,Bo,bo@example.com,none',
    '',
  ].join('\n');
  const argv = [bench.write('a.csv', guests), ...ARGV, '--set', 'nothing=blank'];
  const { code, out, summary } = await bench.push(argv);
  expect([code, summary.sent]).toEqual([0, 2]);
  expect((JSON.parse(out) as { notes: unknown[] }).notes).toHaveLength(8);
  expect(bench.kept().map(({ fields }) => fields)).toMatchObject([
    { first_name: 'Ana', email: 'ana@example.com' },
    { first_name: 'Bo', email: 'bo@example.com' },
  ]);
});

test('A full name that says nothing is blank, with a note', async () => {
  const bench = await pushBench();
  const guests = 'Barcode,Who,E-Mail\nA1,Ana Lane,a@example.com\nA2,undefined undefined,b@example.com\n';
  const argv = [bench.write('a.csv', guests), ...ARGV, '--map', 'Who=first_name+last_name', '--show-values'];
  const { code, out } = await bench.push([...argv, '--set', 'nothing=blank']);
  expect(code).toBe(0);
  const [note] = (
    JSON.parse(out) as { notes: { column: string; before: string; after: string }[] }
  ).notes.slice(-1);
  expect(note).toMatchObject({ column: 'Who', before: 'undefined undefined', after: '' });
});
