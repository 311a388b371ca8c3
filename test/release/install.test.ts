import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { TARGETS } from '../../release/targets.ts';
import { programDirectory, temporaryDirectory } from '../support/temporary-directory.ts';

const NAME = `eventreg-1.2.3-linux-${process.arch}`;
const SCRIPT = join(import.meta.dirname, '..', '..', 'release', 'install.sh');
/** For machines that have neither curl nor wget. */
const FETCH = `const [url, file] = [process.argv.at(-1), process.argv.at(-2)];
fetch(url).then(async (answer) => answer.ok ? require('fs').writeFileSync(file, Buffer.from(await answer.arrayBuffer())) : process.exit(22));`;

/** An archive as it is released, of a program that only says its version. */
function archive(program = '#!/bin/sh\necho 1.2.3\n', name = NAME): Buffer {
  const folder = temporaryDirectory();
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, 'eventreg'), program, { mode: 0o755 });
  return execFileSync('tar', ['-czf', '-', '-C', folder, name]);
}

/** What a server has of a release. */
const released = (bytes: Buffer): Record<string, string | Buffer> => ({
  SHA256SUMS: `${sum(bytes)}  ${NAME}.tar.gz\n`,
  [`${NAME}.tar.gz`]: bytes,
});

const sum = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Runs the script against a server with these files, in a home that `prepare` may put something into. */
async function install(
  files: Readonly<Record<string, string | Buffer>>,
  {
    prepare = () => undefined,
    version = '1.2.3',
    environment = () => ({}),
  }: {
    prepare?: (home: string) => void;
    version?: string;
    environment?: (home: string) => Readonly<Record<string, string | undefined>>;
  } = {},
) {
  const server = createServer((request, response) => {
    const found = files[(request.url ?? '').replace('/v1.2.3/', '')];
    response.writeHead(found === undefined ? 404 : 200).end(found);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const home = programDirectory();
  prepare(home);
  const shims = programDirectory();
  if (!hasFetcher()) {
    writeFileSync(join(shims, 'curl'), `#!/bin/sh\nexec '${process.execPath}' -e "${FETCH}" -- "$@"\n`);
    chmodSync(join(shims, 'curl'), 0o755);
  }
  const child = spawn('sh', [SCRIPT, version], {
    cwd: home,
    env: {
      HOME: home,
      TMPDIR: temporaryDirectory(home),
      PATH: `${shims}:${process.env['PATH']}`,
      EVENTREG_RELEASES: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      ...environment(home),
    },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += String(text)));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  const program = join(home, '.local', 'bin', 'eventreg');
  return { code, said, program, isThere: existsSync(program), home };
}

function hasFetcher(): boolean {
  return (process.env['PATH'] ?? '')
    .split(':')
    .some((one) => ['curl', 'wget'].some((name) => existsSync(join(one, name))));
}

describe.skipIf(process.platform !== 'linux')('install.sh', () => {
  test('puts the program where the person keeps such, and says where', async () => {
    const bytes = archive();
    const { code, said, program } = await install({
      SHA256SUMS: `${'0'.repeat(64)}  ${NAME}.tar.gz.old\n${sum(bytes)}  ${NAME}.tar.gz\n`,
      [`${NAME}.tar.gz`]: bytes,
    });
    expect([code, said]).toEqual([0, expect.stringContaining(`eventreg 1.2.3 is in ${program}.\n`)]);
    expect(said).toContain('not on your PATH yet');
    expect(execFileSync(program, { encoding: 'utf8' })).toBe('1.2.3\n');
  });

  test.each([
    [
      'of another archive',
      `${sum(Buffer.from('other'))}  ${NAME}.tar.gz\n`,
      'it is damaged, or was exchanged',
    ],
    [
      'that is missing',
      `${sum(Buffer.from('other'))}  eventreg-1.2.3-windows-x64.zip\n`,
      'SHA256SUMS has no sum of',
    ],
    ['that is not signed for', `${'0'.repeat(64)}  ${NAME}-unsigned.tar.gz\n`, 'is not signed yet'],
  ])('installs nothing with a sum %s', async (_kind, sums, why) => {
    const { code, said, isThere, home } = await install({ SHA256SUMS: sums, [`${NAME}.tar.gz`]: archive() });
    expect([code, isThere]).toEqual([1, false]);
    expect(said).toMatch(/^eventreg was not installed: /);
    expect(said).toContain(why);
    // Nothing is left behind.
    expect(readdirSync(home, { recursive: true })).toHaveLength(1);
  });

  test.each([
    [
      'lacks a library',
      `echo 'eventreg: error while loading shared libraries: libatomic.so.1' >&2; exit 127`,
      'apt-get install libatomic1, or dnf install libatomic',
    ],
    ['does not start', 'exit 126', /does not run in .*\nIt needs glibc 2\.28 or later and libatomic/s],
  ])('leaves the program that is there, where the new one %s', async (_why, does, says) => {
    const older = '#!/bin/sh\necho 1.2.2\n';
    const { code, said, program, home } = await install(released(archive(`#!/bin/sh\n${does}\n`)), {
      prepare(where) {
        mkdirSync(join(where, '.local', 'bin'), { recursive: true });
        writeFileSync(join(where, '.local', 'bin', 'eventreg'), older);
      },
    });
    expect([code, said]).toEqual([1, expect.stringMatching(says)]);
    expect(readFileSync(program, 'utf8')).toBe(older);
    expect(readdirSync(join(home, '.local', 'bin'))).toEqual(['eventreg']);
  });

  test('puts nothing into a folder that has the name of the program', async () => {
    const { code, said, program } = await install(released(archive()), {
      prepare: (home) => mkdirSync(join(home, '.local', 'bin', 'eventreg'), { recursive: true }),
    });
    expect([code, said]).toEqual([1, expect.stringContaining('/eventreg is a folder.')]);
    expect(readdirSync(program)).toEqual([]);
  });

  test('takes a version as tags have it, and a folder as it is typed', async () => {
    const { code, said, home } = await install(released(archive()), {
      version: 'v1.2.3',
      environment: (where) => ({
        EVENTREG_INSTALL_DIR: './programs/',
        PATH: `${process.env['PATH']}:${where}/programs`,
      }),
    });
    expect([code, said]).toEqual([0, `eventreg 1.2.3 is in ${join(home, 'programs', 'eventreg')}.\n`]);
  });

  test.each([
    ['--help', {}, 'usage: sh install.sh [version]'],
    ['1.2.3', { HOME: undefined }, 'HOME is not set.'],
    ['1.2.3', { TMPDIR: '/nowhere' }, 'no folder can be made in /nowhere.'],
  ])('says what is wrong with %s and %o', async (version, environment, says) => {
    const { code, said } = await install(released(archive()), { version, environment: () => environment });
    expect([code, said]).toEqual([1, expect.stringContaining(says)]);
  });

  test('says that an archive was packed under another name', async () => {
    const { code, said } = await install(released(archive(undefined, `${NAME}-unsigned`)));
    expect([code, said]).toEqual([1, expect.stringContaining(`has no ${NAME}/eventreg inside`)]);
  });

  test('says what cannot be fetched', async () => {
    const { code, said } = await install({});
    expect([code, said]).toEqual([1, expect.stringMatching(/\/v1\.2\.3\/SHA256SUMS cannot be fetched\.\n$/)]);
  });

  test('does nothing when its download was cut off', () => {
    const text = readFileSync(SCRIPT, 'utf8');
    const head = text.slice(0, text.indexOf('\nmain\n'));
    expect(execFileSync('sh', ['-c', head], { encoding: 'utf8', env: { HOME: '/nowhere' } })).toBe('');
  });
});

test('there is an archive for every system that the scripts ask for', () => {
  const names = TARGETS.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['linux-x64', 'linux-arm64', 'macos-arm64', 'windows-x64']));
});

test('install.ps1, which nobody could run here, stays short, and asks for what there is', () => {
  const text = readFileSync(join(SCRIPT, '..', 'install.ps1'), 'utf8');
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(15);
  const [windows] = TARGETS.filter(({ name }) => name.startsWith('windows'));
  expect(text).toContain(`"eventreg-$version-${windows?.name}"`);
  expect(windows?.archive).toBe('zip');
});
