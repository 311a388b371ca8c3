import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  identityOf,
  keepPacing,
  openPacingFile,
  recallPacing,
} from '../../../src/commands/connect/pacing-file.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { answer, machine } from '../../pacing/ledger-machines.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const ACCOUNT = { origin: 'https://events.example', token: 'a token' };

function fileIn(directory: string): string {
  return join(directory, 'pacing.sqlite');
}

/** Makes the file, with one account and its limit of 30 in it. */
function used(directory = temporaryDirectory()): string {
  const { clock, start } = machine(directory);
  const { answered, ledger, take } = start();
  answered(take(), answer(30));
  ledger.close(clock.now());
  return directory;
}

function change(directory: string, sql: string): void {
  const db = new DatabaseSync(fileIn(directory));
  db.exec(sql);
  db.close();
}

/** What two processes make of the file: whether the limit is remembered, and whether they share. */
function use(directory: string): { limit: number | undefined; shared: boolean } {
  const { clock, start } = machine(directory);
  const [one, two] = [start(), start()];
  const { limit } = one.ledger.budget(clock.now());
  one.answered(one.take(), answer(5));
  for (let n = 0; n < 4; n += 1) one.take();
  return { limit, shared: two.take() === undefined };
}

describe('what another machine has learnt of a budget', () => {
  const NOW = fakeClock().now();
  const recalled = (directory: string, folder: string, account = ACCOUNT): string | null | undefined => {
    const row = openPacingFile(directory, account, NOW);
    recallPacing(row, account, folder);
    const found = row.read();
    row.close();
    return found?.memory;
  };

  test('is brought in, for the same token at the same service, and names neither', () => {
    const [first, folder] = [used(), temporaryDirectory()];
    keepPacing(first, ACCOUNT, folder, NOW);
    const told = readFileSync(join(folder, 'pacing.json'), 'utf8');
    for (const secret of [ACCOUNT.token, 'events.example']) expect(told).not.toContain(secret);
    expect(JSON.parse(recalled(temporaryDirectory(), folder) ?? '')).toMatchObject({ limit: 30 });
    const other = { ...ACCOUNT, token: 'another token' };
    expect(recalled(temporaryDirectory(), folder, other)).toBeUndefined();
    expect(recalled(temporaryDirectory(), temporaryDirectory())).toBeUndefined();
    expect(use(first)).toEqual({ limit: 30, shared: true });
  });

  test('gives way to what is known here since, and stops nobody where it is damaged', () => {
    const [first, second, folder] = [used(), used(), temporaryDirectory()];
    keepPacing(first, ACCOUNT, folder, NOW);
    change(second, `UPDATE budget SET last_ms = last_ms + 1, memory = '"newer"'`);
    expect(recalled(second, folder)).toBe('"newer"');
    for (const text of ['', '{', '{"salt":1}', 'null']) {
      writeFileSync(join(folder, 'pacing.json'), text);
      expect(recalled(second, folder)).toBe('"newer"');
    }
  });
});

describe('the pacing file', () => {
  test('is private, whatever it was before, and so is its folder', () => {
    if (process.platform === 'win32') return;
    const directory = join(temporaryDirectory(), 'state');
    used(directory);
    expect([statSync(directory).mode & 0o777, statSync(fileIn(directory)).mode & 0o777]).toEqual([
      0o700, 0o600,
    ]);
    chmodSync(fileIn(directory), 0o644);
    openPacingFile(directory, ACCOUNT, 0).close();
    expect(statSync(fileIn(directory)).mode & 0o777).toBe(0o600);
  });

  test('holds neither the token nor a hash that is the same elsewhere', () => {
    const [here, there] = [used(), used()];
    const names = [here, there].map((directory) => {
      const db = new DatabaseSync(fileIn(directory));
      onTestFinished(() => db.close());
      return db.prepare('SELECT account FROM budget').get() as { account: string };
    });
    expect(names[0]?.account).toMatch(/^[0-9a-f]{64}$/);
    expect(names[0]).not.toEqual(names[1]);
    expect(readFileSync(fileIn(here)).includes('a token')).toBe(false);
  });

  test('remembers, and is shared', () => {
    expect(use(used())).toEqual({ limit: 30, shared: true });
  });
});

