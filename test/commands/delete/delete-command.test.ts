import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openProfiles } from '../../../src/settings/profiles.ts';
import { describe, expect, test } from 'vitest';
import { defineDelete, type DeleteOptions } from '../../../src/commands/delete/delete-command.ts';
import { EXIT, InterruptedError } from '../../../src/errors.ts';
import { barcodes, type Bench, pushBench, visitors } from '../../sync/push-bench.ts';
import { backups, idOf, left, registerByHand } from '../../sync/service-hands.ts';
import { fakePrompt } from '../../support/fake-runtime.ts';
import { oneSheet, text, workbook } from '../../support/workbook.ts';
import { type Argv, GLOBALS, parseArgv } from '../parse-argv.ts';
import { listIn } from '../../support/documents.ts';
import { listed } from '../../support/tables.ts';

const parse = (argv: Argv): Promise<DeleteOptions> => parseArgv(defineDelete, 'delete', argv);
const number = (value: number): DeleteOptions['maxDelete'] => ({ kind: 'number', value });
const NOTHING_SET = {
  ...GLOBALS,
  ids: [],
  barcode: [],
  leave: 0,
  maxDelete: { ...number(50), assumed: true },
  dryRun: false,
  report: [],
  accept: [],
};

describe('the command line of delete', () => {
  test.each<[Argv, object]>([
    [[], {}],
    ['id1 id2', { ids: ['id1', 'id2'] }],
    ['--barcode A --barcode B', { barcode: ['A', 'B'] }],
    ['--file a.csv --max-delete 200 --yes', { file: 'a.csv', maxDelete: number(200), yes: true }],
    ['id --max-delete 10%', { ids: ['id'], maxDelete: { kind: 'percent', value: 10 } }],
    [
      '--file a.xlsx --set sheet=Gone --set include-hidden=false --set merged=first-row --set accept=full-sheet',
      { file: 'a.xlsx', sheet: 'Gone', includeHidden: false, merged: 'first-row', accept: ['full-sheet'] },
    ],
    [
      listed(`
        --file | a | --set | header-row=2 | --set | delimiter=; | --set | quote=none | --set |
        encoding=utf-8
      `),
      { file: 'a', headerRow: 2, delimiter: ';', quote: 'none', encoding: 'utf-8' },
    ],
    ['--persona visitor --dry-run', { persona: 'visitor', dryRun: true }],
    ['id --max-failures 5', { ids: ['id'], maxFailures: number(5) }],
    ['id --backup b.ndjson --json', { ids: ['id'], backup: 'b.ndjson', output: 'json' }],
  ])('%j', async (argv, expected) => {
    expect(await parse(argv)).toEqual({ ...NOTHING_SET, ...expected });
  });

  test.each([
    ['--max-delete all', '--max-delete: takes a whole number or a share, for example 50 or 10%'],
    ['--max-delete -1', '--max-delete'],
    ['--max-delete 101%', '--max-delete'],
    [['--barcode', ''], '--barcode'],
    ['--file a.csv --set format=xls', '--set format'],
    ['--file a.csv --set accept=mojibake', '--set accept: takes full-sheet'],
    ['id --set sheet=Gone', '--set sheet: says how --file is read, and there is none'],
    ['id --set include-hidden=false', '--set include-hidden: says how --file is read, and there is none'],
    ['id --set accept=full-sheet', '--set accept: says how --file is read, and there is none'],
    [[''], '<id>'],
  ])('refuses %j', async (argv, why) => {
    await expect(parse(argv)).rejects.toThrow(why);
  });

  test('a wish that names nobody is stopped before anything is asked', async () => {
    const bench = await pushBench();
    const ended = await bench.run(['delete']);
    expect(ended).toMatchObject({ code: EXIT.guarded, err: expect.stringContaining('Which registrations?') });
    expect(bench.service.requests).toEqual([]);
  });

  test.each([
    [['id', '--persona', 'visitor'], 'either ids and barcodes, or --file, or --persona'],
    [['--file', 'a.csv', '--barcode', 'A'], 'either ids and barcodes, or --file, or --persona'],
  ])('%j is wrong usage, said before anything is asked', async (argv, why) => {
    const bench = await pushBench();
    expect(await bench.run(['delete', ...argv])).toMatchObject({
      code: EXIT.usage,
      err: expect.stringContaining(why),
    });
    expect(bench.service.requests).toEqual([]);
  });
});

