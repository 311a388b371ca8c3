import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { temporaryDirectory } from '../support/temporary-directory.ts';

const root = join(import.meta.dirname, '..', '..');
const bundle = pathToFileURL(join(root, 'dist', '/')).href;

/** Neither settings nor runs. */
const emptyHome = () => {
  const home = temporaryDirectory();
  return { EVENTREG_STATE_DIR: home, EVENTREG_CONFIG_DIR: home };
};

/** Runs the built program and gives the addresses of the files that it loaded. */
function loadedBy(...argv: string[]): string[] {
  const coverage = temporaryDirectory();
  execFileSync(process.execPath, [join(root, 'bin', 'eventreg.js'), ...argv], {
    env: { ...emptyHome(), NODE_V8_COVERAGE: coverage, PATH: process.env['PATH'] },
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

test.each([['--version'], ['-V']])('eventreg %s loads no package, and few files', (flag) => {
  const urls = loadedBy(flag);
  expect(urls).toContain(`${bundle}start.js`);
  expect(packagesIn(urls)).toEqual([]);
  expect(urls.length).toBeLessThan(5);
});

test.each(['--help', 'help', 'push --help', 'help push'])('eventreg %s loads one package only', (line) => {
  const urls = loadedBy(...line.split(' '));
  expect(packagesIn(urls)).toEqual(['commander']);
  expect(urls.length).toBeLessThan(19);
});

test('a command loads what it needs, not what other commands need', () => {
  const names = packagesIn(loadedBy('logout', '--help'));
  expect(names).toContain('zod');
  for (const other of ['undici', 'ora', 'hono', 'csv-parse', '@photostructure/sqlite']) {
    expect(names).not.toContain(other);
  }
});

test('an empty list of runs needs the journal, and nothing to talk to a service', () => {
  const names = packagesIn(loadedBy('runs', 'list'));
  expect(names).toEqual(expect.arrayContaining(['@photostructure/sqlite', 'zod']));
  for (const other of ['undici', 'ora', 'cli-table3', 'hono', 'csv-parse', 'get-east-asian-width', 'pg']) {
    expect(names).not.toContain(other);
  }
});

test('the texts of the licences name every package of the bundle', () => {
  const maps = readdirSync(new URL(bundle)).filter((file) => file.endsWith('.js.map'));
  const names = packagesIn(maps.map((file) => `${bundle}${file.replace(/\.map$/, '')}`));
  const texts = readFileSync(new URL('THIRD-PARTY.txt', bundle), 'utf8');
  expect(names).toContain('zod');
  expect(names.filter((name) => !texts.includes(`\n${name} `))).toEqual([]);
});

test.each([
  ['18.20.8', 2],
  ['20.18.0', 2],
  ['20.18.1', 0],
  ['21.7.0', 0],
])('on Node.js %s the program ends with %i, and says what is needed', (node, status) => {
  const pretend = `Object.defineProperty(process.versions, 'node', { value: '${node}' })`;
  const words = [
    '--import',
    `data:text/javascript,${encodeURIComponent(pretend)}`,
    join(root, 'bin', 'eventreg.js'),
  ];
  const ended = spawnSync(process.execPath, [...words, '--version'], { encoding: 'utf8', env: emptyHome() });
  const needed = manifest.engines.node.replace('>=', '');
  const says = status === 0 ? '' : `eventreg: Node.js ${node} is too old: ${needed} or later is needed.`;
  expect([ended.status, ended.stderr.split('\n')[0]]).toEqual([status, says]);
});