describe('processes', () => {
  test.each([30, undefined])('leave nothing but their knowledge when they end, limit %s', async (limit) => {
    const directory = temporaryDirectory();
    const { clock, start } = machine(directory);
    const [one, two] = [start(), start()];
    one.answered(one.take(), answer(limit));
    for (const { take, answered } of [two, one, two, one]) answered(take(), answer(limit));
    await clock.advance(2500);
    for (const { ledger } of [one, two]) ledger.close(clock.now());
    const db = new DatabaseSync(fileIn(directory));
    onTestFinished(() => db.close());
    expect(db.prepare("SELECT sharing ->> '$.members' AS members FROM budget").get()).toEqual({
      members: '[]',
    });
  });

  test('bring in a request once that they had under way', () => {
    const directory = temporaryDirectory();
    const { start } = machine(directory);
    const first = start();
    first.answered(first.take(), answer(undefined));
    change(directory, 'UPDATE budget SET sharing = NULL');
    const [one, two] = [start(), start()];
    const tickets = [one.take(), one.take(), one.take()];
    const theirs = two.take();
    one.answered(tickets[0], answer(undefined));
    two.answered(theirs, answer(30));
    for (const ticket of tickets.slice(1)) one.answered(ticket, answer(30));
    const db = new DatabaseSync(fileIn(directory));
    onTestFinished(() => db.close());
    const underWay = `SELECT sum(json_array_length(value, '$.requests')) AS requests,
      json_array_length(memory, '$.underWay') AS tickets FROM budget, json_each(sharing, '$.members')`;
    expect(db.prepare(underWay).get()).toEqual({ requests: 0, tickets: 0 });
  });

  test('take no answer for one to a request of before all began anew', () => {
    const directory = used();
    const { clock, start } = machine(directory);
    const [one, two] = [start(), start()];
    const late = one.take();
    change(
      directory,
      `UPDATE budget SET sharing = '{"members":[]}',
        memory = json_set(memory, '$.limit', NULL, '$.sent', 1, '$.heard', json('false'))`,
    );
    two.take();
    expect(two.wait()).toMatchObject({ delayMs: Number.POSITIVE_INFINITY });
    one.answered(late, answer(99));
    expect(two.ledger.budget(clock.now()).limit).toBeUndefined();
  });
});

describe('a damaged pacing file', () => {
  test('is told from the one that replaced it, though that may have the same number', () => {
    const file = fileIn(temporaryDirectory());
    writeFileSync(file, 'damaged');
    const found = statSync(file, { bigint: true });
    writeFileSync(file, 'damaged once more');
    expect(identityOf(statSync(file, { bigint: true }))).toBe(identityOf(found));
    const { ino, birthtimeNs } = found;
    expect(identityOf({ ino, birthtimeNs: birthtimeNs + 1n })).not.toBe(identityOf(found));
    expect(identityOf({ ino: ino + 1n, birthtimeNs })).not.toBe(identityOf(found));
  });

  test.each([
    ['garbage', (file: string) => writeFileSync(file, 'no database '.repeat(1000))],
    ['cut in the middle', (file: string) => writeFileSync(file, readFileSync(file).subarray(0, 5000))],
    [
      'of zero bytes',
      (file: string) => {
        for (const part of ['', '-wal', '-shm']) rmSync(`${file}${part}`, { force: true });
        writeFileSync(file, '');
      },
    ],
    [
      'overwritten within',
      (file: string) => {
        const bytes = readFileSync(file);
        bytes.fill(0xff, 4096, bytes.length);
        writeFileSync(file, bytes);
      },
    ],
    ['with a damaged log beside it', (file: string) => writeFileSync(`${file}-wal`, 'x'.repeat(5000))],
  ])('%s: is replaced or mended, and shared again', (_, damage) => {
    const directory = used();
    change(directory, 'PRAGMA wal_checkpoint(TRUNCATE)');
    damage(fileIn(directory));
    expect(use(directory).shared).toBe(true);
    const { clock, start } = machine(directory);
    expect(start().ledger.budget(clock.now()).limit).toBe(5);
  });

  test.each([
    ['DELETE FROM salt', { limit: undefined, shared: false }],
    ['DROP TABLE budget', { limit: undefined, shared: false }],
    ['ALTER TABLE budget DROP COLUMN memory; PRAGMA user_version = 0;', { limit: undefined, shared: true }],
    ["UPDATE budget SET memory = '{'", { limit: undefined, shared: true }],
    ["UPDATE budget SET memory = '[1,2]'", { limit: undefined, shared: true }],
    ['UPDATE budget SET memory = NULL', { limit: undefined, shared: true }],
    [
      `UPDATE budget SET memory = '"' || printf('%.*c', 2000000, 'x') || '"'`,
      { limit: undefined, shared: true },
    ],
    [
      `UPDATE budget SET sharing = '{"members":[]}', memory = json_set(memory, '$.underWay[0]', 1, '$.heard', json('false'))`,
      { limit: 30, shared: true },
    ],
    [
      `UPDATE budget SET sharing = '{"limited":false,"members":[]}', memory = json_set(memory, '$.underWay[0]', 1, '$.heard', json('false'))`,
      { limit: 30, shared: true },
    ],
    ['UPDATE budget SET ahead_ms = 9e300, last_ms = 9e300', { limit: undefined, shared: true }],
    ['UPDATE budget SET sharing = NULL', { limit: 30, shared: true }],
    [`UPDATE budget SET sharing = '{"members":[7]}'`, { limit: 30, shared: true }],
    [
      `UPDATE budget SET sharing = '{"limited":true,"members":[
        {"id":"x","seenAtMs":9e14,"waiting":true,"leave":0,"taken":-9e14,
          "requests":[{"number":1,"ticket":1,"sentMs":9e14}]}]}'`,
      { limit: 30, shared: true },
    ],
  ])('%s stops nobody', (sql, expected) => {
    const directory = used();
    change(directory, sql);
    expect(use(directory)).toEqual(expected);
  });
});

