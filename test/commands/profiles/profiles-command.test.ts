import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  defineProfiles,
  type ProfilesOptions,
  runProfiles,
} from '../../../src/commands/profiles/profiles-command.ts';
import { EXIT, UsageError } from '../../../src/errors.ts';
import { openCredentials } from '../../../src/settings/credentials.ts';
import { NO_KEYCHAIN } from '../../../src/settings/keychain.ts';
import { openProfiles, readProfiles } from '../../../src/settings/profiles.ts';
import { fakeRuntime } from '../../support/fake-runtime.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { type Argv, GLOBALS, parseArgv } from '../parse-argv.ts';
import { listIn } from '../../support/documents.ts';

const parse = (argv: Argv): Promise<ProfilesOptions> => parseArgv(defineProfiles, 'profiles', argv);
const list: ProfilesOptions = { ...GLOBALS, action: 'list' };

describe('the command line of profiles', () => {
  test.each<[Argv, Partial<ProfilesOptions>]>([
    [[], { action: 'list' }],
    ['list --json', { action: 'list', output: 'json' }],
    ['--json', { action: 'list', output: 'json' }],
    ['use staging', { action: 'use', name: 'staging' }],
    ['remove staging', { action: 'remove', name: 'staging' }],
    ['show', { action: 'show' }],
    ['show staging --profile x', { action: 'show', name: 'staging', profile: 'x' }],
  ])('%j', async (argv, expected) => {
    const options = await parse(argv);
    expect(options).toMatchObject(expected);
    expect(options.name).toBe(expected.name);
  });

  test.each([
    ['use', 'missing required argument'],
    ['remove', 'missing required argument'],
    ['use a b', 'too many arguments'],
    ['frobnicate', "unknown action 'frobnicate'"],
  ])('refuses %j', async (argv, why) => {
    await expect(parse(argv)).rejects.toThrow(why);
  });
});

describe('profiles list', () => {
  test('writes a table with whole values for programs', async () => {
    const here = await setUp();
    expect(await runProfiles(list, here.runtime)).toBe(EXIT.done);
    expect(
      here
        .out()
        .split('\n')
        .map((line) => line.split('\t')),
    ).toEqual([
      ['name', 'current', 'base_url', 'integ_url', 'token', 'state'],
      ['default', 'true', 'https://a.example.com', '', '', 'fair at db/x'],
      ['staging', 'false', 'https://b.example.com/api', 'https://c.example.com', here.file, ''],
      [''],
    ]);
    expect(here.err()).toBe('');
  });

  test('says what goes before it here', async () => {
    const here = await setUp();
    const env = {
      EVENTREG_PROFILE: 'staging',
      EVENTREG_BASE_URL: 'https://d.example.com',
      EVENTREG_TOKEN: 'x'.repeat(9),
    };
    await runProfiles(list, { ...here.runtime, env: { ...here.runtime.env, ...env } });
    expect(here.err()).toBe(
      'In use: profile staging (EVENTREG_PROFILE), https://d.example.com (EVENTREG_BASE_URL), the token in EVENTREG_TOKEN.\n',
    );
  });

  test('prints json', async () => {
    const here = await setUp();
    await runProfiles({ ...list, output: 'json' }, here.runtime);
    expect(listIn(here.out())).toEqual([
      {
        name: 'default',
        current: true,
        base_url: 'https://a.example.com',
        integ_url: null,
        token: null,
        state: 'fair at db/x',
      },
      {
        name: 'staging',
        current: false,
        base_url: 'https://b.example.com/api',
        integ_url: 'https://c.example.com',
        token: here.file,
        state: null,
      },
    ]);
  });

  test('prints csv', async () => {
    const here = await setUp();
    await runProfiles({ ...list, output: 'csv' }, here.runtime);
    expect(here.out().split(/\r?\n/)).toEqual([
      'name,current,base_url,integ_url,token,state',
      'default,true,https://a.example.com,,,fair at db/x',
      `staging,false,https://b.example.com/api,https://c.example.com,${here.file},`,
      '',
    ]);
  });

  test.each(['ndjson', 'csv', 'json', 'table'] as const)('as %s never prints a token', async (output) => {
    const here = await setUp();
    const shown = await setUp();
    await runProfiles({ ...list, output }, here.runtime);
    await runProfiles({ ...list, output, action: 'show', name: 'staging' }, shown.runtime);
    expect(shown.out()).toContain('https://b.example.com/api');
    expect(here.out() + here.err() + shown.out() + shown.err()).not.toContain('secret-part');
    expect([...shown.runtime.secrets]).toEqual(['secret-part']);
  });

  test('of none is an empty list of data and a note beside it', async () => {
    const { runtime, out, err } = fakeRuntime({ directory: temporaryDirectory() });
    await runProfiles({ ...list, output: 'json' }, runtime);
    expect(listIn(out())).toEqual([]);
    expect(err()).toContain('eventreg login');
  });
});

