import { EventregError, EXIT } from '../errors.ts';
import type { Keychain } from './keychain.ts';
import { redactor } from './redactor.ts';

/** A keychain of which no question ever fails. */
interface CautiousKeychain {
  get(account: string): Promise<string | undefined>;
  /** True only when the keychain really gives the token back. */
  set(account: string, token: string): Promise<boolean>;
  remove(account: string): Promise<boolean>;
  /** Why it did not answer when it was last asked; never contains a token. */
  trouble(): string | undefined;
}

/** A keychain that is out of order holds nothing and keeps nothing: it never stops a command. */
export function cautious(keychain: Keychain | 'none'): CautiousKeychain {
  let trouble: string | undefined;
  const failed = (error: unknown, token = ''): undefined => {
    trouble = redactor([token])(error instanceof Error ? error.message : 'unknown reason');
  };
  if (keychain === 'none') {
    return {
      get: async () => undefined,
      set: async () => false,
      remove: async () => false,
      trouble: () => undefined,
    };
  }
  const get = (account: string) => keychain.get(account).catch((error: unknown) => failed(error));
  return {
    get,
    set: async (account, token) => {
      try {
        await keychain.set(account, token);
        return (await keychain.get(account)) === token;
      } catch (error) {
        failed(error, token);
        return false;
      }
    },
    // Asked first: one that answers but does not let go still holds the token, and that must be said.
    remove: async (account) => {
      if ((await get(account)) === undefined) return false;
      return keychain.remove(account).catch((error: unknown) => {
        throw new EventregError(EXIT.failed, 'The keychain still holds the token: it refused to remove it.', {
          hint: `Remove the entry eventreg, ${account}, with your system's own keychain program.`,
          cause: error,
        });
      });
    },
    trouble: () => trouble,
  };
}
