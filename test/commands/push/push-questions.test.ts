import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pushBench } from '../../sync/push-bench.ts';
import { InterruptedError } from '../../../src/errors.ts';
import type { Prompt } from '../../../src/prompts/prompt.ts';
import { readDocument } from '../../support/documents.ts';
import { type FakeAnswer, fakePrompt } from '../../support/fake-runtime.ts';
import { text, workbook } from '../../support/workbook.ts';
import { listed } from '../../support/tables.ts';

const STRANGE = 'Vorname,E-Mail,Tisch\nAna,a@example.com,4\n';
const UNDECIDED = 'First name,Date of birth\nAna,03/04/1990\n';

/** A person at a terminal who answers so. */
function person(answers: Readonly<Record<string, FakeAnswer>>) {
  const { prompt, asked } = fakePrompt(answers);
  return { asked, terminal: { tty: true, prompt: async () => prompt } };
}

test('Without a terminal everything that is open is one error, with a command that works', async () => {
  const bench = await pushBench();
  const file = bench.write('a.csv', 'Vorname,E-Mail,Tisch,Farbe\nAna,a@example.com,4,rot\n');
  const { code, err, out } = await bench.push([file]);
  const { error } = readDocument(out);
  expect([code, error?.code, error?.questions?.[0]?.answers[0]]).toEqual([
    2,
    'questions',
    { flag: '--persona visitor', label: 'Visitor' },
  ]);
  expect(err).toContain('a.csv: who are the people in this file?');
  expect(err).toContain('--persona visitor: Visitor');
  expect(err).toContain('4 columns of a.csv: 2 open');
  expect(err).toContain('--ignore-column "Tisch"');
  const command = /this is the command: (.*)/.exec(err)?.[1] ?? '';
  expect(command).toBe(
    'eventreg push a.csv --output json --progress none --persona visitor --ignore-column "*"',
  );
  expect((await bench.push([file, '--persona', 'visitor', '--ignore-column', '*'])).code).toBe(0);
  expect(bench.kept()[0]?.fields).toEqual({ first_name: 'Ana', email: 'a@example.com' });
});

test('Of answers that fill more than three lines a mapping file is said, not a command', async () => {
  const bench = await pushBench();
  const [one, other] = ['Zzyzx', 'Quux'].map((word) => `${word} ${'x'.repeat(110)}`);
  const file = bench.write('a.csv', `First name,E-mail,${one},${other}\nAna,a@example.com,x,y\n`);
  const asked = () => person({ 'who are': 'Visitor', '4 columns': { Zzyzx: 'Remarks', Quux: 'Company' } });
  const { err } = await bench.push([file, '--no-saved-mapping'], asked().terminal);
  expect(err).not.toContain('The same without being asked');
  expect(err).toMatch(/write them\s+with --write-mapping FILE, and push with --mapping FILE\.\n/);
  const argv = [file, '--no-saved-mapping', '--write-mapping', 'my list.json'];
  const written = await bench.push(argv, asked().terminal);
  expect(written.err).toContain('The same without being asked: --mapping "my list.json"\n');
  expect((await bench.push([file, '--no-saved-mapping', '--mapping', 'my list.json'])).code).toBe(0);
});

test('One column is called one', async () => {
  const bench = await pushBench();
  const { err } = await bench.push([bench.write('a.csv', 'Zzyzx\nAna\n'), '--persona', 'visitor']);
  expect(err).toContain('1 column of a.csv: 1 open');
});

test('First of the kinds of guests stands whose name the file has, else whose options', async () => {
  const bench = await pushBench();
  const firstOf = async (name: string, talks: readonly string[]): Promise<string | null | undefined> => {
    const rows = talks.map((talk, at) => `Ana,a${at}@example.com,${talk}\n`).join('');
    const { out } = await bench.push([bench.write(name, `Vorname,E-Mail,Art\n${rows}`)]);
    return readDocument(out).error?.questions?.[0]?.answers[0]?.flag;
  };
  expect(await firstOf('Aussteller 2027.csv', ['-', '-'])).toBe('--persona exhibitor');
  expect(await firstOf('speakers.csv', ['-', '-'])).toBe('--persona speaker');
  expect(await firstOf('speakers and visitors.csv', ['-', '-'])).toBe('--persona visitor');
  expect(await firstOf('a.csv', ['Vortrag', 'Workshop', 'Podium'])).toBe('--persona speaker');
});

