import type { Command } from 'commander';
import * as z from 'zod';
import { EXIT, type ExitCode, UsageError } from '../../errors.ts';
import type { OutputRecord } from '../../report/records/record-writer.ts';
import type { Runtime } from '../../runtime.ts';
import { given } from '../../settings/env.ts';
import {
  checkProfileName,
  chooseProfile,
  existingProfile,
  openProfiles,
  type Profile,
  type ProfileStore,
  unknownProfile,
} from '../../settings/profiles.ts';
import { actionsOf, globalOptions, type Handler, type GlobalOptions, parsedBy } from '../options/options.ts';
import { addHelp } from '../options/help.ts';
import { type Call, isDrawn, printRecords, say, tellPrograms } from '../terminal/terminal.ts';
import { isTooShort, type CredentialStore, openCredentials } from '../../settings/credentials.ts';
import { keychainFrom } from '../../settings/keychain.ts';
import { STATE } from '../../settings/shared-state.ts';
import { writeMessage } from '../../report/words/wrap-words.ts';

const profilesOptions = globalOptions.extend({
  action: z.enum(['list', 'use', 'remove', 'show']),
  /** Always there for `use` and `remove`. */
  name: z.string().optional(),
});
export type ProfilesOptions = z.infer<typeof profilesOptions>;

export function defineProfiles(command: Command, handle: Handler<ProfilesOptions>): void {
  addHelp(command, HELP).description('List, choose and remove profiles.').helpCommand(false);
  const define = actionsOf(command, profilesOptions, handle, 'list');
  define('list', 'list all profiles');
  define('use <name>', 'make a profile the current one');
  define('remove <name>', 'remove a profile and its stored token');
  define('show [name]', 'show all settings of a profile (the current one unless named)');
}

const HELP = `
Tokens are never shown, only where one is stored: "keychain", or the file that holds it.

Examples:
  eventreg profiles
  eventreg profiles use staging
  eventreg profiles show staging --json

Exit codes: 0 done · 1 the keychain did not let go of a token · 2 no such profile or a damaged file`;

/** Runs one action. Throws UsageError for an unknown profile, naming the known ones. */
export async function runProfiles(options: ProfilesOptions, runtime: Runtime): Promise<ExitCode> {
  const call = { options, runtime };
  const store = await openProfiles(runtime.paths.config);
  switch (options.action) {
    case 'list':
      await listProfiles(call, store);
      break;
    case 'show':
      await showProfile(call, store);
      break;
    case 'use':
      store.use(options.name ?? '');
      await tellPrograms(call, 'profiles-use@1', { profile: store.current() });
      say(call, `Profile ${store.current()} is now the current one.`);
      break;
    case 'remove':
      await removeProfile(call, store);
  }
  return EXIT.done;
}

const LIST = ['profiles@1', 'profiles'] as const;

async function listProfiles(call: Call, store: ProfileStore): Promise<void> {
  const records: OutputRecord[] = [];
  for (const name of store.names()) {
    const profile = store.get(name) ?? {};
    const token = await placeOfToken(name, profile, call.runtime);
    records.push({ ...summary(name, profile, store), token, state: profile.state ?? null });
  }
  const columns = ['name', 'current', 'base_url', 'integ_url', 'token', 'state'];
  await printRecords(records, call, columns, LIST);
  if (records.length === 0) {
    say(call, 'There are no profiles yet: `eventreg login` creates one.');
  }
  for (const line of inUse(call, store)) say(call, line);
}

/** What commands take here and now: the environment goes before what is saved. */
function inUse({ options, runtime: { env } }: Call, store: ProfileStore): string[] {
  const name = chooseProfile(store, options.profile, env);
  const from = given(env, 'EVENTREG_PROFILE') === name ? ' (EVENTREG_PROFILE)' : '';
  const address = given(env, 'EVENTREG_BASE_URL');
  const used = [
    ...(from === '' ? [] : [`profile ${name}${from}`]),
    ...(address === undefined ? [] : [`${address} (EVENTREG_BASE_URL)`]),
    ...(given(env, 'EVENTREG_TOKEN') === undefined ? [] : ['the token in EVENTREG_TOKEN']),
    ...(given(env, 'EVENTREG_STATE') === undefined ? [] : ['the shared state of EVENTREG_STATE']),
  ];
  return used.length === 0 ? [] : [`In use: ${used.join(', ')}.`];
}

