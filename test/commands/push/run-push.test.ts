import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { definePush } from '../../../src/commands/push/define-push.ts';
import {
  plannedOptions,
  PLANNING,
  READING,
  type PushCommandOptions,
} from '../../../src/commands/push/push-command-options.ts';
import { toRepairs } from '../../../src/commands/push/push-repairs.ts';
import { EXIT, type UsageError } from '../../../src/errors.ts';
import { barcodes, pushBench, visitors } from '../../sync/push-bench.ts';
import { oneSheet, text } from '../../support/workbook.ts';
import { type Argv, GLOBALS, parseArgv } from '../parse-argv.ts';
import { alike, listed } from '../../support/tables.ts';

const parse = (argv: Argv): Promise<PushCommandOptions> => parseArgv(definePush, 'push', argv);

const NOTHING_SET = {
  ...GLOBALS,
  ...alike(false, 'columns | allErrors | dryRun | diff | again | overwrite | keep | prune'),
  ...alike(true, 'savedMapping | checkDns | audit'),
  ...alike([], 'map | where | ignoreColumn | pad | accept | leaveOut | only | report'),
  ...alike({}, 'values | phones'),
  files: ['a.csv'],
  blank: 'omit',
  invalid: 'stop',
  match: 'barcode',
  leave: 0,
  maxDelete: { kind: 'number', value: 50, assumed: true },
};

describe('the command line of push', () => {
  test.each<[Argv, object]>([
    ['a.csv', {}],
    ['a.csv b.json -', { files: ['a.csv', 'b.json', '-'] }],
    ['a.csv --set format=json', { format: 'json' }],
    ['a.csv --set format=xlsx', { format: 'xlsx' }],
    ['a.csv --set delimiter=; --set quote=none', { delimiter: ';', quote: 'none' }],
    ['a.csv --set encoding=windows-1252', { encoding: 'windows-1252' }],
    ['a.xlsx --set sheet=Guests --set header-row=4', { files: ['a.xlsx'], sheet: 'Guests', headerRow: 4 }],
    ['a.csv --set include-hidden=true', { includeHidden: true }],
    ['a.csv --set include-hidden=false', { includeHidden: false }],
    ['a.csv --columns --write-mapping m.json', { columns: true, writeMapping: 'm.json' }],
    ['a.csv --no-saved-mapping', { savedMapping: false }],
    ['a.csv --set date-order=dmy --set date-serials=1904', { dateOrder: 'dmy', dateSerials: '1904' }],
    ['a.csv --set phone-country=esp', { phoneCountry: 'esp' }],
    ['a.csv --set pad=barcode:13 --set pad=A:5', { pad: ['barcode:13', 'A:5'] }],
    ['a.csv --set accept=full-sheet --set accept=mojibake', { accept: ['full-sheet', 'mojibake'] }],
    ['a.csv --set leave-out=Diet --set leave-out=Hall', { leaveOut: ['Diet', 'Hall'] }],
    ['a.csv --persona visitor', { persona: 'visitor' }],
    ['a.csv --map A=b --map C=d', { map: ['A=b', 'C=d'] }],
    ['a.csv --mapping map.json', { mapping: 'map.json' }],
    ['a.csv --ignore-column A --ignore-column B', { ignoreColumn: ['A', 'B'] }],
    ['a.csv --blank clear', { blank: 'clear' }],
    ['a.csv --invalid skip', { invalid: 'skip' }],
    ['a.csv --rejects r.csv', { rejects: 'r.csv' }],
    ['a.csv --dry-run', { dryRun: true }],
    ['a.csv --only A --again', { only: ['A'], again: true }],
    ['a.csv --no-check-dns', { checkDns: false }],
    ['a.csv --dry-run --diff', { dryRun: true, diff: true }],
    ['a.csv --plan-out p --diff', { planOut: 'p', dryRun: true, diff: true }],
    ['--plan p', { files: [], plan: 'p' }],
    [
      '--plan p --dry-run --diff --rejects r.csv --no-audit --yes',
      { files: [], plan: 'p', dryRun: true, diff: true, rejects: 'r.csv', audit: false, yes: true },
    ],
    ['a.csv --no-audit', { audit: false }],
    ['a.csv --match email --overwrite', { match: 'email', overwrite: true }],
    ['a.csv --prune', { prune: true }],
    ['a.csv --prune --max-delete 5%', { prune: true, maxDelete: { kind: 'percent', value: 5 } }],
    ['a.csv --max-failures 20', { maxFailures: { kind: 'number', value: 20 } }],
    ['a.csv --concurrency 64', { concurrency: 64 }],
    ['--sandbox a.csv --yes --quiet', { sandbox: true, yes: true, quiet: true }],
    ['--sandbox=fair a.csv', { sandbox: 'fair' }],
    ['a.csv --sandbox', { sandbox: true }],
    ['--sandbox -- --sandbox', { files: ['--sandbox'], sandbox: true }],
    ['a.csv --json --no-color', { output: 'json', color: false }],
    ['a.csv --show-values --progress text', { showValues: true, progress: 'text' }],
  ])('%j', async (argv, expected) => {
    expect(await parse(argv)).toEqual({ ...NOTHING_SET, ...expected });
  });

  test.each([
    [[], 'Name a file, - for standard input, or a plan with --plan.'],
    ['a.csv --diff', '--diff needs --dry-run or --plan-out.'],
    ['a.csv --again', '--again sends single rows once more: name them with --only BARCODE.'],
    ['--plan p --diff', '--diff needs --dry-run or --plan-out.'],
    ['a.csv --plan p', 'A plan says which files it is for: leave them out with --plan.'],
    ['--plan p --plan-out q', '--plan-out and --plan contradict each other.'],
    ['a.csv --max-delete 9', '--max-delete says how much --prune may delete'],
    ['a.csv --max-delete all --prune', '--max-delete: takes a whole number or a share'],
    ['a.csv --max-failures 101%', '--max-failures: takes a whole number or a share'],
    ['a.csv --match name', '--match: takes barcode, email'],
    ['a.csv --concurrency 65', '--concurrency: takes a whole number from 1 to 64'],
    ['a.csv --set format=xls', '--set format'],
    ['a.csv --set header-row=-1', '--set header-row'],
    ['a.csv --set date-order=ymd', '--set date-order'],
    ['a.csv --set date-serials=1901', '--set date-serials'],
    ['a.csv --set phone-country=Spain', '--set phone-country'],
    ['a.csv --set pad=barcode', '--set pad'],
    ['a.csv --set accept=everything', '--set accept'],
    ['a.csv --set delimiter=', '--set delimiter'],
    ['a.csv --blank keep', '--blank'],
    ['a.csv --invalid ask', '--invalid'],
    ['a.csv --progress loud', '--progress'],
    ['a.csv --no-dry-run', 'unknown option'],
    ['a.csv --token x', 'unknown option'],
    ['a.csv --set include-hidden=perhaps', '--set include-hidden: takes true or false'],
    ['a.csv --set sheet', '--set sheet: write it as sheet=VALUE.'],
    ['a.csv --set sheet=A --set sheet=B', '--set sheet is given twice'],
    ['a.csv --set datorder=dmy', '--set datorder: there is no such setting; did you mean date-order?'],
    ['a.csv --set xyz=1', 'there is no such setting; there are sheet, header-row, '],
    ['a.csv --encoding utf-8', 'There is no flag --encoding; write --set encoding=utf-8.'],
    [['a.csv', '--sheet=My guests'], 'There is no flag --sheet; write --set sheet="My guests".'],
    ['a.csv --include-hidden', 'There is no flag --include-hidden; write --set include-hidden=…'],
  ])('refuses %j', async (argv, why) => {
    await expect(parse(argv)).rejects.toThrow(why);
  });
});

