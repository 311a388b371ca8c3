import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventLineSchema } from '../../../src/documents/event-lines.ts';
import { EXIT } from '../../../src/errors.ts';
import { type Bench, pushBench, visitors } from '../../runs/push-bench.ts';

interface Line extends Record<string, unknown> {
  type: string;
  time: string;
  run: string | null;
}

const SCHEMA = eventLineSchema();

/** All lines of a file of events, each held against its schema. */
function linesOf(path: string): Line[] {
  const text = readFileSync(path, 'utf8');
  expect(text.endsWith('\n')).toBe(true);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const read = JSON.parse(line) as Line;
      const wrong = SCHEMA.safeParse(read).error?.message;
      expect(wrong && [line, wrong]).toBeUndefined();
      return read;
    });
}

const NAME = 'Zanzibara';

async function pushed(bench: Bench, argv: readonly string[] = []): Promise<{ code: number; lines: Line[] }> {
  const { code } = await bench.push(['a.csv', '--events', 'e.ndjson', ...argv]);
  return { code, lines: linesOf(join(bench.directory, 'e.ndjson')) };
}

const typesOf = (lines: readonly Line[]): string[] => [...new Set(lines.map(({ type }) => type))];

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
      journal.all<{ id: string }>('SELECT request_id AS id FROM step'),
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
    await bench.run(['runs', 'undo', push?.id ?? '', '--yes', '--events', 'u.ndjson']);
    const undone = linesOf(join(bench.directory, 'u.ndjson'));
    expect(undone.at(-1)).toMatchObject({ type: 'end', run: bench.runs()[0]?.id });
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

  test.each([
    ['no/such/e.ndjson', 'cannot be written'],
    ['.', 'cannot be written'],
    ['a.csv', 'is there already, and holds no events'],
    ['0', 'is in use for something else'],
    ['1', 'is in use for something else'],
    ['99999', 'is no open file descriptor'],
  ])('cannot go to %s: nothing is sent then', async (place, why) => {
    const bench = await pushBench();
    const text = visitors('A');
    bench.write('a.csv', text);
    const { code, err } = await bench.push(['a.csv', '--events', place]);
    expect([code, err]).toEqual([EXIT.usage, expect.stringContaining(`--events ${place} ${why}`)]);
    expect(bench.service.requests).toEqual([]);
    expect(readFileSync(join(bench.directory, 'a.csv'), 'utf8')).toBe(text);
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
