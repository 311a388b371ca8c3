import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const root = join(import.meta.dirname, '..', '..');

/** Runs the built program and gives what it loaded, as paths below the project. */
function loadedBy(...argv: string[]): string[] {
  const coverage = temporaryDirectory();
  execFileSync(process.execPath, [join(root, 'bin', 'eventreg.js'), ...argv], {
    env: { NODE_V8_COVERAGE: coverage, PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const base = pathToFileURL(join(root, '/')).href;
  return readdirSync(coverage)
    .flatMap((file) => scriptsIn(readFileSync(join(coverage, file), 'utf8')))
    .filter((url) => url.startsWith(base))
    .map((url) => url.slice(base.length));
}

/** Node writes one report a process, which lists every script that was loaded. */
function scriptsIn(report: string): string[] {
  const { result } = JSON.parse(report) as { result: { url: string }[] };
  return result.map(({ url }) => url);
}

function packagesIn(paths: readonly string[]): string[] {
  const names = paths.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  return [...new Set(names)].sort((a, b) => a.localeCompare(b));
}

test.each([['--help'], ['--version'], ['help']])('eventreg %s loads one package only', (flag) => {
  const paths = loadedBy(flag);
  expect(paths).toContain('dist/main.js');
  expect(packagesIn(paths)).toEqual(['commander']);
});

test('a command loads what it needs, not what other commands need', () => {
  const names = packagesIn(loadedBy('logout', '--help'));
  expect(names).toContain('zod');
  for (const other of ['undici', 'ora', 'hono', 'csv-parse', '@photostructure/sqlite']) {
    expect(names).not.toContain(other);
  }
});
