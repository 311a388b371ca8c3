import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { EventregError, UsageError } from '../../src/errors.ts';
import { type Keychain, NO_KEYCHAIN } from '../../src/settings/keychain.ts';
import { openCredentials } from '../../src/settings/credentials.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const onPosix = process.platform !== 'win32';
const A = 'https://a.example.com';
const B = 'https://b.example.com';

describe('credentials without a keychain', () => {
  test('are kept in a file, by profile and origin', async () => {
    const { file, credentials, reopened } = inFile();
    expect(await credentials.get('p', A)).toBeUndefined();
    expect(await credentials.set('p', A, 'one')).toEqual({ place: file });
    await credentials.set('p', B, 'two');
    await credentials.set('q', A, 'three');
    const all = [
      reopened().get('p', A),
      reopened().get('p', B),
      reopened().get('q', A),
      reopened().get('q', B),
    ];
    expect(await Promise.all(all)).toEqual(['one', 'two', 'three', undefined]);
    expect(await reopened().find('p', A)).toEqual({ token: 'one', place: file });
  });

  test('are removed one by one', async () => {
    const { credentials } = inFile();
    await credentials.set('p', A, 'one');
    await credentials.set('p', B, 'two');
    expect(await credentials.remove('p', A)).toBe(true);
    expect(await credentials.remove('p', A)).toBe(false);
    expect([await credentials.get('p', A), await credentials.get('p', B)]).toEqual([undefined, 'two']);
  });

  test('create nothing while only read or removed', async () => {
    const { configDir, credentials } = inFile();
    await credentials.get('p', A);
    await credentials.remove('p', A);
    expect(existsSync(configDir)).toBe(false);
  });

  test.runIf(onPosix)('are readable by their owner only, and no copy is left behind', async () => {
    const { configDir, file, credentials } = inFile();
    await credentials.set('p', A, 'one');
    await credentials.set('p', A, 'two');
    expect([modeOf(configDir), modeOf(file)]).toEqual([0o700, 0o600]);
    expect(readdirSync(configDir)).toEqual(['credentials.json']);
  });

  test.runIf(onPosix)('close a file that others can read, by replacing it', async () => {
    const { configDir, file, credentials } = inFile();
    await credentials.set('p', A, 'one');
    chmodSync(configDir, 0o755);
    chmodSync(file, 0o644);
    const before = statSync(file).ino;
    expect(await credentials.get('p', A)).toBe('one');
    expect([modeOf(configDir), modeOf(file)]).toEqual([0o700, 0o600]);
    expect(statSync(file).ino).not.toBe(before);
  });

  test.runIf(onPosix)('never follow a symbolic link', async () => {
    const { configDir, file, credentials } = inFile();
    const elsewhere = join(temporaryDirectory(), 'elsewhere.json');
    writeFileSync(elsewhere, '{"tokens":{}}');
    mkdirSync(configDir);
    symlinkSync(elsewhere, file);
    for (const use of [credentials.get('p', A), credentials.set('p', A, 'one'), credentials.remove('p', A)]) {
      await expect(use).rejects.toThrow(UsageError);
    }
    expect(readFileSync(elsewhere, 'utf8')).toBe('{"tokens":{}}');
  });

  test.runIf(onPosix)('never follow a symbolic link that leads nowhere', async () => {
    const { configDir, file, credentials } = inFile();
    const elsewhere = join(temporaryDirectory(), 'elsewhere.json');
    mkdirSync(configDir);
    symlinkSync(elsewhere, file);
    await expect(credentials.set('p', A, 'one')).rejects.toThrow(UsageError);
    expect(existsSync(elsewhere)).toBe(false);
  });

  test('refuse a directory at their place', async () => {
    const { file, credentials } = inFile();
    mkdirSync(file, { recursive: true });
    await expect(credentials.get('p', A)).rejects.toThrow('not a plain file');
  });

  test.each([
    ['cut off', '{"tokens":{"p@https://a.example.com":"secret-part'],
    ['of another kind', '["secret-part"]'],
    ['with a token that is no text', '{"tokens":{"p@https://a.example.com":{"secret-part":1}}}'],
    ['empty', ''],
  ])('when %s, are an error that does not repeat them, and stay as they are', async (_what, text) => {
    const { configDir, file, credentials } = inFile();
    mkdirSync(configDir);
    writeFileSync(file, text, { mode: 0o600 });
    for (const use of [credentials.get('p', A), credentials.set('p', A, 'one'), credentials.remove('p', A)]) {
      const error = await use.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(UsageError);
      expect(inspect(error, { depth: 9 })).toContain(file);
      expect(inspect(error, { depth: 9 })).not.toContain('secret-part');
    }
    expect(readFileSync(file, 'utf8')).toBe(text);
  });
});