/** Flags that a plan has instead, each also where it says what would be done anyway. */
const IN_A_PLAN =
  `--set format=csv | --set sheet=A | --set header-row=1 | --set include-hidden=true | --set include-hidden=false
--set encoding=utf-8 | --set delimiter=, | --set quote=" | --persona visitor | --map A=b | --mapping m.json
--ignore-column A | --write-mapping m.json | --no-saved-mapping | --set nothing=kept
--set date-order=dmy | --set date-serials=1900 | --set phone-country=ES | --set pad=A:1 | --set accept=full-sheet | --set leave-out=A
--blank omit | --invalid stop | --no-check-dns | --match barcode | --overwrite
--again | --prune | --max-delete 50`.split(/ \| |\n/);

test.each(IN_A_PLAN)('%s is part of a plan', async (flag) => {
  const words = flag.split(' ');
  await expect(parse(['--plan', 'p', ...words])).rejects.toThrow(
    `${flag.startsWith('--set') ? flag.replace(/=.*/, '') : words[0]} is part of a plan: leave it out with --plan.`,
  );
});

test('A plan keeps each of its flags, but those of which the outcome is in it', () => {
  const kept = Object.keys(plannedOptions.shape);
  const outcome = ['mapping', 'writeMapping', 'savedMapping'];
  expect([...READING, ...PLANNING].filter((name) => !kept.includes(name)).sort()).toEqual(outcome.sort());
  expect(kept.filter((name) => ![...READING, ...PLANNING].some((known) => known === name))).toEqual([]);
});