test('At a terminal all columns are asked about at once, and the answers are remembered', async () => {
  const bench = await pushBench();
  const first = person({ 'who are': 'Visitor', '3 columns': { Tisch: 'Remarks' } });
  const { code, err } = await bench.push([bench.write('a.csv', STRANGE)], first.terminal);
  expect([code, first.asked.length]).toEqual([0, 2]);
  expect(err).toContain('The same without being asked: --persona visitor --map "Tisch=remarks"');
  expect(bench.kept()[0]?.fields).toEqual({ first_name: 'Ana', email: 'a@example.com', remarks: '4' });

  const again = await bench.push([bench.write('b.csv', 'Tisch,vorname,E-Mail\n5,Bo,b@example.com\n')]);
  expect([again.code, again.err]).toEqual([0, expect.stringContaining('as last time')]);
  expect(again.err).toContain('Columns: 3 used, none left out, as last time (--columns shows them;');
  const other = await bench.push([
    bench.write('c.csv', 'Tisch,vorname,E-Mail\n5,Cy,c@example.com\n'),
    '--map',
    'Tisch=company',
  ]);
  expect([other.code, other.err]).toEqual([0, expect.not.stringContaining('as last time')]);
});

test('Columns of two addresses in another order than before are not said to be as last time', async () => {
  const bench = await pushBench();
  const push = (file: string, ...headings: string[]) =>
    bench.push([
      bench.write(
        file,
        `First name,Last name,Attendee email,Order email\nAda,Lane,${file}@example.com,o@example.com\n`,
      ),
      '--persona',
      'visitor',
      ...headings.flatMap((heading) => ['--map', `${heading}=email`]),
    ]);
  expect((await push('a', 'Attendee email', 'Order email')).code).toBe(0);
  expect((await push('b')).err).toContain('as last time');
  const turned = await push('c', 'Order email', 'Attendee email');
  expect(turned.err).toContain('E-mail: "Order email"');
  expect(turned.err).not.toContain('as last time');
});

test('The rest is left out but what seems to be the guests’ own, and is mapped by the printed command', async () => {
  const bench = await pushBench();
  const headings =
    'Participant first name,Participant last name,Participant e-mail,Participant phone,Shoe size';
  const file = bench.write('a.csv', `${headings}\nAda,Lane,ada@example.com,+4915112345678,38\n`);
  const argv = [file, '--persona', 'visitor', '--ignore-column', '*'];
  const { code, err } = await bench.push(argv);
  expect([code, bench.kept()]).toEqual([2, []]);
  expect(err).toContain('--map "Participant e-mail=email"');
  expect(err).toContain('--map "Participant phone=phone"');
  const mapped = await bench.push([
    ...argv,
    '--map',
    'Participant e-mail=email',
    '--map',
    'Participant phone=phone',
  ]);
  expect([mapped.code, bench.kept()[0]?.fields['email']]).toEqual([0, 'ada@example.com']);
});

test('Columns beyond those that an error lists are counted as columns', async () => {
  const bench = await pushBench();
  const names = Array.from({ length: 17 }, (_, at) => `Odd ${at}`);
  const file = bench.write('a.csv', `First name,${names.join(',')}\nAda${',x'.repeat(17)}\n`);
  expect((await bench.push([file, '--persona', 'visitor'])).err).toContain('… and 3 more columns');
});

test('A column that says who people are in words of its own is offered before any one kind of guest', async () => {
  const bench = await pushBench();
  const rows = ['Besucher,Ana,ja', 'Aussteller,Bo,nein', 'Referentin,Cy,ja', 'Besucher,Di,'];
  const file = bench.write('a.csv', ['Kategorie,Vorname,Parkplatz', ...rows].join('\n'));
  const { err } = await bench.push([file]);
  expect(/this is the command: .*/.exec(err)?.[0]).toContain(
    '--map Kategorie=persona --ignore-column Parkplatz',
  );
  expect(err).not.toContain('Parkplatz=persona');
  const kinds = 'Guest type,First name\nVisitor,Ana\nExhibitors,Bo\nvisitor,Cy\nCrew,Di\n';
  const inMost = await bench.push([bench.write('b.csv', kinds)]);
  expect(inMost.err).toContain('--map "Guest type=persona" --set "values=Guest type=Exhibitors=exhibitor"');

  const who = person({
    'who are': 'it differs by row: column "Kategorie"',
    '3 columns': { Parkplatz: 'left out' },
    'What do they mean': {},
  });
  expect((await bench.push([file], who.terminal)).code).toBe(0);
  expect(bench.kept().map(({ persona }) => persona)).toEqual(['visitor', 'exhibitor', 'speaker', 'visitor']);
});