/** A bench whose service holds visitors A, B (member of A) and C. */
async function three(switches: Parameters<typeof pushBench>[0] = {}): Promise<Bench> {
  const bench = await pushBench(switches);
  const ended = await bench.push([bench.write('a.csv', visitors('A', 'B/A:Bob', 'C:Cy'))]);
  if (ended.code !== EXIT.done) throw new Error(ended.err);
  return bench;
}

describe('delete', () => {
  test('by id, telling what became of each on stdout', async () => {
    const bench = await three();
    const [a, c] = [idOf(bench, 'A'), idOf(bench, 'C')];
    const ended = await bench.run(['delete', c, a, c, '--yes', '--output', 'csv']);
    expect(ended.code).toBe(EXIT.done);
    const [head, ...lines] = ended.out.trimEnd().split('\n');
    expect(head).toBe('registration_id,barcode,result,message');
    expect(lines.sort()).toEqual([`${a},A,deleted,`, `${c},C,deleted,`].sort());
    expect(ended.err).toContain('2 registrations deleted.');
    expect(left(bench)).toEqual(['B']);
  });

  test('by barcode', async () => {
    const bench = await three();
    expect((await bench.run(['delete', '--barcode', 'A', '--barcode', 'C', '--yes'])).code).toBe(EXIT.done);
    expect(left(bench)).toEqual(['B']);
  });

  test.each([
    ['cancelled.csv', () => 'Name;Barcode\nx;A\ny;C\n'],
    ['cancelled.json', () => '[{"barcode":"A"},{"barcode":"C"}]'],
    ['ids.csv', (bench: Bench) => `registration_id,barcode\n${idOf(bench, 'A')},\n${idOf(bench, 'C')},C\n`],
  ])('by a file (%s)', async (name, text) => {
    const bench = await three();
    expect((await bench.run(['delete', '--file', bench.write(name, text(bench)), '--yes'])).code).toBe(
      EXIT.done,
    );
    expect(left(bench)).toEqual(['B']);
  });

  test('by a file with a row that names nobody deletes nothing', async () => {
    const bench = await three();
    const ended = await bench.run([
      'delete',
      '--file',
      bench.write('x.csv', 'barcode,Name\nA,x\n,y\n'),
      '--yes',
    ]);
    expect(ended).toMatchObject({
      code: EXIT.usage,
      err: expect.stringContaining('x.csv:3: this row has neither a registration_id nor a barcode.'),
    });
    expect(left(bench)).toEqual(['A', 'B', 'C']);
  });

  test.each(['both', 'pesona', 'none'] as const)(
    'by persona, none of another (filter: %s)',
    async (filterSpelling) => {
      const bench = await three({ filterSpelling });
      await bench.push([bench.write('e.csv', 'persona,barcode\nexhibitor,E\n')]);
      expect((await bench.run(['delete', '--persona', 'visitor', '--yes'])).code).toBe(EXIT.done);
      expect(left(bench)).toEqual(['E']);
    },
  );

  test('by persona refuses registrations that do not show theirs', async () => {
    const bench = await three();
    bench.service.fault = ({ method, path }) =>
      method === 'GET' && path.includes('persona=')
        ? { answer: { status: 200, body: '[{"id":"x1","barcode":"A"}]' } }
        : undefined;
    const ended = await bench.run(['delete', '--persona', 'visitor', '--yes']);
    expect(ended.code).toBe(EXIT.guarded);
    expect(ended.err).toContain('does not show the persona of its registrations');
    expect(left(bench)).toEqual(['A', 'B', 'C']);
  });

  test('says what is not there, deletes the others, and ends with 3', async () => {
    const bench = await three();
    const ended = await bench.run(
      listed('delete | --barcode | A | --barcode | Z\u001b | no-such-id | --yes'),
    );
    expect(ended.code).toBe(EXIT.rejected);
    expect(ended.err).toContain(
      'No registration is listed with the id no-such-id; a barcode is given as --barcode no-such-id.',
    );
    expect(ended.err).toContain(String.raw`No registration is listed with the barcode Z\u{1b}.`);
    expect(left(bench)).toEqual(['B', 'C']);
    const nothing = await bench.run(['delete', 'no-such-id']);
    expect(nothing).toMatchObject({
      code: EXIT.guarded,
      out: '',
      err: expect.stringContaining('There is nothing to delete: none of them is listed.'),
    });
  });

  test('goes on after one that the service refuses to delete', async () => {
    const bench = await three();
    const b = idOf(bench, 'B');
    bench.service.fault = ({ method, path }) =>
      method === 'DELETE' && path.endsWith(b)
        ? { answer: { status: 409, body: '{"message":"Has a badge."}' } }
        : undefined;
    const ended = await bench.run(['delete', '--persona', 'visitor', '--yes', '--json']);
    expect(ended.code).toBe(EXIT.rejected);
    expect(listIn(ended.out)).toContainEqual({
      registration_id: b,
      barcode: 'B',
      result: 'failed',
      message: expect.stringContaining('Has a badge.'),
    });
    expect(ended.err).toContain('2 registrations deleted, 1 not.');
    expect(left(bench)).toEqual(['B']);
  });
});

