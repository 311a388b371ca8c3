import { UsageError } from '../errors.ts';
import { openCredentials } from './credentials.ts';
import { type Env, given } from './env.ts';
import { keychainFrom } from './keychain.ts';
import { existingProfile, readProfiles } from './profiles.ts';

/** As people have them: the address of a database with the space in it, and the key of that. */
export interface StateAccess {
  address: string;
  key: string;
}

/** Stands for the origin in the name of the secret: of a profile's state there is one. */
export const STATE = 'state';

/** What is kept where the tokens are: the address may hold a password. */
export const stateSecret = ({ address, key }: StateAccess): string => `${key} ${address}`;

/**
 * The state that machines share: what EVENTREG_STATE names, else what `eventreg login --state` has kept for the profile.
 * Undefined where nothing is shared. Throws UsageError where the profile shares its state and nothing says how.
 */
export async function findStateAccess(input: {
  profileFlag: string | undefined;
  env: Env;
  configDir: string;
}): Promise<StateAccess | undefined> {
  const { profileFlag, env, configDir } = input;
  const named = given(env, 'EVENTREG_STATE');
  if (named !== undefined) return { address: named, key: given(env, 'EVENTREG_STATE_KEY') ?? '' };
  const { name, profile } = existingProfile(readProfiles(configDir), profileFlag, env);
  if (profile.state === undefined) return undefined;
  const credentials = openCredentials({ configDir, keychain: keychainFrom(env) });
  const kept = await credentials.get(name, STATE);
  const trouble = credentials.trouble();
  if (kept === undefined) {
    throw new UsageError(
      `Profile ${name} shares its state (${profile.state}), and the key of that is not here.`,
      {
        hint: 'Run `eventreg login --state`, or set EVENTREG_STATE and EVENTREG_STATE_KEY.',
        details: trouble === undefined ? [] : [`The system's keychain could not be asked: ${trouble}`],
      },
    );
  }
  const [key = '', address = ''] = kept.split(' ');
  return { address, key };
}
