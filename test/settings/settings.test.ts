import { describe, expect, test } from 'vitest';
import { AuthorisationError, UsageError } from '../../src/errors.ts';
import { openCredentials } from '../../src/settings/credentials.ts';
import { NO_KEYCHAIN } from '../../src/settings/keychain.ts';
import { openProfiles, type Profile } from '../../src/settings/profiles.ts';
import { resolveSettings } from '../../src/settings/settings.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { alike } from '../support/tables.ts';

type Env = Record<string, string>;

interface Place {
  profiles?: Record<string, Profile>;
  current?: string;
  /** Tokens by profile and origin. */
  tokens?: [profile: string, origin: string, token: string][];
}

const A = 'https://a.example.com';
const B = 'https://b.example.com';

const twoProfiles: Place = {
  profiles: { default: { baseUrl: A }, staging: { baseUrl: B } },
  tokens: [
    ['default', A, 'token-of-a'],
    ['staging', B, 'token-of-b'],
  ],
};

describe('precedence', () => {
  const onlyEnv = { EVENTREG_TOKEN: 'token-of-e' };
  const empty = alike('', 'EVENTREG_PROFILE | EVENTREG_BASE_URL | EVENTREG_INTEG_URL | EVENTREG_TOKEN');
  const fileA = `default ${A} token-of-a file`;
  const fileB = `staging ${B} token-of-b file`;
  const env = { EVENTREG_PROFILE: 'staging' };
  test.each<[string, Place, string | undefined, Env, string]>([
    ['the current profile', twoProfiles, undefined, {}, fileA],
    ['another current profile', { ...twoProfiles, current: 'staging' }, undefined, {}, fileB],
    ['EVENTREG_PROFILE before the current', twoProfiles, undefined, env, fileB],
    ['the flag before EVENTREG_PROFILE', twoProfiles, 'default', env, fileA],
    [
      'its token before the stored one',
      twoProfiles,
      undefined,
      onlyEnv,
      `default ${A} token-of-e environment`,
    ],
    [
      'EVENTREG_BASE_URL before the profile',
      twoProfiles,
      undefined,
      { ...onlyEnv, EVENTREG_BASE_URL: B },
      `default ${B} token-of-e environment`,
    ],
    [
      'the environment alone',
      {},
      undefined,
      { ...onlyEnv, EVENTREG_BASE_URL: A },
      `default ${A} token-of-e environment`,
    ],
    ['empty variables as if not set', twoProfiles, undefined, empty, fileA],
  ])('takes %s', async (_what, place, profileFlag, env, expected) => {
    const settings = await resolve(place, env, profileFlag);
    const { profile, baseUrl, token, tokenFrom } = settings;
    expect([profile, baseUrl.origin, token, tokenFrom].join(' ')).toBe(expected);
  });

  test('of the webhook address: environment, profile, none', async () => {
    const profiles = { default: { baseUrl: A, integUrl: `${B}/hooks/` } };
    const env = { EVENTREG_TOKEN: 'token-of-env' };
    expect((await resolve(twoProfiles, env)).integUrl).toBeUndefined();
    expect((await resolve({ profiles }, env)).integUrl?.href).toBe(`${B}/hooks`);
    const other = { ...env, EVENTREG_INTEG_URL: 'https://c.example.com' };
    expect((await resolve({ profiles }, other)).integUrl?.host).toBe('c.example.com');
  });

  test('of all else: profile, default', async () => {
    const env = { EVENTREG_TOKEN: 'token-of-env' };
    expect(await resolve({ profiles: { default: { baseUrl: A } } }, env)).toMatchObject({
      timeoutMs: 30_000,
      settleMs: 60_000,
      refuses503: false,
      endpoints: {
        event: '/event',
        registrations: '/registration',
        registration: '/registration/{id}',
        listWebhooks: '/v1/webhooks',
        createWebhook: '/v1/webhooks',
        updateWebhook: '/v1/webhooks/{id}',
        deleteWebhook: '/v1/webhooks/{id}',
      },
    });
    const profile = {
      baseUrl: A,
      timeout: 1.5,
      settleSeconds: 0,
      refuses503: true,
      endpoints: { event: '/v2/event' },
    };
    expect(await resolve({ profiles: { default: profile } }, env)).toMatchObject({
      timeoutMs: 1500,
      settleMs: 0,
      refuses503: true,
      endpoints: { event: '/v2/event', registration: '/registration/{id}' },
    });
  });
});

