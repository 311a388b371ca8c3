import type { Env } from './env.ts';
import { EventregError, EXIT } from '../errors.ts';
import { redactor } from './redactor.ts';

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

/** Keeps nothing. */
export const NO_KEYCHAIN: Keychain = {
  get: async () => undefined,
  set: async () => undefined,
  remove: async () => false,
};

/** `off` in EVENTREG_KEYCHAIN keeps tokens in the file; anything else means the system's keychain. */
export function keychainFrom(env: Env): Keychain {
  return env['EVENTREG_KEYCHAIN']?.toLowerCase() === 'off' ? NO_KEYCHAIN : systemKeychain();
}

async function entryOf(account: string) {
  const { AsyncEntry } = await import('@napi-rs/keyring');
  // Unpinned, it would silently take the kernel's keyring on Linux, which is empty after a restart.
  return new AsyncEntry(SERVICE, account, { linux: { store: 'secret-service' } });
}

/** A keychain that is out of order holds nothing and keeps nothing: it never stops a command. */
export function cautious(keychain: Keychain) {
  let trouble: string | undefined;
  const failed = (error: unknown, token = ''): undefined => {
    trouble = redactor([token])(error instanceof Error ? error.message : 'unknown reason');
  };
  const get = (account: string) => keychain.get(account).catch((error: unknown) => failed(error));
  return {
    get,
    /** True only when the keychain really gives the token back. */
    set: async (account: string, token: string): Promise<boolean> => {
      try {
        await keychain.set(account, token);
        return (await keychain.get(account)) === token;
      } catch (error) {
        failed(error, token);
        return false;
      }
    },
    // Asked first: one that answers but does not let go still holds the token, and that must be said.
    remove: async (account: string): Promise<boolean> => {
      if ((await get(account)) === undefined) return false;
      return keychain.remove(account).catch((error: unknown) => {
        throw new EventregError(EXIT.failed, 'The keychain still holds the token: it refused to remove it.', {
          hint: `Remove the entry eventreg, ${account}, with your system's own keychain program.`,
          cause: error,
        });
      });
    },
    /** Why it did not answer when it was last asked; never contains a token. */
    trouble: () => trouble,
  };
}
