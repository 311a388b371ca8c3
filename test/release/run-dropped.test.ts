import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runDropped } from '../../release/run-dropped.ts';
import { fakePrompt, fakeRuntime } from '../support/fake-runtime.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const inWindow = async () => true;
const inShell = async () => false;

/** Somebody who drops a list on the program, and answers with `way`. */
function dropper(way: string) {
  const directory = temporaryDirectory();
  const list = join(directory, 'list.csv');
  writeFileSync(list, 'persona,first_name,email\nvisitor,Ann,ann@example.com\n');
  const asking = fakePrompt({ 'What now': way });
  const fake = fakeRuntime({ directory, prompt: async () => asking.prompt });
  return { list, asking, ...fake };
}

test('whoever has no shell is asked what to do while no service is known', async () => {
  const { list, runtime, asking, err } = dropper('practice');
  expect(await runDropped([list], runtime, inWindow)).toBe(0);
  expect(asking.asked[0]).toContain('does not know your registration service yet');
  expect(err()).toContain('Practice service (sandbox)');
});

test('a login that fails is the end', async () => {
  const { list, runtime, asking, err } = dropper('Say where');
  expect(await runDropped([list], runtime, inWindow)).toBe(2);
  expect([asking.asked.length, err()]).toEqual([
    1,
    expect.stringContaining('The address of the service is missing'),
  ]);
  expect(err()).not.toContain('list.csv');
});

test('nobody is asked in a shell, nor where a service is known', async () => {
  const inSomeShell = dropper('');
  expect(await runDropped([inSomeShell.list], inSomeShell.runtime, inShell)).toBe(2);
  expect(inSomeShell.err()).toContain('Run `eventreg login`');
  const known = dropper('');
  mkdirSync(known.runtime.paths.config, { recursive: true });
  writeFileSync(join(known.runtime.paths.config, 'profiles.json'), '{"profiles":{}}');
  expect(await runDropped([known.list], known.runtime, inWindow)).toBe(2);
  expect([inSomeShell.asking.asked, known.asking.asked]).toEqual([[], []]);
});

test('nobody is asked who names a command', async () => {
  const { runtime, asking } = dropper('');
  expect(await runDropped(['profiles'], runtime, inWindow)).toBe(0);
  expect(asking.asked).toEqual([]);
});
