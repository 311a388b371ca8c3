import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { InterruptedError } from '../../../src/errors.ts';
import { type Bench, pushBench, visitors } from '../../sync/push-bench.ts';
import { fakeRuntime } from '../../support/fake-runtime.ts';
import { main } from '../../../src/main.ts';

const clonesOf = ({ directory }: Bench): string[] => readdirSync(join(directory, 'state', 'clones'));

async function cloned(): Promise<Bench> {
  const bench = await pushBench();
  await bench.push([bench.write('a.csv', visitors('A', 'B')), '--no-audit']);
  await bench.run(['sandbox', 'clone', '--as', 'fair']);
  return bench;
}

test('reset --sandbox=NAME removes the clone, and nothing of it is left', async () => {
  const bench = await cloned();
  expect(await bench.run(['sandbox', 'reset', 'nix', '--yes'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('`eventreg sandbox reset NAME`; there are: fair.'),
  });
  expect(await bench.run(['sandbox', 'reset', 'nix', '--sandbox=fair', '--yes'])).toMatchObject({ code: 2 });
  expect(await bench.run(['sandbox', 'reset', '--data', 'x', '--sandbox=fair', '--yes'])).toMatchObject({
    code: 2,
  });
  expect(clonesOf(bench)).toEqual(['fair']);
  expect(await bench.run(['sandbox', 'reset', '--sandbox=fair', '--yes'])).toMatchObject({
    code: 0,
    err: expect.stringContaining('The clone fair is gone.'),
  });
  expect(clonesOf(bench)).toEqual([]);
  expect(existsSync(join(bench.directory, 'x'))).toBe(false);
  expect((await bench.run(['list', '--sandbox=fair'])).code).toBe(2);
});

test('a clone that another process serves is neither removed nor made anew', async () => {
  const bench = await cloned();
  const stop = new AbortController();
  const self = { pid: 4711, host: 'desk', startedAt: 0 };
  const { directory, clock } = bench;
  const { runtime, out } = fakeRuntime({ directory, clock, self, stopping: stop.signal });
  const serving = main(['sandbox', '--sandbox=fair', '--port', '0'], runtime);
  while (!out().includes('EVENTREG_BASE_URL')) await new Promise((resolve) => setImmediate(resolve));
  for (const words of [
    ['reset', 'fair'],
    ['clone', '--as', 'fair'],
  ]) {
    expect(await bench.run(['sandbox', ...words, '--yes'])).toMatchObject({
      code: 7,
      err: expect.stringContaining('The clone fair is used by another eventreg: process 4711 on'),
    });
  }
  expect((await bench.run(['list', '--all', '--sandbox=fair'])).code).toBe(0);
  stop.abort(new InterruptedError());
  await serving;
  expect((await bench.run(['sandbox', 'clone', '--as', 'fair', '--yes'])).code).toBe(0);
  expect((await bench.run(['sandbox', 'reset', 'fair', '--yes'])).code).toBe(0);
});

describe('people as they are', () => {
  const AS_THEY_ARE = ['sandbox', 'clone', '--as', 'fair', '--registrations', 'as-they-are'];
  const backupsOf = ({ directory }: Bench): string[] => {
    const folder = join(directory, 'state', 'backups');
    return existsSync(folder) ? readdirSync(folder) : [];
  };

  test('are copied after a yes alone', async () => {
    const bench = await pushBench();
    expect(await bench.run(AS_THEY_ARE)).toMatchObject({
      code: 7,
      err: expect.stringMatching(/real names and addresses\?[^]*--yes/),
    });
    expect(bench.sandbox.requests()).toEqual([]);
    expect((await bench.run([...AS_THEY_ARE, '--yes'])).code).toBe(0);
  });

  test.each([
    ['reset', ['sandbox', 'reset', 'fair', '--yes']],
    ['made anew', [...AS_THEY_ARE, '--yes']],
  ])('go with the backups of a clone that is %s, and with no others', async (_what, argv) => {
    const bench = await pushBench();
    await bench.push([bench.write('a.csv', visitors('A', 'B', 'C')), '--no-audit']);
    await bench.run(['delete', '--barcode', 'C', '--yes']);
    const ofLive = backupsOf(bench);
    await bench.run([...AS_THEY_ARE, '--yes']);
    await bench.run(['delete', '--barcode', 'A', '--sandbox=fair', '--yes']);
    const elsewhere = join(bench.directory, 'mine.ndjson');
    await bench.run(['delete', '--barcode', 'B', '--sandbox=fair', '--yes', '--backup', elsewhere]);
    // A backup of live people that was pushed to the clone is none of it.
    await bench.run([
      'push',
      join(bench.directory, 'state', 'backups', ofLive[0] ?? ''),
      '--sandbox=fair',
      '--yes',
    ]);
    expect([ofLive.length, backupsOf(bench).length]).toEqual([1, 2]);
    const { code, err } = await bench.run(argv);
    expect(code).toBe(0);
    expect(err).toContain('1 backup of what was deleted in it: removed.');
    expect(err).toContain(`is left where you wanted it: ${elsewhere}`);
    expect([backupsOf(bench), existsSync(elsewhere)]).toEqual([ofLive, true]);
  });
});