test('All that is wrong with the flags is told at once', async () => {
  const argv = 'a.csv --plan p --again --blank keep --diff --set pad=A:1';
  const error = (await parse(argv).catch((reason: unknown) => reason)) as UsageError;
  expect([error.message, ...error.details]).toEqual([
    '--blank: takes omit, clear',
    'A plan says which files it is for: leave them out with --plan.',
    '--set pad is part of a plan: leave it out with --plan.',
    '--blank is part of a plan: leave it out with --plan.',
    '--again is part of a plan: leave it out with --plan.',
    '--diff needs --dry-run or --plan-out.',
  ]);
});

test('The flags about values become the repairs', async () => {
  const argv = listed(`
    a.csv | --set | phone-country=esp | --set | pad=Código = interno:5 | --set | accept=full-sheet
  `);
  const { phones, values, leaveOut, phonesOf, ...others } = await toRepairs(
    await parse(argv),
    Date.UTC(2027, 0, 31),
  );
  expect(phones?.read('600 000 000')).toEqual({ international: '+34600000000', callingCode: '34' });
  expect(others).toEqual({
    dateOrder: undefined,
    dateSerials: undefined,
    hiddenTimes: undefined,
    lastBirth: '2027-02-01',
    pad: new Map([['Código = interno', 5]]),
    accept: new Set(['full-sheet']),
    decisions: new Map(),
  });
  expect([values, leaveOut, phonesOf].map(({ size }) => size)).toEqual([0, 0, 0]);
});

test.each([
  [['a.csv', '--set', 'sheet=Guests'], undefined],
  [['b.xlsx', '--set', 'encoding=utf-8'], undefined],
  [['b.xlsx', '--set', 'format=csv'], 'b.xlsx: this is a workbook; leave --set format out.'],
  [['b.xlsx', '--set', 'format=ndjson'], 'b.xlsx: this is a workbook; leave --set format out.'],
  [['a.csv', '--set', 'format=xlsx'], 'a.csv: this is no workbook (.xlsx, .ods).'],
  [['a.csv', 'b.xlsx', '--set', 'sheet=Guests', '--set', 'encoding=utf-8'], undefined],
  [['b.xlsx', '--set', 'format=xlsx'], undefined],
  [['b.xlsx', '--set', 'format=ods'], undefined],
])('flags of another kind of file do no harm, but for its format: %j', async (argv, says) => {
  const bench = await pushBench();
  bench.write('a.csv', 'Barcode,First name\nA,Ada\n');
  const rows = `<row>${text('Barcode')}${text('First name')}</row><row>${text('B')}${text('Bob')}</row>`;
  writeFileSync(join(bench.directory, 'b.xlsx'), oneSheet(rows));
  const { code, err } = await bench.push([...argv, '--persona', 'visitor']);
  expect(code).toBe(says === undefined ? EXIT.done : EXIT.usage);
  expect(err).toContain(says ?? 'Done.');
});

test('rejects are written in formats that are written, and .ods is none of them', async () => {
  const bench = await pushBench();
  bench.write('a.csv', 'Barcode,First name\nA,Ada\n');
  const { code, err } = await bench.push(['a.csv', '--invalid', 'skip', '--rejects', 'left.ODS']);
  expect(code).toBe(EXIT.usage);
  expect(err).toContain('--rejects left.ODS: .ods is read, but not written.');
  expect(err).toContain('Let the name end in .xlsx, which LibreOffice opens too.');
});

