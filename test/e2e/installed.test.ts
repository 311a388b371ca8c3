// The package as it is published: what is in it, and that it works where it is installed. EVENTREG_NODES names the
// versions of Node.js to try it on, as in `20.18.1 26`, each with an npm of its time; without it, those at hand.
import { execFile, type ExecFileOptions } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, posix } from 'node:path';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fetchNode, unpackPackage } from '../../release/unpack-package.ts';
import { listIn } from '../support/documents.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { listed } from '../support/tables.ts';

const root = join(import.meta.dirname, '..', '..');
const staged = join(root, 'out', 'npm');
const windows = process.platform === 'win32';
const place = mkdtempSync(join(tmpdir(), 'eventreg installed ü-'));

/** A Node.js is 50 MB, and five of them are a while in going too. */
const DOWNLOAD_MS = 300_000;

interface Ended {
  code: number;
  out: string;
  err: string;
}

/** Runs a program to its end. What npm puts on the PATH of Windows are scripts of its shell. */
function run(program: string, args: readonly string[], options: ExecFileOptions = {}): Promise<Ended> {
  const isScript = windows && !program.endsWith('.exe');
  const [first = '', ...others] = [program, ...args].map((word) => (isScript ? `"${word}"` : word));
  return new Promise((resolve) => {
    const child = execFile(first, others, { ...options, shell: isScript }, (error, out, err) => {
      const code = typeof error?.code === 'number' ? error.code : 1;
      resolve({ code: error === null ? 0 : code, out: String(out), err: String(err) });
    });
    child.stdin?.end();
  });
}

/** Without the settings that npm gives to what it starts: those who install have none of them. */
const cleanEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^npm_(?!config_(?:cache|registry)$)/i.test(name)),
);

let tarball = '';

beforeAll(async () => {
  await run(process.execPath, [join('release', 'stage-package.js')], { cwd: root });
  const { out } = await run('npm', ['pack', staged, '--silent'], { cwd: place });
  tarball = join(place, out.trim());
});

afterAll(() => rmSync(place, { recursive: true, force: true }), DOWNLOAD_MS);

const isText = (name: string): boolean => name.endsWith('.md');

/** Files that a text of the package links to, from its root. */
function linksOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8').replace(/^```.*?^```$/gms, '');
  const links = [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)].map(
    ([, one, other]) => one ?? other,
  );
  return links
    .map((link = '') => link.replace(/#.*/, ''))
    .filter((link) => link !== '' && !/^\w+:/.test(link))
    .map((link) => posix.join(posix.dirname(file), link));
}

describe('what is published', () => {
  test('is the program with its licences and its documentation, and no more than 2.35 MB', async () => {
    const folder = temporaryDirectory();
    await run('tar', ['-xzf', tarball, '-C', folder]);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => ({ name: name.replaceAll('\\', '/'), stats: statSync(join(folder, name)) }))
      .filter(({ stats }) => stats.isFile());
    const kinds = files.map(({ name }) =>
      name
        .replace(/dist\/[^/]+\.js$/, 'dist/*.js')
        .replace(/docs\/[\w-]+\.md$/, 'docs/*.md')
        .replace(/docs\/schema\/[^/]+$/, 'docs/schema/*')
        .replace(/docs\/pictures\/[\w-]+\.(?:svg|png)$/, 'docs/pictures/*'),
    );
    expect([...new Set(kinds)].sort()).toEqual(
      listed(`
        package/CHANGELOG.md | package/LICENSE | package/README.md | package/bin/eventreg.js |
        package/dist/*.js | package/dist/THIRD-PARTY.txt | package/dist/report-page.css |
        package/SECURITY.md | package/docs/*.md | package/docs/pictures/* | package/docs/schema/* |
        package/package.json
      `).sort(),
    );
    expect(files.reduce((sum, { stats }) => sum + stats.size, 0)).toBeLessThanOrEqual(2_350_000);
    const names = new Set(files.map(({ name }) => name.replace('package/', '')));
    // What docs/json.md says is there, and what is linked.
    const schemas = readdirSync(join(root, 'docs', 'schema')).map((name) => `docs/schema/${name}`);
    expect(
      [...schemas, ...[...names].filter(isText).flatMap(linksOf)].filter((name) => !names.has(name)),
    ).toEqual([]);
  });

  test('runs no script where it is installed, and brings only what is not in it already', () => {
    const manifest = JSON.parse(readFileSync(join(staged, 'package.json'), 'utf8')) as Record<
      string,
      unknown
    >;
    expect(Object.keys(manifest).sort()).toEqual(
      'bin bugs dependencies description engines files homepage keywords license name repository type version'.split(
        ' ',
      ),
    );
    expect(Object.keys(manifest['dependencies'] ?? {})).toEqual(
      listed(`
        @hono/node-server | @napi-rs/keyring | @photostructure/sqlite | csv-parse | hono |
        libphonenumber-js | pg | saxes | undici | yauzl
      `),
    );
  });

  test('is as publint wants it', async () => {
    const { messages } = await publint({ pkgDir: staged, pack: false, strict: true });
    expect(messages).toEqual([]);
  });
});

