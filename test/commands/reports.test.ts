import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { type Bench, type Ended, pushBench, visitors } from '../sync/push-bench.ts';
import { registerByHand } from '../sync/service-hands.ts';
import { listIn } from '../support/documents.ts';

/** What the script of a report reads. */
interface Data {
  results: string[];
  rows: [
    place: number,
    line: string,
    result: number,
    barcode: string,
    persona: number,
    id: string,
    said: number,
    entries: number[],
    steps: (number | string)[][],
  ][];
  words: string[];
}

const REPORT = 'report.html';

const pageOf = ({ directory }: Bench): string => readFileSync(join(directory, REPORT), 'utf8');

function dataOf(bench: Bench): Data {
  const [, json = ''] = /id="data">(.*?)<\/script>/s.exec(pageOf(bench)) ?? [];
  return JSON.parse(json) as Data;
}

/** Rows as `place result barcode`, in their order. */
function rowsOf(bench: Bench): string[] {
  const { rows, results, words } = dataOf(bench);
  return rows.map(([place, line, result, barcode]) =>
    `${words[place]}${line} ${results[result]} ${barcode}`.trim(),
  );
}

/** The text of the sections, without tags. */
function textOf(bench: Bench): string {
  const [, text = ''] = /<body>(.*?)<script/s.exec(pageOf(bench)) ?? [];
  return text
    .replaceAll(/<[^>]*>/g, '\n')
    .replaceAll('&quot;', '"')
    .replaceAll(/\n+/g, '\n');
}

const withReport = (bench: Bench, ...argv: string[]): Promise<Ended> =>
  bench.run([...argv, '--report', `html=${REPORT}`, '--yes', '--progress', 'none']);

/** A service with A and B, and files with A changed, B gone and N new; in one of them W is wrong. */
async function twoPushes(): Promise<{ bench: Bench; file: string; wrong: string }> {
  const bench = await pushBench();
  await bench.push([bench.write('old.csv', visitors('A:Ann', 'B:Bob'))]);
  const file = bench.write('new.csv', visitors('A:Bea', 'N:New'));
  const rows = visitors('A:Bea', 'N:New', 'W:Wrong').replace('w@example', 'w.example');
  return { bench, file, wrong: bench.write('wrong.csv', rows) };
}

describe('a report', () => {
  test('of a dry run says what would be, and nothing of it stays in the journal', async () => {
    const { bench, file } = await twoPushes();
    const ended = await withReport(bench, 'push', file, '--dry-run', '--prune');
    expect([ended.code, ended.err]).toEqual([
      EXIT.done,
      expect.stringContaining('The report is in report.html.'),
    ]);
    expect(rowsOf(bench)).toEqual([
      'new.csv:2 to update A',
      'new.csv:3 to create N',
      expect.stringMatching(/^registration \S+ to delete B$/),
    ]);
    expect(textOf(bench)).toContain('Push of new.csv, nothing sent\ndry run');
    expect(bench.runs()).toHaveLength(1);
  });

  test('of a file with errors is written although nothing was sent', async () => {
    const { bench, wrong } = await twoPushes();
    expect((await withReport(bench, 'push', wrong)).code).toBe(EXIT.rejected);
    expect(textOf(bench)).toContain('refused: rows have errors');
    expect(textOf(bench)).toContain('"E-mail" has no @; write it as name@example.com');
    expect(rowsOf(bench)).toEqual([
      'wrong.csv:2 still to do A',
      'wrong.csv:3 still to do N',
      'wrong.csv:4 rejected W',
    ]);
  });

  test('of a push, with what was deleted, is the one that its run has later', async () => {
    const { bench, file } = await twoPushes();
    await withReport(bench, 'push', file, '--prune');
    const page = pageOf(bench);
    expect(rowsOf(bench)).toEqual([
      'new.csv:2 changed A',
      'new.csv:3 new N',
      expect.stringMatching(/^registration \S+ deleted B$/),
    ]);
    const { words, rows } = dataOf(bench);
    expect(rows[0]?.[7].map((at) => words[at])).toEqual([
      'plan',
      'update: the service listed it with other values',
      '',
      'first_name: "A••" → "B••"',
    ]);
    expect(rows[0]?.[8].map(([, what = '']) => words[Number(what)])).toEqual([
      'sent',
      'answered',
      'read back',
    ]);
    expect(textOf(bench)).toMatch(/2 registrations were read back: all as they were to be/);
    const [run] = bench.runs();
    const later = await withReport(bench, 'runs', 'report', run?.id ?? '', '--json');
    expect([later.code, listIn(later.out)]).toEqual([
      EXIT.done,
      [{ run: run?.id, format: 'html', file: REPORT }],
    ]);
    expect(pageOf(bench)).toBe(page);
  });

  test('of an undo, and of its dry run', async () => {
    const { bench, file } = await twoPushes();
    await bench.run(['push', file, '--progress', 'none']);
    await registerByHand(bench, { barcode: 'A', fields: { company: 'Edited' } });
    const run = bench.runs()[0]?.id ?? '';
    await withReport(bench, 'runs', 'undo', run, '--dry-run');
    expect(rowsOf(bench)).toEqual(['new.csv:2 left alone A', 'new.csv:3 to delete N']);
    await withReport(bench, 'runs', 'undo', run);
    expect(rowsOf(bench)).toEqual(['new.csv:2 left alone A', 'new.csv:3 deleted N']);
    expect(textOf(bench)).toContain(`Undo of run ${run}`);
    expect(textOf(bench)).toContain('conflict: edited in the service since: company');
  });

  test('of a delete, and of its dry run', async () => {
    const { bench } = await twoPushes();
    await withReport(bench, 'delete', '--barcode', 'B', '--dry-run');
    expect(rowsOf(bench)).toEqual([expect.stringMatching(/ to delete B$/)]);
    await withReport(bench, 'delete', '--barcode', 'B');
    expect(rowsOf(bench)).toEqual([expect.stringMatching(/ deleted B$/)]);
  });

  test('is written also when the push is stopped by an error', async () => {
    const bench = await pushBench();
    bench.service.fault = ({ method }) =>
      method === 'POST' ? { answer: { status: 401, body: '{}' } } : undefined;
    const ended = await withReport(bench, 'push', bench.write('a.csv', visitors('A', 'B')));
    expect(ended.code).toBe(EXIT.unauthorised);
    expect(textOf(bench)).toContain('stopped');
  });

  test('shows the pace, with the limit that the service told', async () => {
    const bench = await pushBench({ limit: 20, windowMs: 10_000 });
    const people = Array.from({ length: 60 }, (_, n) => `B${n}`);
    await withReport(bench, 'push', bench.write('a.csv', visitors(...people)));
    const text = textOf(bench);
    expect(text).toContain('60 requests for rows in ');
    expect(text).toMatch(/Where it is shaded, nothing was sent: \d+ waits?, /);
    expect(text).toContain('20 in 10 s.');
  });
});

