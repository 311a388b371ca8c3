import type { Command } from 'commander';
import * as z from 'zod';
import { EXIT, type ExitCode, UsageError } from '../../errors.ts';
import { visible } from '../../report/words/escape.ts';
import type { Runtime } from '../../runtime.ts';
import { given } from '../../settings/env.ts';
import { chooseProfile, openProfiles, type Profile, type ProfileStore } from '../../settings/profiles.ts';
import { checkServiceUrl } from '../../settings/service-url.ts';
import { STATE, stateSecret } from '../../settings/shared-state.ts';
import { checkToken } from '../../settings/credentials.ts';
import { addHelp } from '../options/help.ts';
import { addressText, askEntrance, askState, askWebhooks, type Entrance } from './ask-login.ts';
import { globalOptions, type Handler, parsedBy } from '../options/options.ts';
import { credentialsOf } from './profiles-command.ts';
import { readStdin } from '../terminal/file-source.ts';
import { isInteractive, say, tellPrograms, type Call } from '../terminal/terminal.ts';
import { writeMessage } from '../../report/words/wrap-words.ts';

const loginOptions = globalOptions.extend({
  baseUrl: z.string().optional(),
  integUrl: z.string().optional(),
  tokenStdin: z.boolean().default(false),
  /** Whether the shared state is kept, too. */
  state: z.boolean().default(false),
  /** Seconds. */
  timeout: z.coerce
    .number('must be a number of seconds')
    .positive('must be more than 0 seconds')
    .max(3600, 'must be at most 3600 seconds')
    .optional(),
});
export type LoginOptions = z.infer<typeof loginOptions>;

/** Longer than any token; a wrong file piped in is not read to its end. */
const LONGEST_STDIN = 64 * 1024;

export function defineLogin(command: Command, handle: Handler<LoginOptions>): void {
  addHelp(command, HELP)
    .description('Save where the service is, and the token for it, in a profile.')
    .option('--base-url <url>', 'address of registrations and events; https, or http on this machine only')
    .option('--integ-url <url>', 'address of webhooks')
    .option('--token-stdin', 'read the token from standard input instead of asking for it')
    .option('--state', 'keep EVENTREG_STATE and EVENTREG_STATE_KEY as well; what is not set is asked for')
    .option('--timeout <seconds>', 'time for one request (30 unless set)');
  parsedBy(command, loginOptions, handle);
}

const HELP = `
What is missing is asked for at a terminal. No option takes the token, because other users of the
machine can see a command line. An address may also stand in EVENTREG_BASE_URL. The token goes into the system's keychain or, without one, unencrypted
into a file that only you can read; login says which. So do, with --state, the address and the key of the
state that a team shares; a token that is there already is not asked for again. EVENTREG_KEYCHAIN=off means the file.
What is typed is tried at once, and asked for again when it is wrong. With --token-stdin the service is
not contacted: \`eventreg doctor\` does.

Examples:
  eventreg login
  eventreg login --profile staging --base-url https://staging.example.com/api
  pass show eventreg | eventreg login --base-url https://events.example.com --token-stdin
  eventreg login --state

Exit codes: 0 saved · 2 something missing or wrong (nothing saved) · 130 interrupted (what was accepted is kept)`;

/** Saves profile and token. Throws UsageError for a wrong address or token, before anything is saved. */
export async function runLogin(options: LoginOptions, runtime: Runtime): Promise<ExitCode> {
  const call = { options, runtime };
  if (options.sandbox) throw new UsageError('The sandbox needs no login.', { hint: 'Leave --sandbox out.' });
  const store = await openProfiles(runtime.paths.config);
  const name = chooseProfile(store, options.profile, runtime.env);
  // Nobody can be asked when stdin carries the token.
  const prompt = isInteractive(runtime) && !options.tokenStdin ? await runtime.prompt() : undefined;
  const { timeout } = options;
  const before: Profile = { ...store.get(name), ...(timeout !== undefined && { timeout }) };
  const { baseUrl, integUrl } = knownAddresses(options, before, runtime.env);
  const credentials = credentialsOf(runtime);
  const shared = options.state ? await askState(prompt, call) : undefined;
  const kept =
    shared && baseUrl && !options.tokenStdin ? await credentials.get(name, baseUrl.origin) : undefined;
  const known = { name, baseUrl, profile: before, keep: keepFirst(store, name) };
  const entrance =
    baseUrl !== undefined && kept !== undefined
      ? { baseUrl, token: kept }
      : prompt === undefined
        ? await readEntrance(options, baseUrl, runtime.stdin)
        : await askEntrance(known, prompt, call);
  const { token } = entrance;
  const { integUrl: formerIntegUrl, ...rest } = before;
  const { origin } = entrance.baseUrl;
  // The webhook address of another service must not get this one's token.
  const own = origin === originOf(before) ? formerIntegUrl : undefined;
  const profile: Profile & { baseUrl: string } = {
    ...rest,
    baseUrl: addressText(entrance.baseUrl),
    ...(shared && { state: shared.label }),
  };
  const hooks = integUrl === undefined ? own : addressText(integUrl);
  if (hooks !== undefined) profile.integUrl = hooks;
  runtime.secrets.add(token);
  const former = originOf(before);
  const isFirst = (await credentials.find(name, origin)) === undefined;
  const { place } = await credentials.set(name, origin, token);
  if (shared !== undefined) await credentials.set(name, STATE, stateSecret(shared));
  store.set(name, profile);
  // Last, so that a failure above leaves the profile as it was, with its token: it has one only.
  if (former !== undefined && former !== origin) await credentials.remove(name, former);
  say(call, `Profile ${name} is saved in ${store.file}.`);
  const what =
    shared === undefined
      ? `The token for ${origin} is`
      : `The token for ${origin} and the key of the shared state (${shared.label}) are`;
  sayWhereTokenIs(place, what, credentials.trouble(), call);
  // What can do without an answer is asked when all else is saved.
  if (prompt !== undefined && hooks === undefined && isFirst) {
    const asked = await askWebhooks(prompt, call);
    if (asked !== undefined) {
      profile.integUrl = addressText(asked);
      store.set(name, profile);
    }
  }
  for (const line of hintLines(name, store.current(), runtime.env)) say(call, line);
  say(call, prompt === undefined ? UNTRIED : NEXT);
  await tellPrograms(call, 'login@1', {
    profile: name,
    base_url: profile.baseUrl,
    integ_url: profile.integUrl ?? null,
    token: place,
    state: profile.state ?? null,
  });
  return EXIT.done;
}