test('A row of totals is not asked who it is, also while columns are open', async () => {
  const bench = await pushBench();
  const file = bench.write('a.csv', 'Vorname,persona,Tisch\nAna,visitor,4\nBo,visitor,4\nTotal,,8\n');
  const { err } = await bench.push([file]);
  expect(err).not.toContain('do not say who they are');
  expect(err).toContain('--set totals-rows=left-out');
  const unnamed = bench.write('b.csv', 'persona,Vorname,Tisch\nvisitor,Ana,4\n,Bo,4\nvisitor,Cy,8\n');
  expect((await bench.push([unnamed])).err).toContain('1 of 3 rows do not say who they are. Who are they?');
});

test('A column that was added is asked about alone, and what is left out stays so', async () => {
  const bench = await pushBench();
  const first = person({ '4 columns': { Tisch: 'left out', Farbe: 'left out' } });
  const argv = ['--persona', 'visitor'];
  await bench.push(
    [bench.write('a.csv', 'Vorname,E-Mail,Tisch,Farbe\nAna,a@example.com,4,rot\n'), ...argv],
    first.terminal,
  );
  const second = person({ '5 columns of b.csv: 1 open': { Neu: 'Remarks' } });
  const added = bench.write('b.csv', 'Vorname,E-Mail,Tisch,Farbe,Neu\nAna,a@example.com,4,rot,x\n');
  expect((await bench.push([added, ...argv], second.terminal)).code).toBe(0);
  expect(second.asked).toHaveLength(1);
  expect((await bench.push([added])).code).toBe(0);
});

test('Whoever goes back answers the question before again', async () => {
  const bench = await pushBench();
  let tables = 0;
  const { prompt, asked } = fakePrompt({ 'who are': 'Visitor', '3 columns': { Tisch: 'left out' } });
  const table: typeof prompt.table = async (question) =>
    (tables += 1) === 1 ? undefined : prompt.table(question);
  const terminal = { tty: true, prompt: async () => ({ ...prompt, table }) };
  const { code, err } = await bench.push([bench.write('a.csv', STRANGE)], terminal);
  expect([code, tables]).toEqual([0, 2]);
  expect(asked.filter((question) => question.includes('who are'))).toHaveLength(2);
  expect(err).toContain('The same without being asked: --persona visitor --ignore-column "Tisch"');
});

test('A flag that leaves out a column with a known name is for this time only', async () => {
  const bench = await pushBench();
  const file = bench.write('a.csv', 'Vorname,E-Mail\nAna,a@example.com\n');
  await bench.push([file, '--persona', 'visitor', '--ignore-column', 'E-Mail', '--dry-run']);
  await bench.push([file, '--persona', 'visitor']);
  expect(bench.kept()[0]?.fields).toEqual({ first_name: 'Ana', email: 'a@example.com' });
});

test('A row of totals is asked about once for files of these headings', async () => {
  const bench = await pushBench();
  const file = bench.write('a.csv', 'Barcode,First name,Number of guests\nA1,Ana,2\nT,Total,2\n');
  const { terminal, asked } = person({ 'looks like totals': 'leave it out' });
  expect((await bench.push([file, '--persona', 'visitor'], terminal)).code).toBe(0);
  const again = await bench.push([
    bench.write('b.csv', 'Barcode,First name,Number of guests\nB1,Bo,2\nT,Total,2\n'),
  ]);
  expect([again.code, asked.length]).toEqual([0, 1]);
  expect(bench.kept().map(({ barcode }) => barcode)).toEqual(['A1', 'B1']);
});

test('The sheet of a workbook is remembered by the names of all of its sheets', async () => {
  const bench = await pushBench();
  const sheet = (name: string, guest: string) => ({
    name,
    xml: `<sheetData><row>${text('First name')}</row><row>${text(guest)}</row></sheetData>`,
  });
  const write = (file: string, sheets: ReturnType<typeof sheet>[]) =>
    writeFileSync(join(bench.directory, file), workbook({ sheets }));
  write('a.xlsx', [sheet('Guests', 'Ana'), sheet('OLD', 'Bo')]);
  const { terminal, asked } = person({ 'Which sheet': 'OLD (1 row: First name)' });
  expect((await bench.push(['a.xlsx', '--persona', 'visitor'], terminal)).code).toBe(0);
  write('b.xlsx', [sheet('OLD', 'Cleo'), sheet('Guests', 'Di')]);
  expect([(await bench.push(['b.xlsx'])).code, asked.length]).toEqual([0, 1]);
  write('c.xlsx', [sheet('OLD', 'Cleo'), sheet('New', 'Di')]);
  expect((await bench.push(['c.xlsx'])).code).toBe(2);
  expect(bench.kept().map(({ fields }) => (fields as { first_name: string }).first_name)).toEqual([
    'Bo',
    'Cleo',
  ]);
});

