import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { defineList, type ListOptions } from '../../../src/commands/list/list.ts';
import { EXIT, InterruptedError } from '../../../src/errors.ts';
import { barcodes, type Bench, pushBench, visitors } from '../../sync/push-bench.ts';
import { keepVisitors } from '../../service/visitors.ts';
import { readRows } from '../../report/read-workbook.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { type Argv, GLOBALS, parseArgv } from '../parse-argv.ts';
import { listIn } from '../../support/documents.ts';

const parse = (argv: Argv): Promise<ListOptions> => parseArgv(defineList, 'list', argv);
const NOTHING_SET = { ...GLOBALS, leave: 0, perPage: 20, all: false, raw: false, where: [] } as const;

const NONE = '{"schema":"eventreg/list@1","registrations":[\n],"exit":0,"stopped_by":null,"error":null}\n';

describe('the command line of list', () => {
  test.each<[Argv, object]>([
    [[], {}],
    ['--persona visitor --barcode A', { persona: 'visitor', barcode: 'A' }],
    ['--page 3 --per-page 100', { page: 3, perPage: 100 }],
    ['--all --output csv', { all: true, output: 'csv' }],
    ['--raw --json', { raw: true, output: 'json' }],
    ['--to a.XLSX', { to: 'a.XLSX' }],
    [['--where', 'a=b', '--where', 'c d='], { where: ['a=b', 'c d='] }],
    [['--email', 'a@example.com', '--name', 'Ada L'], { email: 'a@example.com', name: 'Ada L' }],
  ])('%j', async (argv, expected) => {
    expect(await parse(argv)).toEqual({ ...NOTHING_SET, ...expected });
  });

  test.each([
    ['--page 0', '--page'],
    ['--page x', '--page: takes a whole number of at least 1'],
    ['--page 1.5', '--page'],
    ['--per-page 101', '--per-page: takes a whole number from 1 to 100'],
    [['--persona', ''], '--persona'],
    ['--output xml', '--output'],
    ['--output xlsx', '--output: takes no xlsx: name a file'],
    ['--where =x', '--where: takes a field and its value'],
    ['--to guests', '--to: takes the name of a file that ends in .xlsx, .csv'],
    ['--to -', '--to'],
    ['extra', 'too many arguments'],
  ])('refuses %j', async (argv, why) => {
    await expect(parse(argv)).rejects.toThrow(why);
  });

  test.each([
    [['--all', '--page', '2'], '--all and --page contradict each other'],
    [['--raw'], '--raw needs --output json or ndjson'],
    [['--raw', '--output', 'csv'], '--raw needs --output json or ndjson'],
    [['--raw', '--to', 'a.xlsx'], '--raw needs --to a .json or .ndjson file'],
    [['--to', 'a.csv', '--json'], '--to says by the name of its file how it is written'],
    [['--page', '2', '--email', 'a@example.com'], 'leave --page out'],
  ])('%j contradicts itself, which is said before anything is asked', async (argv, why) => {
    const bench = await pushBench();
    expect(await bench.run(['list', ...argv])).toMatchObject({
      code: EXIT.usage,
      err: expect.stringContaining(why),
    });
    expect(bench.service.requests).toEqual([]);
  });
});

/** Two visitors, one of them a member, and an exhibitor. */
async function three(switches: Parameters<typeof pushBench>[0] = {}): Promise<Bench> {
  const bench = await pushBench(switches);
  const head = 'persona,barcode,parent_barcode,First name,E-mail,Company,Dietary needs';
  const rows = [
    'visitor,A,,=Ada,ada@example.com,"Smith, Jones & Co",Halal;Vegan',
    'visitor,B,A,Bob,,,',
    'exhibitor,C,,Cy,,Acme,',
  ];
  // One after the other, so that the service lists them in this order.
  for (const at of rows.keys()) {
    const ended = await bench.push([bench.write('a.csv', [head, ...rows.slice(0, at + 1)].join('\n'))]);
    if (ended.code !== EXIT.done) throw new Error(ended.err);
  }
  return bench;
}

/** Runs `list --to` with a workbook, and reads what it wrote. */
async function listWorkbook(
  bench: Bench,
  argv: readonly string[],
): Promise<{ code: number; out: string; err: string; bytes: Buffer }> {
  const file = join(temporaryDirectory(), 'guests.xlsx');
  const ended = await bench.run(['list', '--to', file, ...argv]);
  return { ...ended, err: ended.err.replace(file, 'guests.xlsx'), bytes: readFileSync(file) };
}

