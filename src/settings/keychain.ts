import type { Env } from './env.ts';

/** Keeps one secret an account. Every method may reject: then there is no keychain to speak of. */
export interface Keychain {
  get(account: string): Promise<string | undefined>;
  set(account: string, token: string): Promise<void>;
  /** False when there was none. */
  remove(account: string): Promise<boolean>;
}

const SERVICE = 'eventreg';

/** The keychain of the operating system; its native module is loaded on first use. */
export function systemKeychain(): Keychain {
  return {
    get: async (account) => (await (await entryOf(account)).getPassword()) ?? undefined,
    set: async (account, token) => (await entryOf(account)).setPassword(token),
    remove: async (account) => (await entryOf(account)).deleteCredential(),
  };
}

/** `off` in EVENTREG_KEYCHAIN keeps tokens in the file; anything else means the system's keychain. */
export function keychainFrom(env: Env): Keychain | 'none' {
  return env['EVENTREG_KEYCHAIN']?.toLowerCase() === 'off' ? 'none' : systemKeychain();
}

async function entryOf(account: string) {
  const { AsyncEntry } = await import('@napi-rs/keyring');
  // Unpinned, it would silently take the kernel's keyring on Linux, which is empty after a restart.
  return new AsyncEntry(SERVICE, account, { linux: { store: 'secret-service' } });
}
