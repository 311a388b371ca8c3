import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pushBench } from '../../sync/push-bench.ts';
import { type FakeAnswer, fakePrompt } from '../../support/fake-runtime.ts';

const LIST = [
  'First name,Attendee email,Order email',
  'Ada,ada@example.com,pay@example.com',
  'Bo,,pay@example.com',
  'Cy,cy@example.com,pay@example.com',
  'Di,,',
].join('\n');
const VISITOR = ['--persona', 'visitor'];
const OWN_FIRST = ['--map', 'Attendee email=email', '--map', 'Order email=email'];
const OWN = ['ada@example.com', 'pay@example.com', 'cy@example.com', undefined];

/** A person at a terminal who answers so. */
function person(answers: Readonly<Record<string, FakeAnswer>>) {
  const { prompt, asked } = fakePrompt(answers);
  return { asked, terminal: { tty: true, prompt: async () => prompt } };
}

const emails = (bench: Awaited<ReturnType<typeof pushBench>>) =>
  bench.kept().map(({ fields }) => fields['email']);

test('Of two columns for one field the first that is filled counts, in the order of --map', async () => {
  const bench = await pushBench();
  const file = bench.write('a.csv', LIST);
  const { code, err } = await bench.push([file, ...VISITOR, ...OWN_FIRST]);
  expect([code, emails(bench)]).toEqual([0, OWN]);
  expect(err).toContain('E-mail: "Attendee email", and where it is blank "Order email".');
  expect(err).toContain('1 of 4 rows has no e-mail address.');

  const other = await pushBench();
  const turned = [...OWN_FIRST.slice(2), ...OWN_FIRST.slice(0, 2)];
  await other.push([other.write('a.csv', LIST), ...VISITOR, ...turned, '--columns']);
  expect(emails(other)).toEqual(['pay@example.com', 'pay@example.com', 'pay@example.com', undefined]);
});

test('A value from the second column is told as what is done to the blank cell of the first', async () => {
  const bench = await pushBench();
  const { err } = await bench.push([
    bench.write('a.csv', LIST),
    ...VISITOR,
    ...OWN_FIRST,
    '--verbose',
    '--show-values',
  ]);
  expect(err.replaceAll(/\s+/g, ' ')).toContain('taken from "Order email"');
});

test('The order of columns that get one field at a terminal is written down, and remembered', async () => {
  const bench = await pushBench();
  const asks = person({ '3 columns': { 'Attendee email': 'E-mail', 'Order email': 'E-mail' } });
  const mapping = join(bench.directory, 'mapping.json');
  const first = await bench.push(
    [bench.write('a.csv', LIST), ...VISITOR, '--write-mapping', mapping],
    asks.terminal,
  );
  expect([first.code, emails(bench)]).toEqual([0, OWN]);
  expect(JSON.parse(readFileSync(mapping, 'utf8'))).toMatchObject({
    columns: { 'First name': 'first_name' },
    fields: { email: ['Attendee email', 'Order email'] },
  });
  const again = await bench.push([bench.write('b.csv', LIST), ...VISITOR, '--columns', '--dry-run']);
  expect(again.code).toBe(0);
  expect(again.err).toMatch(/Order email +email, where "Attendee email" is blank/);

  const fresh = await pushBench();
  const argv = [fresh.write('a.csv', LIST), '--mapping', mapping];
  expect([(await fresh.push(argv)).code, emails(fresh)]).toEqual([0, OWN]);
});

test.each([
  ['Order email', 'Attendee email'],
  ['E-mail of the payer', 'E-mail'],
  ['Contact email', 'Work mail'],
])('First is the column of who comes, wherever it stands: %s, %s', async (first, own) => {
  const bench = await pushBench();
  const { terminal } = person({ '3 columns': { [first]: 'E-mail', [own]: 'E-mail' } });
  const rows = `First name,${first},${own}\nAda,pay@example.com,ada@example.com\nBo,pay@example.com,\n`;
  await bench.push([bench.write('a.csv', rows), ...VISITOR], terminal);
  expect(emails(bench)).toEqual(['ada@example.com', 'pay@example.com']);
});

test('What was said of two lists makes no order for a third', async () => {
  const bench = await pushBench();
  for (const heading of ['Post', 'Letters']) {
    const file = bench.write(`${heading}.csv`, `First name,${heading}\nAda,ada@example.com\n`);
    expect((await bench.push([file, ...VISITOR, '--map', `${heading}=email`])).code).toBe(0);
  }
  const both = bench.write('both.csv', 'First name,Post,Letters\nBo,bo@example.com,pay@example.com\n');
  const { code, err } = await bench.push([both, ...VISITOR]);
  expect([code, bench.kept().length]).toEqual([2, 1]);
  expect(err).toContain('2 open');
});

test('Addresses that many people share are told, with how many', async () => {
  const bench = await pushBench();
  const rows = ['Ada', 'Bo', 'Cy', 'Di'].map((name) => `${name},${name === 'Di' ? 'di' : 'pay'}@example.com`);
  const { err } = await bench.push([
    bench.write('a.csv', ['First name,E-mail', ...rows].join('\n')),
    ...VISITOR,
  ]);
  expect(err.replaceAll(/\s+/g, ' ')).toContain(
    '3 of 4 people share their e-mail address with somebody else of the list, up to 3 one and the same.',
  );
  const family = await pushBench();
  const two = family.write(
    'a.csv',
    'First name,E-mail\nAda,a@example.com\nBo,a@example.com\nCy,c@example.com\n',
  );
  expect((await family.push([two, ...VISITOR])).err).not.toContain('share');
});