/** Writes a workbook, and returns its name. */
function writeBook(bench: Bench, bytes: Buffer): string {
  writeFileSync(join(bench.directory, 'gone.xlsx'), bytes);
  return 'gone.xlsx';
}

const line = (value: string, attributes = ''): string => `<row${attributes}>${text(value)}</row>`;

describe('a file that leaves something open', () => {
  const FILTERED = oneSheet(`${line('Barcode')}${line('A')}${line('C', ' hidden="1"')}`);

  test.each([
    [[], EXIT.usage, ['A', 'B', 'C'], '--set include-hidden=false: leave them out'],
    [['--set', 'include-hidden=false'], EXIT.done, ['B', 'C'], '1 hidden row (3) left out.'],
    [['--set', 'include-hidden=true'], EXIT.done, ['B'], '2 registrations deleted.'],
  ])('hidden rows are not deleted on a guess: %j', async (argv, code, then, says) => {
    const bench = await three();
    const before = bench.service.requests.length;
    const ended = await bench.run(['delete', '--file', writeBook(bench, FILTERED), '--yes', ...argv]);
    expect(ended).toMatchObject({ code, err: expect.stringContaining(says) });
    expect(left(bench)).toEqual(then);
    if (code !== EXIT.usage) return;
    expect(ended.err).toContain('hint: Add the flag that is right, and run the command again.\n');
    expect(ended.err).not.toContain('sent');
    expect([bench.service.requests.length, backups(bench)]).toEqual([before, []]);
  });

  test.each([
    [[], EXIT.usage, ['A', 'B', 'C'], '--set sheet="Coming"'],
    [['--set', 'sheet=Gone'], EXIT.done, ['A', 'B'], '1 registration deleted.'],
  ])('of several sheets none is taken on a guess: %j', async (argv, code, then, says) => {
    const bench = await three();
    const sheets = [
      { name: 'Coming', xml: `<sheetData>${line('Barcode')}${line('A')}</sheetData>` },
      { name: 'Gone', xml: `<sheetData>${line('Barcode')}${line('C')}</sheetData>` },
    ];
    const file = writeBook(bench, workbook({ sheets }));
    const ended = await bench.run(['delete', '--file', file, '--yes', ...argv]);
    expect(ended).toMatchObject({ code, err: expect.stringContaining(says) });
    expect(left(bench)).toEqual(then);
  });

  test('is asked about before rows are, whose faults the answer may explain', async () => {
    const bench = await three();
    const header = `<row>${text('Barcode')}${text('Remarks')}</row>`;
    const rows = `${header}${line('A')}<row hidden="1">${text('x', 'B3')}</row>`;
    const file = writeBook(bench, oneSheet(rows));
    const asked = await bench.run(['delete', '--file', file, '--yes']);
    expect(asked).toMatchObject({ code: EXIT.usage, err: expect.stringContaining('1 hidden row (3)') });
    const told = await bench.run(['delete', '--file', file, '--yes', '--set', 'include-hidden=true']);
    expect(told.err).toContain('gone.xlsx:Guests:3: this row has neither a registration_id nor a barcode.');
    expect(left(bench)).toEqual(['A', 'B', 'C']);
  });
});