const UNTRIED = 'The service was not contacted: `eventreg doctor` checks that everything works.';
const NEXT =
  'Next: `eventreg push guests.xlsx --dry-run` checks a list and sends nothing; `eventreg doctor` checks the rest.';

/** Of a flag, else of the environment, the address also of the profile as it was. Throws UsageError for a wrong one. */
function knownAddresses(options: LoginOptions, before: Profile, env: Runtime['env']) {
  const check = (text: string | undefined, name: string): URL | undefined =>
    text === undefined || text.trim() === '' ? undefined : checkServiceUrl(text.trim(), name);
  const baseUrl = options.baseUrl ?? given(env, 'EVENTREG_BASE_URL') ?? before.baseUrl;
  const integUrl = options.integUrl ?? given(env, 'EVENTREG_INTEG_URL');
  return {
    baseUrl: check(baseUrl, 'The address of the service (--base-url)'),
    integUrl: check(integUrl, 'The address of webhooks'),
  };
}

/** What was typed first is there the next time, whatever comes after; no address takes the place of one with a token. */
const keepFirst =
  (store: ProfileStore, name: string) =>
  (baseUrl: URL): void => {
    const { baseUrl: before, ...profile } = store.get(name) ?? {};
    if (before === undefined) store.set(name, { ...profile, baseUrl: addressText(baseUrl) });
  };

function originOf(profile: Profile): string | undefined {
  const { baseUrl } = profile;
  return baseUrl !== undefined && URL.canParse(baseUrl) ? new URL(baseUrl).origin : undefined;
}

/** Without anybody to be asked: the address of a flag or of the profile, the token of standard input. */
async function readEntrance(
  { tokenStdin }: LoginOptions,
  baseUrl: URL | undefined,
  stdin: Runtime['stdin'],
): Promise<Entrance> {
  if (baseUrl === undefined) {
    throw new UsageError('The address of the service is missing, and nobody is here to be asked.', {
      hint: 'Add --base-url https://… , or set EVENTREG_BASE_URL.',
    });
  }
  if (!tokenStdin) {
    throw new UsageError('The token is missing, and nobody is here to be asked.', {
      hint: 'Pipe it in with --token-stdin.',
    });
  }
  return { baseUrl, token: checkToken(await readStdin(stdin, LONGEST_STDIN)) };
}

/** A token that is not encrypted is a warning: told with `--quiet` too. */
function sayWhereTokenIs(
  place: string,
  what: string,
  trouble: string | undefined,
  call: Call<LoginOptions>,
): void {
  if (place === 'keychain') {
    say(call, `${what} in the system's keychain.`);
    return;
  }
  if (trouble !== undefined) {
    say(call, `The system's keychain could not be used: ${trouble}`);
  }
  const warning = `${what} in ${place}: not encrypted, readable by you only.`;
  writeMessage(call.runtime.stderr, visible(warning));
}

function hintLines(name: string, current: string, env: Runtime['env']): string[] {
  const isSet = (variable: string): boolean => (env[variable] ?? '') !== '';
  return [
    ...(name === current
      ? []
      : [`Use it with --profile ${name}, or from now on with \`eventreg profiles use ${name}\`.`]),
    ...['EVENTREG_TOKEN', 'EVENTREG_BASE_URL', 'EVENTREG_INTEG_URL']
      .filter(isSet)
      .map((variable) => `${variable} is set and goes before what was saved.`),
  ];
}
