import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, test } from 'vitest';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PRELOAD = fileURLToPath(new URL('kill-preload.cjs', import.meta.url));

/** Nine writes: the mode, the table, six rows one by one and one that answers, the end; and two reads. */
const PROGRAM = `
import { DatabaseSync } from '@photostructure/sqlite';
const db = new DatabaseSync(process.argv[1]);
db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
db.exec('CREATE TABLE IF NOT EXISTS t (n INTEGER)');
const insert = db.prepare('INSERT INTO t VALUES (?)');
for (let n = 1; n <= 5; n += 1) insert.run(n);
db.prepare('SELECT CASE n WHEN 1 THEN 2 END FROM t').all();
db.prepare('SELECT count(*) AS updated FROM t').get();
db.prepare('INSERT INTO t VALUES (6) RETURNING n').get();
db.close();
`;

/** A program that waits to be killed. */
const WAITING = `${PROGRAM}setTimeout(() => {}, 60_000);`;

function run(order: object, program = PROGRAM) {
  const file = join(temporaryDirectory(), 'writes.sqlite');
  const { signal, status, output } = spawnSync(
    process.execPath,
    ['--require', PRELOAD, '--input-type=module', '--eval', program, file],
    { cwd: ROOT, env: { CRASH_ORDER: JSON.stringify(order) }, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] },
  );
  const db = new DatabaseSync(file);
  const table = db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 't'`).get();
  const rows = table === undefined ? [] : (db.prepare('SELECT n FROM t ORDER BY n').all() as { n: number }[]);
  db.close();
  return { signal, status, report: String(output[3]), rows: rows.map(({ n }) => n) };
}

describe('the preload that kills', () => {
  test('counts writes and nothing else', () => {
    const { status, report, rows } = run({ at: 'count' });
    expect(status).toBe(0);
    expect(rows).toEqual([1, 2, 3, 4, 5, 6]);
    const { durationsUs, firstWriteMs, lastWriteMs } = JSON.parse(report) as {
      durationsUs: number[];
      firstWriteMs: number;
      lastWriteMs: number;
    };
    expect(durationsUs).toHaveLength(9);
    expect(lastWriteMs).toBeGreaterThan(firstWriteMs);
  });

  test.each<[object, number[]]>([
    [{ at: 'before', write: 2 }, []],
    [{ at: 'after', write: 2 }, []],
    [{ at: 'before', write: 5 }, [1, 2]],
    [{ at: 'after', write: 5 }, [1, 2, 3]],
    [{ at: 'before', write: 8 }, [1, 2, 3, 4, 5]],
    [{ at: 'after', write: 8 }, [1, 2, 3, 4, 5, 6]],
    [{ at: 'after', write: 9 }, [1, 2, 3, 4, 5, 6]],
  ])('%j leaves what was written until then', (order, left) => {
    expect(run(order)).toMatchObject({ signal: 'SIGKILL', rows: left });
  });

  test('kills while a write goes on, or soon after it', () => {
    const { signal, report, rows } = run({ at: 'during', write: 5, delayUs: 0 }, WAITING);
    expect(signal).toBe('SIGKILL');
    expect(['inside', 'late']).toContain(report);
    expect(rows.slice(0, 2)).toEqual([1, 2]);
  });

  test('lets a program end that writes less often', () => {
    for (const at of ['before', 'during']) {
      expect(run({ at, write: 10, delayUs: 0 })).toMatchObject({ status: 0, report: '' });
    }
  });
});
