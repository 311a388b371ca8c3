import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { Power } from './power.ts';
import { preloadOf } from './push-process.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Writes one row that it waits for, and one that it does not; each process two others. */
const PROGRAM = `
import { DatabaseSync } from '@photostructure/sqlite';
const [, file, n] = process.argv;
const db = new DatabaseSync(file);
db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
db.exec('CREATE TABLE IF NOT EXISTS block (boot TEXT, n INTEGER)');
db.exec('BEGIN');
db.prepare("INSERT INTO block VALUES ('first', ?)").run(Number(n));
db.exec('COMMIT');
db.exec('PRAGMA synchronous = NORMAL;');
db.prepare("INSERT INTO block VALUES ('first', ?)").run(Number(n) + 1);
process.kill(process.pid, 'SIGKILL');
`;

test('When power is cut the journal is as it was on the disk for certain, or has some of what came after, and the machine starts anew', () => {
  const directory = temporaryDirectory();
  const state = join(directory, 'state');
  mkdirSync(state);
  const file = join(state, 'journal.sqlite');
  const power = new Power(directory, state);
  const written = (): unknown[] => {
    const journal = new DatabaseSync(file);
    const rows = journal.prepare('SELECT boot, n FROM block ORDER BY n').all();
    journal.close();
    return rows;
  };
  const run = (n: number): void => {
    const env = { ...preloadOf({ at: 'never' }), ...power.nextProcess() };
    const argv = ['--input-type=module', '--eval', PROGRAM, file, String(n)];
    expect(
      spawnSync(process.execPath, argv, { cwd: ROOT, env: { PATH: process.env['PATH'], ...env } }),
    ).toMatchObject({
      signal: 'SIGKILL',
    });
  };
  run(1);
  expect(written()).toHaveLength(2);
  power.cut();
  expect(written()).toEqual([{ boot: 'start 1', n: 1 }]);
  run(3);
  power.cut();
  expect(written().slice(0, 2)).toEqual([
    { boot: 'start 2', n: 1 },
    { boot: 'start 2', n: 3 },
  ]);
});
