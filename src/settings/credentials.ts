import { join } from 'node:path';
import { cautious, type Keychain, systemKeychain } from './keychain.ts';
import * as z from 'zod';
import { type BookRules, parseBook, readPrivateFile, writePrivateFile } from './private-file.ts';
import { UsageError } from '../errors.ts';

/** `keychain`, or the path of the file that holds the token unencrypted. */
type TokenPlace = 'keychain' | (string & {});

/** Tokens by profile and origin (as `URL.origin` writes it). */
export interface CredentialStore {
  get(profile: string, origin: string): Promise<string | undefined>;
  /** As `get`, with the place where the token is. */
  find(profile: string, origin: string): Promise<{ token: string; place: TokenPlace } | undefined>;
  set(profile: string, origin: string, token: string): Promise<{ place: TokenPlace }>;
  /** False when there was none. */
  remove(profile: string, origin: string): Promise<boolean>;
  /** Why the keychain did not answer when it was last asked; never contains a token. */
  trouble(): string | undefined;
}

/**
 * Opens the tokens: those in the keychain, and those in `credentials.json` in the config directory for
 * machines without one. A token in the file is always the newer of the two, since `set` writes there
 * only when the keychain fails and clears it there when the keychain works.
 * Every method throws UsageError when the file is damaged; it is never overwritten then.
 */
export function openCredentials(options: { configDir: string; keychain?: Keychain }): CredentialStore {
  const file = join(options.configDir, 'credentials.json');
  const keychain = cautious(options.keychain ?? systemKeychain());
  const find: CredentialStore['find'] = async (profile, origin) => {
    const account = accountOf(profile, origin);
    const inFile = readTokens(file).get(account);
    if (inFile !== undefined) return { token: inFile, place: file };
    const token = await keychain.get(account);
    return token === undefined ? undefined : { token, place: 'keychain' };
  };
  return {
    find,
    get: async (profile, origin) => (await find(profile, origin))?.token,
    set: async (profile, origin, token) => {
      const account = accountOf(profile, origin);
      const tokens = readTokens(file);
      if (!(await keychain.set(account, token))) {
        writeTokens(file, tokens.set(account, token));
        return { place: file };
      }
      if (tokens.delete(account)) writeTokens(file, tokens);
      return { place: 'keychain' };
    },
    remove: async (profile, origin) => {
      const account = accountOf(profile, origin);
      const tokens = readTokens(file);
      const wasInFile = tokens.delete(account);
      if (wasInFile) writeTokens(file, tokens);
      return (await keychain.remove(account)) || wasInFile;
    },
    trouble: () => keychain.trouble(),
  };
}

function accountOf(profile: string, origin: string): string {
  return `${profile}@${origin}`;
}

const RULES: BookRules<{ tokens: Record<string, string> }> = {
  schema: z.strictObject({ tokens: z.record(z.string(), z.string()) }),
  whenDamaged: () => ({ hint: 'Remove it, then run `eventreg login` again for each profile.' }),
};

/**
 * Tokens by account (`profile@origin`); none when there is no file.
 * Throws UsageError for a damaged file and for one that is no plain file.
 */
function readTokens(file: string): Map<string, string> {
  const text = readPrivateFile(file);
  return text === undefined ? new Map() : new Map(Object.entries(parseBook(text, file, RULES).tokens));
}

/** Replaces the file by one with these tokens, readable by its owner only. */
function writeTokens(file: string, tokens: ReadonlyMap<string, string>): void {
  writePrivateFile(file, `${JSON.stringify({ tokens: Object.fromEntries(tokens) }, undefined, 2)}\n`);
}

const LONGEST = 8192;
/** A shorter one is part of ordinary words, which would be hidden with it wherever they are printed. */
const SHORTEST = 8;
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/**
 * The token as it is sent: one trailing line break (of `echo` or an editor) taken off, otherwise
 * 8 to 8192 visible ASCII characters. Throws a UsageError that never contains the token.
 */
export function checkToken(token: string): string {
  const trimmed = token.replace(/\r?\n$/, '');
  if (trimmed === '') throw new UsageError('The token is empty.');
  if (trimmed.length > LONGEST) {
    throw new UsageError(`The token is longer than ${LONGEST} characters, so it cannot be a token.`);
  }
  if (!VISIBLE_ASCII.test(trimmed)) {
    throw new UsageError('The token contains a space, a line break or a character that is not ASCII.', {
      hint: 'Copy the token again, without quotes, spaces or line breaks.',
    });
  }
  if (isTooShort(trimmed)) {
    throw new UsageError(`The token has fewer than ${SHORTEST} characters, so it cannot be a token.`, {
      hint: 'Copy the whole token again.',
    });
  }
  return trimmed;
}

/** Whether it cannot be a token, and is hidden nowhere, since it is refused wherever one is used. */
export function isTooShort(token: string): boolean {
  return token.length < SHORTEST;
}
