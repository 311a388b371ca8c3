import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { defineLogin, type LoginOptions, runLogin } from '../../../src/commands/profiles/login.ts';
import {
  defineLogout,
  type LogoutOptions,
  runLogout,
} from '../../../src/commands/profiles/profiles-command.ts';
import { EXIT, InterruptedError, UsageError } from '../../../src/errors.ts';
import type { Prompt } from '../../../src/prompts/prompt.ts';
import { startSandbox } from '../../../src/sandbox/sandbox.ts';
import { openCredentials } from '../../../src/settings/credentials.ts';
import { NO_KEYCHAIN } from '../../../src/settings/keychain.ts';
import { openProfiles, readProfiles } from '../../../src/settings/profiles.ts';
import { findStateAccess, STATE, stateSecret } from '../../../src/settings/shared-state.ts';
import { makeKey } from '../../../src/settings/state-address.ts';
import { type FakeRuntimeOverrides, fakePrompt, fakeRuntime } from '../../support/fake-runtime.ts';
import { type Argv, GLOBALS, parseArgv } from '../parse-argv.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const noOptions: LoginOptions = { ...GLOBALS, tokenStdin: false, state: false };
const A = 'https://a.example.com';
const parse = (argv: Argv): Promise<LoginOptions> => parseArgv(defineLogin, 'login', argv);

describe('the command line of login', () => {
  test.each<[Argv, Partial<LoginOptions>]>([
    [[], { tokenStdin: false }],
    [
      ['--base-url', A, '--integ-url', 'https://b.example.com'],
      { baseUrl: A, integUrl: 'https://b.example.com' },
    ],
    ['--token-stdin --timeout 2.5', { tokenStdin: true, timeout: 2.5 }],
    ['--state', { state: true }],
  ])('%j', async (argv, expected) => {
    expect(await parse(argv)).toMatchObject(expected);
  });

  test.each(['0', '-1', 'soon', '4000', ''])('refuses --timeout %j', async (timeout) => {
    await expect(parse(['--timeout', timeout])).rejects.toThrow(UsageError);
  });

  test('has no option that takes a token', async () => {
    await expect(parse('--token abc')).rejects.toThrow('unknown option');
    await expect(parse('abc')).rejects.toThrow('too many arguments');
  });
});

