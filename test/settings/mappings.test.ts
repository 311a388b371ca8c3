import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type KeptMapping, type MappingKey, readMapping, writeMapping } from '../../src/settings/mappings.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const onPosix = process.platform !== 'win32';
const KEY: MappingKey = {
  service: 'https://a.example.com',
  event: '7',
  headers: ['Vorname', 'E-Mail', 'Tel'],
};
const SAVED: KeptMapping = {
  map: new Map([
    ['Tel', 'phone'],
    ['__proto__', 'email'],
  ]),
  ignore: ['Notes'],
};

describe('a mapping', () => {
  test('is nothing before one is remembered, and nothing is created', () => {
    const configDir = join(temporaryDirectory(), 'config');
    expect(readMapping(configDir, KEY)).toBeUndefined();
    expect(existsSync(configDir)).toBe(false);
  });

  test('is remembered for the same headings, however they are ordered and spaced', async () => {
    const configDir = temporaryDirectory();
    await writeMapping(configDir, KEY, SAVED);
    expect(readMapping(configDir, KEY)).toEqual(SAVED);
    expect(readMapping(configDir, { ...KEY, headers: [' e-mail ', 'TEL', 'Vorname'] })).toEqual(SAVED);
  });

  test.each<[string, Partial<MappingKey>]>([
    ['of another service', { service: 'https://b.example.com' }],
    ['of another event', { event: '8' }],
    ['with a heading more', { headers: [...KEY.headers, 'x'] }],
    ['with a heading less', { headers: ['Vorname', 'E-Mail'] }],
    ['whose headings only read the same together', { headers: ['Vorname', 'E-Mail Tel'] }],
  ])('is not used for files %s', async (_, other) => {
    const configDir = temporaryDirectory();
    await writeMapping(configDir, KEY, SAVED);
    expect(readMapping(configDir, { ...KEY, ...other })).toBeUndefined();
  });

  test('is replaced, and others stay', async () => {
    const configDir = temporaryDirectory();
    const other = { ...KEY, event: '8' };
    await writeMapping(configDir, KEY, SAVED);
    await writeMapping(configDir, other, SAVED);
    await writeMapping(configDir, KEY, { map: new Map([['Tel', 'mobile']]), ignore: [] });
    expect(readMapping(configDir, KEY)).toEqual({ map: new Map([['Tel', 'mobile']]), ignore: [] });
    expect(readMapping(configDir, other)).toEqual(SAVED);
  });

  test('is forgotten when 500 others were remembered since', async () => {
    const configDir = temporaryDirectory();
    await writeMapping(configDir, KEY, SAVED);
    const file = join(configDir, 'mappings.json');
    const book = JSON.parse(readFileSync(file, 'utf8')) as { mappings: { key: string }[] };
    const others = Array.from({ length: 499 }, (_, at) => ({ ...book.mappings[0], key: `k${at}` }));
    writeFileSync(file, JSON.stringify({ mappings: [...book.mappings, ...others] }));
    expect(readMapping(configDir, KEY)).toEqual(SAVED);
    await writeMapping(configDir, { ...KEY, event: '8' }, SAVED);
    expect(readMapping(configDir, KEY)).toBeUndefined();
  });

  test.skipIf(!onPosix)('is kept for its owner only, and without the headings that fit', async () => {
    const configDir = join(temporaryDirectory(), 'config');
    await writeMapping(configDir, KEY, SAVED);
    const file = join(configDir, 'mappings.json');
    chmodSync(file, 0o644);
    await writeMapping(configDir, KEY, SAVED);
    expect([statSync(file).mode & 0o777, statSync(configDir).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(readFileSync(file, 'utf8')).not.toMatch(/vorname|example\.com/i);
  });

  test.each([
    '',
    '{',
    '[]',
    '{"mappings":{}}',
    '{"mappings":[{"key":"x","map":[["a"]],"ignore":[]}]}',
    '{"x":1}',
  ])('is neither read nor written when the file is damaged: %j', async (text) => {
    const configDir = temporaryDirectory();
    const file = join(configDir, 'mappings.json');
    writeFileSync(file, text);
    const damaged = `${file} is damaged and is left as it is.`;
    expect(() => readMapping(configDir, KEY)).toThrow(damaged);
    await expect(writeMapping(configDir, KEY, SAVED)).rejects.toThrow(damaged);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test('that cannot be read is an error of its own', () => {
    const configDir = temporaryDirectory();
    mkdirSync(join(configDir, 'mappings.json'));
    expect(() => readMapping(configDir, KEY)).toThrow('mappings.json cannot be read (EISDIR).');
  });
});
