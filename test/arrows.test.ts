import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ARROWS, BESIDE, folderOf, forbidden, importsOf } from './arrows.ts';
import { listed } from './support/tables.ts';

const SRC = join(import.meta.dirname, '..', 'src');
const FILES = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts'));
const FOLDERS = Object.keys(ARROWS);
/** Nothing but data: they may be as long as they like. */
const TABLES_OF_DATA = ['input/columns/aliases.ts'];

describe('imports', () => {
  test('point only where the table lets them', () => {
    const imports = FILES.flatMap((file) => importsOf(file, readFileSync(join(SRC, file), 'utf8')));
    expect(imports.length).toBeGreaterThan(2000);
    expect(forbidden(imports)).toEqual([]);
  });

  test('of tables name folders and files that are there, and every one is in the table', () => {
    const folders = new Set(FILES.map(folderOf).filter((folder) => folder !== ''));
    expect([...folders].sort()).toEqual([...FOLDERS].sort());
    const beside = FILES.filter((file) => folderOf(file) === '').map((file) => file.replace('.ts', ''));
    expect(beside.sort()).toEqual(Object.keys(BESIDE).sort());
  });

  test('of folders make no circle', () => {
    const left = new Set(FOLDERS);
    const isLast = (folder: string): boolean =>
      (ARROWS[folder] ?? []).every((may) =>
        [...left].every((one) => one === folder || (one !== may && !one.startsWith(`${may}/`))),
      );
    for (let last = [...left].filter(isLast); last.length > 0; last = [...left].filter(isLast)) {
      for (const folder of last) left.delete(folder);
    }
    expect([...left]).toEqual([]);
  });
});

describe('src', () => {
  test('has 2 to 30 files in a folder', () => {
    const counts = FOLDERS.map(
      (folder) => [folder, FILES.filter((file) => folderOf(file) === folder).length] as const,
    );
    expect(counts.filter(([, count]) => count < 2 || count > 30)).toEqual([]);
  });

  test('has no more than 250 lines in a file, but for tables of data', () => {
    const lengths = FILES.map(
      (file) => [file, readFileSync(join(SRC, file), 'utf8').split('\n').length - 1] as const,
    );
    const long = lengths.filter(([file, lines]) => lines > 250 && !TABLES_OF_DATA.includes(file));
    expect(long).toEqual([]);
  });

  /** What somebody new has to carry: lower them with whatever makes the core smaller. */
  const CORE = { files: 120, lines: 20_223 };

  test('keeps its core within a budget of files and lines, which only falls', () => {
    const core = FILES.filter((file) => file.startsWith('sync/'));
    const lines = core.map((file) => readFileSync(join(SRC, file), 'utf8').split('\n').length - 1);
    expect(core.length).toBeLessThanOrEqual(CORE.files);
    expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(CORE.lines);
  });

  test('has no name of a file twice', () => {
    const names = FILES.map((file) => file.slice(file.lastIndexOf('/') + 1));
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });
});

describe('a forbidden import is found', () => {
  const targets = [
    ...FOLDERS.map((folder) => `${folder}/some.ts`),
    ...Object.keys(BESIDE).map((name) => `${name}.ts`),
  ];

  test.each(FOLDERS)('in %s', (folder) => {
    const may = (to: string): boolean =>
      folderOf(to) === folder ||
      (ARROWS[folder] ?? []).some((one) => to === `${one}.ts` || to.startsWith(`${one}/`));
    const up = '../'.repeat(folder.split('/').length);
    const text = targets.map((to, at) => `import { a${at} } from '${up}${to}';`).join('\n');
    const found = forbidden(importsOf(`${folder}/one.ts`, text)).map(({ to }) => to);
    expect(found).toEqual(targets.filter((to) => !may(to)));
    expect(found).toContain('main.ts');
  });

  test('however it is written', () => {
    const lines = listed(`
      import type { Push } from '../push/push.ts'; | export { push } from '../push/push.ts'; |
      export type * from '../push/push.ts'; | const later = await import('../push/push.ts'); |
      type Push = import('../push/push.ts').Push; | import '../push/push.ts';
    `);
    expect(lines.map((line) => forbidden(importsOf('sync/perform/one.ts', line)).length)).toEqual([
      1, 1, 1, 1, 1, 1,
    ]);
  });

  test('in a folder that the table does not name', () => {
    const found = forbidden(
      importsOf('sync/perform/deeper/one.ts', "import { a } from '../../decide/near.ts';"),
    );
    expect(found).toEqual([{ from: 'sync/perform/deeper/one.ts', to: 'sync/decide/near.ts' }]);
  });
});