describe('login without a terminal', () => {
  test('saves profile and token, and says where the token is and that the service was not asked', async () => {
    const here = setUp({ stdinText: 'abc12345\n' });
    const code = await runLogin(
      { ...noOptions, baseUrl: `${A}/api/`, tokenStdin: true, timeout: 5 },
      here.runtime,
    );
    expect(code).toBe(EXIT.done);
    expect(readProfiles(here.config).get('default')).toEqual({ baseUrl: `${A}/api`, timeout: 5 });
    expect(await here.tokenOf('default', A)).toBe('abc12345');
    expect([...here.runtime.secrets]).toEqual(['abc12345']);
    expect(here.out()).toBe('');
    expect(here.err()).toBe(
      [
        `Profile default is saved in ${join(here.config, 'profiles.json')}.`,
        `The token for ${A} is in ${join(here.config, 'credentials.json')}: not encrypted, readable by you only.`,
        'The service was not contacted: `eventreg doctor` checks that everything works.',
        '',
      ].join('\n'),
    );
  });

  test.each<[string, Partial<LoginOptions>, string]>([
    ['base URL', { tokenStdin: true }, '--base-url'],
    ['token', { baseUrl: A }, '--token-stdin'],
  ])('names the flag for the missing %s, and saves nothing', async (_what, options, flag) => {
    const here = setUp({ stdinText: 'abc12345' });
    await expect(runLogin({ ...noOptions, ...options }, here.runtime)).rejects.toMatchObject({
      exitCode: 2,
      hint: expect.stringContaining(flag),
    });
    expect(existsSync(here.config)).toBe(false);
  });

  test.each<[string, Partial<LoginOptions>, string]>([
    ['an address without encryption', { baseUrl: 'http://a.example.com' }, 'abc12345'],
    ['a webhook address without encryption', { baseUrl: A, integUrl: 'http://a.example.com' }, 'abc12345'],
    ['a token with a space', { baseUrl: A }, 'abc 123'],
    ['no token', { baseUrl: A }, ''],
    ['something huge', { baseUrl: A }, 'x'.repeat(1_000_000)],
    ['a name that cannot be one', { baseUrl: A, profile: '..' }, 'abc12345'],
  ])('refuses %s before it saves anything', async (_what, options, stdinText) => {
    const here = setUp({ stdinText });
    const login = runLogin({ ...noOptions, tokenStdin: true, ...options }, here.runtime);
    await expect(login).rejects.toThrow(UsageError);
    expect(existsSync(here.config)).toBe(false);
  });

  test('says how to use a profile that is not the current one, and which variables go before it', async () => {
    const here = setUp({
      stdinText: 'abc12345',
      env: { EVENTREG_PROFILE: 'staging', EVENTREG_TOKEN: 'other-token' },
    });
    await runLogin({ ...noOptions, baseUrl: A, tokenStdin: true }, here.runtime);
    expect(readProfiles(here.config).names()).toEqual(['staging']);
    expect(here.err()).toContain(
      'Use it with --profile staging, or from now on with `eventreg profiles use staging`.',
    );
    expect(here.err()).toContain('EVENTREG_TOKEN is set and goes before what was saved.');
    expect(here.err()).not.toContain('EVENTREG_BASE_URL');
  });

  test('warns of the unencrypted file even when quiet, and says no more', async () => {
    const here = setUp({ stdinText: 'abc12345' });
    await runLogin({ ...noOptions, baseUrl: A, tokenStdin: true, quiet: true }, here.runtime);
    expect(here.err()).toMatch(/^The token for \S+ is in .*: not encrypted, readable by you only\.\n$/);
  });

  test('stops at a damaged file before it reads the token', async () => {
    const here = setUp({ stdinText: 'abc12345' });
    (await openProfiles(here.config)).set('a', {});
    writeFileSync(join(here.config, 'profiles.json'), '{');
    await expect(runLogin({ ...noOptions, baseUrl: A, tokenStdin: true }, here.runtime)).rejects.toThrow(
      'profiles.json',
    );
    expect(here.runtime.stdin.readableLength).toBe(8);
    expect(existsSync(join(here.config, 'credentials.json'))).toBe(false);
  });

  test('is refused for the sandbox', async () => {
    await expect(runLogin({ ...noOptions, sandbox: true }, setUp().runtime)).rejects.toThrow(
      'The sandbox needs no login.',
    );
  });
});

/** A service below /api. */
async function service() {
  const sandbox = await startSandbox({ file: ':memory:' });
  onTestFinished(() => sandbox.close());
  return { sandbox, address: sandbox.baseUrl };
}

/** Answers one question after the other, whatever it is. */
function scripted(answers: readonly (string | Error)[]) {
  const asked: string[] = [];
  const initials: (string | undefined)[] = [];
  const next = (question: string): Promise<string> => {
    const answer = answers[asked.length];
    asked.push(question);
    return typeof answer === 'string'
      ? Promise.resolve(answer)
      : Promise.reject(answer ?? new Error(question));
  };
  const text = (question: string, initial?: string): Promise<string> => {
    initials.push(initial);
    return next(question);
  };
  const fake = { ...fakePrompt({}).prompt, secret: next, text, select: next } as Prompt;
  return { asked, initials, prompt: async () => fake };
}

