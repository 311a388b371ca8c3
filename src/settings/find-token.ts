import { AuthorisationError, UsageError } from '../errors.ts';
import type { CredentialStore } from './credentials.ts';
import { type Env, given } from './env.ts';
import type { Profile } from './profile.ts';
import { checkServiceUrl } from './service-url.ts';
import { checkToken } from './token.ts';

export interface FoundToken {
  token: string;
  tokenFrom: 'environment' | 'keychain' | 'file' | 'sandbox';
}

/**
 * EVENTREG_TOKEN, else the token stored for this profile and this origin, and for no other.
 * Throws AuthorisationError when there is none, UsageError for one that cannot be a token.
 */
export async function findToken(
  env: Env,
  name: string,
  profile: Profile,
  urls: { baseUrl: URL; integUrl: URL | undefined },
  credentials: CredentialStore,
): Promise<FoundToken> {
  const fromEnv = given(env, 'EVENTREG_TOKEN');
  if (fromEnv !== undefined) return { token: checkToken(fromEnv), tokenFrom: 'environment' };
  const found = await credentials.find(name, urls.baseUrl.origin);
  if (found === undefined) throw missingToken(name, profile, urls.baseUrl.origin);
  refuseForeignIntegUrl(name, profile, urls);
  return {
    token: checkToken(found.token),
    tokenFrom: found.place === 'keychain' ? 'keychain' : 'file',
  };
}

function missingToken(name: string, profile: Profile, origin: string): AuthorisationError {
  const home = profile.baseUrl === undefined ? origin : originOf(profile.baseUrl);
  return new AuthorisationError(`There is no token of profile ${name} for ${origin}.`, {
    hint: 'Run `eventreg login`, or set EVENTREG_TOKEN.',
    details: home === origin ? [] : [`The token of profile ${name} is for ${home} and is sent nowhere else.`],
  });
}

/** A stored token goes to the two addresses that were saved with it; the environment cannot add a third. */
function refuseForeignIntegUrl(
  name: string,
  profile: Profile,
  urls: { baseUrl: URL; integUrl: URL | undefined },
): void {
  const origin = urls.integUrl?.origin;
  if (origin === undefined || origin === urls.baseUrl.origin) return;
  if (profile.integUrl !== undefined && originOf(profile.integUrl) === origin) return;
  throw new UsageError(`The token of profile ${name} was not stored for ${origin} (EVENTREG_INTEG_URL).`, {
    hint: 'Set EVENTREG_TOKEN as well, or save the address with `eventreg login --integ-url`.',
  });
}

function originOf(address: string): string {
  return checkServiceUrl(address, 'The address in the profile').origin;
}
