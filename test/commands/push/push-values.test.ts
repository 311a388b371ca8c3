import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { PromptTable } from '../../../src/prompts/prompt.ts';
import { pushBench } from '../../sync/push-bench.ts';
import { type FakeAnswer, fakePrompt } from '../../support/fake-runtime.ts';

const GUESTS = [
  'Barcode,First name,E-Mail,Lunch,Dietary needs',
  'A1,Ana,a@example.com,Fleisch,"Halal, Vegan"',
  'A2,Bo,b@example.com,Meat,koscher',
  'A3,Cy,c@example.com,Fleisch,',
  '',
].join('\n');

const HANDY = [
  'Barcode,First name,Mobile phone,Country',
  'A1,Ana,0171 1234567,DE',
  'A2,Bo,491711234568,DE',
  'A3,Cy,06 12 34 56 78,FR',
  '',
].join('\n');

/** A person at a terminal who answers so. */
function person(answers: Readonly<Record<string, FakeAnswer>>) {
  const { prompt, asked } = fakePrompt(answers);
  return { asked, terminal: { tty: true, prompt: async () => prompt } };
}

const ARGV = ['--persona', 'visitor'];

test('What values mean is asked once at a terminal, and counts as written', async () => {
  const bench = await pushBench();
  const { asked, terminal } = person({ 'What do they mean': {} });
  const { code, err, summary } = await bench.push([bench.write('a.csv', GUESTS), ...ARGV], terminal);
  expect([code, summary.sent]).toEqual([0, 3]);
  expect(asked).toEqual([
    'a.csv: 2 values are none of the options of "Lunch", "Dietary needs". What do they mean?',
  ]);
  const mended =
    'taken as Meat, as was said (2), taken as several values (1), taken as Kosher, as was said (1)';
  expect(err.replaceAll(/\s+/g, ' ')).toContain(`4 cells were mended: ${mended}; --verbose lists each.`);
  expect(bench.kept().map(({ fields }) => fields)).toMatchObject([
    { meal: 'Meat', dietary_needs: ['Halal', 'Vegan'] },
    { meal: 'Meat' },
    { meal: 'Meat' },
  ]);
});

test('What nobody knows stays wrong, and is not asked again', async () => {
  const bench = await pushBench();
  const { asked, terminal } = person({ 'What do they mean': { Fleisch: 'undecided' }, 'What now': 'Stop' });
  const { code, summary, err } = await bench.push([bench.write('a.csv', GUESTS), ...ARGV], terminal);
  expect([code, summary.rejected]).toEqual([3, 2]);
  // Where nobody is asked it stays so without a flag.
  expect(err).toContain('The same without being asked: --set "values=Dietary needs=koscher=Kosher"\n');
  expect(asked.filter((question) => question.includes('mean?'))).toHaveLength(1);
});

test('Without a terminal nothing is asked: the rows are refused as before', async () => {
  const bench = await pushBench();
  const { code, summary, err } = await bench.push([bench.write('a.csv', GUESTS), ...ARGV]);
  expect([code, summary.rejected]).toEqual([3, 3]);
  const flags = ['--set values=Lunch=Fleisch=Meat', '--set "values=Dietary needs=koscher=Kosher"'];
  const line = /most likely mean.* is right, this is the command: eventreg (push .*)/.exec(err)?.[1];
  for (const flag of flags) expect(line).toContain(flag);
  const words = line?.match(/"[^"]*"|[^ ]+/g)?.map((word) => word.replaceAll('"', '')) ?? [];
  expect((await bench.push(words.slice(1))).summary.sent).toBe(3);
});

test('Without a terminal no command is printed that leaves open what a value means', async () => {
  const bench = await pushBench();
  const guests =
    'Barcode,First name,Ticket type,Mobile phone,Country\nA1,Ana,VIP,0171 1234567,\nA2,Bo,,+49 171 1234568,\nA3,Cy,,0171 1234569,DE\n';
  const { code, err } = await bench.push([bench.write('a.csv', guests), ...ARGV]);
  expect(code).toBe(3);
  expect(err).toContain(
    'To say what these values mean, add --write-mapping FILE, say what stands there as null',
  );
  expect(err).not.toContain('this is the command');
});