describe('credentials with a keychain', () => {
  test('go there, and no file is made', async () => {
    const { configDir, credentials, entries } = withKeychain();
    expect(await credentials.set('p', A, 'one')).toEqual({ place: 'keychain' });
    expect([...entries]).toEqual([['p@https://a.example.com', 'one']]);
    expect(await credentials.find('p', A)).toEqual({ token: 'one', place: 'keychain' });
    expect(await credentials.get('p', B)).toBeUndefined();
    expect(await credentials.remove('p', A)).toBe(true);
    expect(await credentials.remove('p', A)).toBe(false);
    expect(existsSync(configDir)).toBe(false);
    expect(credentials.trouble()).toBeUndefined();
  });

  test('take the token out of the file when the keychain works again', async () => {
    const { configDir, file, credentials } = withKeychain();
    await openCredentials({ configDir, keychain: NO_KEYCHAIN }).set('p', A, 'old');
    expect(await credentials.get('p', A)).toBe('old');
    await credentials.set('p', A, 'new');
    expect(readFileSync(file, 'utf8')).not.toContain('old');
    expect(await credentials.get('p', A)).toBe('new');
  });

  test('prefer the file: a token is there only when the keychain failed to take the newer one', async () => {
    const { configDir, credentials } = withKeychain();
    await credentials.set('p', A, 'old');
    await openCredentials({ configDir, keychain: NO_KEYCHAIN }).set('p', A, 'new');
    expect(await credentials.get('p', A)).toBe('new');
    expect(await credentials.remove('p', A)).toBe(true);
    expect(await credentials.get('p', A)).toBeUndefined();
  });
});

describe('credentials with a keychain that is out of order', () => {
  test('go into the file, and the reason can be told without the token', async () => {
    const { file, credentials } = withKeychain({
      get: () => Promise.reject(new Error('locked')),
      set: (_account, token) => Promise.reject(new Error(`cannot keep ${token}`)),
    });
    expect(await credentials.set('p', A, 'secret-part')).toEqual({ place: file });
    expect(credentials.trouble()).toBe('cannot keep [token]');
    expect(await credentials.get('p', A)).toBe('secret-part');
    expect(await credentials.remove('p', A)).toBe(true);
    expect(await credentials.get('p', A)).toBeUndefined();
    expect(credentials.trouble()).toBe('locked');
  });

  test('go into the file when the keychain only pretends to take them', async () => {
    const { file, credentials } = withKeychain({ set: async () => {} });
    expect(await credentials.set('p', A, 'one')).toEqual({ place: file });
    expect(await credentials.get('p', A)).toBe('one');
  });

  test('say so when the keychain does not let go of one', async () => {
    const { credentials } = withKeychain({ remove: () => Promise.reject(new Error('no')) });
    await credentials.set('p', A, 'one');
    await expect(credentials.remove('p', A)).rejects.toThrow(EventregError);
    expect(await credentials.get('p', A)).toBe('one');
  });

  const noSecretService =
    process.platform === 'linux' &&
    process.env['DBUS_SESSION_BUS_ADDRESS'] === undefined &&
    process.env['XDG_RUNTIME_DIR'] === undefined;
  test.runIf(noSecretService)(
    'never take the keyring of the Linux kernel, empty after a restart',
    async () => {
      const configDir = temporaryDirectory();
      const credentials = openCredentials({ configDir });
      expect(await credentials.set('p', A, 'one')).toEqual({ place: join(configDir, 'credentials.json') });
      expect(credentials.trouble()).toMatch(/dbus|secret.service/i);
    },
  );
});

function inFile() {
  const configDir = join(temporaryDirectory(), 'config');
  const reopened = () => openCredentials({ configDir, keychain: NO_KEYCHAIN });
  return { configDir, file: join(configDir, 'credentials.json'), credentials: reopened(), reopened };
}

/** A keychain in memory, parts of which may be broken. */
function withKeychain(broken: Partial<Keychain> = {}) {
  const configDir = join(temporaryDirectory(), 'config');
  const entries = new Map<string, string>();
  const keychain: Keychain = {
    get: async (account) => entries.get(account),
    set: async (account, token) => {
      entries.set(account, token);
    },
    remove: async (account) => entries.delete(account),
    ...broken,
  };
  const credentials = openCredentials({ configDir, keychain });
  return { configDir, file: join(configDir, 'credentials.json'), credentials, entries };
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}