describe('barcodes of a file', () => {
  const AS_WRITTEN = 'Barcode,First name\n\u200BA\u00A0,Ada\n１２３,Bo\n12345.0,Cy\n=X,Di\n';

  test('are mended as push mends them, and it is said', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', AS_WRITTEN);
    expect((await bench.push([file, '--persona', 'visitor'])).code).toBe(EXIT.done);
    expect(left(bench)).toEqual(['123', '12345', '=X', 'A']);
    const dry = await bench.run(['delete', '--file', file, '--dry-run', '--verbose']);
    expect(dry.err).toContain(
      'a.csv:4  column "Barcode" (barcode): "12345.0" → "12345", decimals of nothing removed\n',
    );
    const ended = await bench.run(['delete', '--file', file, '--yes', '--max-delete', '4']);
    expect([ended.code, left(bench)]).toEqual([EXIT.done, []]);
    expect(ended.err).toContain('3 cells were mended; --verbose lists each.\n');
    expect(ended.err).not.toContain('a.csv:4');
  });

  test('with digits lost are refused, and nothing is deleted', async () => {
    const bench = await three();
    const file = bench.write('x.csv', 'barcode\nA\n5.90123E+12\n');
    const ended = await bench.run(['delete', '--file', file, '--yes']);
    expect(ended).toMatchObject({
      code: EXIT.usage,
      err: expect.stringContaining('x.csv:3: column "barcode"'),
    });
    expect(left(bench)).toEqual(['A', 'B', 'C']);
  });

  test('are not what ids are: those may look like any number', async () => {
    const bench = await three();
    const file = bench.write('x.csv', `id\n1234e567\n7.0\n\u200B${idOf(bench, 'A')} \n`);
    const ended = await bench.run(['delete', '--file', file, '--yes']);
    expect(ended.code).toBe(EXIT.rejected);
    for (const id of ['1234e567', '7.0'])
      expect(ended.err).toContain(`No registration is listed with the id ${id}.`);
    expect(left(bench)).toEqual(['B', 'C']);
  });
});

describe('what keeps delete from doing harm', () => {
  test('more than --max-delete are never deleted, not even with --yes', async () => {
    const bench = await three();
    const ended = await bench.run(['delete', '--persona', 'visitor', '--max-delete', '2', '--yes']);
    expect(ended.code).toBe(EXIT.guarded);
    expect(ended.err).toContain('This would delete 3 registrations, more than --max-delete allows (2).');
    expect(ended.err).toContain('hint: If that is what you want, add --max-delete 3.');
    expect([left(bench), backups(bench)]).toEqual([['A', 'B', 'C'], []]);
  });

  test('50 are the most unless told otherwise', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('a.csv', visitors(...barcodes(51)))]);
    expect((await bench.run(['delete', '--persona', 'visitor', '--yes'])).code).toBe(EXIT.guarded);
    expect(left(bench)).toHaveLength(51);
  });

  test('without a terminal it needs --yes', async () => {
    const bench = await three();
    const ended = await bench.run(['delete', '--barcode', 'A']);
    expect(ended.code).toBe(EXIT.guarded);
    expect(ended.err).toMatch(/Delete 1 registration from \S+: A•• E•••••• \(A\)\? Nobody/);
    expect(ended.err).toContain('hint: Add --yes');
    expect([left(bench), backups(bench)]).toEqual([['A', 'B', 'C'], []]);
  });

  test.each([true, false])('at a terminal it asks; the answer is %s', async (answer) => {
    const bench = await three();
    const { prompt, asked, acting } = fakePrompt({ 'Delete 1 registration from': answer });
    const ended = await bench.run(['delete', '--barcode', 'A'], { tty: true, prompt: async () => prompt });
    expect([ended.code, asked.length]).toEqual([answer ? EXIT.done : EXIT.guarded, 1]);
    // Who is asked has to see who is meant.
    expect(asked[0]).toMatch(/: \S+ Example \(A\)\?$/);
    expect(acting).toEqual(asked);
    expect(left(bench)).toEqual(answer ? ['B', 'C'] : ['A', 'B', 'C']);
    expect(backups(bench)).toHaveLength(answer ? 1 : 0);
  });

  test('--dry-run shows what would go, and nothing goes', async () => {
    const bench = await three();
    const ended = await bench.run(['delete', '--barcode', 'B', '--dry-run', '--output', 'csv']);
    expect(ended.code).toBe(EXIT.done);
    expect(ended.err).toContain('Dry run: 1 registration would be deleted.\n');
    expect(ended.out).toContain(`${idOf(bench, 'B')},visitor,B,A`);
    expect([left(bench), backups(bench)]).toEqual([['A', 'B', 'C'], []]);
  });

  test('Ctrl-C ends it between two, with 130', async () => {
    const bench = await three();
    const stop = new AbortController();
    bench.service.fault = ({ method }) => {
      if (method === 'DELETE') stop.abort(new InterruptedError());
      return undefined;
    };
    const ended = await bench.run(['delete', '--persona', 'visitor', '--yes'], { stopping: stop.signal });
    expect(ended.code).toBe(EXIT.interrupted);
    expect(left(bench)).toHaveLength(2);
    expect(backups(bench)).toHaveLength(1);
  });
});

