import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const root = join(import.meta.dirname, '..', '..');
const bundle = pathToFileURL(join(root, 'dist', '/')).href;

/** Runs the built program and gives the addresses of the files that it loaded. */
function loadedBy(...argv: string[]): string[] {
  const coverage = temporaryDirectory();
  execFileSync(process.execPath, [join(root, 'bin', 'eventreg.js'), ...argv], {
    env: { NODE_V8_COVERAGE: coverage, PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return readdirSync(coverage)
    .flatMap((file) => scriptsIn(readFileSync(join(coverage, file), 'utf8')))
    .filter((url) => url.startsWith('file:'));
}

/** Node writes one report a process, which lists every script that was loaded. */
function scriptsIn(report: string): string[] {
  const { result } = JSON.parse(report) as { result: { url: string }[] };
  return result.map(({ url }) => url);
}

/** The packages in the loaded files of the bundle, by their source maps, and those that were loaded beside it. */
function packagesIn(urls: readonly string[]): string[] {
  const files = urls.flatMap((url) => (url.startsWith(bundle) ? sourcesOf(url) : [url]));
  const names = files.flatMap((file) => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []);
  return [...new Set(names)].sort((a, b) => a.localeCompare(b));
}

function sourcesOf(url: string): string[] {
  const map = readFileSync(new URL(`${url}.map`), 'utf8');
  return (JSON.parse(map) as { sources: string[] }).sources;
}

test.each([['--help'], ['--version'], ['help']])('eventreg %s loads one package only', (flag) => {
  const urls = loadedBy(flag);
  expect(urls).toContain(`${bundle}start.js`);
  expect(packagesIn(urls)).toEqual(['commander']);
});

test('a command loads what it needs, not what other commands need', () => {
  const names = packagesIn(loadedBy('logout', '--help'));
  expect(names).toContain('zod');
  for (const other of ['undici', 'ora', 'hono', 'csv-parse', '@photostructure/sqlite']) {
    expect(names).not.toContain(other);
  }
});
