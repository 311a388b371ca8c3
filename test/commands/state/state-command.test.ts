import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { main } from '../../../src/main.ts';
import { Journal } from '../../../src/sync/journal/journal.ts';
import { fakeRuntime } from '../../support/fake-runtime.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { note, useCluster, wordsIn, WITHOUT } from '../../state/state-bench.ts';

const cluster = useCluster();

/** A person with a terminal on a machine of their own. */
function person(env: Record<string, string>, directory = temporaryDirectory()) {
  return async (...argv: string[]) => {
    const { runtime, out, err } = fakeRuntime({ directory, env: { USER: 'ana', ...env } });
    const code = await main(argv, runtime);
    return { code, out: out(), err: err() };
  };
}

async function openSpace(query = '') {
  const url = cluster().url(query);
  const { code, out, err } = await person({})('state', 'init', url);
  expect([code, err]).toEqual([0, expect.stringContaining('shown this once')]);
  const key = /^EVENTREG_STATE_KEY=(evk_\S{43})\n$/.exec(out)?.[1] ?? '';
  expect(key).not.toBe('');
  return { EVENTREG_STATE: url, EVENTREG_STATE_KEY: key };
}

describe.skipIf(WITHOUT !== undefined)('eventreg state', () => {
  test('brings along what a machine knows, shows it to another, and gives it back', async () => {
    const directory = temporaryDirectory();
    const local = new Journal(join(directory, 'state'));
    note(local, 'of before');
    local.close();
    const env = await openSpace('?space=fair');
    const [ana, bo] = [person(env, directory), person(env)];
    expect(await ana('state')).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^Space "fair" at 127.0.0.1:\d+\/\S+: 0 changes since its snapshot\nNobody is at work\.\n/,
      ),
    });
    expect(await ana('state', 'move')).toMatchObject({
      code: 0,
      err: expect.stringContaining('into the space "fair"'),
    });
    expect((await ana('state', 'move')).err).toContain('The space "fair" is not empty');
    const elsewhere = temporaryDirectory();
    const file = join(elsewhere, 'journal.sqlite');
    expect(await bo('state', 'export', file)).toMatchObject({ code: 0 });
    expect(statSync(file).mode & 0o077).toBe(0);
    const exported = new Journal(elsewhere);
    expect(wordsIn(exported)).toEqual(['of before']);
    exported.close();
  });

  test('says where nothing is shared, and what is wrong with what is said of it', async () => {
    expect(await person({})('state')).toMatchObject({
      code: 2,
      err: expect.stringContaining('EVENTREG_STATE names no database'),
    });
    const wrong = await person({ EVENTREG_STATE: 'mysql://host/x' })('runs');
    expect(wrong).toMatchObject({
      code: 2,
      err: expect.stringContaining('is no address of a PostgreSQL database'),
    });
    const keyless = await person({ EVENTREG_STATE: cluster().url() })('runs');
    expect(keyless).toMatchObject({
      code: 2,
      err: expect.stringContaining('EVENTREG_STATE_KEY is no key of a space'),
    });
    const env = await openSpace();
    const twice = await person({})('state', 'init', env.EVENTREG_STATE);
    expect(twice).toMatchObject({
      code: 1,
      err: expect.stringContaining('There is a space "default" in that database already'),
    });
  });

  test('ends the turn of another after a yes, and packs what has gathered', async () => {
    const env = await openSpace();
    const ana = person(env);
    expect((await ana('state', 'take')).err).toContain('is free');
    cluster().sql(`UPDATE eventreg.space SET until = clock_timestamp() + interval '20 seconds'`);
    expect(await ana('state', 'take')).toMatchObject({ code: 7 });
    expect(await ana('state', 'prune', '--max-wait', '0')).toMatchObject({ code: 6 });
    expect(await ana('state', 'take', '--yes')).toMatchObject({
      code: 0,
      err: expect.stringContaining('It is ended'),
    });
    expect(await ana('state', 'prune')).toMatchObject({ code: 0 });
  });

  test('what practises with a sandbox stays on the machine', async () => {
    const directory = temporaryDirectory();
    const ana = person(await openSpace(), directory);
    expect((await ana('runs', '--sandbox')).code).toBe(0);
    expect(existsSync(join(directory, 'state', 'spaces'))).toBe(false);
    expect((await ana('runs')).code).toBe(0);
    expect(existsSync(join(directory, 'state', 'spaces'))).toBe(true);
  });

  test('doctor tells how it is, and what is wrong', async () => {
    const env = await openSpace();
    expect((await person(env)('doctor')).out).toMatch(
      /ok +shared state +space "default" at .*PostgreSQL \d+.*the key fits, nobody is at work/,
    );
    const wrong = { ...env, EVENTREG_STATE_KEY: `evk_${'A'.repeat(43)}` };
    expect((await person(wrong)('doctor')).out).toContain('is not the key of the space');
    expect((await person({})('doctor')).out).not.toContain('shared state');
  });
});
