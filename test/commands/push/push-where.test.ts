import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type FakeAnswer, fakePrompt } from '../../support/fake-runtime.ts';
import { pushBench } from '../../sync/push-bench.ts';

const LIST = [
  'First name,Last name,E-mail,Payment status,Attending',
  'Ada,Lane,ada@example.com,paid,yes',
  'Bo,Marsh,bo@example.com,Refunded,yes',
  'Cy,Nord,cy@example.com, refunded,yes',
  'Di,Orr,di@example.com,paid,No',
  'Ed,Pim,ed@example.com,,yes',
  '',
].join('\n');
const ARGV = ['--persona', 'visitor', '--ignore-column', '*'];

type Bench = Awaited<ReturnType<typeof pushBench>>;
const namesOf = (bench: Bench) => bench.kept().map(({ fields }) => fields['first_name']);

/** A person at a terminal who answers so. */
function person(answers: Readonly<Record<string, FakeAnswer>>) {
  const { prompt, asked } = fakePrompt(answers);
  return { asked, terminal: { tty: true, prompt: async () => prompt } };
}

test('Rows whose values say that somebody does not come are not sent unasked', async () => {
  const bench = await pushBench();
  const { code, err } = await bench.push([bench.write('a.csv', LIST), ...ARGV]);
  expect([code, bench.kept()]).toEqual([2, []]);
  expect(err).toContain('a.csv: leave out Refunded (2), No (1)?');
  expect(err).toContain("--where 'Payment status!=Refunded' --where 'Attending!=No'");
  expect(err).toContain('--where "HEADING=VALUE" sends only the rows with that value');
});

test('What begins so counts where others of the column say no more than that', async () => {
  const bench = await pushBench();
  const list = LIST.replace(
    'Cy,Nord,cy@example.com, refunded',
    'Cy,Nord,cy@example.com,cancelled by customer',
  );
  const { code, err } = await bench.push([bench.write('a.csv', list), ...ARGV]);
  expect([code, bench.kept()]).toEqual([2, []]);
  expect(err).toContain('a.csv: leave out Refunded (1), No (1), cancelled by customer (1)?');
  const alone = list.replace('Refunded', 'paid').replace('paid,No', 'paid,yes');
  expect((await bench.push([bench.write('b.csv', alone), ...ARGV])).err).not.toContain('leave out');
});

test.each([
  [
    ['Payment status!=refunded', 'Attending!=no'],
    ['Ada', 'Ed'],
    '3 rows left out: "Payment status" is Refunded (2), "Attending" is No (1)',
  ],
  [
    ['payment_status=PAID', 'Attending=yes'],
    ['Ada'],
    '4 rows left out: "Payment status" is Refunded (2), blank (1), "Attending" is No (1)',
  ],
  [
    ['Payment status!=', 'Payment status=paid', 'Payment status = refunded', 'Attending=yes'],
    ['Ada', 'Bo', 'Cy'],
    '2 rows left out',
  ],
])('Rows are sent by the values of columns: %j', async (where, names, says) => {
  const bench = await pushBench();
  const file = bench.write('a.csv', LIST);
  const flags = where.flatMap((one) => ['--where', one]);
  const { code, err, summary } = await bench.push([file, ...ARGV, ...flags]);
  expect([code, namesOf(bench)]).toEqual([0, names]);
  expect(err).toContain(says);
  expect(summary.left_out_by.reduce((sum, { rows }) => sum + rows, 0)).toBe(5 - names.length);
  // What was said is of this run only.
  const again = await bench.push([file, '--persona', 'visitor']);
  expect([again.code, again.err.includes('leave out')]).toEqual([2, true]);
});

test('What --where says changes nothing of what was answered, and is not remembered with it', async () => {
  const bench = await pushBench();
  const file = bench.write('a.csv', LIST);
  const answered = '--set=values=Payment status=Refunded=(row left out)';
  const later = [file, '--persona', 'visitor'];
  // Nor is what a dry run has left out.
  await bench.push([file, ...ARGV, answered, '--set', 'values=Attending=No=No', '--dry-run']);
  expect((await bench.push(later)).err).toContain('a.csv: leave out Refunded (2)?');
  await bench.push([file, ...ARGV, answered]);
  expect(namesOf(bench)).toEqual(['Ada', 'Di', 'Ed']);
  expect((await bench.push([...later, '--where', 'Payment status=paid'])).summary.unchanged).toBe(2);
  expect((await bench.push([...later, '--where', 'Payment status!=Refunded'])).summary.unchanged).toBe(3);
  expect((await bench.push(later)).summary.unchanged).toBe(3);
});

test('Where all rows would be left out nothing of it is remembered', async () => {
  const bench = await pushBench();
  const file = bench.write(
    'a.csv',
    LIST.split('\n')
      .filter((line) => !/paid|Pim/.test(line))
      .join('\n'),
  );
  const left = ['--set', 'values=Payment status=Refunded=(row left out)'];
  const { code, err } = await bench.push([file, ...ARGV, ...left]);
  expect([code, err.includes('all rows are left out by their values')]).toEqual([2, true]);
  expect((await bench.push([file, ...ARGV])).err).toContain('leave out Refunded (2)?');
});

