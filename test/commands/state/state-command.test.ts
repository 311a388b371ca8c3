import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runLogin } from '../../../src/commands/profiles/login.ts';
import { main } from '../../../src/main.ts';
import type { Prompt } from '../../../src/prompts/prompt.ts';
import { startSandbox } from '../../../src/sandbox/sandbox.ts';
import { readProfiles } from '../../../src/settings/profiles.ts';
import { Journal } from '../../../src/sync/journal/journal.ts';
import { fakePrompt, fakeRuntime } from '../../support/fake-runtime.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { GLOBALS } from '../parse-argv.ts';
import { note, useCluster, wordsIn, WITHOUT } from '../../state/state-bench.ts';
import { runsOf } from '../../support/night.ts';

const cluster = useCluster();
const OFF = { EVENTREG_KEYCHAIN: 'off' };

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
      err: expect.stringContaining('EVENTREG_STATE_KEY is not set'),
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

  test('says where its copy cannot be, and that an empty variable shares nothing', async () => {
    const env = await openSpace();
    for (const command of [['runs'], ['state']])
      expect(await person(env, '/proc/nowhere')(...command)).toMatchObject({
        code: 1,
        err: expect.stringMatching(/^eventreg: The journal \S+ cannot be used: .*EVENTREG_STATE_DIR/s),
      });
    const empty = await person({ EVENTREG_STATE: '' })('runs');
    expect(empty).toMatchObject({ code: 0, err: expect.stringContaining('EVENTREG_STATE is empty') });
  });

  test('is kept for a profile by login, tried there, and used from then on', async () => {
    const env = await openSpace('?space=fair');
    const directory = temporaryDirectory();
    const config = join(directory, 'config');
    await runLogin(
      { ...GLOBALS, tokenStdin: true, state: false, baseUrl: 'https://a.example.com' },
      fakeRuntime({ directory, env: OFF, stdinText: 'abc12345' }).runtime,
    );
    const wrong = fakePrompt({ Address: env.EVENTREG_STATE, Key: `evk_${'A'.repeat(43)}` });
    const right = fakePrompt({ Address: env.EVENTREG_STATE, Key: env.EVENTREG_STATE_KEY });
    const login = (prompt: Prompt) => {
      const { runtime } = fakeRuntime({ directory, env: OFF, tty: true, prompt: async () => prompt });
      return main(['login', '--state'], runtime);
    };
    expect(await login(wrong.prompt)).toBe(1);
    expect(readProfiles(config).get('default')).toEqual({ baseUrl: 'https://a.example.com' });
    expect(await login(right.prompt)).toBe(0);
    expect(right.asked).toEqual([
      'secret: Address of the shared state (EVENTREG_STATE; it is not shown)',
      'secret: Key of the shared state (EVENTREG_STATE_KEY; it is not shown)',
    ]);
    const ana = person(OFF, directory);
    const place = /127.0.0.1:\d+\/space_\d+/.exec(env.EVENTREG_STATE)?.[0];
    expect((await ana('state')).out).toContain(`Space "fair" at ${place}`);
    expect((await ana('doctor')).out).toContain(`space "fair" at ${place} (the profile), PostgreSQL`);
    const shown = await ana('profiles', 'show');
    expect(shown.out).toContain(`fair at ${place}`);
    expect(shown.out).not.toContain(env.EVENTREG_STATE_KEY);
    expect((await ana('runs')).code).toBe(0);
    expect(existsSync(join(directory, 'state', 'spaces'))).toBe(true);
    expect((await ana('logout')).code).toBe(0);
    expect(await ana('state')).toMatchObject({ code: 2 });
  });

  test('a clone takes along what others have said of lists', async () => {
    const sandbox = await startSandbox({ file: ':memory:' });
    onTestFinished(() => sandbox.close());
    const account = { EVENTREG_BASE_URL: sandbox.baseUrl, EVENTREG_TOKEN: sandbox.token };
    const env = { ...(await openSpace()), ...account };
    const list = join(temporaryDirectory(), 'guests.csv');
    writeFileSync(list, 'Vorname,Nachname,Mail\nAda,Lovelace,ada@example.com\n');
    const said = 'Vorname=first_name,Nachname=last_name,Mail=email'
      .split(',')
      .flatMap((pair) => ['--map', pair]);
    const pushed = await person(env)('push', list, '--persona', 'visitor', ...said, '--yes');
    expect(pushed).toMatchObject({ code: 0 });
    expect((await person(env)('runs')).out).toMatch(/^run\t.*\tby\n\S+\t.*\t\S+@test-host\n$/);
    const directory = temporaryDirectory();
    expect(await person(env, directory)('sandbox', 'clone', '--as', 'copy')).toMatchObject({ code: 0 });
    expect(readFileSync(join(directory, 'config', 'mappings.json'), 'utf8')).toContain('nachname');
  });

  test('holds nothing of many guests that can be read there', async () => {
    const sandbox = await startSandbox({ file: ':memory:', switches: { limit: 0 } });
    onTestFinished(() => sandbox.close());
    const account = { EVENTREG_BASE_URL: sandbox.baseUrl, EVENTREG_TOKEN: sandbox.token };
    const directory = temporaryDirectory();
    const list = join(directory, 'guests.csv');
    const guests = runsOf(1000);
    const tokens = Array.from({ length: guests }, (_, at) => `zq${at}${randomUUID().slice(0, 8)}`);
    const rows = tokens.map((token) => `visitor,${token}b,${token}first,${token}last,${token}@example.com`);
    writeFileSync(list, ['persona,barcode,First name,Last name,E-mail', ...rows, ''].join('\n'));
    const ana = person({ ...(await openSpace()), ...account }, directory);
    expect(await ana('push', list, '--yes', '--quiet')).toMatchObject({ code: 0 });
    expect(sandbox.registrations()).toHaveLength(guests);
    const readable = (): string =>
      cluster().sql(`SELECT count(DISTINCT token) FROM unnest('{${tokens.join(',')}}'::text[]) AS token, (
        SELECT body FROM eventreg.change UNION ALL SELECT body FROM eventreg.part
        UNION ALL SELECT mark FROM eventreg.space UNION ALL SELECT holder FROM eventreg.space) AS kept
        WHERE position(token::bytea IN body) > 0`);
    expect(Number(cluster().sql('SELECT sum(length(body)) FROM eventreg.change'))).toBeGreaterThan(
      100 * guests,
    );
    expect(readable()).toBe('0');
    expect(await ana('state', 'prune')).toMatchObject({ code: 0 });
    expect(readable()).toBe('0');
    cluster().sql(`INSERT INTO eventreg.part VALUES ('x', 0, 0, '${tokens.at(-1)} in clear')`);
    expect(readable()).toBe('1');
  });

  test('doctor tells how it is, and what is wrong', async () => {
    const env = await openSpace();
    expect((await person(env)('doctor')).out).toMatch(
      /ok +shared state +space "default" at .* \(EVENTREG_STATE\), PostgreSQL \d+.*the key fits, nobody is at work/,
    );
    const wrong = { ...env, EVENTREG_STATE_KEY: `evk_${'A'.repeat(43)}` };
    expect((await person(wrong)('doctor')).out).toContain('is not that of the space');
    expect((await person(env)('doctor')).out).toMatch(/ok +journal +not used while the state is shared/);
    const directory = temporaryDirectory();
    const local = new Journal(join(directory, 'state'));
    note(local, 'of before');
    local.close();
    cluster().sql('CREATE TABLE public.space AS TABLE eventreg.space');
    const ana = person(env, directory);
    expect((await ana('state', 'move')).code).toBe(0);
    expect((await ana('doctor')).out).toMatch(/ok +shared state/);
    cluster().sql('DELETE FROM eventreg.space; INSERT INTO eventreg.space TABLE public.space');
    expect((await ana('doctor')).out).toMatch(/!! +shared state +The space "default" has gone back/);
    expect((await person({})('doctor')).out).not.toContain('shared state');
  });
});