test('Phone numbers of rows that name their country are completed without a question', async () => {
  const bench = await pushBench();
  expect((await bench.push([bench.write('a.csv', HANDY), ...ARGV])).code).toBe(0);
  expect(bench.kept().map(({ fields }) => (fields as Record<string, string>)['phone'])).toEqual([
    '+491711234567',
    '+491711234568',
    '+33612345678',
  ]);
});

test('Without a terminal phone numbers that are sent without a country code are told of', async () => {
  const bench = await pushBench();
  const guests = 'Barcode,First name,Mobile phone\nA1,Ana,1711234567\nA2,Bo,01721234567\nA3,Cy,0171/12\n';
  const warning =
    'warning: a.csv: 2 phone numbers have no country code in "Mobile phone" and are sent as in the file; name the country, as with --set phone-country=ES.';
  const file = bench.write('a.csv', guests);
  const { code, err } = await bench.push([file, ...ARGV]);
  expect(code).toBe(3);
  expect(err).toContain(warning);
  const { err: said } = await bench.push([file, ...ARGV, '--set', 'phone-country=DE']);
  expect(said).not.toContain('sent as in the file; name');
});

test('Phone numbers that are to stay as they are are neither asked about again nor told of', async () => {
  const bench = await pushBench();
  const guests = 'Barcode,First name,Mobile phone\nA1,Ana,01711234567\n';
  const { asked, terminal } = person({ 'Which country': 'none of these' });
  const { code, err } = await bench.push([bench.write('a.csv', guests), ...ARGV], terminal);
  expect([code, asked.length]).toEqual([0, 1]);
  expect(err).not.toContain('country code');
});

test('Numbers that begin with the country code have it where the column is written so, whatever the flag', async () => {
  const bench = await pushBench();
  const { code } = await bench.push([bench.write('a.csv', HANDY), ...ARGV, '--set', 'phone-country=DE']);
  expect(code).toBe(0);
  expect(bench.kept()[1]?.fields).toMatchObject({ phone: '+491711234568' });
});

const BROKEN = `${GUESTS}A4,Di,kommt noch,Meat,\n`;

test('Rows that cannot be sent are written to a workbook on demand, and then nothing is sent', async () => {
  const bench = await pushBench();
  const { asked, terminal } = person({
    'What do they mean': {},
    'What now': 'Write the 1 row to an Excel file',
    'Name of the Excel file': 'mend',
  });
  const { code, summary, err } = await bench.push([bench.write('a.csv', BROKEN), ...ARGV], terminal);
  expect([code, summary.state, bench.kept().length]).toEqual([3, 'refused', 0]);
  expect(asked.slice(1)).toEqual(['What now?', 'Name of the Excel file']);
  expect(err).toContain('1 rejected row written to');
  expect(existsSync(join(bench.directory, 'mend.xlsx'))).toBe(true);
});

test('Rows that cannot be sent are written, and the others sent, in one step', async () => {
  const bench = await pushBench();
  const { asked, terminal } = person({
    'What do they mean': {},
    'What now': ', and send the other 3 rows',
    'Name of the Excel file': 'mend',
  });
  const { code, summary, err } = await bench.push([bench.write('a.csv', BROKEN), ...ARGV], terminal);
  expect([code, summary.sent, summary.rejected]).toEqual([3, 3, 1]);
  expect(asked.slice(1, 3)).toEqual(['What now?', 'Name of the Excel file']);
  expect(err.replaceAll(/\s+/g, ' ')).toMatch(
    /The same without being asked: --invalid skip --rejects \S*mend\.xlsx/,
  );
  expect(existsSync(join(bench.directory, 'mend.xlsx'))).toBe(true);
});

