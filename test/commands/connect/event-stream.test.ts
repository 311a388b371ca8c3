import { execFileSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/errors.ts';
import { type Bench, pushBench, visitors } from '../../sync/push-bench.ts';
import { type EventLineRead as Line, readEvents as linesOf } from '../../support/event-lines.ts';
import { paired } from '../../support/tables.ts';

const NAME = 'Zanzibara';

async function pushed(bench: Bench, argv: readonly string[] = []): Promise<{ code: number; lines: Line[] }> {
  const { code } = await bench.push(['a.csv', '--events', 'e.ndjson', ...argv]);
  return { code, lines: linesOf(join(bench.directory, 'e.ndjson')) };
}

const typesOf = (lines: readonly Line[]): string[] => [...new Set(lines.map(({ type }) => type))];

function linkOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return '';
  }
}

describe('--events', () => {
  test('of a push begin with their version, name the run, and end with the exit code', async () => {
    const bench = await pushBench({ limit: 100, windowMs: 60_000 });
    bench.write('a.csv', visitors(`A:${NAME}`, `B:${NAME}`));
    const { lines } = await pushed(bench);
    expect(lines[0]).toMatchObject({ type: 'version', events: '1.0', eventreg: '0.0.0-test', run: null });
    expect(lines.at(-1)).toMatchObject({ type: 'end', exit: 0, run: bench.runs()[0]?.id });
    expect(typesOf(lines)).toEqual(expect.arrayContaining(['surveying', 'run', 'expecting', 'request']));
    const posts = lines.filter(({ type, method }) => type === 'request' && method === 'POST');
    expect(posts).toHaveLength(2);
    expect(posts[0]).toMatchObject({
      path: expect.stringMatching(/\/registration$/),
      status: 201,
      error: null,
    });
    const steps = bench.journal((journal) =>
      journal.all<{ id: string }>(
        `SELECT value AS id FROM operation, json_tree(sends) WHERE key = 'requestId'`,
      ),
    );
    // The same ids as the journal has of the answers.
    expect(steps.map(({ id }) => id)).toEqual(
      expect.arrayContaining(posts.map((line) => line['request_id'])),
    );
    expect(JSON.stringify(lines)).not.toMatch(new RegExp(`${NAME}|[ab]@example\\.com|bench-token`));
  });

  test('tell of each reason, without values, and of an attempt without an answer', async () => {
    const bench = await pushBench();
    bench.write('a.csv', `${visitors(`A: ${NAME}`)}visitor,B,,${NAME},Example,zanzibara at\n`);
    bench.service.fault = ({ method, nth }) =>
      method === 'POST' && nth === 0 ? { answer: 'cut' } : undefined;
    const { code, lines } = await pushed(bench, ['--invalid', 'skip', '--show-values']);
    expect([code, lines.at(-1)]).toMatchObject([EXIT.rejected, { type: 'end', exit: EXIT.rejected }]);
    expect(lines).toContainEqual(
      expect.objectContaining({ type: 'problem', line: 3, column: 'E-mail', code: 'email-invalid' }),
    );
    expect(lines).toContainEqual(expect.objectContaining({ type: 'rejected', rejected: 1, reasons: 1 }));
    expect(lines).toContainEqual(
      expect.objectContaining({ type: 'repaired', column: 'First name', line: 2 }),
    );
    expect(lines).toContainEqual(
      expect.objectContaining({ type: 'request', method: 'POST', status: null, error: expect.any(String) }),
    );
    const own = lines.filter(({ type }) => type !== 'warning' && type !== 'note');
    expect(JSON.stringify(own).toLowerCase()).not.toContain('zanzibara');
  });

  test('tell what has become of each row, as it is answered and at the end', async () => {
    const bench = await pushBench();
    bench.write('a.csv', visitors('A', 'B'));
    await bench.push(['a.csv']);
    bench.write('a.csv', `${visitors('A', 'C', 'D', 'E/D')}visitor,F,,Ada,Example,nobody at\n`);
    bench.service.fault = ({ method, body }) =>
      method === 'POST' && body.includes('"D"') ? { answer: { status: 422, body: '{}' } } : undefined;
    const { lines } = await pushed(bench, ['--invalid', 'skip', '--concurrency', '1']);
    const rows = lines.filter(({ type }) => type === 'row');
    expect(rows.map((row) => [row['line'], row['barcode'], row['state'], row['codes']])).toEqual([
      [3, 'C', 'done', []],
      [4, 'D', 'failed', ['failed']],
      [2, 'A', 'unchanged', []],
      [5, 'E', 'blocked', ['blocked']],
      [6, 'F', 'rejected', ['email-invalid']],
    ]);
    // Told while it works: the answer of the row before the request of the next.
    const order = lines.flatMap(({ type, method, ...row }) =>
      type === 'row' ? [row['barcode']] : method === 'POST' ? ['POST'] : [],
    );
    expect(order.slice(0, 3)).toEqual(['POST', 'C', 'POST']);
    expect(rows[0]).toMatchObject({ file: 'a.csv', sheet: null, op: 'send', plan: 'create' });
    expect(rows[0]).toMatchObject({
      registration_id: bench.kept().find(({ barcode }) => barcode === 'C')?.id,
    });
  });

  test('tell of a dry run what would become of each row', async () => {
    const bench = await pushBench();
    bench.write('a.csv', visitors('A', 'B'));
    const { lines } = await pushed(bench, ['--dry-run']);
    const rows = lines.filter(({ type }) => type === 'row');
    expect(rows.map((row) => [row['barcode'], row['plan'], row['state']])).toEqual([
      ['A', 'create', 'pending'],
      ['B', 'create', 'pending'],
    ]);
  });

  test('say ~ for the home directory', async () => {
    const bench = await pushBench();
    const file = join(bench.directory, bench.write('a.csv', visitors('A')));
    const env = { ...bench.env, HOME: bench.directory };
    await bench.run(['push', file, '--events', 'e.ndjson'], { env });
    const lines = linesOf(join(bench.directory, 'e.ndjson'));
    expect(lines).toContainEqual(expect.objectContaining({ type: 'row', file: '~/a.csv' }));
    expect(JSON.stringify(lines)).not.toContain(bench.directory);
  });

  test('have at most one line of progress a second', async () => {
    const bench = await pushBench({ limit: 5, windowMs: 20_000 });
    bench.write('a.csv', visitors(...Array.from({ length: 30 }, (_, at) => `B${at}`)));
    const { lines } = await pushed(bench);
    const progress = ['surveying', 'reading', 'checking', 'sending', 'deleting', 'waiting'];
    const times = lines.filter(({ type }) => progress.includes(type)).map(({ time }) => Date.parse(time));
    expect(times.length).toBeGreaterThan(5);
    const gaps = times.slice(1).map((time, at) => time - (times[at] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1000);
  });

  test('are told of a delete and of an undo as well', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('a.csv', visitors('A', 'B'))]);
    const [push] = bench.runs();
    await bench.run(['delete', '--barcode', 'A', '--yes', '--events', 'd.ndjson']);
    const [deletion] = bench.runs();
    const deleted = linesOf(join(bench.directory, 'd.ndjson'));
    expect(deleted.at(-1)).toMatchObject({ type: 'end', exit: 0, run: deletion?.id });
    expect(deleted).toContainEqual(expect.objectContaining({ type: 'request', method: 'DELETE' }));
    expect(deleted.filter(({ type }) => type === 'row')).toMatchObject([
      { file: null, op: 'delete', state: 'deleted', barcode: 'A' },
    ]);
    await bench.run(['runs', 'undo', push?.id ?? '', '--yes', '--events', 'u.ndjson']);
    const undone = linesOf(join(bench.directory, 'u.ndjson'));
    expect(undone.at(-1)).toMatchObject({ type: 'end', run: bench.runs()[0]?.id });
    expect(undone.filter(({ type }) => type === 'row')).toMatchObject([
      { line: 3, op: 'delete', state: 'deleted', barcode: 'B' },
      { line: 2, op: 'delete', state: 'unchanged', barcode: 'A' },
    ]);
  });

  test('end also where the command fails, and may be written to a descriptor', async () => {
    const bench = await pushBench();
    const fd = openSync(join(bench.directory, 'fd'), 'w');
    const ended = await bench.push(['missing.csv', '--events', String(fd)]);
    closeSync(fd);
    const lines = linesOf(join(bench.directory, 'fd'));
    expect([ended.code, lines[0], lines.at(-1)]).toMatchObject([
      2,
      { type: 'version' },
      { type: 'end', exit: 2 },
    ]);
  });

  test.runIf(existsSync('/dev/full')).each([
    { how: 'push', argv: ['push', 'b.csv'], kept: ['A', 'B', 'C'] },
    { how: 'delete', argv: ['delete', '--barcode', 'A', '--yes'], kept: ['B'] },
    { how: 'undo', argv: ['runs', 'undo', 'RUN', '--yes'], kept: [] },
  ])('on a full disk keep no $how from its work, and are told of at its end', async ({ argv, kept }) => {
    const bench = await pushBench();
    bench.write('b.csv', visitors('B', 'C'));
    await bench.push([bench.write('a.csv', visitors('A', 'B'))]);
    const words = argv.map((word) => (word === 'RUN' ? (bench.runs()[0]?.id ?? '') : word));
    const { code, out, err } = await bench.run([...words, '--events', '/dev/full', '--json']);
    expect(bench.kept().map(({ barcode }) => barcode)).toEqual(kept);
    expect(bench.runs()[0]?.state).toBe('finished');
    expect(err.match(/events could not/g)).toHaveLength(1);
    expect([code, JSON.parse(out)]).toMatchObject([
      EXIT.failed,
      { error: { code: 'machine', message: expect.stringContaining('ENOSPC') } },
    ]);
  });

  test.each(
    paired(`
      no/such/e.ndjson → cannot be written | . → cannot be written |
      other.csv → is there already, and holds no events | a.csv → is one of the files that are read |
      0 → is in use for something else | 1 → is in use for something else |
      - → is in use for something else | -1 → is in use for something else |
      /dev/stdout → is in use for something else | empty.csv → is one of the files that are read |
      99999 → is no open file descriptor
    `),
  )('cannot go to %s: nothing is sent then', async (place, why) => {
    const bench = await pushBench();
    const text = visitors('A');
    bench.write('a.csv', text);
    bench.write('empty.csv', '');
    bench.write('other.csv', text);
    const { code, err } = await bench.push(['a.csv', 'empty.csv', '--events', place]);
    expect([code, err]).toEqual([EXIT.usage, expect.stringContaining(`--events ${place} ${why}`)]);
    expect(bench.service.requests).toEqual([]);
    for (const file of ['a.csv', 'other.csv']) {
      expect(readFileSync(join(bench.directory, file), 'utf8')).toBe(text);
    }
  });

  test.runIf(existsSync('/proc/self/fdinfo'))(
    'go to no descriptor that node has opened for itself',
    async () => {
      const bench = await pushBench();
      bench.write('a.csv', visitors('A'));
      const read = openSync(join(bench.directory, 'a.csv'), 'r');
      const own = readdirSync('/proc/self/fd').filter((fd) => linkOf(fd).startsWith('anon_inode:'));
      expect(own).not.toEqual([]);
      for (const fd of [...own, String(read)]) {
        const { code, err } = await bench.push(['a.csv', '--events', fd]);
        expect([code, err]).toEqual([EXIT.usage, expect.stringContaining(`--events ${fd} is no`)]);
      }
      closeSync(read);
      expect(bench.kept()).toEqual([]);
    },
  );

  test.runIf(process.platform !== 'win32')('go without a reader of their pipe, which is said', async () => {
    const bench = await pushBench();
    execFileSync('mkfifo', [join(bench.directory, 'pipe')]);
    const ended = await bench.push([bench.write('a.csv', visitors('A')), '--events', 'pipe']);
    expect([ended.code, bench.kept().length]).toEqual([EXIT.failed, 1]);
    expect(ended.err).toMatch(/^warning: nobody reads --events pipe/);
    expect(JSON.parse(ended.out)).toMatchObject({ sent: 1, error: { code: 'machine' } });
  });

  test('are written over by the next, and by nothing that is not theirs', async () => {
    const bench = await pushBench();
    bench.write('a.csv', visitors('A'));
    writeFileSync(join(bench.directory, 'e.ndjson'), '');
    await pushed(bench);
    const { lines } = await pushed(bench);
    expect(lines.filter(({ type }) => type === 'version')).toHaveLength(1);
  });
});