test.each([
  ['read them as well', 'true', ['Ana', 'Bo', 'Cy'], 'secret'],
  ['leave them out', 'false', ['Ana', 'Cy'], undefined],
])(
  'What is hidden is asked about once, and the mapping file holds it: %s',
  async (answer, said, names, remarks) => {
    const bench = await pushBench();
    const row = (name: string, hidden = '') => `<row${hidden}>${text(name)}${text('secret')}</row>`;
    const rows = [`<row>${text('First name')}${text('Remarks')}</row>`, row('Ana'), row('Bo', ' hidden="1"')];
    const cols = '<cols><col min="2" max="2" hidden="1"/></cols>';
    const write = (file: string, more: string) => {
      const xml = `${cols}<sheetData>${[...rows, more].join('')}</sheetData>`;
      writeFileSync(join(bench.directory, file), workbook({ sheets: [{ name: 'Guests', xml }] }));
    };
    write('a.xlsx', '');
    write('b.xlsx', row('Cy'));
    const { terminal, asked } = person({ 'meant to be read': answer });
    const first = ['a.xlsx', '--persona', 'visitor', '--write-mapping', 'm.json'];
    expect((await bench.push(first, terminal)).code).toBe(0);
    expect((await bench.push(['b.xlsx', '--persona', 'visitor'])).code).toBe(0);
    const kept = bench.kept().map(({ fields }) => fields as Record<string, string>);
    expect(kept.map((fields) => fields['first_name']).sort()).toEqual(names);
    expect(kept.map((fields) => fields['remarks'])).toEqual(names.map(() => remarks));
    expect(JSON.parse(readFileSync(join(bench.directory, 'm.json'), 'utf8'))).toMatchObject({
      settings: { 'include-hidden': said === 'true' },
    });
    const mapped = await bench.push(['a.xlsx', '--mapping', 'm.json', '--no-saved-mapping']);
    expect([mapped.code, asked.length]).toEqual([0, 1]);
  },
);

test('What is remembered gives way to flags, and is left aside on demand', async () => {
  const bench = await pushBench();
  const file = bench.write('a.csv', STRANGE);
  const argv = [file, '--persona', 'visitor', '--dry-run'];
  expect((await bench.push([...argv, '--map', 'Tisch=remarks'])).code).toBe(0);
  expect((await bench.push(argv)).code).toBe(0);
  expect((await bench.push([...argv, '--no-saved-mapping'])).code).toBe(2);
  await bench.push([file, '--persona', 'visitor', '--map', 'Tisch=guests']);
  expect(bench.kept()[0]?.fields).toMatchObject({ guests: '4' });
});

test('Rows that do not say who they are, are counted and asked about once', async () => {
  const bench = await pushBench();
  const file = bench.write('a.csv', 'persona,First name\nvisitor,Ana\n,Bo\n,Cleo\n');
  const { code, err } = await bench.push([file]);
  expect([code, err]).toEqual([2, expect.stringContaining('2 of 3 rows do not say who they are')]);
  expect(err.match(/persona visitor/g)).toHaveLength(2);
  const skipping = await bench.push([file, '--invalid', 'skip', '--dry-run', '--no-saved-mapping']);
  expect([skipping.code, skipping.summary.rejected]).toEqual([3, 2]);
});