test('The others are sent on demand, without the members of rows that are left out', async () => {
  const bench = await pushBench();
  const file = bench.write(
    'a.csv',
    BROKEN.replace('Barcode,', 'Barcode,Parent barcode,').replaceAll(/^(A\d),/gm, '$1,,'),
  );
  const group = bench.write('b.csv', 'Barcode,Parent barcode,First name\nB1,A4,Ed\n');
  const { asked, terminal } = person({ 'What do they mean': {}, 'What now': 'Send the other 3 rows' });
  const { code, summary, err } = await bench.push([file, group, ...ARGV], terminal);
  expect([code, summary.sent, summary.rejected]).toEqual([3, 3, 2]);
  expect(asked).toContain('What now?');
  expect(err).toContain('The same without being asked: --invalid skip');
  expect(bench.kept().map(({ barcode }) => barcode)).toEqual(['A1', 'A2', 'A3']);
});

test('What cannot be sent may be left blank at a key, and stays so', async () => {
  const bench = await pushBench();
  const lines =
    'Barcode,First name,E-mail,Mobile phone\nA1,Ana,ana at home,+44 7911 123456\nA2,Bo,b@b.eu,ask Tim\n';
  const file = bench.write('a.csv', lines);
  const { terminal } = person({ 'What now': 'Leave 2 wrong values blank' });
  expect((await bench.push([file, ...ARGV], terminal)).code).toBe(0);
  expect(bench.kept().map(({ fields }) => fields)).toEqual([
    { first_name: 'Ana', phone: '+44 7911 123456' },
    { first_name: 'Bo', email: 'b@b.eu' },
  ]);
  const again = await bench.push([file, ...ARGV], person({}).terminal);
  expect([again.code, again.summary.unchanged]).toEqual([0, 2]);
});

test('What was left open may be said after all', async () => {
  const bench = await pushBench();
  const answers: FakeAnswer[] = [{ Fleisch: 'undecided' }, { Fleisch: 'Meat' }];
  const { prompt } = fakePrompt({ 'What now': 'Say what these values mean' });
  const terminal = {
    tty: true,
    prompt: async () => ({
      ...prompt,
      table: async (question: PromptTable) =>
        await fakePrompt({ mean: answers.shift() ?? {} }).prompt.table(question),
    }),
  };
  const { code, summary } = await bench.push([bench.write('a.csv', GUESTS), ...ARGV], terminal);
  expect([code, summary.sent]).toEqual([0, 3]);
});

test.each([
  ['answered', false],
  ['remembered', true],
])('A column that was %s wrong may be changed where its rows cannot be sent', async (_, isRemembered) => {
  const bench = await pushBench();
  const file = bench.write('a.csv', 'Barcode,First name,Born in\nA1,Ada,Leeds\nA2,Bo,York\n');
  const answers: FakeAnswer[] = [{ Born: 'Date of birth' }, { Born: 'Remarks' }];
  const terminal = (whatNow: string) => {
    const { prompt } = fakePrompt({ 'What now': whatNow });
    const table = async (question: PromptTable) =>
      await fakePrompt({ columns: answers.shift() ?? {} }).prompt.table(question);
    return { tty: true, prompt: async () => ({ ...prompt, table }) };
  };
  if (isRemembered) await bench.push([file, ...ARGV], terminal('Stop'));
  const { code } = await bench.push([file, ...ARGV], terminal('Change what the columns are'));
  expect([code, bench.kept().map(({ fields }) => fields['remarks'])]).toEqual([0, ['Leeds', 'York']]);
  expect((await bench.push([file, ...ARGV])).code).toBe(0);
});

test('Where nothing was said of columns, they are not offered to be changed', async () => {
  const bench = await pushBench();
  const file = bench.write('a.csv', 'Barcode,First name,Date of birth\nA1,Ada,Leeds\n');
  const { terminal } = person({ 'What now': 'Change what the columns are' });
  const { err } = await bench.push([file, ...ARGV], terminal);
  expect(err).toContain('No choice has Change what the columns are');
});

