import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** A checkout with a program of one file, as its build takes a second. */
function checkout(): string {
  const place = temporaryDirectory();
  for (const part of ['build.js', 'package.json', 'release', join('src', 'report', 'html')]) {
    cpSync(join(ROOT, part), join(place, part), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(place, 'node_modules'));
  return place;
}

function build(place: string, text: string): void {
  writeFileSync(
    join(place, 'src', 'start.ts'),
    `export const text = async () => await import('./program.ts');`,
  );
  writeFileSync(join(place, 'src', 'program.ts'), `export const program = ${JSON.stringify(text)};`);
  execFileSync(process.execPath, ['build.js'], { cwd: place });
}

const chunks = (place: string): string[] =>
  readdirSync(join(place, 'dist')).filter((name) => name.endsWith('.js') && !/^(?:start|report)/.test(name));

test('a build leaves what a running command has yet to load, and removes what is older than an hour', () => {
  const place = checkout();
  mkdirSync(join(place, 'dist'));
  const old = join(place, 'dist', 'OLD.js');
  writeFileSync(old, '');
  utimesSync(old, new Date(0), new Date(0));
  build(place, 'one');
  const before = chunks(place);
  expect([before.length > 0, existsSync(old)]).toEqual([true, false]);
  build(place, 'two');
  expect(chunks(place)).toEqual(expect.arrayContaining(before));
  const added = chunks(place).filter((name) => !before.includes(name));
  expect(readdirSync(place).filter((name) => name.startsWith('dist'))).toEqual(['dist']);
  // By their time the package knows what is of the last build.
  const { mtimeMs } = statSync(join(place, 'dist', 'start.js'));
  const fresh = chunks(place).filter((name) => statSync(join(place, 'dist', name)).mtimeMs === mtimeMs);
  expect(added.length).toBeGreaterThan(0);
  expect(fresh).toEqual(expect.arrayContaining(added));
  expect(fresh.length).toBeLessThan(chunks(place).length);
});