async function showProfile(call: Call<ProfilesOptions>, store: ProfileStore): Promise<void> {
  const { options, runtime } = call;
  const { name } = existingProfile(store, options.name ?? options.profile, runtime.env);
  const profile = store.get(name);
  if (profile === undefined) throw unknownProfile(name, store);
  const record = {
    ...summary(name, profile, store),
    timeout_seconds: profile.timeout ?? null,
    settle_seconds: profile.settleSeconds ?? null,
    refuses_503: profile.refuses503 ?? null,
    registration_id: profile.registrationId ?? null,
    fields: profile.fields ?? null,
    endpoints: profile.endpoints ?? {},
    token: await placeOfToken(name, profile, runtime),
    state: profile.state ?? null,
  };
  if (options.output === 'json') return await tellPrograms(call, 'profiles-show@1', record);
  if (!isDrawn(options, runtime)) {
    return await printRecords([record], call, Object.keys(record), LIST);
  }
  const lines = Object.entries(record).map(([setting, value]) => ({ setting, value }));
  await printRecords(lines, call, ['setting', 'value'], LIST);
}

/** The token first: when the keychain keeps it, the profile stays, so that one can try again. */
async function removeProfile(call: Call<ProfilesOptions>, store: ProfileStore): Promise<void> {
  const name = checkProfileName(call.options.name ?? '');
  const profile = store.get(name);
  if (profile === undefined) throw unknownProfile(name, store);
  const hadToken = await forgetToken(name, profile, call.runtime);
  store.remove(name);
  await tellPrograms(call, 'profiles-remove@1', { profile: name, had_token: hadToken });
  say(call, `Profile ${name} is removed, ${hadToken ? 'with its token' : 'it had no token'}.`);
}

function summary(name: string, profile: Profile, store: ProfileStore) {
  return {
    name,
    current: name === store.current(),
    base_url: profile.baseUrl ?? null,
    integ_url: profile.integUrl ?? null,
  };
}

/** `keychain`, the path of the file, or null when no token is stored. */
async function placeOfToken(name: string, profile: Profile, runtime: Runtime): Promise<string | null> {
  if (profile.baseUrl === undefined || !URL.canParse(profile.baseUrl)) return null;
  const found = await credentialsOf(runtime).find(name, new URL(profile.baseUrl).origin);
  if (found === undefined) return null;
  if (!isTooShort(found.token)) runtime.secrets.add(found.token);
  return found.place;
}

export type LogoutOptions = GlobalOptions;

export function defineLogout(command: Command, handle: Handler<LogoutOptions>): void {
  addHelp(command, LOGOUT_HELP).description(
    'Remove the stored token of a profile, and the key of its shared state; its settings stay.',
  );
  parsedBy(command, globalOptions, handle);
}

const LOGOUT_HELP = `
The token itself stays valid: the service decides about that. \`eventreg profiles remove\` also removes
the settings.

Examples:
  eventreg logout
  eventreg logout --profile staging

Exit codes: 0 no token is stored any more · 1 the keychain did not let go of it · 2 no such profile`;

/** Removes the token of the profile and says whether there was one; with it what the profile shares, and how. Throws UsageError for an unknown profile. */
export async function runLogout(options: LogoutOptions, runtime: Runtime): Promise<ExitCode> {
  const call = { options, runtime };
  if (options.sandbox) throw new UsageError('The sandbox needs no login.', { hint: 'Leave --sandbox out.' });
  const store = await openProfiles(runtime.paths.config);
  const { name, profile } = existingProfile(store, options.profile, runtime.env);
  const removed = await forgetToken(name, profile, runtime);
  const { state, ...rest } = profile;
  if (state !== undefined) {
    store.set(name, rest);
    say(call, `Profile ${name} shares its state no longer (${state}): that of this machine is used.`);
  }
  say(call, removed ? `The token of profile ${name} is removed.` : `Profile ${name} had no stored token.`);
  await tellPrograms(call, 'logout@1', { profile: name, removed });
  return EXIT.done;
}

/** The tokens of this machine. */
export const credentialsOf = ({ paths, env }: Runtime): CredentialStore =>
  openCredentials({ configDir: paths.config, keychain: keychainFrom(env) });

/** Removes the stored token of a profile, and the key of what it shares. False when there was no token. */
async function forgetToken(name: string, profile: Profile, runtime: Runtime): Promise<boolean> {
  const credentials = credentialsOf(runtime);
  if (profile.state !== undefined) await credentials.remove(name, STATE);
  if (profile.baseUrl === undefined || !URL.canParse(profile.baseUrl)) return false;
  const removed = await credentials.remove(name, new URL(profile.baseUrl).origin);
  if (!removed && credentials.trouble() !== undefined) {
    writeMessage(
      runtime.stderr,
      "The system's keychain could not be asked; a token in it would still be there.",
    );
  }
  return removed;
}