describe('login at a terminal', () => {
  test('explains what it asks for, tries it, and says what was found and what is next', async () => {
    const { sandbox, address } = await service();
    const { prompt, asked } = scripted([` ${address}/ `, sandbox.token, '']);
    const here = setUp({ tty: true, prompt });
    expect(await runLogin(noOptions, here.runtime)).toBe(EXIT.done);
    expect(asked).toEqual([
      'Address of the service (your provider tells it, for example https://events.example.com/api)',
      'Access token (from your provider; it is not shown)',
      'Address of webhooks (only when your provider told you one; else just Enter)',
    ]);
    expect(readProfiles(here.config).get('default')).toEqual({ baseUrl: address });
    expect(await here.tokenOf('default', new URL(address).origin)).toBe(sandbox.token);
    expect(here.err()).toMatch(/^✓ Harbour Trade Fair 2027, \d kinds of guests: visitor/m);
    expect(here.err()).toMatch(/^Next: `eventreg push guests.xlsx --dry-run`.*`eventreg doctor`/m);
    expect(here.out() + here.err()).not.toContain(sandbox.token);
  });

  test('asks again for a token that is none or is not accepted', async () => {
    const { sandbox, address } = await service();
    const { prompt, asked } = scripted([address, 'short', 'wrong-token-1', sandbox.token, '']);
    const here = setUp({ tty: true, prompt });
    expect(await runLogin(noOptions, here.runtime)).toBe(EXIT.done);
    expect(asked.filter((question) => question.startsWith('Access token'))).toHaveLength(3);
    expect(here.err()).toContain('✗ The token has fewer than 8 characters');
    expect(here.err()).toContain(`✗ ${new URL(address).host} does not accept this token. Again:`);
    expect(await here.tokenOf('default', new URL(address).origin)).toBe(sandbox.token);
    expect(here.err()).not.toContain('wrong-token-1');
  });

  test('asks again for an address that is none or is wrong, and proposes /api', async () => {
    const { sandbox, address } = await service();
    const { origin } = new URL(address);
    const { prompt, initials } = scripted(['events', origin, sandbox.token, 'address', address, '']);
    const here = setUp({ tty: true, prompt });
    expect(await runLogin(noOptions, here.runtime)).toBe(EXIT.done);
    expect(here.err()).toContain(
      '✗ This is not a web address. It looks like https://events.example.com/api.',
    );
    expect(here.err()).toMatch(/✗ Could not read the event: .* 404/);
    expect(initials).toContain(`${origin}/api`);
    expect(readProfiles(here.config).get('default')).toEqual({ baseUrl: address });
  });

  test('saves what cannot be tried when that is wanted, and nothing before', async () => {
    const { address } = await service();
    const gone = address.replace(/:\d+/, ':1');
    const { prompt } = scripted([gone, 'token-1234', 'again', 'token', 'token-5678', 'save', '']);
    const here = setUp({ tty: true, prompt });
    expect(await runLogin(noOptions, here.runtime)).toBe(EXIT.done);
    expect(here.err().match(/✗ Could not read the event/g)).toHaveLength(3);
    expect(await here.tokenOf('default', new URL(gone).origin)).toBe('token-5678');
  });

  test('interrupted at the token keeps the address that was typed, and no token', async () => {
    const { sandbox, address } = await service();
    const first = scripted([address, 'wrong-token-1', new InterruptedError()]);
    const here = setUp({ tty: true, prompt: first.prompt });
    await expect(runLogin(noOptions, here.runtime)).rejects.toThrow(InterruptedError);
    expect(readProfiles(here.config).get('default')).toEqual({ baseUrl: address });
    expect(await here.tokenOf('default', new URL(address).origin)).toBeUndefined();
    const next = scripted([sandbox.token, '']);
    here.runtime.prompt = next.prompt;
    await runLogin(noOptions, here.runtime);
    expect(next.asked.map((question) => question.split(' (')[0])).toEqual([
      'Access token',
      'Address of webhooks',
    ]);
    expect(here.err()).toContain(`Address of the service: ${address} (--base-url gives another)`);
  });

  test('leaves the address of a profile as it was when it is interrupted', async () => {
    const here = setUp({ tty: true, prompt: scripted([new InterruptedError()]).prompt });
    (await openProfiles(here.config)).set('default', { baseUrl: A });
    const options = { ...noOptions, baseUrl: 'https://other.example.com' };
    await expect(runLogin(options, here.runtime)).rejects.toThrow(InterruptedError);
    expect(readProfiles(here.config).get('default')).toEqual({ baseUrl: A });
  });

  test.each<[string, string | InterruptedError]>([
    ['a word that is no address', 'none'],
    ['Ctrl-C', new InterruptedError()],
  ])('loses nothing to %s when it asks for webhooks', async (_what, answer) => {
    const { sandbox, address } = await service();
    const { prompt } = scripted([address, sandbox.token, answer, 'https://hooks.example.com']);
    const here = setUp({ tty: true, prompt });
    const ended = await runLogin(noOptions, here.runtime).catch((error: unknown) => error);
    const isAsked = typeof answer === 'string';
    expect(ended).toEqual(isAsked ? EXIT.done : answer);
    expect(here.err().includes('✗ This is not a web address.')).toBe(isAsked);
    expect(readProfiles(here.config).get('default')).toEqual({
      baseUrl: address,
      ...(isAsked ? { integUrl: 'https://hooks.example.com' } : {}),
    });
    expect(await here.tokenOf('default', new URL(address).origin)).toBe(sandbox.token);
  });

  test('asks only for the token when the profile is complete, and keeps its other settings', async () => {
    const { sandbox, address } = await service();
    const { prompt, asked } = scripted([sandbox.token]);
    const here = setUp({ tty: true, prompt });
    const profile = { baseUrl: address, integUrl: 'https://b.example.com', refuses503: true, timeout: 9 };
    (await openProfiles(here.config)).set('default', profile);
    await runLogin({ ...noOptions, timeout: 3 }, here.runtime);
    expect(asked).toHaveLength(1);
    expect(readProfiles(here.config).get('default')).toEqual({ ...profile, timeout: 3 });
  });

  test('at another service forgets the webhook address and the token of the one before', async () => {
    const { sandbox, address } = await service();
    const { prompt, asked } = scripted([sandbox.token, 'https://new-hooks.example.com/']);
    const here = setUp({ tty: true, prompt });
    (await openProfiles(here.config)).set('default', { baseUrl: A, integUrl: 'https://b.example.com' });
    await here.credentials.set('default', A, 'old');
    await runLogin({ ...noOptions, baseUrl: address }, here.runtime);
    expect(asked).toHaveLength(2);
    expect(readProfiles(here.config).get('default')).toEqual({
      baseUrl: address,
      integUrl: 'https://new-hooks.example.com',
    });
    expect(await here.tokenOf('default', A)).toBeUndefined();
    expect(await here.tokenOf('default', new URL(address).origin)).toBe(sandbox.token);
  });

  test('asks nobody when the token comes through stdin', async () => {
    const here = setUp({ tty: true, stdinText: 'abc12345' });
    await runLogin({ ...noOptions, baseUrl: A, tokenStdin: true }, here.runtime);
    expect(await here.tokenOf('default', A)).toBe('abc12345');
  });

  test('takes the addresses of the environment where there is no flag', async () => {
    const env = { EVENTREG_BASE_URL: A, EVENTREG_INTEG_URL: 'https://hooks.example.com' };
    const here = setUp({ stdinText: 'abc12345', env });
    await runLogin({ ...noOptions, tokenStdin: true }, here.runtime);
    expect(readProfiles(here.config).get('default')).toEqual({
      baseUrl: A,
      integUrl: 'https://hooks.example.com',
    });
  });
});

