import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, test, vi } from 'vitest';
import { EventregError, EXIT } from '../../../src/errors.ts';
import { rowWithId } from '../../../src/sync/journal/rows-to-send.ts';
import { countIn, queuedRows, writeIntent, writeOutcome } from '../../../src/sync/journal/queued-rows.ts';
import { flag, json, place, rowCodec, value } from '../../../src/sqlite/row-codec.ts';
import { Database } from '../../../src/sqlite/private-database.ts';
import { journalError } from '../../../src/sync/journal/journal-schema.ts';
import { Journal } from '../../../src/sync/journal/journal.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { openJournal, readRun, stepsOf } from '../journal-bench.ts';
import { pushBench, visitors } from '../push-bench.ts';
import { addRow } from '../../../src/sync/journal/row-tables.ts';

const modeOf = (path: string): number => statSync(path).mode & 0o777;

function failure(work: () => unknown): EventregError {
  try {
    work();
  } catch (error) {
    if (error instanceof EventregError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('the file of the journal', () => {
  test('is readable by its owner only, whatever is beside it', () => {
    const state = join(temporaryDirectory(), 'a', 'state');
    const journal = new Journal(state);
    readRun(journal, [{ barcode: 'A' }]);
    expect(modeOf(state)).toBe(0o700);
    for (const name of ['journal.sqlite', 'journal.sqlite-wal', 'journal.sqlite-shm']) {
      expect([name, modeOf(join(state, name))]).toEqual([name, 0o600]);
    }
    journal.close();
  });

  test('is made private when it was open to others', () => {
    const state = temporaryDirectory();
    new Journal(state).close();
    chmodSync(join(state, 'journal.sqlite'), 0o644);
    new Journal(state).close();
    expect(modeOf(join(state, 'journal.sqlite'))).toBe(0o600);
  });

  test.each(['a link', 'a folder'])('is never %s', (what) => {
    const state = temporaryDirectory();
    const target = join(state, 'target');
    if (what === 'a link') symlinkSync(target, join(state, 'journal.sqlite'));
    else mkdirSync(join(state, 'journal.sqlite'));
    const error = failure(() => new Journal(state));
    expect(error.exitCode).toBe(EXIT.failed);
    expect(error.message).toContain('is not a plain file');
    expect(existsSync(target)).toBe(false);
  });

  test.each([
    ['somebody else has', true, 'Another eventreg is reading a large file'],
    ['no file there can have', false, 'Files cannot be locked there'],
  ])('that is locked says what to do about a lock that %s', (_who, hasLocks, hint) => {
    const busy = Object.assign(new Error('database is locked'), { errcode: 5 });
    if (!hasLocks) {
      vi.spyOn(Database.prototype, 'exec').mockImplementationOnce(() => {
        throw busy;
      });
    }
    const state = temporaryDirectory();
    const error = journalError(busy, join(state, 'journal.sqlite'));
    expect(error).toMatchObject({ hint: expect.stringContaining(hint) });
    expect(readdirSync(state)).toEqual([]);
  });

  test('of a newer version is left alone', () => {
    const state = temporaryDirectory();
    new Journal(state).close();
    const db = new DatabaseSync(join(state, 'journal.sqlite'));
    db.exec('PRAGMA user_version = 99');
    db.close();
    const error = failure(() => new Journal(state));
    expect(error).toMatchObject({ exitCode: EXIT.failed, hint: expect.stringContaining('Update eventreg') });
    expect(error.message).toContain('was written by a newer eventreg');
  });

  test('keeps everything when it is closed and opened again', () => {
    const state = temporaryDirectory();
    const first = new Journal(state);
    const run = readRun(first, [{ barcode: 'A' }]);
    first.close();
    const second = new Journal(state);
    expect(countIn(second, run, ['pending'])).toBe(1);
    second.close();
  });

  test('erases what is deleted: names do not stay in it', () => {
    const state = temporaryDirectory();
    const holdsName = (): boolean => readFileSync(join(state, 'journal.sqlite')).includes('Xanthippe');
    const first = new Journal(state);
    const run = readRun(first, [{ barcode: 'A', name: 'Xanthippe' }]);
    first.close();
    expect(holdsName()).toBe(true);
    const second = new Journal(state);
    second.run('DELETE FROM run WHERE id = $run', { $run: run });
    second.close();
    expect(holdsName()).toBe(false);
  });
});

describe('a journal that cannot be used', () => {
  test('is one clear error, and nothing is sent', async () => {
    const bench = await pushBench();
    const state = join(bench.directory, 'state');
    mkdirSync(state);
    writeFileSync(
      join(state, 'journal.sqlite'),
      'not a database at all, but long enough to be looked at\n'.repeat(50),
    );
    const ended = await bench.push([bench.write('a.csv', visitors('A'))]);
    expect(ended.code).toBe(EXIT.failed);
    expect(ended.err).toMatch(
      /^eventreg: The journal .*journal\.sqlite is damaged: file is not a database\.\nhint: /,
    );
    expect(bench.service.requests).toEqual([]);
  });

  test('that turns read-only stops the sending at once, and the rest is sent later', async () => {
    const bench = await pushBench();
    const file = bench.write('a.csv', visitors('A', 'B', 'C'));
    await bench.push([file, '--dry-run']);
    const db = new DatabaseSync(join(bench.directory, 'state', 'journal.sqlite'));
    // Stands for a full disk, which would fail the same statements.
    db.exec(`CREATE TRIGGER full BEFORE INSERT ON departure
      BEGIN SELECT RAISE(ABORT, 'disk I/O error'); END`);
    const ended = await bench.push([file]);
    expect(ended.code).toBe(EXIT.failed);
    expect(ended.err).toContain('cannot be used: disk I/O error.');
    expect(ended.err).toContain('Nothing is sent without a journal;');
    expect(bench.posts()).toEqual([]);
    db.exec('DROP TRIGGER full');
    db.close();
    expect(await bench.push([file])).toMatchObject({ code: EXIT.done, summary: { sent: 3 } });
  });

  test('when an outcome cannot be written, nothing further is begun', async () => {
    const bench = await pushBench();
    const people = Array.from({ length: 40 }, (_, index) => `B${index}`);
    const file = bench.write('a.csv', visitors(...people));
    await bench.push([file, '--dry-run']);
    const db = new DatabaseSync(join(bench.directory, 'state', 'journal.sqlite'));
    db.exec(`CREATE TRIGGER full BEFORE INSERT ON departure WHEN NEW.list LIKE '%"done"%'
      BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`);
    const ended = await bench.push([file]);
    expect(ended.code).toBe(EXIT.failed);
    expect(ended.err).toContain('database or disk is full');
    expect(bench.posts().length).toBeLessThanOrEqual(8);
    db.exec('DROP TRIGGER full');
    db.close();
    expect(await bench.push([file])).toMatchObject({
      code: EXIT.done,
      summary: { uncertain: 0, pending: 0 },
    });
    expect(bench.posts()).toHaveLength(40);
  });
});

describe('rows in the journal', () => {
  test('come a page at a time, while the journal is written', () => {
    const journal = openJournal();
    const run = readRun(
      journal,
      ['A', 'B', 'C', 'D', 'E'].map((barcode) => ({ barcode })),
    );
    const sql = `SELECT seq, barcode FROM row WHERE run = $run AND state = 'pending' AND seq > $after ORDER BY seq`;
    const pages = journal.pages<{ seq: number; barcode: string }>(sql, { $run: run }, 'seq', 2);
    const seen: string[][] = [];
    for (const page of pages) {
      seen.push(page.map(({ barcode }) => barcode));
      // What has been passed, and what is on the next page.
      journal.run(`UPDATE operation SET state = 'rejected' WHERE seq IN (0, 2)`);
    }
    expect(seen).toEqual([
      ['A', 'B'],
      ['D', 'E'],
    ]);
  });

  test('come from where the caller says, by a key of text', () => {
    const journal = openJournal();
    const run = readRun(
      journal,
      ['A', 'B', 'C', 'D'].map((barcode) => ({ barcode })),
    );
    const sql = 'SELECT barcode FROM row WHERE run = $run AND barcode > $after ORDER BY barcode';
    const read = (after: string) => [
      ...journal.pages<{ barcode: string }>(sql, { run, after }, 'barcode', 1),
    ];
    expect(read('B')).toEqual([[{ barcode: 'C' }], [{ barcode: 'D' }]]);
    expect(read('').length).toBe(4);
    expect(read('D')).toEqual([]);
  });

  test('wait in the order of the file, a page at a time', () => {
    const journal = openJournal();
    const run = readRun(
      journal,
      ['A', 'B', 'C', 'D'].map((barcode) => ({ barcode })),
    );
    const page = (seq: number) =>
      queuedRows(journal, run, { depth: 0, after: { position: 0, seq }, limit: 2 }).map(({ seq, place }) => [
        seq,
        place.line,
      ]);
    expect([page(-1), page(1), page(3)]).toEqual([
      [
        [0, 2],
        [1, 3],
      ],
      [
        [2, 4],
        [3, 5],
      ],
      [],
    ]);
  });

  test('have NULL for what is undefined, by name and in order, read and written', () => {
    const journal = openJournal();
    const run = readRun(journal, [{ barcode: 'A' }]);
    const values = { $run: run, $barcode: undefined, $status: 200 };
    journal.run('UPDATE operation SET barcode = $barcode, status = $status WHERE run = $run', values);
    journal.run('UPDATE operation SET plan = ?, attempts = ? WHERE run = ?', [undefined, 3, run]);
    const sql = 'SELECT barcode, plan, status, attempts FROM row WHERE barcode IS $barcode';
    const expected = { barcode: undefined, plan: undefined, status: 200, attempts: 3 };
    expect({ ...journal.get(sql, { $barcode: undefined }) }).toStrictEqual(expected);
    expect(journal.all(sql, { $barcode: undefined }).map((row) => ({ ...row }))).toStrictEqual([expected]);
    expect([...journal.iterate(sql, { $barcode: undefined })]).toMatchObject([
      { barcode: null, status: 200 },
    ]);
    expect(journal.get('SELECT ? IS NULL AS none, ? AS some', [undefined, 1])).toEqual({ none: 1, some: 1 });
    expect(values.$barcode).toBeUndefined();
  });

  test('are read as their codec says, and written with it in mind: nothing, JSON, yes and no, places', () => {
    const journal = openJournal();
    const run = readRun(journal, []);
    const codec = rowCodec({
      seq: value<number>(),
      at: place(),
      remoteId: value<string | undefined>(),
      message: value<string | undefined>(),
      near: json<unknown>(),
      notes: json<unknown>(),
      count: json<unknown>(`coalesce(reasons, '[]')`),
      enableComms: flag(),
      isLate: flag('sent_at > 5'),
    });
    const row = { run, seq: 7, line: 3, state: 'pending', op: 'send' };
    addRow(journal, {
      ...row,
      file: 'a.csv',
      sheet: undefined,
      remoteId: 'r7',
      near: { x: [1] },
      enableComms: true,
    });
    addRow(journal, { ...row, seq: 9, file: 'b', sheet: 'S', notes: [], enableComms: false, sentAt: 6 });
    const expected = [
      {
        seq: 7,
        at: { file: 'a.csv', sheet: undefined, line: 3 },
        remoteId: 'r7',
        message: undefined,
        near: { x: [1] },
        notes: undefined,
        count: [],
        enableComms: true,
        isLate: false,
      },
      {
        seq: 9,
        at: { file: 'b', sheet: 'S', line: 3 },
        remoteId: undefined,
        message: undefined,
        near: undefined,
        notes: [],
        count: [],
        enableComms: false,
        isLate: true,
      },
    ];
    const from = 'FROM row WHERE seq > $after ORDER BY seq';
    expect(journal.read(codec, from, { $after: 0 })).toStrictEqual(expected);
    expect([...journal.readPages(codec, from, {}, 'seq', 1)]).toStrictEqual(expected.map((one) => [one]));
    expect(journal.readOne(codec, from, { $after: 7 })).toStrictEqual(expected[1]);
    expect(journal.readOne(codec, from, { $after: 9 })).toBeUndefined();
  });

  test('keep the intent, then the outcome, and an id that was learned once', () => {
    const journal = openJournal();
    const run = readRun(journal, [{ barcode: 'A' }]);
    const read = () =>
      journal.get('SELECT state, attempts, sent_at, done_at, status, remote_id, message FROM row');
    writeIntent(journal, run, 0, { at: 10, requestId: 'q1' });
    expect(read()).toMatchObject({ state: 'sending', attempts: 1, sent_at: 10, done_at: undefined });
    writeOutcome(journal, run, 0, { state: 'uncertain', remoteId: 'r1', message: 'lost' }, 20);
    writeIntent(journal, run, 0, { at: 30, requestId: 'q2' });
    writeOutcome(journal, run, 0, { state: 'done', status: 201 }, 40);
    expect(stepsOf(journal, run, 0)).toMatchObject([
      { at: 10, what: 'sent', requestId: 'q1' },
      { at: 20, what: 'answered', detail: 'uncertain: lost' },
      { at: 30, what: 'sent', requestId: 'q2' },
      { at: 40, what: 'answered', status: 201, detail: 'done' },
    ]);
    expect(journal.get('SELECT sent_no, listed_no FROM row')).toEqual({ sent_no: 3, listed_no: 4 });
    expect(read()).toEqual({
      state: 'done',
      attempts: 2,
      sent_at: 30,
      done_at: 40,
      status: 201,
      remote_id: 'r1',
      message: undefined,
    });
  });

  test('show what has left and was answered at once, here and elsewhere, by state and by id', () => {
    const directory = temporaryDirectory();
    const [journal, beside] = [openJournal(directory), openJournal(directory)];
    const run = readRun(journal, [{ barcode: 'A' }, { barcode: 'B' }]);
    for (const seq of [0, 1]) writeIntent(journal, run, seq, { at: 10, requestId: `q${seq}` });
    expect(countIn(beside, run, ['sending'])).toBe(2);
    writeOutcome(journal, run, 0, { state: 'done', status: 201, remoteId: 'r1' }, 20);
    expect(rowWithId(journal, run, 1, 'r1')).toMatchObject({ seq: 0 });
    writeOutcome(journal, run, 1, { state: 'done', status: 201, remoteId: 'r2' }, 30);
    expect(countIn(beside, run, ['done'])).toBe(2);
  });

  test('are numbered in one line with all else, here and elsewhere, told of or not', () => {
    const directory = temporaryDirectory();
    const [journal, beside] = [openJournal(directory), openJournal(directory)];
    const run = readRun(journal, [{ barcode: 'A' }, { barcode: 'B' }]);
    const before = journal.nextNo();
    writeIntent(journal, run, 0, { at: 10, requestId: 'q0' });
    expect(beside.nextNo()).toBe(before + 2);
    writeOutcome(journal, run, 0, { state: 'done', status: 201 }, 20);
    // Asking for rows has them told.
    expect(queuedRows(journal, run, { depth: 0, limit: 5 })).toHaveLength(1);
    expect(journal.nextNo()).toBe(before + 4);
    const of = journal.get(`SELECT sent_no AS sent, listed_no AS listed FROM row WHERE seq = 0`);
    expect(of).toEqual({ sent: before + 1, listed: before + 3 });
  });

  test('a transaction that fails leaves nothing', () => {
    const journal = openJournal();
    const run = readRun(journal, [{ barcode: 'A' }]);
    const fail = (): never => {
      writeIntent(journal, run, 0, { at: 10, requestId: 'q1' });
      throw new Error('half-way');
    };
    expect(() => journal.transaction(fail)).toThrow('half-way');
    expect(countIn(journal, run, ['pending'])).toBe(1);
    expect(journal.latestNo).toBe(0);
  });
});

test.each([1, 2, 3])('a journal of version %i is refused, named, and left as it is', (version) => {
  const state = temporaryDirectory();
  const file = join(state, 'journal.sqlite');
  const journal = new Journal(state);
  readRun(journal, [{ barcode: 'A' }]);
  journal.close();
  const db = new DatabaseSync(file);
  // As a journal was that knew nothing of runs that go on from each other.
  db.exec(`ALTER TABLE run DROP COLUMN continued_by; PRAGMA user_version = ${version}`);
  db.close();
  const before = readFileSync(file);
  const error = failure(() => new Journal(state));
  expect(error).toMatchObject({ exitCode: EXIT.failed, hint: expect.stringContaining('EVENTREG_STATE_DIR') });
  expect(error.message).toBe(`The journal ${file} was written by an older eventreg. It is left as it is.`);
  expect(readFileSync(file).equals(before)).toBe(true);
});

test('every table has a primary key: without one what changes in it could not be told to other machines', () => {
  const state = temporaryDirectory();
  new Journal(state).close();
  const db = new DatabaseSync(join(state, 'journal.sqlite'));
  const tables = db
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'`)
    .all() as { name: string }[];
  expect(tables.length).toBeGreaterThan(8);
  const keyless = tables.filter(
    ({ name }) => db.prepare(`SELECT 1 FROM pragma_table_info(?) WHERE pk > 0`).get(name) === undefined,
  );
  db.close();
  expect(keyless).toEqual([]);
});