describe('the file of a report', () => {
  test.each([
    [['push', 'a.csv', '--report', 'pdf=x'], '--report: takes a format and a file, as in html=report.html'],
    [['push', 'a.csv', '--report', 'html='], '--report: takes a format and a file'],
    [['push', 'a.csv', '--report', 'html=a.csv'], 'is one of the files that are read'],
    [['push', 'a.csv', '--report', 'html=no/x.html'], 'is in a folder that does not exist'],
    [['push', 'a.csv', '--report', 'html=x', '--rejects', 'x'], '--report and --rejects name the same file'],
    [['runs', 'report', 'x'], '--report: is missing: say where, as in html=report.html'],
  ])('eventreg %j is refused', async (argv, why) => {
    const bench = await pushBench();
    bench.write('a.csv', visitors('A'));
    const ended = await bench.run(argv);
    expect([ended.code, ended.err]).toEqual([EXIT.usage, expect.stringContaining(why)]);
    expect(bench.kept()).toEqual([]);
  });

  test('is asked about when it is there, can be read by its owner alone, and comes in any number', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors('A'));
    bench.write(REPORT, 'mine');
    const argv = ['push', file, '--report', `html=${REPORT}`, '--report', 'html=b.html'];
    expect((await bench.run(argv)).code).toBe(EXIT.guarded);
    expect(pageOf(bench)).toBe('mine');
    expect((await bench.run([...argv, '--yes'])).code).toBe(EXIT.done);
    expect(statSync(join(bench.directory, REPORT)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(bench.directory, 'b.html'), 'utf8')).toBe(pageOf(bench));
    expect(readdirSync(bench.directory).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('that cannot be written takes neither the push nor its summary along', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors('A'));
    const folder = join(bench.directory, 'gone');
    mkdirSync(folder);
    bench.service.fault = () => {
      rmSync(folder, { recursive: true, force: true });
      return undefined;
    };
    const ended = await bench.run(['push', file, '--report', 'html=gone/x.html', '--json']);
    expect(ended.code).toBe(EXIT.failed);
    expect(JSON.parse(ended.out)).toMatchObject({ sent: 1 });
    expect(bench.kept()).toHaveLength(1);
  });
});

describe('warnings of the terminal', () => {
  const HEAD = 'persona,barcode,First name,E-mail';

  test('are in the report of a push, of its dry run, and in one that is made later', async () => {
    const bench = await pushBench();
    await registerByHand(bench, {
      persona: 'visitor',
      barcode: 'B1',
      fields: { first_name: 'Ada', email: 'a@example.com' },
    });
    const file = bench.write('a.csv', `${HEAD}\nvisitor,B1,Eva,a@example.com\n`);
    const warning = /Warnings\n[^]*No registration shows .* eventreg cannot know/;
    expect((await withReport(bench, 'push', file, '--overwrite', '--dry-run')).err).toContain('cannot know');
    expect(textOf(bench)).toMatch(warning);
    expect((await withReport(bench, 'push', file, '--overwrite')).err).toContain('cannot know');
    expect(textOf(bench)).toMatch(warning);
    await bench.run(['runs', 'report', bench.runs()[0]?.id ?? '', '--report', `html=${REPORT}`]);
    expect(textOf(bench)).toMatch(warning);
    expect(textOf(bench).match(/cannot know/g)).toHaveLength(1);
  });

  test('have no heading where there are none', async () => {
    const bench = await pushBench();
    await withReport(bench, 'push', bench.write('a.csv', visitors('A')));
    expect(textOf(bench)).not.toContain('Warnings');
  });
});

test('A barcode in another case is asked about, and a story fits the terminal', async () => {
  const bench = await pushBench();
  const file = bench.write('a.csv', visitors('EV-1017'));
  const { err } = await bench.run(['push', file, '--only', 'ev-1017']);
  expect(err).toContain('ev-1017: did you mean EV-1017?');
  await bench.push([file]);
  const { out } = await bench.run(['runs', 'why', 'EV-1017', '--no-color'], { tty: true });
  expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  await bench.run(['delete', '--barcode', 'EV-1017', '--yes', '--report', `html=${REPORT}`]);
  expect(textOf(bench)).toMatch(/^\n*Delete\n/);
  expect(textOf(bench)).toMatch(/Backup\ndeleted-/);
});