describe('login --state', () => {
  const URL_WITH_PASSWORD = 'postgres://ana:pa55word@db.example.com/eventreg?space=fair';
  const KEY = makeKey();
  const env = { EVENTREG_STATE: URL_WITH_PASSWORD, EVENTREG_STATE_KEY: KEY };
  const access = { address: URL_WITH_PASSWORD, key: KEY };
  const found = (config: string, profileFlag?: string, more = {}) =>
    findStateAccess({ profileFlag, env: { EVENTREG_KEYCHAIN: 'off', ...more }, configDir: config });

  test('keeps address and key with the token, and nothing secret in the profile', async () => {
    const here = setUp({ stdinText: 'abc12345', env });
    const options = { ...noOptions, baseUrl: A, tokenStdin: true, state: true, profile: 'staging' };
    expect(await runLogin({ ...options, output: 'json' }, here.runtime)).toBe(EXIT.done);
    expect(readProfiles(here.config).get('staging')).toEqual({
      baseUrl: A,
      state: 'fair at db.example.com/eventreg',
    });
    const clear = readFileSync(join(here.config, 'profiles.json'), 'utf8') + here.out() + here.err();
    for (const secret of [KEY, 'pa55word']) expect(clear).not.toContain(secret);
    expect([...here.runtime.secrets]).toEqual(expect.arrayContaining([KEY, 'pa55word']));
    expect(here.err()).toContain(
      `The token for ${A} and the key of the shared state (fair at db.example.com/eventreg) are in ${join(here.config, 'credentials.json')}: not encrypted`,
    );
    expect(await found(here.config, 'staging')).toEqual(access);
    expect(await found(here.config)).toBeUndefined();
  });

  test('does not ask again for a token that is there, and what the environment names goes before', async () => {
    const here = setUp({ env });
    (await openProfiles(here.config)).set('default', { baseUrl: A });
    await here.credentials.set('default', A, 'abc12345');
    expect(await runLogin({ ...noOptions, state: true }, here.runtime)).toBe(EXIT.done);
    expect(await here.tokenOf('default', A)).toBe('abc12345');
    expect(await found(here.config)).toEqual(access);
    const other = { address: 'postgres:', key: '' };
    expect(await found(here.config, undefined, { EVENTREG_STATE: 'postgres:' })).toEqual(other);
  });

  test.each([
    ['EVENTREG_STATE', { EVENTREG_STATE_KEY: KEY }],
    ['EVENTREG_STATE_KEY', { EVENTREG_STATE: URL_WITH_PASSWORD }],
  ])('saves nothing without %s', async (variable, given) => {
    const here = setUp({ stdinText: 'abc12345', env: given });
    const login = runLogin({ ...noOptions, baseUrl: A, tokenStdin: true, state: true }, here.runtime);
    await expect(login).rejects.toThrow(variable);
    expect(existsSync(here.config)).toBe(false);
  });

  test('stays with a later login, goes with logout, and is never given up unasked', async () => {
    const here = setUp({ stdinText: 'abc12345', env });
    await runLogin({ ...noOptions, baseUrl: A, tokenStdin: true, state: true }, here.runtime);
    const later = setUp({ stdinText: 'def12345', paths: here.runtime.paths });
    await runLogin({ ...noOptions, baseUrl: A, tokenStdin: true }, later.runtime);
    expect(await here.tokenOf('default', A)).toBe('def12345');
    expect(await found(here.config)).toEqual(access);
    await here.credentials.remove('default', STATE);
    await expect(found(here.config)).rejects.toThrow(
      'Profile default shares its state (fair at db.example.com/eventreg), and the key of that is not here.',
    );
    await here.credentials.set('default', STATE, stateSecret(access));
    expect(await runLogout(GLOBALS, here.runtime)).toBe(EXIT.done);
    expect(here.err()).toContain('Profile default shares its state no longer');
    expect(await here.credentials.get('default', STATE)).toBeUndefined();
    expect(await found(here.config)).toBeUndefined();
    expect(readProfiles(here.config).get('default')).toEqual({ baseUrl: A });
  });
});