describe('what the journal knows of a deletion', () => {
  test('is that its request may have left, before it does', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors('A', 'B'));
    const { run } = (await bench.push([file])).summary;
    const states: string[][] = [];
    bench.service.fault = ({ method }) => {
      if (method === 'DELETE') states.push(bench.states(run ?? ''), bench.states());
      return undefined;
    };
    await bench.run(['delete', '--barcode', 'A', '--yes']);
    expect(states).toEqual([['done', 'done'], ['sending']]);
    expect([bench.states(run ?? ''), bench.states()]).toEqual([['deleted', 'done'], ['deleted']]);
    expect(await bench.push([file])).toMatchObject({ code: EXIT.done, summary: { sent: 1, unchanged: 1 } });
  });

  test('an answer that nothing is there, of one that was just listed, is no success', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors('A', 'B'));
    await bench.push([file]);
    bench.service.fault = ({ method }) =>
      method === 'DELETE' ? { answer: { status: 404, body: '{}' } } : undefined;
    const ended = await bench.run(['delete', '--barcode', 'A', '--yes']);
    expect(ended).toMatchObject({
      code: EXIT.uncertain,
      err: expect.stringContaining('0 registrations deleted, 1 not'),
    });
    bench.service.fault = () => undefined;
    expect((await bench.push([file])).code).toBe(EXIT.done);
    expect(bench.posts()).toHaveLength(2);
  });

  test('a refused deletion leaves a row without a barcode as done as it was', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors(':Ada'));
    const { run } = (await bench.push([file])).summary;
    const [id = ''] = bench.kept().map((kept) => kept.id);
    bench.service.fault = ({ method }) =>
      method === 'DELETE' ? { answer: { status: 409, body: '{}' } } : undefined;
    expect((await bench.run(['delete', id, '--yes'])).code).toBe(EXIT.rejected);
    expect([bench.states(run ?? ''), bench.states()]).toEqual([['done'], ['failed']]);
  });

  test('a refused deletion leaves a row in conflict as it was', async () => {
    const bench = await pushBench({ upsert: 'double' });
    for (const name of ['Ann', 'Amy']) {
      await registerByHand(bench, { barcode: 'A', fields: { first_name: name } });
    }
    const { run } = (await bench.push([bench.write('a.csv', visitors('A'))])).summary;
    expect(bench.states(run ?? '')).toEqual(['conflict']);
    bench.service.fault = ({ method }) =>
      method === 'DELETE' ? { answer: { status: 409, body: '{}' } } : undefined;
    await bench.run(['delete', idOf(bench, 'A'), '--yes']);
    expect(bench.states(run ?? '')).toEqual(['conflict']);
  });
});