test('profiles use changes the current one', async () => {
  const here = await setUp();
  await runProfiles({ ...list, action: 'use', name: 'staging' }, here.runtime);
  expect(readProfiles(here.config).current()).toBe('staging');
  expect(here.err()).toBe('Profile staging is now the current one.\n');
  expect(here.out()).toBe('');
});

test('profiles remove takes the token along', async () => {
  const here = await setUp();
  await runProfiles({ ...list, action: 'remove', name: 'staging' }, here.runtime);
  expect(readProfiles(here.config).names()).toEqual(['default']);
  expect(await here.credentials.get('staging', 'https://b.example.com')).toBeUndefined();
  expect(here.err()).toBe('Profile staging is removed, with its token.\n');
  await runProfiles({ ...list, action: 'remove', name: 'default' }, here.runtime);
  expect(here.err()).toContain('Profile default is removed, it had no token.\n');
});

test('profiles show prints all settings of the named one, of --profile, or of the current one', async () => {
  const named = await show({ name: 'staging' });
  expect(named).toEqual({
    name: 'staging',
    current: false,
    base_url: 'https://b.example.com/api',
    integ_url: 'https://c.example.com',
    timeout_seconds: 5,
    settle_seconds: null,
    refuses_503: null,
    registration_id: null,
    fields: null,
    endpoints: { event: '/v2/event' },
    token: expect.stringContaining('credentials.json'),
    state: null,
  });
  expect(await show({ profile: 'staging' })).toMatchObject({ name: 'staging' });
  expect(await show({})).toMatchObject({ name: 'default', current: true });
});

test.each(['use', 'remove', 'show'] as const)(
  'profiles %s of an unknown one lists the known ones',
  async (action) => {
    const here = await setUp();
    const run = runProfiles({ ...list, action, name: 'prod' }, here.runtime);
    await expect(run).rejects.toThrow(UsageError);
    await expect(run).rejects.toMatchObject({ hint: expect.stringContaining('default, staging') });
    expect(here.out()).toBe('');
  },
);

async function show(options: Partial<ProfilesOptions>): Promise<unknown> {
  const here = await setUp();
  await runProfiles({ ...list, action: 'show', output: 'ndjson', ...options }, here.runtime);
  return JSON.parse(here.out());
}

/** Two profiles, one of them with a token, and no keychain. */
async function setUp() {
  const fake = fakeRuntime({ directory: temporaryDirectory(), env: { EVENTREG_KEYCHAIN: 'off' } });
  fake.runtime.stdout.columns = 300;
  const { config } = fake.runtime.paths;
  const store = await openProfiles(config);
  store.set('default', { baseUrl: 'https://a.example.com', state: 'fair at db/x' });
  store.set('staging', {
    baseUrl: 'https://b.example.com/api',
    integUrl: 'https://c.example.com',
    timeout: 5,
    endpoints: { event: '/v2/event' },
  });
  const credentials = openCredentials({ configDir: config, keychain: NO_KEYCHAIN });
  await credentials.set('staging', 'https://b.example.com', 'secret-part');
  return { ...fake, config, credentials, file: join(config, 'credentials.json') };
}
