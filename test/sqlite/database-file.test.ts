import { describe, expect, test } from 'vitest';
import { EventregError, EXIT } from '../../src/errors.ts';
import { DatabaseFile } from '../../src/sqlite/database-file.ts';
import { Database } from '../../src/sqlite/private-database.ts';
import { RunLocks } from '../../src/sqlite/run-locks.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const ROWS = 'CREATE TABLE one (no INTEGER PRIMARY KEY, word TEXT) STRICT;';

/** A file whose changes go to a second one. */
function recorded() {
  const db = new Database(':memory:');
  const copy = new Database(':memory:');
  for (const each of [db, copy]) each.exec(ROWS);
  const log: string[] = [];
  const sharing = {
    db,
    leadMs: 0,
    who: 'ana@here',
    locks: new RunLocks(temporaryDirectory()),
    record(changes: Uint8Array): void {
      log.push(db.isTransaction ? 'recorded' : 'recorded too late');
      copy.applyChangeset(changes);
    },
    compacted: () => void log.push('compacted'),
    shipped: () => Promise.resolve(),
    mayLeave: () => Promise.resolve(),
  };
  const error = (cause: unknown) => new EventregError(EXIT.failed, String(cause));
  const file = new DatabaseFile(db, error, sharing);
  const words = (): unknown[] => copy.prepare('SELECT word FROM one ORDER BY no').all();
  return { file, log, words };
}

describe('a file that is shared', () => {
  test('records what each write changes, within it, and once where several are one', () => {
    const { file, log, words } = recorded();
    file.insert('INSERT INTO one (word) VALUES (?)', ['a']);
    file.run(`UPDATE one SET word = 'b'`);
    file.transaction(() => {
      file.add('one', { word: 'c' });
      file.transaction(() => file.add('one', { word: 'd' }));
    });
    expect(log).toEqual(['recorded', 'recorded', 'recorded']);
    expect(words()).toEqual([{ word: 'b' }, { word: 'c' }, { word: 'd' }]);
  });

  test('records nothing of what changes nothing, or is taken back', () => {
    const { file, log } = recorded();
    file.run(`DELETE FROM one`);
    const failing = (): void =>
      file.transaction(() => {
        file.add('one', { word: 'a' });
        throw new Error('no');
      });
    expect(failing).toThrow('no');
    expect(file.count('FROM one')).toBe(0);
    expect(log).toEqual([]);
  });

  test('tells that what was deleted is gone from it', () => {
    const { file, log } = recorded();
    file.compact();
    expect(log).toEqual(['compacted']);
  });
});