describe('logout', () => {
  test('takes the flags that every command takes', async () => {
    const seen: LogoutOptions = await parseArgv(defineLogout, 'logout', ['--profile', 'staging']);
    expect(seen).toMatchObject({ profile: 'staging' });
  });

  test('removes the token, keeps the profile, and says whether there was a token', async () => {
    const here = setUp();
    (await openProfiles(here.config)).set('default', { baseUrl: A });
    await here.credentials.set('default', A, 'abc12345');
    await here.credentials.set('other', A, 'theirs');
    expect(await runLogout(GLOBALS, here.runtime)).toBe(EXIT.done);
    expect(await runLogout(GLOBALS, here.runtime)).toBe(EXIT.done);
    expect(here.err()).toBe(
      'The token of profile default is removed.\nProfile default had no stored token.\n',
    );
    expect(await here.tokenOf('other', A)).toBe('theirs');
    expect(readFileSync(join(here.config, 'credentials.json'), 'utf8')).not.toContain('abc12345');
    expect(readProfiles(here.config).get('default')).toEqual({ baseUrl: A });
  });

  test('of an unknown profile lists the known ones', async () => {
    const here = setUp();
    (await openProfiles(here.config)).set('staging', { baseUrl: A });
    await expect(runLogout({ ...GLOBALS, profile: 'prod' }, here.runtime)).rejects.toMatchObject({
      exitCode: 2,
      hint: expect.stringContaining('staging'),
    });
  });
});

/** A runtime with a config directory of its own and no keychain. */
function setUp(overrides: FakeRuntimeOverrides = {}) {
  const fake = fakeRuntime({
    directory: temporaryDirectory(),
    ...overrides,
    env: { EVENTREG_KEYCHAIN: 'off', ...overrides.env },
  });
  const { config } = fake.runtime.paths;
  const credentials = openCredentials({ configDir: config, keychain: NO_KEYCHAIN });
  return {
    ...fake,
    config,
    credentials,
    tokenOf: (profile: string, origin: string) => credentials.get(profile, origin),
  };
}
