import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { defaultBackupFile, writeBackup } from '../../../src/sync/delete/backup.ts';
import { canMount, mountedDisk } from '../../e2e/limited-disk.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const ADA = {
  id: 'reg-1',
  persona: 'visitor',
  barcode: 'A',
  enableComms: true,
  fields: { first_name: 'Ada', guests: 2 },
};
const BOB = {
  id: 'reg-2',
  persona: 'visitor',
  barcode: 'B',
  parentBarcode: 'A',
  fields: { remarks: '\u001B[2J' },
};
const TEXT = `{"registration_id":"reg-1","persona":"visitor","barcode":"A","fields":{"first_name":"Ada","guests":2}}
{"registration_id":"reg-2","persona":"visitor","barcode":"B","parent_barcode":"A","fields":{"remarks":"\\u001b[2J"}}
`;

describe('a backup', () => {
  test('holds what push takes back, for its owner only, and nothing that writes to people', () => {
    const folder = join(temporaryDirectory(), 'new', 'folder');
    const file = join(folder, 'b.ndjson');
    writeBackup(file, [ADA, BOB]);
    expect(readFileSync(file, 'utf8')).toBe(TEXT);
    expect([statSync(file).mode & 0o777, statSync(folder).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(readdirSync(folder)).toEqual(['b.ndjson']);
  });

  test('that is there already just so is one; a process was killed right after it wrote it', () => {
    const file = join(temporaryDirectory(), 'b.ndjson');
    writeBackup(file, [ADA, BOB]);
    const { ino } = statSync(file);
    writeBackup(file, [ADA, BOB]);
    expect([readFileSync(file, 'utf8'), statSync(file).ino]).toEqual([TEXT, ino]);
  });

  test.each([
    ['other text', 'mine'],
    ['an empty file', ''],
    ['its beginning', TEXT.slice(0, 100)],
    ['more than it', `${TEXT}x`],
    ['the same length', TEXT.replace('Ada', 'Eve')],
  ])('replaces nothing: %s', (_what, text) => {
    const folder = temporaryDirectory();
    const file = join(folder, 'b.ndjson');
    writeFileSync(file, text);
    expect(() => writeBackup(file, [ADA, BOB])).toThrow(
      /^The backup cannot be written, so nothing was deleted: EEXIST/,
    );
    expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual([text, ['b.ndjson']]);
  });

  test('compares all of a file that is longer than what is read at a time', () => {
    const file = join(temporaryDirectory(), 'b.ndjson');
    const many = Array.from({ length: 3000 }, (_, at) => ({ ...ADA, id: `reg-${at}` }));
    writeBackup(file, many);
    writeBackup(file, many);
    expect(() => writeBackup(file, [...many.slice(0, -1), BOB])).toThrow('EEXIST');
  });

  test('does not follow a link, and says what is wrong with a folder', () => {
    const folder = temporaryDirectory();
    writeFileSync(join(folder, 'theirs'), 'theirs');
    symlinkSync(join(folder, 'theirs'), join(folder, 'b.ndjson'));
    expect(() => writeBackup(join(folder, 'b.ndjson'), [ADA])).toThrow('EEXIST');
    expect(readFileSync(join(folder, 'theirs'), 'utf8')).toBe('theirs');
    expect(() => writeBackup(join(folder, 'theirs', 'b.ndjson'), [ADA])).toThrow(
      'The backup cannot be written',
    );
    mkdirSync(join(folder, 'taken.ndjson'));
    expect(() => writeBackup(join(folder, 'taken.ndjson'), [ADA])).toThrow('The backup cannot be written');
  });

  test.runIf(canMount())('that a full disk has no room for is told, and no part of it stays', () => {
    const disk = mountedDisk(64);
    const many = Array.from({ length: 3000 }, (_, at) => ({ ...ADA, id: `reg-${at}` }));
    const file = join(disk.directory, 'b.ndjson');
    expect(() => writeBackup(file, many)).toThrow(/^The backup cannot be written, so nothing was deleted: /);
    expect(readdirSync(disk.directory)).toEqual([]);
    disk.grow(1024);
    writeBackup(file, many);
    expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(3000);
  });

  test('goes by default into the state directory, each to a file of its own', () => {
    const at = Date.UTC(2027, 2, 1, 8, 15, 9);
    const files = [1, 2].map(() => defaultBackupFile('/state', at, { pid: 7 }));
    expect(files[0]).toMatch(/^\/state\/backups\/deleted-20270301-081509-7-[0-9a-f]{4}\.ndjson$/);
    expect(files[0]).not.toBe(files[1]);
  });
});
