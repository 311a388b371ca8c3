import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { RunLocks } from '../../src/sqlite/run-locks.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

function locksOf(directory: string): RunLocks {
  const locks = new RunLocks(directory);
  onTestFinished(() => locks.close());
  return locks;
}

/** Another process that takes a run and keeps it until it is killed. */
async function otherProcess(directory: string, run: string) {
  const program = `
    const { DatabaseSync } = require('@photostructure/sqlite');
    const db = new DatabaseSync(${JSON.stringify(join(directory, 'locks', run))}, { timeout: 0 });
    db.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;');
    console.log('taken');
    setInterval(() => db, 1000);`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

describe('a run that is locked', () => {
  test('is taken once, by whoever comes first', () => {
    const directory = temporaryDirectory();
    const [mine, theirs] = [locksOf(directory), locksOf(directory)];
    expect(mine.take('a')).toBe(true);
    expect(mine.take('a')).toBe(true);
    expect(theirs.take('a')).toBe(false);
    expect(theirs.take('b')).toBe(true);
  });

  test('is held for others and own for oneself', () => {
    const directory = temporaryDirectory();
    const [mine, theirs] = [locksOf(directory), locksOf(directory)];
    mine.take('a');
    expect([mine.isOwn('a'), mine.isHeld('a')]).toEqual([true, false]);
    expect([theirs.isOwn('a'), theirs.isHeld('a')]).toEqual([false, true]);
    expect(theirs.isHeld('never taken')).toBe(false);
  });

  test('stays locked when somebody looks', () => {
    const directory = temporaryDirectory();
    const [mine, theirs, third] = [locksOf(directory), locksOf(directory), locksOf(directory)];
    mine.take('a');
    theirs.isHeld('a');
    theirs.take('a');
    expect(third.take('a')).toBe(false);
  });

  test('is free again once it is released, forgotten or its journal closed', () => {
    const directory = temporaryDirectory();
    const [mine, theirs] = [locksOf(directory), locksOf(directory)];
    for (const letGo of [() => mine.release('a'), () => mine.forget('a'), () => mine.close()]) {
      mine.take('a');
      letGo();
      expect(theirs.take('a')).toBe(true);
      theirs.release('a');
    }
  });

  test('leaves no file when it is forgotten, and an empty private one until then', () => {
    const directory = temporaryDirectory();
    const locks = locksOf(directory);
    locks.take('a');
    expect(readdirSync(join(directory, 'locks'))).toEqual(['a']);
    const { size, mode } = statSync(join(directory, 'locks', 'a'));
    expect(size).toBe(0);
    if (process.platform !== 'win32') expect(mode & 0o777).toBe(0o600);
    locks.forget('a');
    expect(existsSync(join(directory, 'locks', 'a'))).toBe(false);
  });

  test('is free again at once when its process is killed', async () => {
    const directory = temporaryDirectory();
    const locks = locksOf(directory);
    locks.take('a');
    locks.release('a');
    const child = await otherProcess(directory, 'a');
    expect(locks.take('a')).toBe(false);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(locks.take('a')).toBe(true);
  });

  test('says what is wrong when its file cannot be locked', () => {
    const directory = temporaryDirectory();
    const locks = locksOf(directory);
    locks.take('a');
    const inside = locksOf(join(directory, 'locks', 'a'));
    expect(() => inside.take('b')).toThrow(/ENOTDIR|EEXIST|ENOENT/);
  });
});