describe('a stored token', () => {
  test('does not go to another origin, and the error says where it belongs', async () => {
    const elsewhere = resolve(twoProfiles, { EVENTREG_BASE_URL: 'https://c.example.com' });
    await expect(elsewhere).rejects.toThrow(AuthorisationError);
    await expect(elsewhere).rejects.toMatchObject({ exitCode: 4, details: [expect.stringContaining(A)] });
  });

  test.each(['https://a.example.com:8443', 'https://a.example.com.evil.example', 'https://b.example.com'])(
    'of one address is not used for %s, nor is that of another profile',
    async (url) => {
      await expect(resolve(twoProfiles, { EVENTREG_BASE_URL: url })).rejects.toThrow(AuthorisationError);
    },
  );

  test('goes to another path of its origin', async () => {
    const settings = await resolve(twoProfiles, { EVENTREG_BASE_URL: `${A}/v2` });
    expect([settings.token, settings.baseUrl.pathname]).toEqual(['token-of-a', '/v2']);
  });

  test('goes to the webhook address of its profile, but to none from the environment', async () => {
    const place: Place = {
      profiles: { default: { baseUrl: A, integUrl: B } },
      tokens: [['default', A, 'token-of-a']],
    };
    expect((await resolve(place, {})).integUrl?.origin).toBe(B);
    expect((await resolve(place, { EVENTREG_INTEG_URL: `${A}/hooks` })).integUrl?.origin).toBe(A);
    const foreign = resolve(place, { EVENTREG_INTEG_URL: 'https://c.example.com' });
    await expect(foreign).rejects.toThrow(UsageError);
    await expect(foreign).rejects.toThrow('https://c.example.com');
  });
});

describe('what is missing or wrong', () => {
  test('no base URL: the hint names every way to give one', async () => {
    const failure = resolve({}, { EVENTREG_TOKEN: 'token-of-env' });
    await expect(failure).rejects.toThrow(UsageError);
    for (const way of ['eventreg login', 'EVENTREG_BASE_URL', '--sandbox']) {
      await expect(failure).rejects.toMatchObject({ hint: expect.stringContaining(way) });
    }
  });

  test('no token: exit 4, and the hint names every way to give one', async () => {
    const failure = resolve({}, { EVENTREG_BASE_URL: A });
    await expect(failure).rejects.toThrow(AuthorisationError);
    for (const way of ['eventreg login', 'EVENTREG_TOKEN']) {
      await expect(failure).rejects.toMatchObject({ exitCode: 4, hint: expect.stringContaining(way) });
    }
  });

  const noSecretService =
    process.platform === 'linux' &&
    process.env['DBUS_SESSION_BUS_ADDRESS'] === undefined &&
    process.env['XDG_RUNTIME_DIR'] === undefined;
  test.runIf(noSecretService)('no token, and no keychain that could say so: that is told', async () => {
    await expect(resolve({}, { EVENTREG_BASE_URL: A, EVENTREG_KEYCHAIN: '' })).rejects.toMatchObject({
      details: [expect.stringMatching(/^The system's keychain could not be asked: ./)],
    });
  });

  test.each<[string, string | undefined, Env]>([
    ['flag', 'prod', {}],
    ['environment', undefined, { EVENTREG_PROFILE: 'prod' }],
  ])('a profile named by the %s that does not exist: the known ones are listed', async (_by, flag, env) => {
    const failure = resolve(
      twoProfiles,
      { ...env, EVENTREG_BASE_URL: A, EVENTREG_TOKEN: 'token-of-env' },
      flag,
    );
    await expect(failure).rejects.toThrow(UsageError);
    await expect(failure).rejects.toMatchObject({ hint: expect.stringContaining('default, staging') });
  });

  test('a name that cannot be one', async () => {
    await expect(resolve(twoProfiles, {}, '../x')).rejects.toThrow(UsageError);
    await expect(resolve(twoProfiles, {}, '')).rejects.toThrow(UsageError);
  });

  test('certificates not checked: refused before anything else', async () => {
    const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0', EVENTREG_BASE_URL: A, EVENTREG_TOKEN: 'token-of-env' };
    await expect(resolve({}, env)).rejects.toThrow(/NODE_TLS_REJECT_UNAUTHORIZED=0/);
    await expect(resolve({}, { ...env, NODE_TLS_REJECT_UNAUTHORIZED: '1' })).resolves.toBeDefined();
  });

  test('an address from the environment or a profile that the token must not go to', async () => {
    const env = { EVENTREG_BASE_URL: 'http://a.example.com', EVENTREG_TOKEN: 'token-of-env' };
    await expect(resolve({}, env)).rejects.toThrow(/^EVENTREG_BASE_URL/);
    const profiles = { default: { baseUrl: 'http://a.example.com' } };
    await expect(resolve({ profiles }, { EVENTREG_TOKEN: 'token-of-env' })).rejects.toThrow(
      'profile default',
    );
  });

  test('a token that cannot be one is not repeated', async () => {
    const failure = resolve({}, { EVENTREG_BASE_URL: A, EVENTREG_TOKEN: 'secret part' });
    await expect(failure).rejects.toThrow(UsageError);
    await expect(failure).rejects.not.toThrow('secret part');
  });
});

/** Resolves settings in a config directory as described, without the keychain of this machine. */
async function resolve(place: Place, env: Env, profileFlag?: string) {
  const configDir = temporaryDirectory();
  if (place.profiles !== undefined) {
    const store = await openProfiles(configDir);
    for (const [name, profile] of Object.entries(place.profiles)) store.set(name, profile);
    if (place.current !== undefined) store.use(place.current);
  }
  const credentials = openCredentials({ configDir, keychain: NO_KEYCHAIN });
  for (const [profile, origin, token] of place.tokens ?? []) await credentials.set(profile, origin, token);
  return resolveSettings({ profileFlag, env: { EVENTREG_KEYCHAIN: 'off', ...env }, configDir });
}
