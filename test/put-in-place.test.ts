import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isHeldOpen, removeFolder, renameOver, syncFolder } from '../src/put-in-place.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';

/** A system that refuses a rename some times before it does it. */
function refusing(platform: string, code: string, times: number) {
  const asked: string[] = [];
  return {
    asked,
    system: {
      platform,
      rename(from: string, to: string) {
        asked.push(`${from} > ${to}`);
        if (asked.length <= times) throw Object.assign(new Error(code), { code });
      },
      pause: () => void asked.push('pause'),
    },
  };
}

describe('a rename over another file', () => {
  test('takes its place', () => {
    const directory = temporaryDirectory();
    const [from, to] = [join(directory, 'new'), join(directory, 'old')];
    writeFileSync(from, 'new');
    writeFileSync(to, 'old');
    renameOver(from, to);
    expect(readFileSync(to, 'utf8')).toBe('new');
  });

  test.each(['EPERM', 'EACCES', 'EBUSY'])('is tried again on Windows after %s', (code) => {
    const { asked, system } = refusing('win32', code, 3);
    renameOver('a', 'b', system);
    expect(asked).toEqual(['a > b', 'pause', 'a > b', 'pause', 'a > b']);
  });

  test('is given up on Windows after a second', () => {
    const { asked, system } = refusing('win32', 'EBUSY', Number.POSITIVE_INFINITY);
    expect(() => renameOver('a', 'b', system)).toThrow('EBUSY');
    expect(asked.filter((one) => one === 'pause')).toHaveLength(50);
  });

  test.each([
    ['linux', 'EPERM'],
    ['darwin', 'EBUSY'],
    ['win32', 'ENOENT'],
  ])('is not tried again on %s after %s', (platform, code) => {
    const { asked, system } = refusing(platform, code, 1);
    expect(() => renameOver('a', 'b', system)).toThrow(code);
    expect(asked).toEqual(['a > b']);
  });
});

test('nothing but a refusal of Windows tells of a file that is open elsewhere', () => {
  const busy = { code: 'EBUSY' };
  expect([
    isHeldOpen(busy, 'win32'),
    isHeldOpen(busy, 'linux'),
    isHeldOpen({ code: 'ENOENT' }, 'win32'),
  ]).toEqual([true, false, false]);
});

test('a folder that is not there cannot be synced', () => {
  const directory = temporaryDirectory();
  syncFolder(directory);
  expect(() => syncFolder(join(directory, 'none'))).toThrow('ENOENT');
});

test('a folder goes with all that is in it, and one that is not there is gone', () => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'clone', 'inner'), { recursive: true });
  writeFileSync(join(directory, 'clone', 'inner', 'file'), '');
  removeFolder(join(directory, 'clone'));
  removeFolder(join(directory, 'clone'));
  expect(readdirSync(directory)).toEqual([]);
});

describe('what is not so on Windows', () => {
  const root = join(import.meta.dirname, '..', 'src');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );

  test.each([
    [
      'a file is renamed',
      /\brename(?:Sync)?\(|\brenameSync\b/,
      ['put-in-place.ts', join('state', 'copy.ts')],
    ],
    ['a folder is removed without trying again', /\brm(?:Sync)?\((?![^;]*maxRetries)[^;]*recursive/, []],
    [
      'modes are changed',
      /chmod(?:Sync)?\(/,
      [join('settings', 'private-file.ts'), join('sqlite', 'private-database.ts')],
    ],
  ])('is known where %s', (_what, pattern, places) => {
    const found = files.filter((file) => pattern.test(readFileSync(join(root, file), 'utf8')));
    expect(found.sort()).toEqual(places);
  });
});