test('A plan of the others leaves the same rows out', async () => {
  const bench = await pushBench();
  const { terminal } = person({ 'What do they mean': {}, 'What now': 'Go on with the other 3 rows' });
  const planned = await bench.push([bench.write('a.csv', BROKEN), ...ARGV, '--plan-out', 'p'], terminal);
  expect(planned.code).toBe(3);
  const { code, summary } = await bench.push(['--plan', 'p']);
  expect([code, summary.sent, summary.rejected]).toEqual([3, 3, 1]);
});

test('What values mean is remembered a text at a time, and what nobody knew is asked again', async () => {
  const bench = await pushBench();
  const first = person({ mean: { koscher: 'undecided' }, 'What now': 'Stop' });
  await bench.push([bench.write('a.csv', GUESTS), ...ARGV], first.terminal);
  const second = person({ mean: {} });
  const more = `${GUESTS}A5,Ed,e@example.com,Fisch,\n`;
  const { code, summary } = await bench.push([bench.write('a.csv', more), ...ARGV], second.terminal);
  expect([code, summary.sent]).toEqual([0, 4]);
  expect(second.asked).toEqual([
    'a.csv: 2 values are none of the options of "Lunch", "Dietary needs". What do they mean?',
  ]);
  const third = await bench.push([bench.write('b.csv', more), ...ARGV]);
  expect([third.code, third.summary.unchanged]).toEqual([0, 4]);
});

test('A mapping that is written where nobody knows whose phone numbers are leaves them blank, and says so', async () => {
  const bench = await pushBench();
  const guests = 'Barcode,First name,Mobile phone\nA1,Ana,1711234567\nA2,Bo,01721234567\nA3,Cy,0171/12\n';
  const argv = [bench.write('a.csv', guests), ...ARGV, '--dry-run', '--write-mapping', 'm.json'];
  const text = '1 meaning in it is only likely: look at "values" and "phones" first.';
  expect((await bench.push(argv)).err.replaceAll(/\s+/g, ' ')).toContain(text);
  const written = JSON.parse(readFileSync(join(bench.directory, 'm.json'), 'utf8')) as { phones: unknown };
  expect(written.phones).toEqual({ 'Mobile phone': 'blank' });
  const mapping = bench.write('p.json', '{"phones": {"Mobile phone": "DE"}}');
  expect((await bench.push([...argv, '--mapping', mapping])).err).not.toContain('only likely');
});

test('A mapping that is written has what is likely, and leaves open what is not known until it is filled in', async () => {
  const bench = await pushBench();
  const guests = bench.write('a.csv', GUESTS.replace('koscher', 'Blorp'));
  const argv = [guests, ...ARGV, '--dry-run'];
  const { err } = await bench.push([...argv, '--write-mapping', 'm.json']);
  expect(err.replaceAll(/\s+/g, ' ')).toContain(
    '1 meaning in it is only likely: look at "values" and "phones" first.',
  );
  const written = readFileSync(join(bench.directory, 'm.json'), 'utf8');
  expect((JSON.parse(written) as { values: unknown }).values).toEqual({
    Lunch: { Fleisch: 'Meat' },
    'Dietary needs': { Blorp: null },
  });
  const open = await bench.push([...argv, '--mapping', 'm.json']);
  expect([open.code, open.err]).toEqual([3, expect.stringContaining('what stands there as null')]);
  bench.write('m.json', written.replace('"Blorp": null', '"Blorp": ""'));
  const { code, summary } = await bench.push([...argv, '--mapping', 'm.json']);
  expect([code, summary.pending]).toEqual([0, 3]);
});

const HANDIES = 'Barcode,First name,Menü,Mobile phone\nA1,Ana,Fleisch,0171 1234567\n';