test('What was said of one value leaves others to be asked about, and is kept apart from what is sent', async () => {
  const bench = await pushBench();
  const file = bench.write('a.csv', LIST);
  const gone = ['--set', 'values=Attending=no=(row left out)'];
  const said = [...gone, '--set', 'values=Payment status=Refunded=Refunded'];
  expect((await bench.push([file, ...ARGV, ...said])).code).toBe(0);
  expect(namesOf(bench)).toEqual(['Ada', 'Bo', 'Cy', 'Ed']);
  const next = bench.write('b.csv', `${LIST}Fi,Quay,fi@example.com,Cancelled,yes\n`);
  const { code, err } = await bench.push([next, '--persona', 'visitor']);
  expect(code).toBe(2);
  expect(err).toContain('b.csv: leave out Cancelled (1)?');
  // Whoever says what alone is sent has said all of that column.
  const only = await bench.push([
    next,
    '--persona',
    'visitor',
    '--where',
    'Payment status=cancelled',
    '--dry-run',
  ]);
  expect(Number(only.summary.to_create)).toBe(1);
});

test('A mapping file says it, and is written with it', async () => {
  const bench = await pushBench();
  const file = bench.write('a.csv', LIST);
  const said = ['--where', 'Attending!=no', '--where', 'Payment status=paid'];
  const argv = [file, ...ARGV, '--no-saved-mapping'];
  await bench.push([...argv, ...said, '--write-mapping', 'm.json', '--dry-run']);
  const written = JSON.parse(readFileSync(join(bench.directory, 'm.json'), 'utf8')) as object;
  const values = {
    'Payment status': { paid: 'paid', '*': '(row left out)' },
    Attending: { no: '(row left out)' },
  };
  expect(written).toMatchObject({ values });
  expect((await bench.push([file, '--no-saved-mapping', '--mapping', 'm.json'])).code).toBe(0);
  expect(namesOf(bench)).toEqual(['Ada']);
});

test.each([
  ['Paymnt status=paid', '--where "Paymnt status": no column is called so; did you mean "Payment status"?'],
  ['paid', '--where "paid" is not of the form "Header=value" or "Header!=value".'],
  [
    'Payment status=payed',
    'all rows are left out by their values, as --where or an answer says: paid in "Payment status" (2), Refunded in "Payment status" (2), blank in "Payment status" (1).',
  ],
])('A slip sends nobody: %s', async (where, says) => {
  const bench = await pushBench();
  const { code, err } = await bench.push([
    bench.write('a.csv', LIST),
    ...ARGV,
    '--where',
    where,
    '--where',
    'Attending=yes',
    '--where',
    'Payment status!=refunded',
  ]);
  expect([code, bench.kept()]).toEqual([2, []]);
  expect(err).toContain(says);
});

test.each([
  [{}, ['Ada', 'Ed'], "--where 'Payment status!=Refunded' --where 'Attending!=No'"],
  [{ No: 'sent' }, ['Ada', 'Di', 'Ed'], "--where 'Payment status!=Refunded' --set values=Attending=No=No"],
])('At a terminal it is asked once, value by value: %j', async (answer, names, flags) => {
  const bench = await pushBench();
  const file = bench.write('a.csv', LIST);
  const { asked, terminal } = person({ 'leave out': answer });
  const { code, err } = await bench.push([file, ...ARGV], terminal);
  expect([code, asked.length, namesOf(bench)]).toEqual([0, 1, names]);
  expect(err.replaceAll(/\s+/g, ' ').replaceAll('"', "'")).toContain(flags);
  const again = await bench.push([file, '--persona', 'visitor'], terminal);
  expect([again.code, asked.length]).toEqual([0, 1]);
});

test('What is an option of the event is one of those who come', async () => {
  const bench = await pushBench();
  const list =
    'First name,E-mail,Lunch,Remarks\nAda,ada@example.com,Meat,\nBo,bo@example.com,Fish,waitlist\n';
  const { err, code } = await bench.push([bench.write('a.csv', list), '--persona', 'visitor']);
  expect([code, err.includes('leave out waitlist (1)?')]).toEqual([2, true]);
  expect(err).not.toContain('in Lunch:');
});

test('With --prune nobody is deleted whose row is left out', async () => {
  const bench = await pushBench();
  const list = (state: string, rest: string): string =>
    `Barcode,First name,Last name,E-mail,Payment status\nA1,Ada,Lane,ada@example.com,paid\nB1,Bo,Marsh,,${state}\n${rest}`;
  const both = ',Cy,Nord,Cy Nord <cy@example.com>,refunded\n';
  const all = list('paid', both.replace('refunded', 'paid').replace(',Cy', 'C1,Cy'));
  const gone = 'D1,Di,Orr,di@example.com,paid\n';
  await bench.push([bench.write('a.csv', all + gone), ...ARGV]);
  const file = bench.write('b.csv', list('refunded', both));
  const argv = [
    file,
    ...ARGV,
    '--where',
    'Payment status!=refunded',
    '--prune',
    '--max-delete',
    '9',
    '--yes',
  ];
  const { code, err } = await bench.push(argv);
  expect([code, namesOf(bench)]).toEqual([0, ['Ada', 'Bo', 'Cy']]);
  expect(err).toContain('2 registrations that the file does not have stay');
  expect(err).toContain('a row that is left out is about it: eventreg delete removes it');
  bench.write('b.csv', list('refunded', both).replace('B1,', ','));
  const refused = await bench.push(argv);
  expect([refused.code, namesOf(bench)]).toEqual([7, ['Ada', 'Bo', 'Cy']]);
  expect(refused.err).toContain('A row that is left out has neither a barcode nor an e-mail address');
});
