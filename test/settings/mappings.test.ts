import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Kept, readKept, writeKept } from '../../src/settings/mappings.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const onPosix = process.platform !== 'win32';
const TARGET = { service: 'https://a.example.com', event: '7' };
const NOTHING: Kept = { columns: [], files: [], sheets: [] };
const KEPT: Kept = {
  columns: [
    { heading: 'tel', persona: 'visitor', target: 'phone', phones: 'DE' },
    { heading: 'menü', persona: '', target: 'meal', values: [['__proto__', 'Meat']] },
  ],
  files: [{ headings: ['a', 'b'], said: { persona: 'visitor' } }],
  sheets: [{ names: 'c', sheet: 'Guests' }],
};
const keep = (configDir: string, kept: Kept, target = TARGET) => writeKept(configDir, target, () => kept);

describe('what is remembered', () => {
  test('is nothing at first, and nothing is created', async () => {
    const configDir = join(temporaryDirectory(), 'config');
    expect(readKept(configDir, TARGET)).toEqual(NOTHING);
    await keep(configDir, NOTHING);
    expect(existsSync(configDir)).toBe(false);
  });

  test('is read back as it was, and changed from there', async () => {
    const configDir = temporaryDirectory();
    await keep(configDir, KEPT);
    expect(readKept(configDir, TARGET)).toEqual(KEPT);
    await writeKept(configDir, TARGET, (before) => ({ ...before, sheets: [] }));
    expect(readKept(configDir, TARGET)).toEqual({ ...KEPT, sheets: [] });
  });

  test.each([{ service: 'https://b.example.com' }, { event: '8' }])('is of one event: %j', async (other) => {
    const configDir = temporaryDirectory();
    await keep(configDir, KEPT);
    expect(readKept(configDir, { ...TARGET, ...other })).toEqual(NOTHING);
    await keep(configDir, NOTHING, { ...TARGET, ...other });
    expect(readKept(configDir, TARGET)).toEqual(KEPT);
  });

  test('is forgotten when 200 other events were remembered since', async () => {
    const configDir = temporaryDirectory();
    await keep(configDir, KEPT);
    const file = join(configDir, 'mappings.json');
    const book = JSON.parse(readFileSync(file, 'utf8')) as { events: object[] };
    const others = Array.from({ length: 199 }, (_, at) => ({ ...book.events[0], key: `k${at}` }));
    writeFileSync(file, JSON.stringify({ events: [...book.events, ...others] }));
    expect(readKept(configDir, TARGET)).toEqual(KEPT);
    await keep(configDir, KEPT, { ...TARGET, event: '8' });
    expect(readKept(configDir, TARGET)).toEqual(NOTHING);
  });

  test('is the last 2,000 columns of an event', async () => {
    const configDir = temporaryDirectory();
    const columns = Array.from({ length: 2001 }, (_, at) => ({
      heading: `h${at}`,
      persona: '',
      target: 'notes',
    }));
    await keep(configDir, { ...NOTHING, columns });
    expect(
      readKept(configDir, TARGET)
        .columns.map(({ heading }) => heading)
        .slice(0, 1),
    ).toEqual(['h1']);
  });

  test.skipIf(!onPosix)('is kept for its owner only', async () => {
    const configDir = join(temporaryDirectory(), 'config');
    await keep(configDir, KEPT);
    const file = join(configDir, 'mappings.json');
    chmodSync(file, 0o644);
    await keep(configDir, { ...KEPT, sheets: [] });
    expect([statSync(file).mode & 0o777, statSync(configDir).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  test.each(['', '{', '[]', '{"events":{}}', '{"events":[{"key":"x"}]}', '{"x":1}'])(
    'is neither read nor written when the file is damaged: %j',
    async (text) => {
      const configDir = temporaryDirectory();
      const file = join(configDir, 'mappings.json');
      writeFileSync(file, text);
      const damaged = `${file} is damaged and is left as it is.`;
      expect(() => readKept(configDir, TARGET)).toThrow(damaged);
      await expect(keep(configDir, KEPT)).rejects.toThrow(damaged);
      expect(readFileSync(file, 'utf8')).toBe(text);
    },
  );

  test('that cannot be read is an error of its own', () => {
    const configDir = temporaryDirectory();
    mkdirSync(join(configDir, 'mappings.json'));
    expect(() => readKept(configDir, TARGET)).toThrow('mappings.json cannot be read (EISDIR).');
  });
});