test('What is answered of values and phones is said again with flags that exist', async () => {
  const bench = await pushBench();
  const argv = [bench.write('a.csv', HANDIES), '--persona', 'visitor', '--map', 'Menü=meal'];
  const { terminal } = person({ 'none of the options': { Fleisch: 'Meat' }, 'no country code': 'Germany' });
  const { code, err } = await bench.push(argv, terminal);
  expect(code).toBe(0);
  expect(err).toContain('--set "values=Menü=Fleisch=Meat"');
  expect(err).toContain('--set "phones=Mobile phone=DE"');
  expect(err).not.toContain('FILE');
});

test('What no flag says of a heading with "=" is kept by a mapping file', async () => {
  const bench = await pushBench();
  const argv = [
    bench.write('a.csv', HANDIES.replace('Menü', 'a=b')),
    '--persona',
    'visitor',
    '--map',
    'a=b=meal',
  ];
  const { terminal } = person({ 'none of the options': { Fleisch: 'Meat' }, 'no country code': 'Germany' });
  const { err } = await bench.push(argv, terminal);
  expect(err).toContain('with --write-mapping FILE, and push with --mapping FILE.');
  expect(err).not.toContain('values=a=b');
});

const SLIPS = [
  'Barcode,First name,E-Mail,Website,Date of birth,Lunch',
  'A1,Ana,a@example.com,www.acme.example,14.03.67,Fleisch',
  'A2,Bo,b@example.com ::: bo@example.com,https://b.example,15.03.85,Meat',
  '',
].join('\n');

test('What one change mends is asked with what values mean, once, and is remembered for other values', async () => {
  const bench = await pushBench();
  const { asked, terminal } = person({ 'What do they mean': {} });
  const { code, err } = await bench.push([bench.write('a.csv', SLIPS), ...ARGV], terminal);
  expect([code, asked]).toEqual([
    0,
    [
      'a.csv: 5 values are none of the options of "Lunch", or not as it can be sent in "E-Mail", "Website", "Date of birth". What do they mean?',
    ],
  ]);
  expect(err.replaceAll(/\s+/g, ' ')).toContain(
    '--set "values=E-Mail=* ::: *=*" --set "values=Website=www.*=https://www.*" --set "values=Date of birth=*.*.6#=*.*.196#"',
  );
  expect(bench.kept().map(({ fields }) => fields)).toMatchObject([
    { email: 'a@example.com', website: 'https://www.acme.example', birth_date: '1967-03-14' },
    { email: 'b@example.com', website: 'https://b.example', birth_date: '1985-03-15' },
  ]);
  const more = `${SLIPS}A3,Cy,c@example.com,www.c.example,16.03.62,Meat\n`;
  const next = await bench.push([bench.write('b.csv', more), ...ARGV]);
  expect([next.code, next.summary.sent, next.summary.unchanged]).toEqual([0, 1, 2]);
});

test('What one change would mend is refused without a terminal, and said as a mapping file takes it', async () => {
  const bench = await pushBench();
  const { code, err, summary } = await bench.push([bench.write('a.csv', SLIPS), ...ARGV]);
  expect([code, summary.rejected]).toEqual([3, 2]);
  expect(err).toContain('--set "values=Website=www.*=https://www.*"');
  const { terminal } = person({ 'What do they mean': { years: 'undecided' }, 'What now': 'Stop' });
  const stopped = await bench.push([bench.write('a.csv', SLIPS), ...ARGV], terminal);
  expect([stopped.code, stopped.summary.rejected]).toEqual([3, 2]);
});

const WRONG = [
  'Barcode,First name,E-Mail,Website,Date of birth,Dietary needs',
  'A1,Ana,ana at example.com,see below,31.02.1990,Vegan',
  'A2,Bo,b@example.com,see below,1990-03-04,Blorp',
  'A3,Cy,c@example.com,,31.02.1990,Blorp',
  'A4,Di,d@example.com,https://d.example,1990-03-05,',
  '',
].join('\n');

