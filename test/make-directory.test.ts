import { existsSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../src/errors.ts';
import { makeDirectory } from '../src/make-directory.ts';
import { pushBench, visitors } from './sync/push-bench.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';

describe('a directory', () => {
  test('is made with those above it, for its owner only, and may be there already', () => {
    const directory = join(temporaryDirectory(), 'a', 'b', 'c');
    for (let time = 0; time < 2; time += 1) makeDirectory(directory);
    const modes = [directory, join(directory, '..')].map((path) => statSync(path).mode & 0o777);
    expect(modes).toEqual([0o700, 0o700]);
  });

  test('is not made where a file or a link to nothing is', () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'file'), '');
    symlinkSync(join(directory, 'nothing'), join(directory, 'link'));
    for (const name of ['file', 'link', 'file/a', 'link/a']) {
      expect(() => makeDirectory(join(directory, name))).toThrow(/EEXIST|ENOTDIR/);
    }
    expect(existsSync(join(directory, 'nothing'))).toBe(false);
  });
});

/** Nothing can be made there, and Node's own way of making folders would try for ever. */
const NOWHERE = '/proc/eventreg/none';

describe.skipIf(!existsSync('/proc/self'))('a directory that cannot be made', () => {
  test('ends at once', () => {
    expect(() => makeDirectory(NOWHERE)).toThrow('ENOENT');
  });

  const unusable = (what: string): string => `${what} cannot be used`;
  const journal = unusable('The journal /proc/eventreg/none/journal.sqlite');
  const sandbox = unusable('The sandbox file /proc/eventreg/none/sandbox.sqlite');
  const directory = 'The directory /proc/eventreg/none cannot be created';
  test.each([
    ['push a.csv --yes', EXIT.failed, journal],
    ['runs', EXIT.failed, journal],
    ['list --sandbox', EXIT.failed, sandbox],
    ['login --base-url https://a.example --token-stdin', EXIT.usage, directory],
    ['list', EXIT.done, ''],
  ])('is an error of %s, or does not matter', async (line, code, says) => {
    const argv = line.split(' ');
    const bench = await pushBench();
    bench.write('a.csv', visitors('A'));
    const paths = { config: argv[0] === 'login' ? NOWHERE : bench.directory, state: NOWHERE };
    const ended = await bench.run(argv, { paths, stdinText: 'bench-token-1234' });
    expect(ended).toMatchObject({ code, err: expect.stringContaining(says) });
  });

  test('is a finding of doctor', async () => {
    const bench = await pushBench();
    const { out } = await bench.run(['doctor'], { paths: { config: bench.directory, state: NOWHERE } });
    expect(out).toContain('/proc/eventreg/none cannot be written to (ENOENT)');
  });
});