describe('a pacing file that cannot be used', () => {
  test.each([
    ['a folder', (file: string) => mkdirSync(file)],
    ['a link to nowhere', (file: string) => symlinkSync('nowhere', file)],
    ['another program’s database', (file: string) => change(join(file, '..'), 'CREATE TABLE theirs (a)')],
    [
      'written by a newer version',
      (file: string) => change(used(join(file, '..')), 'PRAGMA user_version = 2'),
    ],
  ])('%s: is left as it is, and each process goes alone', (_, make) => {
    const directory = temporaryDirectory();
    make(fileIn(directory));
    const before = statSync(fileIn(directory), { throwIfNoEntry: false })?.size;
    expect(use(directory)).toEqual({ limit: undefined, shared: false });
    expect(statSync(fileIn(directory), { throwIfNoEntry: false })?.size).toBe(before);
  });

  test.each([
    ['that is a file', 'state'],
    ['below a file', 'state/below'],
  ])('in a folder %s', (_, path) => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'state'), 'a text');
    expect(use(join(directory, path))).toEqual({ limit: undefined, shared: false });
    expect(readFileSync(join(directory, 'state'), 'utf8')).toBe('a text');
  });

  test('in a folder that cannot be written: root alone shares', () => {
    const mayWrite = process.getuid?.() === 0 || process.platform === 'win32';
    const directory = temporaryDirectory();
    chmodSync(directory, 0o500);
    onTestFinished(() => chmodSync(directory, 0o700));
    expect(use(directory)).toEqual({ limit: undefined, shared: mayWrite });
    expect(existsSync(fileIn(directory))).toBe(mayWrite);
  });

  test('that somebody holds for good', async () => {
    const directory = used();
    const db = new DatabaseSync(fileIn(directory));
    onTestFinished(() => db.close());
    db.exec('BEGIN IMMEDIATE');
    const { clock, start } = machine(directory);
    const one = start();
    expect(one.wait()).toEqual({ delayMs: Number.POSITIVE_INFINITY, againMs: 10 });
    await clock.advance(5000);
    expect(one.wait()).toBeDefined();
    await clock.advance(1);
    one.answered(one.take(), answer(5));
    expect([one.take(), one.take(), one.take(), one.take(), one.take()]).toEqual([2, 3, 4, 5, undefined]);
  });

  test('that is emptied while another process has it open', async () => {
    const directory = used();
    const db = new DatabaseSync(fileIn(directory));
    onTestFinished(() => db.close());
    db.exec('BEGIN; SELECT * FROM budget;');
    writeFileSync(fileIn(directory), '');
    const { clock, start } = machine(directory);
    const one = start();
    expect(one.take()).toBeUndefined();
    await clock.advance(5001);
    expect(one.take()).toBe(1);
  });

  test('from some moment on: requests under way keep their tickets, and what was known is kept', () => {
    const directory = used();
    const { clock, start } = machine(directory);
    const one = start();
    const ticket = one.take();
    one.kill();
    one.answered(ticket, answer(31));
    expect(one.ledger.budget(clock.now())).toMatchObject({ limit: 31, remaining: 29 });
    expect(one.take()).toBe(2);
  });
});
