import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { InterruptedError } from '../../../src/errors.ts';
import { type Bench, pushBench, visitors } from '../../runs/push-bench.ts';
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