test('What rows were mended to in their file is remembered, so that the list that they come from is whole', async () => {
  const bench = await pushBench();
  const list = bench.write('a.csv', WRONG);
  const argv = [...ARGV, '--invalid', 'skip', '--rejects', 'r.csv'];
  const first = await bench.push([list, ...argv]);
  expect([first.summary.sent, first.summary.rejected]).toEqual([1, 3]);
  const rejects = readFileSync(join(bench.directory, 'r.csv'), 'utf8');
  const mend = (text: string): string =>
    text
      .replace(
        'Ana,ana at example.com,see below,31.02.1990',
        'Ana,ana@example.com,https://a.example,1990-02-28',
      )
      .replace('Bo,b@example.com,see below', 'Bo,b@example.com,https://b.example')
      .replace('Cy,c@example.com,,31.02.1990,', 'Cy,c@example.com,,1990-02-28,')
      .replaceAll(/Blorp(?=,)/g, 'Kosher');
  bench.write('r.csv', mend(rejects));
  // What is known of other values stays known.
  const said = ['--dry-run', '--set', 'values=Dietary needs=Gemüse=Vegan'];
  await bench.push([bench.write('b.csv', 'First name,Dietary needs\nEd,Gemüse\n'), ...ARGV, ...said]);
  const mended = await bench.push([join(bench.directory, 'r.csv'), ...ARGV]);
  expect([mended.code, mended.summary.sent]).toEqual([0, 3]);
  const other = await bench.push([join(bench.directory, 'b.csv'), ...ARGV, '--dry-run']);
  expect(other.summary.rejected).toBe(0);
  // What was mended in two ways is known of nobody.
  const again = await bench.push([list, ...ARGV]);
  expect([again.code, again.summary.rejected]).toEqual([3, 2]);
  expect(again.err).toContain('a.csv:3  column "Website"');
  expect(again.err.replaceAll(/\s+/g, ' ')).toContain(
    'taken as what it means, as was said (3), taken as Kosher',
  );
  const kept = WRONG.replaceAll('see below', '');
  const whole = await bench.push([bench.write('a.csv', kept), ...ARGV]);
  expect([whole.code, whole.summary.unchanged]).toEqual([0, 4]);
});

test('Of files that were not sent whole nothing is remembered that was mended', async () => {
  const bench = await pushBench();
  const list = bench.write('a.csv', WRONG);
  const argv = [...ARGV, '--invalid', 'skip', '--rejects', 'r.csv'];
  await bench.push([list, ...argv]);
  const rejects = readFileSync(join(bench.directory, 'r.csv'), 'utf8');
  const file = bench.write('r.csv', rejects.replaceAll(/Blorp(?=,)/g, 'Kosher'));
  await bench.push([file, ...ARGV, '--invalid', 'skip']);
  await bench.push([file, ...ARGV, '--dry-run', '--invalid', 'skip']);
  expect((await bench.push([list, ...ARGV])).err).toContain('"Blorp"');
});

test('Rows that are rejected for the same again are told, and counted for jobs', async () => {
  const bench = await pushBench();
  const list = (...rows: string[]): string => ['First name,E-mail', ...rows, ''].join('\n');
  const file = bench.write('a.csv', list('Ana,ana at example.com', 'Bo,b@example.com'));
  const dry = await bench.push([file, ...ARGV, '--dry-run']);
  const first = await bench.push([file, ...ARGV]);
  expect([dry.summary.rejected_before, first.summary.rejected_before, first.code]).toEqual([0, 0, 3]);
  const more = bench.write(
    'b.csv',
    list('Cy,cy at example.com', 'Bo,b@example.com', 'Ana,ana at example.com'),
  );
  const { summary, err } = await bench.push([more, ...ARGV, '--invalid', 'skip']);
  expect([summary.rejected, summary.rejected_before]).toEqual([2, 1]);
  expect(err).toContain('Of 2 rejected rows 1 is wrong as at the last push of this list.');
  expect((await bench.push([more, ...ARGV, '--no-saved-mapping'])).summary.rejected_before).toBe(0);
  expect((await bench.push([more, ...ARGV])).summary.rejected_before).toBe(2);
});