const SOME_NAMES = [
  'name,first_name,last_name,email',
  'Ada Lane,Ada,Lane,ada@example.com',
  'Bo Marsh,,,bo@example.com',
  'Cy,Cyan,,cy@example.com',
  '',
].join('\n');
const NAMES = [
  ['Ada', 'Lane'],
  ['Bo', 'Marsh'],
  ['Cyan', undefined],
];

test('A full name counts where first and last names are blank, as is printed and remembered', async () => {
  const bench = await pushBench();
  const list = SOME_NAMES.replace('Cy,Cyan', ',Cyan');
  const file = bench.write('a.csv', list);
  const argv = [file, '--persona', 'visitor'];
  const { code, err } = await bench.push(argv);
  const said = ['--map', 'name=else first_name+last_name'];
  expect([code, err.includes(`persona visitor ${said[0]} "${said[1]}"`)]).toEqual([2, true]);
  expect((await bench.push([...argv, ...said, '--write-mapping', 'm.json'])).code).toBe(0);
  expect(bench.kept().map(({ fields }) => [fields['first_name'], fields['last_name']])).toEqual(NAMES);
  for (const again of [argv, [file, '--no-saved-mapping', '--mapping', 'm.json']]) {
    const { code: then, summary } = await bench.push(again);
    expect([then, summary.unchanged]).toEqual([0, 3]);
  }
});

test('A row in which columns differ that complete each other is told with both, and sent where their order is said', async () => {
  const bench = await pushBench();
  const argv = ['--persona', 'visitor', '--show-values'];
  const whole = bench.write('a.csv', SOME_NAMES.replace('Cy,Cyan', ',Cyan'));
  await bench.push([whole, ...argv, '--map', 'name=else first_name+last_name']);
  const more = bench.write('b.csv', `${SOME_NAMES}Di Orr,Diana,Orr,di@example.com\n,Ed,Pim,ed@example.com\n`);
  const { code, err, summary } = await bench.push([more, ...argv, '--all-errors']);
  expect([code, summary.rejected]).toEqual([3, 2]);
  const told = err.replaceAll(/\s+/g, ' ');
  expect(told).toContain('b.csv:5 column "name": "Di Orr" says otherwise than "first_name" and "last_name"');
  expect(told).toContain('b.csv:5 column "first_name": "Diana" says otherwise than "name"');
  expect(told).toContain('b.csv:4 column "name": "Cy" says otherwise than');
  const flags = ['first_name=first_name', 'last_name=last_name', 'name=first_name+last_name'];
  const ordered = await bench.push([more, ...argv, ...flags.flatMap((flag) => ['--map', flag])]);
  expect([ordered.code, ordered.summary.rejected]).toEqual([0, 0]);
});

test('At a terminal what completes others is taken without a question about their order', async () => {
  const bench = await pushBench();
  const file = bench.write('a.csv', SOME_NAMES.replace('Cy,Cyan', ',Cyan'));
  const { prompt, asked } = fakePrompt({ '4 columns': {} });
  const terminal = { tty: true, prompt: async () => prompt };
  const { code } = await bench.push([file, '--persona', 'visitor'], terminal);
  expect([code, asked.length]).toEqual([0, 1]);
  expect(bench.kept().map(({ fields }) => [fields['first_name'], fields['last_name']])).toEqual(NAMES);
});

test('Full names with the last name in front are split where a single word follows, and refused elsewhere', async () => {
  const bench = await pushBench();
  const list = 'Cognome e nome\nRossi Maria\nDe Luca Anna\n"Weiß, Ruth"\nRossi Maria Grazia\n';
  const argv = ['--persona', 'visitor', '--map', 'Cognome e nome=last_name+first_name', '--invalid', 'skip'];
  const { code, err } = await bench.push([bench.write('a.csv', list), ...argv]);
  expect([code, bench.kept().map(({ fields }) => [fields['last_name'], fields['first_name']])]).toEqual([
    3,
    [
      ['Rossi', 'Maria'],
      ['De Luca', 'Anna'],
      ['Weiß', 'Ruth'],
    ],
  ]);
  expect(err).toContain('does not show where the last name ends');
});

test('What stands before last names in a column of its own is put in front of them', async () => {
  const bench = await pushBench();
  const list =
    'Voornaam,Tussenvoegsel,Achternaam,E-mail\nDaan,van der,Berg,d@example.com\nSanne,,de Wit,s@example.com\nJo,van,,j@example.com\n';
  const argv = [bench.write('a.csv', list), '--persona', 'visitor'];
  const { err } = await bench.push(argv);
  expect(err).toContain('--map "Tussenvoegsel=before last_name"');
  expect((await bench.push([...argv, '--map', 'Tussenvoegsel=before last_name'])).code).toBe(0);
  expect(bench.kept().map(({ fields }) => fields['last_name'])).toEqual([
    'van der Berg',
    'de Wit',
    undefined,
  ]);
  expect((await bench.push(argv)).summary.unchanged).toBe(3);
});