describe('the backup', () => {
  test('is on the disk, for the owner only, before the first is deleted, and push takes it back', async () => {
    const bench = await three();
    const before = bench
      .kept()
      .map(({ barcode, parentBarcode, fields }) => ({ barcode, parentBarcode, fields }));
    const seen: string[] = [];
    bench.service.fault = ({ method }) => {
      if (method === 'DELETE' && seen.length === 0) {
        seen.push(...backups(bench).map((file) => readFileSync(file, 'utf8')));
      }
      return undefined;
    };
    const ended = await bench.run(['delete', '--persona', 'visitor', '--yes']);
    expect(ended.code).toBe(EXIT.done);
    const [file = ''] = backups(bench);
    expect(ended.err).toContain(`Backup: ${file}`);
    expect(seen).toEqual([readFileSync(file, 'utf8')]);
    expect(seen[0]?.match(/\n/g)).toHaveLength(3);
    expect(seen[0]).not.toContain('enable_comms');
    expect([statSync(file).mode & 0o777, statSync(join(file, '..')).mode & 0o777]).toEqual([0o600, 0o700]);

    expect(await bench.push([file])).toMatchObject({ code: EXIT.done, summary: { sent: 3 } });
    const after = bench
      .kept()
      .map(({ barcode, parentBarcode, fields }) => ({ barcode, parentBarcode, fields }));
    expect(after).toEqual(before);
  });

  test('goes where it is told, but replaces nothing: then nothing is deleted', async () => {
    const bench = await three();
    const argv = ['delete', '--barcode', 'A', '--yes', '--backup'];
    expect((await bench.run([...argv, 'sub/mine.ndjson'])).code).toBe(EXIT.done);
    expect(readFileSync(join(bench.directory, 'sub/mine.ndjson'), 'utf8')).toContain('"barcode":"A"');
    bench.write('taken.ndjson', 'mine');
    const ended = await bench.run(['delete', '--barcode', 'C', '--yes', '--backup', 'taken.ndjson']);
    expect(ended.code).toBe(EXIT.failed);
    expect(ended.err).toContain('The backup cannot be written, so nothing was deleted');
    expect(left(bench)).toEqual(['B', 'C']);
    expect(readFileSync(join(bench.directory, 'taken.ndjson'), 'utf8')).toBe('mine');
  });

  test('that holds no values, because the service shows none, is said to', async () => {
    const bench = await three({ recordShape: 'no-fields' });
    const ended = await bench.run(['delete', '--barcode', 'A', '--dry-run']);
    expect(ended.err).toContain(
      'does not show persona or values of 1 registration: the backup cannot bring them back',
    );
  });

  test.each([
    ['default', true],
    ['no-fields', false],
  ] as const)('is said to bring back what was deleted where it can: records %s', async (recordShape, can) => {
    const bench = await three(recordShape === 'default' ? {} : { recordShape });
    let asked = 0;
    bench.service.fault = ({ method }) =>
      method === 'DELETE' && (asked += 1) === 2 ? { answer: { status: 422, body: '{}' } } : undefined;
    const { baseUrl } = bench.sandbox;
    await openProfiles(join(bench.directory, 'config')).then((store) => store.set('x', { baseUrl }));
    const ended = await bench.run(['delete', '--barcode', 'A', '--barcode', 'B', '--yes', '--profile', 'x']);
    expect(ended.code).toBe(EXIT.rejected);
    expect(/To bring the deleted ones back: eventreg runs undo \S+ --profile x$/m.test(ended.err)).toBe(can);
  });
});

test('what was deleted is sent again by the same push; what was not, is not', async () => {
  const bench = await three();
  await bench.run(['delete', '--barcode', 'C', idOf(bench, 'B'), '--yes']);
  expect(await bench.push(['a.csv'])).toMatchObject({ code: EXIT.done, summary: { sent: 2, unchanged: 1 } });
  expect(left(bench)).toEqual(['A', 'B', 'C']);
});
