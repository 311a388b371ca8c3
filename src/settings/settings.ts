import { AuthorisationError, UsageError } from '../errors.ts';
import { type EndpointName, existingProfile, type Profile, readProfiles } from './profiles.ts';
import { type CredentialStore, openCredentials, checkToken } from './credentials.ts';
import { type Env, given } from './env.ts';
import { keychainFrom } from './keychain.ts';
import { checkServiceUrl } from './service-url.ts';

/** Everything about the service that a command needs, complete and checked. */
export interface Settings extends FoundToken {
  profile: string;
  /** Its path has no trailing slash, but is `/` when there is no path. */
  baseUrl: URL;
  /** Only webhook commands need it. */
  integUrl: URL | undefined;
  /** Time for one request. */
  timeoutMs: number;
  /** Time after which an uncertain row may be looked up. */
  settleMs: number;
  /** The service's 503 with Retry-After means refused, not processed. */
  refuses503: boolean;
  /** What a delete names a registration by; undefined: the id that it shows. */
  registrationId: 'barcode' | undefined;
  /** How the service wants `fields`; undefined: to be found out. */
  fields: 'object' | 'entries' | undefined;
  /** How the service signs deliveries; undefined: to be found out. */
  webhookScheme: string | undefined;
  /** Path templates, `{id}` inside where there is an id. */
  endpoints: Record<EndpointName, string>;
}

/** The documented paths, and the usual ones where the interface shows none. */
export const defaultEndpoints: Readonly<Record<EndpointName, string>> = {
  event: '/event',
  registrations: '/registration',
  registration: '/registration/{id}',
  listWebhooks: '/v1/webhooks',
  createWebhook: '/v1/webhooks',
  updateWebhook: '/v1/webhooks/{id}',
  deleteWebhook: '/v1/webhooks/{id}',
};

/**
 * Merges flag, environment, profile and defaults, in this order of precedence.
 * Throws UsageError for wrong or missing settings, AuthorisationError when there is no token.
 */
export async function resolveSettings(input: {
  profileFlag: string | undefined;
  env: Env;
  configDir: string;
}): Promise<Settings> {
  refuseUncheckedCertificates(input.env);
  const store = readProfiles(input.configDir);
  const { name, profile } = existingProfile(store, input.profileFlag, input.env);
  const credentials = openCredentials({ configDir: input.configDir, keychain: keychainFrom(input.env) });
  const baseUrl = serviceUrl(input.env, 'EVENTREG_BASE_URL', profile.baseUrl, name);
  if (baseUrl === undefined) throw missingBaseUrl(name);
  const integUrl = serviceUrl(input.env, 'EVENTREG_INTEG_URL', profile.integUrl, name);
  return {
    profile: name,
    baseUrl,
    integUrl,
    ...(await findToken(input.env, name, profile, { baseUrl, integUrl }, credentials)),
    ...settingsOf(profile),
  };
}

/** What a profile says of the service beside where it is, with the defaults. */
export function settingsOf(
  profile: Profile,
): Omit<Settings, 'profile' | 'baseUrl' | 'integUrl' | keyof FoundToken> {
  return {
    timeoutMs: (profile.timeout ?? 30) * 1000,
    settleMs: (profile.settleSeconds ?? 60) * 1000,
    refuses503: profile.refuses503 ?? false,
    registrationId: profile.registrationId,
    fields: profile.fields,
    webhookScheme: profile.webhookScheme,
    endpoints: { ...defaultEndpoints, ...profile.endpoints },
  };
}

/** Throws UsageError when the environment turns off the check of certificates. */
export function refuseUncheckedCertificates(env: Env): void {
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] !== '0') return;
  throw new UsageError('NODE_TLS_REJECT_UNAUTHORIZED=0 would send the token to whoever answers: refused.', {
    hint: 'Unset it. For a certificate of your own authority set NODE_EXTRA_CA_CERTS to its file.',
  });
}

function serviceUrl(
  env: Env,
  variable: string,
  stored: string | undefined,
  profile: string,
): URL | undefined {
  const fromEnv = given(env, variable);
  if (fromEnv !== undefined) return checkServiceUrl(fromEnv, variable);
  return stored === undefined ? undefined : checkServiceUrl(stored, `The address in profile ${profile}`);
}

function missingBaseUrl(profile: string): UsageError {
  return new UsageError(`Where the service is, is not known: profile ${profile} has no base URL.`, {
    hint: 'Run `eventreg login`, or set EVENTREG_BASE_URL, or rehearse with --sandbox.',
  });
}

interface FoundToken {
  token: string;
  tokenFrom: 'environment' | 'keychain' | 'file' | 'sandbox';
}

/**
 * EVENTREG_TOKEN, else the token stored for this profile and this origin, and for no other.
 * Throws AuthorisationError when there is none, UsageError for one that cannot be a token.
 */
async function findToken(
  env: Env,
  name: string,
  profile: Profile,
  urls: { baseUrl: URL; integUrl: URL | undefined },
  credentials: CredentialStore,
): Promise<FoundToken> {
  const fromEnv = given(env, 'EVENTREG_TOKEN');
  if (fromEnv !== undefined) return { token: checkToken(fromEnv), tokenFrom: 'environment' };
  const found = await credentials.find(name, urls.baseUrl.origin);
  if (found === undefined) throw missingToken(name, profile, urls.baseUrl.origin, credentials.trouble());
  refuseForeignIntegUrl(name, profile, urls);
  return {
    token: checkToken(found.token),
    tokenFrom: found.place === 'keychain' ? 'keychain' : 'file',
  };
}

/** @param trouble why the keychain, in which a token might be, did not answer */
function missingToken(
  name: string,
  profile: Profile,
  origin: string,
  trouble: string | undefined,
): AuthorisationError {
  const home = profile.baseUrl === undefined ? origin : originOf(profile.baseUrl);
  return new AuthorisationError(`There is no token of profile ${name} for ${origin}.`, {
    hint: 'Run `eventreg login`, or set EVENTREG_TOKEN.',
    details: [
      ...(home === origin ? [] : [`The token of profile ${name} is for ${home} and is sent nowhere else.`]),
      ...(trouble === undefined ? [] : [`The system's keychain could not be asked: ${trouble}`]),
    ],
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