test('A column whose values are kinds of guests is offered as what says it', async () => {
  const bench = await pushBench();
  const { terminal } = person({ 'who are': 'column "Art"', '2 columns': { Art: 'kind' } });
  const file = bench.write('a.csv', 'Art,First name\nvisitor,Ana\nVisitor,Bo\n');
  const { code, err } = await bench.push([file], terminal);
  expect([code, err]).toEqual([0, expect.stringContaining('--map "Art=persona"')]);
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

test('The order of dates is remembered with their columns, whatever other columns there are', async () => {
  const bench = await pushBench();
  const push = async (columns: string, cells: string) => {
    const file = bench.write('a.csv', `First name,Date of birth${columns}\nAna,03/04/1990${cells}\n`);
    return await bench.push([file, '--persona', 'visitor', '--dry-run']);
  };
  const { terminal, asked } = person({ 'Date of birth': 'day first' });
  const file = bench.write('a.csv', 'First name,Last name,Date of birth\nAna,Alt,03/04/1990\n');
  expect((await bench.push([file, '--persona', 'visitor', '--dry-run'], terminal)).code).toBe(0);
  expect([(await push('', '')).code, (await push(',Company', ',ACME')).code, asked.length]).toEqual([
    0, 0, 1,
  ]);
  const { code, err } = await push(',Tisch', ',4');
  expect([code, err]).toEqual([2, expect.stringContaining('--ignore-column "Tisch"')]);
  expect(err).not.toContain('day first');
});

test('All questions of all files come at once where nobody can answer', async () => {
  const bench = await pushBench();
  const barcodes = ['1234567890123', '1234567890124', '1234567890125', '1234567890126', '234567890127'];
  const short = `Barcode,Date of birth\n${barcodes.map((code) => `${code},03/04/1990`).join('\n')}\n`;
  const { code, err } = await bench.push([bench.write('a.csv', short), '--persona', 'visitor']);
  expect(code).toBe(2);
  for (const flag of listed(`
    --set date-order=dmy | --set date-order=mdy | --set pad=barcode:13 | --set accept=short-barcodes
  `)) {
    expect(err).toContain(flag);
  }
});

test.each([
  ['for every row', 0, ['x', 'x'], 'The same without being asked: --set merged=every-row'],
  ['for the first cell only', 0, ['x', undefined], 'The same without being asked: --set merged=first-row'],
  ['stop: I mend the file first', 7, [], 'Nothing was sent.'],
])('For which rows merged cells count is asked once: %s', async (answer, code, remarks, says) => {
  const bench = await pushBench();
  const rows = `<row>${text('First name')}${text('Remarks')}</row><row>${text('Ana')}${text('x')}</row><row>${text('Bo')}</row>`;
  const merged = '<mergeCells count="1"><mergeCell ref="B2:B3"/></mergeCells>';
  const sheets = [{ name: 'Guests', xml: `<sheetData>${rows}</sheetData>${merged}` }];
  writeFileSync(join(bench.directory, 'a.xlsx'), workbook({ sheets }));
  const { asked, terminal } = person({ 'is merged': answer });
  const ended = await bench.push(['a.xlsx', '--persona', 'visitor'], terminal);
  expect([ended.code, asked.length]).toEqual([code, 1]);
  expect(ended.err).toContain(says);
  expect(bench.kept().map(({ fields }) => fields['remarks'])).toEqual(remarks);
  const again = await bench.push(['a.xlsx', '--persona', 'visitor'], terminal);
  expect([again.code, asked.length]).toEqual([code, code === 0 ? 1 : 2]);
});

test.each([
  ['stop: I mend the file first', 7],
  [undefined, 130],
])('What was answered is kept where somebody stops: %j', async (answer, code) => {
  const bench = await pushBench();
  const row = (...cells: string[]) => `<row>${cells.map((cell) => text(cell)).join('')}</row>`;
  const write = (end: string): void => {
    const rows = row('First name', 'Spitzname', 'Farbe') + row('Ana', 'x', 'rot') + row('Bo', 'y', 'blau');
    writeFileSync(
      join(bench.directory, 'a.xlsx'),
      workbook({ sheets: [{ name: 'Guests', xml: `<sheetData>${rows}</sheetData>${end}` }] }),
    );
  };
  write('<mergeCells count="1"><mergeCell ref="B2:B3"/></mergeCells>');
  const { asked, terminal } = person({
    'who are': 'Visitor',
    'columns of a.xlsx': { Spitzname: 'Last name', Farbe: 'left out' },
    ...(answer === undefined ? {} : { 'is merged': answer }),
  });
  const prompt = await terminal.prompt();
  const select = (async (question, choices, how) => {
    if (answer === undefined && question.includes('is merged')) throw new InterruptedError();
    return await prompt.select(question, choices, how as never);
  }) as Prompt['select'];
  const stopped = await bench.push(['a.xlsx'], {
    tty: true,
    prompt: async () => ({ ...prompt, select }),
  });
  const kept = 'Nothing was sent. Your answers are kept: the same command goes on from here.';
  expect([stopped.code, stopped.err.replaceAll(/\s+/g, ' ')]).toEqual([code, expect.stringContaining(kept)]);
  write('');
  const { code: then } = await bench.push(['a.xlsx'], terminal);
  expect([then, asked.filter((question) => question.includes('who are'))]).toEqual([0, [expect.any(String)]]);
  expect(bench.kept().map(({ fields }) => fields['last_name'])).toEqual(['x', 'y']);
});

test('Of a run that was stopped its flags are not kept, only what was answered', async () => {
  const bench = await pushBench();
  const file = bench.write('a.csv', 'First name,Farbe,Date of birth\nAna,rot,03/04/1990\n');
  const { prompt } = fakePrompt({ 'who are': 'Visitor' });
  const table = stopsAfter({});
  const flags = ['--set', 'date-order=mdy', '--map', 'First name=last_name'];
  await bench.push([file, ...flags], { tty: true, prompt: async () => ({ ...prompt, table }) });
  const { asked, terminal } = person({
    'columns of a.csv': { Farbe: 'Remarks' },
    'month first': 'day first',
  });
  const { code } = await bench.push([file], terminal);
  expect([code, asked.length]).toEqual([0, 2]);
  expect(bench.kept()[0]?.fields).toEqual({ first_name: 'Ana', remarks: 'rot', birth_date: '1990-04-03' });
});

test('Of columns that somebody has not seen to the end nothing is kept', async () => {
  const bench = await pushBench();
  const file = bench.write('a.csv', 'First name,Farbe\nAna,rot\n');
  const { asked, terminal } = person({ 'who are': 'Visitor', 'columns of a.csv': { Farbe: 'left out' } });
  const prompt = await terminal.prompt();
  const table = () => Promise.reject(new InterruptedError());
  const stopped = await bench.push([file], { tty: true, prompt: async () => ({ ...prompt, table }) });
  expect([stopped.code, stopped.err]).toEqual([130, expect.stringContaining('Your answers are kept')]);
  expect((await bench.push([file], terminal)).code).toBe(0);
  expect(asked).toEqual([expect.stringContaining('who are'), expect.stringContaining('columns of a.csv')]);
});

test('Of columns that somebody has not seen to the end is kept what was decided', async () => {
  const bench = await pushBench();
  const file = bench.write('a.csv', 'First name,Farbe,Wein\nAna,rot,ja\n');
  const { prompt, asked } = fakePrompt({ 'who are': 'Visitor', '3 columns of a.csv': { Wein: 'left out' } });
  const table: typeof prompt.table = async ({ rows, onDecided }) => {
    const at = rows.findIndex(({ label }) => label === 'Farbe');
    onDecided?.(at, rows[at]?.choices.find(({ label }) => label === 'Remarks')?.value ?? '');
    throw new InterruptedError();
  };
  await bench.push([file], { tty: true, prompt: async () => ({ ...prompt, table }) });
  const shown: unknown[] = [];
  const again: typeof prompt.table = async (question) => {
    shown.push(question.back, ...question.rows.map(({ label, value }) => [label, value !== undefined]));
    return prompt.table(question);
  };
  const { code } = await bench.push([file], { tty: true, prompt: async () => ({ ...prompt, table: again }) });
  expect([code, bench.kept()[0]?.fields]).toEqual([0, { first_name: 'Ana', remarks: 'rot' }]);
  expect(shown).toEqual([false, ['First name', true], ['Farbe', true], ['Wein', false]]);
  expect(asked.filter((question) => question.includes('who are'))).toHaveLength(1);
});

/** Decides rows as said, a part of the label each, and stops then. */
const stopsAfter =
  (said: Readonly<Record<string, string>>): Prompt['table'] =>
  async ({ rows, rest, onDecided }) => {
    for (const [part, wanted] of Object.entries(said)) {
      const at = rows.findIndex(({ label }) => label.includes(part));
      const choices = [...(rows[at]?.choices ?? []), ...(rest === undefined ? [] : [rest])];
      onDecided?.(at, choices.find(({ label }) => label === wanted)?.value ?? '');
    }
    throw new InterruptedError();
  };

test('Of several columns that were left out before somebody stopped, the others stay open, and what was proposed too', async () => {
  const bench = await pushBench();
  const text = 'First name,Farbe,Wein,Tisch,Verein,Remarks about food\nAna,rot,ja,4,x,vegan\n';
  const file = bench.write('a.csv', text);
  const { prompt } = fakePrompt({ 'who are': 'Visitor', '6 columns of a.csv': {} });
  const table = stopsAfter({ Farbe: 'left out', Wein: 'left out' });
  await bench.push([file], { tty: true, prompt: async () => ({ ...prompt, table }) });
  const shown: unknown[] = [];
  const again: Prompt['table'] = async (question) => {
    shown.push(...question.rows.map(({ label, value, why }) => [label, value !== undefined, why]));
    throw new InterruptedError();
  };
  const stopped = await bench.push([file], { tty: true, prompt: async () => ({ ...prompt, table: again }) });
  expect([stopped.code, bench.kept()]).toEqual([130, []]);
  expect(shown).toEqual([
    ['First name', true, undefined],
    ['Farbe', true, undefined],
    ['Wein', true, undefined],
    ['Tisch', false, 'matches nothing'],
    ['Verein', false, 'matches nothing'],
    ['Remarks about food', true, 'its name'],
  ]);
});

test('Where the kind of guest is remembered, what was decided of values before somebody stopped is kept', async () => {
  const bench = await pushBench();
  const file = bench.write(
    'a.csv',
    'First name,Email,Lunch\nAna,a@example.com,soup\nBo,b@example.com,stew\n',
  );
  const { prompt } = fakePrompt({ 'who are': 'Visitor' });
  const shown: string[][] = [];
  for (const said of [{}, { soup: 'left blank' }, {}]) {
    const table: Prompt['table'] = async (question) => {
      shown.push(question.rows.map(({ label }) => label));
      return await stopsAfter(said)(question);
    };
    expect((await bench.push([file], { tty: true, prompt: async () => ({ ...prompt, table }) })).code).toBe(
      130,
    );
  }
  expect(shown).toEqual([
    ['"soup" in Lunch', '"stew" in Lunch'],
    ['"soup" in Lunch', '"stew" in Lunch'],
    ['"stew" in Lunch'],
  ]);
});

test.each([
  ['leave them out', [], false],
  ['read them as well', ['x'], true],
])(
  'Hidden columns are asked about before all others, by their headings, and once: %s',
  async (answer, notes, lists) => {
    const bench = await pushBench();
    const rows = `<row>${text('First name')}${text('Notizen 7')}</row><row>${text('Ana')}${text('x')}</row>`;
    const hidden = '<cols><col min="2" max="2" hidden="1"/></cols>';
    const sheets = [{ name: 'Guests', xml: `${hidden}<sheetData>${rows}</sheetData>` }];
    writeFileSync(join(bench.directory, 'a.xlsx'), workbook({ sheets }));
    const { asked, terminal } = person({
      'answers are most likely': { 'hidden column ("Notizen 7")': answer, 'who are': 'Visitor' },
      'columns of a.xlsx': { Notizen: 'Remarks' },
    });
    const { code, err } = await bench.push(['a.xlsx'], terminal);
    expect([code, asked[0]]).toEqual([0, '2 answers are most likely. Are they right?']);
    expect(err.replaceAll(/\s+/g, ' ')).toContain(
      'a.xlsx:Guests: 1 hidden column ("Notizen 7") with values in the sheet. Are they meant to be read?',
    );
    expect(asked.some((question) => question.includes('columns of'))).toBe(lists);
    const { length } = asked;
    expect((await bench.push(['a.xlsx'], terminal)).code).toBe(0);
    expect(asked).toHaveLength(length);
    expect(bench.kept().flatMap(({ fields }) => fields['remarks'] ?? [])).toEqual(notes);
  },
);

test.each([
  ['leave it out', ['A1'], '--set totals-rows=left-out'],
  ['it is a guest', ['A1', 'T'], '--set totals-rows=guests'],
])('Whether the last row is a guest or totals is asked for: %s', async (answer, kept, flag) => {
  const bench = await pushBench();
  const file = bench.write('a.csv', 'Barcode,First name,Number of guests\nA1,Ana,2\nT,Total,2\n');
  const { asked, terminal } = person({ 'looks like totals': answer });
  const { code, err } = await bench.push([file, '--persona', 'visitor'], terminal);
  expect([code, asked]).toEqual([0, ['a.csv:3: this row looks like totals or a note, not like a guest.']]);
  expect(bench.kept().map(({ barcode }) => barcode)).toEqual(kept);
  expect(err).toContain(`The same without being asked: ${flag}`);
});

test('Whoever goes back finds what was changed on the screen of columns as it was left', async () => {
  const bench = await pushBench();
  const shown: (string | undefined)[] = [];
  let columns = 0;
  const { prompt } = fakePrompt({ 'who are': 'Visitor' });
  const table: Prompt['table'] = async ({ rows, onDecided }) => {
    const at = rows.findIndex(({ label }) => label === 'Tisch');
    const { choices = [], value } = rows[at] ?? {};
    shown.push(choices.find((choice) => choice.value === value)?.label);
    columns += 1;
    if (columns > 1) return rows.map((row) => row.value ?? '');
    onDecided?.(at, choices.find(({ label }) => label === 'Remarks')?.value ?? '');
    return undefined;
  };
  const terminal = { tty: true, prompt: async () => ({ ...prompt, table }) };
  expect((await bench.push([bench.write('a.csv', STRANGE)], terminal)).code).toBe(0);
  expect(shown).toEqual([undefined, 'Remarks']);
  expect(bench.kept()[0]?.fields['remarks']).toBe('4');
});

test('Where there is more than one answer, nothing is added to them', async () => {
  const bench = await pushBench();
  const file = bench.write('a.csv', UNDECIDED);
  const { terminal } = person({ 'Date of birth': 'stop' });
  const ended = await bench.push([file, '--persona', 'visitor'], terminal);
  expect(ended.err).toContain('No choice has stop');
});

test('What a question is about is wrapped at words', async () => {
  const bench = await pushBench();
  const name = 'the list of all who were invited to the summer party of the house.csv';
  const rows = (first: string) => `persona,First name,Last name,E-mail\nvisitor,${first},Ek,a@example.com\n`;
  await bench.push([bench.write(name, rows('Ana'))]);
  const who = person({ 'registered already': 'Update them (--match email)' });
  const { code, err } = await bench.push([bench.write(name, rows('Anna'))], who.terminal);
  expect([code, who.asked.length]).toEqual([0, 1]);
  const at = err.split('\n').findIndex((line) => line.includes('has its'));
  expect(
    err
      .split('\n')
      .slice(at - 1, at + 1)
      .every((line) => line.length <= 100),
  ).toBe(true);
});

test('Ctrl-C in a question says that nothing was sent, and what is kept of the answers', async () => {
  const bench = await pushBench();
  const { prompt } = fakePrompt({ 'What do they mean': {}, 'What does it mean': { x: 'undecided' } });
  const select = (() => Promise.reject(new InterruptedError())) as Prompt['select'];
  const terminal = { tty: true, prompt: async () => ({ ...prompt, select }) };
  const asked = await bench.push([bench.write('a.csv', 'First name,Email\nAna,a@example.com\n')], terminal);
  expect([asked.code, asked.err]).toEqual([130, expect.stringContaining('Interrupted. Nothing was sent.\n')]);
  const wrong = bench.write('b.csv', 'First name,Email\nAna,a@example\n');
  const { code, err } = await bench.push([wrong, '--persona', 'visitor'], terminal);
  expect(code).toBe(130);
  expect(err.replace(/\s+/g, ' ')).toContain(
    'Interrupted. Nothing was sent. Your answers are kept: the same command goes on from here.',
  );
  expect(bench.kept()).toEqual([]);
});

test('A column that is left out is left out of lists of its shape, and used in others', async () => {
  const bench = await pushBench();
  const argv = ['--persona', 'visitor', '--dry-run', '--columns', '--show-values'];
  const first = bench.write('a.csv', 'Name,Vorname,Nachname,E-Mail\nx,Ana,Lee,a@example.com\n');
  await bench.push([first, ...argv, '--ignore-column', 'Name']);
  expect((await bench.push([first, ...argv])).err).toMatch(/Name +x +left out/);
  const more = 'Nr,Name,Vorname,Nachname,E-Mail\n,x,Ana,Lee,a@example.com\n';
  const wider = [bench.write('b.csv', more), ...argv, '--ignore-column', 'Nr'];
  expect((await bench.push(wider)).err).toMatch(/Name +x +left out/);
  const other = bench.write('c.csv', 'Name,E-Mail\nAna Lee,a@example.com\n');
  const { prompt } = fakePrompt({ '2 columns': {} });
  const { err } = await bench.push([other, ...argv], { tty: true, prompt: async () => prompt });
  expect(err).toMatch(/Name +Ana Lee +first_name\+last_name/);
  expect((await bench.push([first, ...argv])).err).toMatch(/Name +x +left out/);
  // What is said of one list takes nothing from the columns of another.
  const third = bench.write('d.csv', 'Vorname,Name,Telefon,E-Mail\nAna,Lee,+34600000000,a@example.com\n');
  expect((await bench.push([third, ...argv])).err).toMatch(/"Name": its name|this is the command/);
});