/** The commands of README.md that need nothing but the practice service. */
const README_LINES = [
  ...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/^eventreg (.*sandbox.*?) +#/gm),
].map(([, line = '']) => line);

const NODES = process.env['EVENTREG_NODES']?.split(' ');

describe.each(NODES ?? ['at hand'])('installed with Node.js %s', (version) => {
  const prefix = mkdtempSync(join(place, 'prefix-'));
  const folder = join(prefix, 'Gäste & Listen');
  let env: NodeJS.ProcessEnv = {};
  let installed: Ended;

  /** The words that run npm. */
  async function prepare(): Promise<[program: string, ...args: string[]]> {
    if (NODES === undefined) return ['npm'];
    const npm = join(prefix, 'npm');
    const [node] = await Promise.all([
      fetchNode(version, join(prefix, 'node')),
      // The next npm does not run on that Node.js any more.
      unpackPackage(version.startsWith('20') ? 'npm@11' : 'npm@12', npm),
    ]);
    env['PATH'] = [dirname(node), env['PATH']].join(delimiter);
    return [node, join(npm, 'bin', 'npm-cli.js')];
  }

  const eventreg = (...args: string[]): Promise<Ended> =>
    run(windows ? join(prefix, 'eventreg.cmd') : join(prefix, 'bin', 'eventreg'), args, { cwd: folder, env });

  beforeAll(async () => {
    mkdirSync(folder);
    env = { ...cleanEnv };
    const [program, ...words] = await prepare();
    const install = [
      'install',
      '--global',
      '--ignore-scripts',
      '--prefer-offline',
      '--prefix',
      prefix,
      tarball,
    ];
    installed = await run(program, [...words, ...install], { env });
    env = {
      ...env,
      EVENTREG_STATE_DIR: join(prefix, 'state'),
      EVENTREG_CONFIG_DIR: join(prefix, 'config'),
      EVENTREG_KEYCHAIN: 'off',
    };
  }, DOWNLOAD_MS);

  test('npm has nothing to warn of', () => {
    // Those of whoever runs the test.
    const warnings = installed.err.split('\n').filter((line) => !/^$|warn Unknown user config/.test(line));
    expect({ ...installed, err: warnings }).toMatchObject({ code: 0, err: [] });
  });

  test('the first commands of README.md bring a sample list into the practice service, once', async () => {
    expect(README_LINES).toEqual(['sandbox sample sample.xlsx', 'push sample.xlsx --sandbox']);
    for (const line of README_LINES)
      expect(await eventreg(...line.split(' '))).toMatchObject({ code: 0, out: '' });
    const again = await eventreg('push', 'sample.xlsx', '--sandbox', '--json');
    expect(JSON.parse(again.out)).toMatchObject({ state: 'finished', sent: 0, unchanged: 40 });
    const listed = await eventreg('list', '--sandbox', '--all', '--json');
    expect(listIn(listed.out)).toHaveLength(40);
  });

  test('a list written as a workbook is what the service has', async () => {
    expect(await eventreg('list', '--sandbox', '--all', '--to', 'written.xlsx')).toMatchObject({ code: 0 });
    const back = await eventreg('push', 'written.xlsx', '--sandbox', '--json');
    expect(JSON.parse(back.out)).toMatchObject({ sent: 0, unchanged: 40 });
  });

  test('doctor finds nothing wrong, and completion knows the commands', async () => {
    const doctor = await eventreg('doctor', '--sandbox', '--json');
    const checks = listIn<{ check: string; found: string }>(doctor.out);
    const node = checks.find(({ check }) => check === 'node');
    expect({
      code: doctor.code,
      node: node?.found.startsWith(NODES ? version : process.versions.node),
    }).toEqual({ code: 0, node: true });
    expect((await eventreg('completion', 'bash')).out).toContain('complete ');
    expect((await eventreg('--version')).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