const ids = (bench: Bench): string[] => bench.sandbox.registrations().map(({ id }) => id);

describe('three registrations', () => {
  test('as json: fields in their own object, absent keys left out', async () => {
    const bench = await three();
    const [a, b, c] = ids(bench);
    const { code, out, err } = await bench.run(['list', '--json']);
    expect([code, err]).toEqual([EXIT.done, '']);
    expect(out).toBe(
      [
        '{"schema":"eventreg/list@1","registrations":[',
        `  {"registration_id":"${a}","persona":"visitor","barcode":"A","enable_comms":false,"fields":{"first_name":"=Ada","email":"ada@example.com","company":"Smith, Jones & Co","dietary_needs":["Halal","Vegan"]}},`,
        `  {"registration_id":"${b}","persona":"visitor","barcode":"B","parent_barcode":"A","enable_comms":false,"fields":{"first_name":"Bob"}},`,
        `  {"registration_id":"${c}","persona":"exhibitor","barcode":"C","enable_comms":false,"fields":{"first_name":"Cy","company":"Acme"}}`,
        '],"exit":0,"stopped_by":null,"error":null}',
        '',
      ].join('\n'),
    );
  });

  test('as ndjson: one a line', async () => {
    const bench = await three();
    const { out } = await bench.run(['list', '--output', 'ndjson', '--persona', 'exhibitor']);
    expect(out).toBe(
      `{"registration_id":"${ids(bench)[2]}","persona":"exhibitor","barcode":"C","enable_comms":false,"fields":{"first_name":"Cy","company":"Acme"}}\n`,
    );
  });

  test('as csv: the columns of the personas asked for, safe for a spreadsheet program', async () => {
    const bench = await three();
    const [a, b] = ids(bench);
    const { out } = await bench.run(['list', '--output', 'csv', '--persona', 'visitor']);
    expect(out).toBe(
      [
        'registration_id,persona,barcode,parent_barcode,enable_comms,first_name,last_name,email,phone,country,company,ticket_type,meal,dietary_needs,birth_date,guests,website,photo,remarks',
        `${a},visitor,A,,false,'=Ada,,ada@example.com,,,"Smith, Jones & Co",,,Halal;Vegan,,,,,`,
        `${b},visitor,B,A,false,Bob,,,,,,,,,,,,,`,
        '',
      ].join('\n'),
    );
  });

  test('as xlsx: the columns of csv, all text', async () => {
    const bench = await three();
    const [a, b] = ids(bench);
    const { code, out, bytes, err } = await listWorkbook(bench, ['--persona', 'visitor']);
    expect([code, out, err]).toEqual([EXIT.done, '', '2 registrations written to guests.xlsx.\n']);
    const csv = await bench.run(['list', '--output', 'csv', '--persona', 'visitor']);
    const [header = [], first, second] = await readRows(bytes);
    expect(header).toEqual(csv.out.split('\n')[0]?.split(','));
    const texts = (cells: unknown[] = []): unknown[] => header.map((_, at) => cells[at] ?? '');
    expect(texts(first).slice(0, 8)).toEqual([a, 'visitor', 'A', '', 'false', '=Ada', '', 'ada@example.com']);
    expect(texts(first).slice(10, 14)).toEqual(['Smith, Jones & Co', '', '', 'Halal;Vegan']);
    expect(texts(second).slice(0, 6)).toEqual([b, 'visitor', 'B', 'A', 'false', 'Bob']);
  });

  test('as xlsx without any: the header', async () => {
    const bench = await pushBench();
    const { bytes, err } = await listWorkbook(bench, []);
    expect((await readRows(bytes))[0]?.slice(0, 3)).toEqual(['registration_id', 'persona', 'barcode']);
    expect(err).toBe('There are no such registrations.\n0 registrations written to guests.xlsx.\n');
  });

  test('into a file that is there already, only after a yes', async () => {
    const bench = await three();
    const file = join(temporaryDirectory(), 'guests.csv');
    writeFileSync(file, 'mine');
    expect(await bench.run(['list', '--to', file])).toMatchObject({ code: EXIT.guarded, out: '' });
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect(await bench.run(['list', '--to', file, '--yes'])).toMatchObject({ code: EXIT.done, out: '' });
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(5);
  });

  test('into a file leave it as it was when the list ends early', async () => {
    const bench = await three();
    const file = join(temporaryDirectory(), 'guests.csv');
    writeFileSync(file, 'mine');
    bench.service.fault = ({ path }) =>
      path.includes('/registration?') ? { answer: { status: 404, body: '{}' } } : undefined;
    expect((await bench.run(['list', '--to', file, '--yes'])).code).not.toBe(EXIT.done);
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  test('as a table, as wide as the terminal', async () => {
    const bench = await three();
    const { code, out } = await bench.run(['list', '--persona', 'exhibitor'], { tty: true });
    expect(code).toBe(EXIT.done);
    const lines = stripVTControlCharacters(out).split('\n');
    expect(lines[0]).toMatch(/^registration_id +persona +barcode/);
    expect(lines[2]).toMatch(/^reg-\S+ +exhibitor +C /);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  const ONLY = ['A', 'B', 'C'].flatMap((one) => ['--only', one]);

  test.each(['csv', 'json', 'ndjson'])('as %s go back through push as they are', async (output) => {
    const bench = await three();
    const listed = await bench.run(['list', '--all', '--output', output]);
    const before = bench.sandbox.registrations().map(({ fields }) => fields);
    const back = await bench.push([bench.write('back.txt', listed.out), '--again', ...ONLY]);
    expect(back).toMatchObject({ code: EXIT.done, summary: { sent: 3 } });
    expect(bench.sandbox.registrations().map(({ fields }) => fields)).toEqual(before);
    expect((await bench.push(['a.csv'])).summary).toMatchObject({ sent: 0, unchanged: 3 });
  });

  test('with --raw are what the service sent', async () => {
    const bench = await three({ idKey: 'uuid', recordShape: 'flat' });
    const { out } = await bench.run(['list', '--json', '--raw', '--barcode', 'C']);
    expect(listIn(out)).toEqual([
      expect.objectContaining({
        uuid: ids(bench)[2],
        first_name: 'Cy',
        parent_barcode: null,
        created_at: expect.any(String),
      }),
    ]);
  });

  test('fields that the event does not know are columns when the first page shows them', async () => {
    const bench = await three();
    bench.service.fault = ({ path }) =>
      path.includes('/registration?')
        ? {
            answer: {
              status: 200,
              body: '[{"id":1,"persona":"visitor","barcode":"A","fields":{"old_field":"x"}}]',
            },
          }
        : undefined;
    const { out } = await bench.run(['list', '--output', 'csv', '--persona', 'visitor']);
    expect(out.split('\n')[0]).toMatch(/,remarks,old_field$/);
  });
});

describe('pages', () => {
  test('one is shown, and how to see more is said on stderr', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('a.csv', visitors(...barcodes(45)))]);
    const first = await bench.run(['list', '--output', 'ndjson']);
    expect(first.out.match(/\n/g)).toHaveLength(20);
    expect(first.err).toBe('Page 1: 20 registrations of 45. More with --page 2; all with --all.\n');
    const people = await bench.run(['list'], { tty: true });
    expect(people.err).toContain('More with --page 2; --to guests.xlsx writes all into a workbook.\n');
    const last = await bench.run(['list', '--output', 'ndjson', '--page', '3']);
    expect([last.out.match(/\n/g)?.length, last.err]).toEqual([5, '']);
    const quiet = await bench.run(['list', '--output', 'ndjson', '--quiet']);
    expect(quiet.err).toBe('');
    const past = await bench.run(['list', '--json', '--page', '9']);
    expect(past).toMatchObject({ code: EXIT.done, out: NONE });
  });

  test('all are read with --all, 100 at a time', async () => {
    const bench = await pushBench();
    const all = barcodes(230);
    await bench.push([bench.write('a.csv', visitors(...all))]);
    const before = bench.service.requests.length;
    const { out, err } = await bench.run(['list', '--all', '--json']);
    expect(
      listIn<{ barcode: string }>(out)
        .map(({ barcode }) => barcode)
        .sort(),
    ).toEqual(all);
    expect([err, bench.service.requests.length - before]).toEqual(['', 3]);
  });

  test('none at all is an empty list, not an error', async () => {
    const bench = await pushBench();
    expect(await bench.run(['list', '--json', '--all'])).toEqual({
      code: EXIT.done,
      out: NONE,
      err: 'There are no such registrations.\n',
    });
    expect(await bench.run(['list'], { tty: true })).toMatchObject({ code: EXIT.done, out: '' });
    // Other programs count on the headings.
    expect((await bench.run(['list'])).out).toMatch(/^registration_id\tpersona\t[^\n]*\n$/);
  });

  test('of a persona that does not exist are a mistake', async () => {
    const bench = await pushBench();
    const ended = await bench.run(['list', '--persona', 'vistor', '--all']);
    expect(ended).toMatchObject({ code: EXIT.usage, out: '', err: expect.stringContaining('visitor') });
    expect((await bench.run(['list', '--persona', 'visitor', '--all'])).code).toBe(EXIT.done);
  });

  test('end with the stop signal', async () => {
    const bench = await pushBench();
    const stop = new AbortController();
    await bench.push([bench.write('a.csv', visitors(...barcodes(150)))]);
    bench.service.fault = ({ path }) => {
      if (path.includes('page=1')) stop.abort(new InterruptedError());
      return undefined;
    };
    const ended = await bench.run(['list', '--all', '--json'], { stopping: stop.signal });
    expect(ended.code).toBe(EXIT.interrupted);
  });
});

describe('what registrations hold', () => {
  test.each([
    [['--where', 'company=smith, jones & co'], ['A']],
    [['--where', 'Company=Acme'], ['C']],
    [['--where', 'Dietary needs=halal'], ['A']],
    [['--where', 'dietary_needs=Vegan;Halal'], ['A']],
    [['--where', 'company='], ['B']],
    [['--where', 'persona=visitor', '--where', 'first_name=bob'], ['B']],
    [['--where', 'parent barcode=A'], ['B']],
    [['--email', 'ADA@example.com'], ['A']],
    [['--email', 'nobody@example.com'], []],
    [['--name', 'bo'], ['B']],
    [['--name', 'bo ada'], []],
    [['--name', 'ob'], []],
  ])('is looked for with %j', async (argv, found) => {
    const bench = await three();
    const { code, out } = await bench.run(['list', '--json', '--per-page', '1', ...argv]);
    expect(code).toBe(EXIT.done);
    expect(listIn<{ barcode: string }>(out).map(({ barcode }) => barcode)).toEqual(found);
  });

  test('is not looked for in a field that the event does not have', async () => {
    const bench = await three();
    const { code, out, err } = await bench.run(['list', '--where', 'compani=Acme']);
    expect([code, out]).toEqual([EXIT.usage, '']);
    expect(err).toContain('the event has no field "compani"');
    expect(err).toContain('Did you mean company?');
  });
});

describe('filters', () => {
  test.each(['both', 'persona', 'pesona', 'strict-persona', 'strict-pesona', 'none', 'nobody'] as const)(
    'of the persona work whatever the service calls it (%s)',
    async (filterSpelling) => {
      const bench = await three({ filterSpelling });
      const { code, out, err } = await bench.run(['list', '--all', '--persona', 'visitor', '--json']);
      expect(code).toBe(EXIT.done);
      expect(listIn<{ barcode: string }>(out).map(({ barcode }) => barcode)).toEqual(['A', 'B']);
      expect(err).toBe(
        ['none', 'nobody'].includes(filterSpelling)
          ? 'The service ignored the filter; 1 other registration left out here.\n'
          : '',
      );
    },
  );

  test('of a barcode that the service ignores are applied here', async () => {
    const bench = await three({ barcodeFilter: 'ignored' });
    const { out, err } = await bench.run(['list', '--barcode', 'B', '--json']);
    expect(listIn(out)).toMatchObject([{ barcode: 'B' }]);
    expect(err).toContain('2 other registrations left out here');
  });
});

test('registrations that come while they are read are no failure, and it is said', async () => {
  const bench = await pushBench();
  const sent = keepVisitors(bench.sandbox, 5);
  bench.service.fault = ({ path }) => {
    if (path.includes('page=2')) keepVisitors(bench.sandbox, 6);
    return undefined;
  };
  const { code, out, err } = await bench.run(['list', '--all', '--json']);
  expect([code, listIn<{ barcode: string }>(out).map(({ barcode }) => barcode)]).toEqual([EXIT.done, sent]);
  expect(err).toBe(
    'The registrations changed while they were read: some may be missing or be listed twice. Run the same command again for what is there now.\n',
  );
  expect((await bench.run(['list', '--all', '--json'])).err).toBe('');
});
