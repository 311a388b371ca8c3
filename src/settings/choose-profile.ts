import { type Env, given } from './env.ts';
import { checkProfileName, type Profile } from './profile.ts';
import { type ProfileReader, unknownProfile } from './profiles.ts';

/** Name of the profile to use: the flag, EVENTREG_PROFILE, or the current one. It need not exist. */
export function chooseProfile(store: ProfileReader, flag: string | undefined, env: Env): string {
  return checkProfileName(flag ?? given(env, 'EVENTREG_PROFILE') ?? store.current());
}

/** As `chooseProfile`, with its settings. One that is named must exist: UsageError lists the known ones. */
export function existingProfile(
  store: ProfileReader,
  flag: string | undefined,
  env: Env,
): { name: string; profile: Profile } {
  const name = chooseProfile(store, flag, env);
  const profile = store.get(name);
  if (profile === undefined && name !== store.current()) throw unknownProfile(name, store);
  return { name, profile: profile ?? {} };
}
