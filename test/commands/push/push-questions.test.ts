import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pushBench } from '../../runs/push-bench.ts';
import { fakePrompt } from '../../support/fake-runtime.ts';
import { text, workbook } from '../../support/workbook.ts';

const STRANGE = 'Vorname,E-Mail,Tisch\nAna,a@example.com,4\n';
const UNDECIDED = 'First name,Date of birth\nAna,03/04/1990\n';

/** A person at a terminal who answers so. */
function person(answers: Readonly<Record<string, string | boolean>>) {
  const { prompt, asked } = fakePrompt(answers);
  return { asked, terminal: { tty: true, prompt: async () => prompt } };
}

test('Without a terminal a column that matches nothing is an error that names the flags', async () => {
  const bench = await pushBench();
  const { code, err } = await bench.push([bench.write('a.csv', STRANGE), '--persona', 'visitor']);
  expect(code).toBe(2);
  expect(err).toContain('column "Tisch" matches no field of persona visitor');
  expect(err).toContain('--ignore-column "Tisch"');
});

test('At a terminal it is asked about once, and the answer is remembered for the next file', async () => {
  const bench = await pushBench();
  const first = person({ 'column "Tisch"': 'Remarks', 'Remember this': true });
  const argv = [bench.write('a.csv', STRANGE), '--persona', 'visitor'];
  const { code, err } = await bench.push(argv, first.terminal);
  expect(code).toBe(0);
  expect(first.asked).toEqual([
    'a.csv: column "Tisch" matches no field of persona visitor. What is in it?',
    'Remember this for the next file with the same headings?',
  ]);
  expect(err).toContain('The same without being asked: --map "Tisch=remarks"');
  expect(bench.kept()[0]?.fields).toEqual({ first_name: 'Ana', email: 'a@example.com', remarks: '4' });

  const again = bench.write('b.csv', 'Tisch,vorname,E-Mail\n5,Bo,b@example.com\n');
  const second = await bench.push([again, '--persona', 'visitor']);
  expect(second.code).toBe(0);
  expect(second.err).toContain('Columns as remembered for these headings: "Tisch" is remarks.');
});

test('What is remembered gives way to flags, and is left aside on demand', async () => {
  const bench = await pushBench();
  const file = bench.write('a.csv', STRANGE);
  const argv = [file, '--persona', 'visitor', '--dry-run'];
  const saved = await bench.push([...argv, '--map', 'Tisch=remarks', '--save-mapping']);
  expect([saved.code, saved.err]).toEqual([0, expect.stringContaining('Remembered for files with these')]);
  expect((await bench.push(argv)).code).toBe(0);
  expect((await bench.push([...argv, '--no-saved-mapping'])).code).toBe(2);
  const mapped = await bench.push([...argv, '--map', 'Tisch=guests', '--verbose']);
  expect([mapped.code, mapped.summary.pending]).toEqual([0, 1]);
  await bench.push([file, '--persona', 'visitor', '--map', 'Tisch=guests']);
  expect(bench.kept()[0]?.fields).toMatchObject({ guests: '4' });
});

test('A file of other headings, or of another event, is not taken for the remembered one', async () => {
  const bench = await pushBench();
  const argv = ['--persona', 'visitor', '--dry-run'];
  await bench.push([bench.write('a.csv', STRANGE), ...argv, '--map', 'Tisch=remarks', '--save-mapping']);
  const other = bench.write('b.csv', `Country,${STRANGE.replace('\nAna', '\nES,Ana')}`);
  expect((await bench.push([other, ...argv])).code).toBe(2);
});

test('The order of dates is asked for, and one answer does for all files', async () => {
  const bench = await pushBench();
  const files = [bench.write('a.csv', UNDECIDED), bench.write('b.csv', UNDECIDED.replace('Ana', 'Bo'))];
  const { asked, terminal } = person({ 'Date of birth': 'day first' });
  const { code } = await bench.push([...files, '--persona', 'visitor'], terminal);
  expect([code, asked.length]).toEqual([0, 1]);
  expect(bench.kept().map(({ fields }) => (fields as Record<string, string>)['birth_date'])).toEqual([
    '1990-04-03',
    '1990-04-03',
  ]);
});

test('All questions of all files come at once where nobody can answer', async () => {
  const bench = await pushBench();
  const barcodes = ['1234567890123', '1234567890124', '1234567890125', '1234567890126', '234567890127'];
  const short = `Barcode,Date of birth\n${barcodes.map((code) => `${code},03/04/1990`).join('\n')}\n`;
  const { code, err } = await bench.push([bench.write('a.csv', short), '--persona', 'visitor']);
  expect(code).toBe(2);
  for (const flag of [
    '--set date-order=dmy',
    '--set date-order=mdy',
    '--set pad=barcode:13',
    '--set accept=short-barcodes',
  ]) {
    expect(err).toContain(flag);
  }
});

test.each([
  ['counts for the first cell only', 0, 'The same without being asked: --set accept=merged'],
  ['stop: I mend the file first', 2, '--set accept=merged: the value counts for the first cell only'],
])('Of damage that can only be accepted it can also be said: %s', async (answer, code, says) => {
  const bench = await pushBench();
  const rows = `<row>${text('First name')}${text('Remarks')}</row><row>${text('Ana')}${text('x')}</row><row>${text('Bo')}</row>`;
  const merged = '<mergeCells count="1"><mergeCell ref="B2:B3"/></mergeCells>';
  const sheets = [{ name: 'Guests', xml: `<sheetData>${rows}</sheetData>${merged}` }];
  writeFileSync(join(bench.directory, 'a.xlsx'), workbook({ sheets }));
  const { asked, terminal } = person({ 'is merged': answer });
  const ended = await bench.push(['a.xlsx', '--persona', 'visitor'], terminal);
  expect([ended.code, asked.length]).toEqual([code, 1]);
  expect(ended.err).toContain(says);
  expect(bench.kept()).toHaveLength(code === 0 ? 2 : 0);
});

test.each([
  ['leave it out', ['A1'], '--set totals-rows=left-out'],
  ['it is a guest', ['A1', 'T'], '--set totals-rows=guests'],
])('Whether the last row is a guest or totals is asked for: %s', async (answer, kept, flag) => {
  const bench = await pushBench();
  const file = bench.write('a.csv', 'Barcode,First name,Number of guests\nA1,Ana,2\nT,Total,2\n');
  const { asked, terminal } = person({ 'looks like totals': answer });
  const { code, err } = await bench.push([file, '--persona', 'visitor'], terminal);
  expect([code, asked]).toEqual([0, ['a.csv:3: this row looks like totals, not like a guest.']]);
  expect(bench.kept().map(({ barcode }) => barcode)).toEqual(kept);
  expect(err).toContain(`The same without being asked: ${flag}`);
});

test('Where there is more than one answer, nothing is added to them', async () => {
  const bench = await pushBench();
  const file = bench.write('a.csv', UNDECIDED);
  const { terminal } = person({ 'Date of birth': 'stop' });
  const ended = await bench.push([file, '--persona', 'visitor'], terminal);
  expect(ended.err).toContain('No choice has stop');
});