describe('what push prints', () => {
  test('as json: one object on stdout, the rest on stderr', async () => {
    const bench = await pushBench();
    const ended = await bench.run([
      'push',
      bench.write('a.csv', visitors('A')),
      '--json',
      '--progress',
      'none',
    ]);
    expect(ended.out.split('\n')).toHaveLength(2);
    const counts = alike(
      0,
      `updated | not_proven_new | not_looked_at | unchanged | kept | values_kept | not_rechecked |
      values_in_conflict | values_not_accepted | rejected | rejected_before | failed | conflict |
      uncertain | blocked | postponed | pending | communications | takes_back_messages | duration_ms |
      mended | deleted | requests_left | deletions_left`,
    );
    const unknown =
      'to_create | to_update | to_delete | budget_left | expected_ms | rate_limit | rate_window_ms';
    expect(JSON.parse(ended.out)).toEqual({
      schema: 'eventreg/push@1',
      exit: 0,
      run: expect.stringMatching(/^20260115-[0-9a-f]{6}$/),
      state: 'finished',
      no_longer_in_file: [],
      event: 'Harbour Trade Fair 2027',
      host: new URL(bench.service.url).host,
      profile: 'default',
      sent: 1,
      created: 1,
      ...counts,
      ...alike([], 'left_out | left_out_by | problems | notes'),
      ...alike(null, `stopped_by | error | ${unknown}`),
      audit: {
        checked: 1,
        ...alike(0, 'missing | doubled | not_accepted | unapplied | gone | orphaned | unverified'),
        ...alike([], 'different | changed | own_way'),
        unexpected: { count: 0, ids: [] },
        skipped: null,
      },
    });
    expect(ended.err).toContain('Done.');
  });

  test('--quiet says nothing when all is well, and the whole when it is not', async () => {
    const bench = await pushBench();
    const good = await bench.run(['push', bench.write('a.csv', visitors('A')), '--quiet']);
    expect(good).toEqual({ code: EXIT.done, out: '', err: '' });
    const bad = await bench.run(['push', bench.write('b.csv', visitors('B', 'B')), '--quiet']);
    expect(bad.code).toBe(EXIT.rejected);
    expect(bad.err).toContain('Nothing was sent: 2 of 2 rows cannot be.');
  });

  test('text progress says how far it is', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors(...barcodes(20)));
    const { err } = await bench.run(['push', file, '--progress', 'text']);
    expect(err).toContain('Looking through a.csv');
    expect(err).toContain('Sending 20 of 20');
  });

  test('the token never shows, not even when the service sends it back', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors('A'));
    bench.service.fault = ({ method }) =>
      method === 'POST'
        ? { answer: { status: 422, body: '{"message":"Bad bench-token-1234 here"}' } }
        : undefined;
    const ended = await bench.run(['push', file, '--verbose', '--json']);
    expect(ended.code).toBe(EXIT.rejected);
    expect(ended.out + ended.err).not.toContain('bench-token-1234');
    const kept = bench.journal((journal) => JSON.stringify(journal.all('SELECT * FROM row')));
    expect(kept).not.toContain('bench-token-1234');
  });

  test('text of the service cannot drive the terminal', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors('A'));
    bench.service.fault = ({ method }) =>
      method === 'POST'
        ? { answer: { status: 422, body: JSON.stringify({ message: 'a\u001b[2Jb' }) } }
        : undefined;
    const ended = await bench.run(['push', file]);
    expect(ended.err).toContain(String.raw`a\u{1b}[2Jb`);
    expect(ended.err).not.toContain('\u001b');
  });

  test('a file that is not there is named, and no run is left', async () => {
    const bench = await pushBench();
    const ended = await bench.run(['push', 'none.csv']);
    expect(ended).toMatchObject({
      code: EXIT.usage,
      err: expect.stringContaining('none.csv: there is no such file.'),
    });
    expect(bench.runs()).toEqual([]);
  });

  test('many rows with errors are told by what is wrong, and each of them where all are asked for', async () => {
    const bench = await pushBench();
    const people = barcodes(103).map((barcode) => `${barcode}/NOBODY`);
    const file = bench.write('a.csv', visitors(...people));
    const bare = await bench.run(['push', file]);
    expect(bare.err).toContain('✗ 103 of 103 rows of a.csv cannot be sent:\n');
    expect(bare.err).toContain('"NOBODY" (103 rows: lines 2, 3, 4 …)\n');
    const all = await bench.run(['push', file, '--all-errors']);
    expect(all.err.split('\n').filter((line) => line.includes('column "parent_barcode"'))).toHaveLength(103);
  });

  test('rejects cannot go to standard output', async () => {
    const bench = await pushBench();
    const ended = await bench.run(['push', bench.write('a.csv', visitors('A')), '--rejects', '-']);
    expect(ended).toMatchObject({
      code: EXIT.usage,
      err: expect.stringContaining('--rejects needs a file name'),
    });
  });
});

test('runs older than 30 days are forgotten by the next push', async () => {
  const bench = await pushBench();
  await bench.push([bench.write('a.csv', visitors('A'))]);
  await bench.clock.advance(29 * 24 * 60 * 60_000);
  await bench.push([bench.write('b.csv', visitors('B'))]);
  expect(bench.runs()).toHaveLength(2);
  await bench.clock.advance(2 * 24 * 60 * 60_000);
  await bench.push([bench.write('b.csv', visitors('B'))]);
  expect(bench.runs().map(({ files }) => files)).toEqual([['b.csv'], ['b.csv']]);
});

test('--sandbox needs nothing set up, and keeps its data from one push to the next', async () => {
  const bench = await pushBench();
  const file = bench.write('a.csv', visitors('A', 'B'));
  const first = await bench.push([file, '--sandbox'], { env: {} });
  expect(first).toMatchObject({ code: EXIT.done, summary: { sent: 2 } });
  expect(first.err).toContain('Practice service (sandbox): nothing leaves this machine.\n');
  expect(await bench.push([file, '--sandbox'], { env: {} })).toMatchObject({
    summary: { sent: 0, unchanged: 2 },
  });
  await bench.run(['sandbox', 'reset', '--yes'], { env: {} });
  expect(await bench.push([file, '--sandbox'], { env: {} })).toMatchObject({
    summary: { sent: 2, unchanged: 0 },
  });
  expect(bench.posts()).toEqual([]);
});
