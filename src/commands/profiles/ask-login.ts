import { AuthorisationError, EventregError, InterruptedError, UsageError } from '../../errors.ts';
import { visible } from '../../report/words/escape.ts';
import { plural } from '../../report/words/number.ts';
import type { Prompt } from '../../prompts/prompt.ts';
import type { Runtime } from '../../runtime.ts';
import type { Profile } from '../../settings/profiles.ts';
import { checkServiceUrl } from '../../settings/service-url.ts';
import { refuseUncheckedCertificates, settingsOf } from '../../settings/settings.ts';
import { checkToken } from '../../settings/credentials.ts';
import { given } from '../../settings/env.ts';
import type { StateAccess } from '../../settings/shared-state.ts';
import { connect } from '../connect/connection.ts';
import { readAccess, withSpace } from '../connect/shared-journal.ts';
import type { Call } from '../terminal/terminal.ts';
import { writeMessage } from '../../report/words/wrap-words.ts';

/** Where the service is, and what it lets in. */
export interface Entrance {
  baseUrl: URL;
  token: string;
}

interface Known {
  name: string;
  /** The address, of a flag or of the profile as it was. */
  baseUrl: URL | undefined;
  profile: Profile;
  /** Told of the address as soon as it is typed: whoever stops at the token need not type it again. */
  keep: (baseUrl: URL) => void;
}

const ADDRESS = 'Address of the service (your provider tells it, for example https://events.example.com/api)';
const TOKEN = 'Access token (from your provider; it is not shown)';

/** What may be done when the service could not be tried. */
const WAYS = [
  { value: 'address', label: 'Type another address' },
  { value: 'token', label: 'Type another token' },
  { value: 'again', label: 'Try again' },
  { value: 'save', label: 'Save them as they are; `eventreg doctor` tries them later' },
];

/** Asks for address and token, tries them, and asks again until the service takes them or the person is content. */
export async function askEntrance(known: Known, prompt: Prompt, call: Call): Promise<Entrance> {
  const { runtime } = call;
  const tell = teller(runtime);
  const askAddress = (initial?: string): Promise<URL> =>
    untilRight(
      () => prompt.text(ADDRESS, initial),
      (text) => checkServiceUrl(text.trim(), 'This'),
      tell,
    );
  const askToken = (): Promise<string> =>
    untilRight(
      () => prompt.secret(TOKEN),
      (text) => checkToken(text.trim()),
      tell,
    );

  refuseUncheckedCertificates(runtime.env);
  let baseUrl = known.baseUrl ?? (await askAddress());
  if (known.baseUrl === undefined) known.keep(baseUrl);
  else tell(`Address of the service: ${addressText(baseUrl)} (--base-url gives another)`);
  let token = await askToken();
  for (;;) {
    runtime.secrets.add(token);
    const wrong = await tryOut({ baseUrl, token }, known, call, tell);
    if (wrong === undefined) return { baseUrl, token };
    if (wrong instanceof AuthorisationError) {
      tell(`✗ ${baseUrl.host} does not accept this token. Again:`);
      token = await askToken();
      continue;
    }
    tell(`✗ ${wrong.message}`);
    const way = await prompt.select('What now?', WAYS);
    if (way === 'save') return { baseUrl, token };
    if (way === 'address') baseUrl = await askAddress(likelyAddress(baseUrl));
    if (way === 'token') token = await askToken();
  }
}

const WEBHOOKS = 'Address of webhooks (only when your provider told you one; else just Enter)';

/** Asks for what few have; undefined for nothing. */
export const askWebhooks = (prompt: Prompt, { runtime }: Call): Promise<URL | undefined> =>
  untilRight(
    () => prompt.text(WEBHOOKS),
    (text) => (text.trim() === '' ? undefined : checkServiceUrl(text.trim(), 'This')),
    teller(runtime),
  );

/** Address and key of the shared state: those of the environment, else as they are typed. Where somebody is here they are tried. */
export async function askState(
  prompt: Prompt | undefined,
  call: Call,
): Promise<StateAccess & { label: string }> {
  const { runtime } = call;
  const { parseAddress, parseKey } = await import('../../settings/state-address.ts');
  const ask = async (variable: string, what: string, check: (text: string) => unknown): Promise<string> => {
    const set = given(runtime.env, variable);
    if (set !== undefined) return set;
    if (prompt === undefined)
      throw new UsageError(`${variable} is not set, and nobody can be asked.`, {
        hint: 'Set EVENTREG_STATE and EVENTREG_STATE_KEY, or run it in a terminal, without --token-stdin.',
      });
    const checked = (text: string): string => {
      check(text.trim());
      return text.trim();
    };
    return await untilRight(
      () => prompt.secret(`${what} (${variable}; it is not shown)`),
      checked,
      teller(runtime),
    );
  };
  const address = await ask('EVENTREG_STATE', STATE_ADDRESS, (text) => parseAddress(text, runtime.env));
  const access = { address, key: await ask('EVENTREG_STATE_KEY', STATE_KEY, parseKey) };
  const { address: place } = await readAccess(access, runtime);
  if (prompt !== undefined) await withSpace(call, (opener) => opener.head(), access);
  return { ...access, label: `${place.space} at ${place.label}` };
}

const STATE_ADDRESS = 'Address of the shared state';
const STATE_KEY = 'Key of the shared state';

const teller =
  ({ stderr }: Runtime) =>
  (text: string): void =>
    writeMessage(stderr, visible(text));

/** Asks until what is typed can be used, and says why it cannot. */
async function untilRight<T>(
  ask: () => Promise<string>,
  check: (text: string) => T,
  tell: (text: string) => void,
): Promise<T> {
  for (;;) {
    const text = await ask();
    try {
      return check(text);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      tell(`✗ ${error.message}${error.hint === undefined ? '' : ` ${error.hint}`} Again:`);
    }
  }
}

/** An address as people write it. */
export const addressText = ({ href }: URL): string => href.replace(/\/$/, '');

/** Many services have their interface below /api, beside a web site. */
function likelyAddress(url: URL): string {
  const bare = addressText(url);
  return /(?:^|\/)api(?:\/|$)/.test(url.pathname) ? bare : `${bare}/api`;
}

/** Reads the event, and says what it is; the error when that fails. */
async function tryOut(
  { baseUrl, token }: Entrance,
  { name, profile }: Known,
  call: Call,
  tell: (text: string) => void,
): Promise<EventregError | undefined> {
  const settings = {
    profile: name,
    baseUrl,
    integUrl: undefined,
    token,
    tokenFrom: 'file' as const,
    ...settingsOf(profile),
  };
  const connection = await connect(call, { settings });
  try {
    const event = await connection.client.getEvent();
    const kinds = plural(event.personas.length, 'kind of guests', 'kinds of guests');
    const named = event.personas.map(({ slug }) => slug).join(', ');
    tell(`✓ ${event.name || event.slug || event.eventId}, ${kinds}${named === '' ? '' : `: ${named}`}`);
    return undefined;
  } catch (error) {
    if (!(error instanceof EventregError) || error instanceof InterruptedError) throw error;
    return error;
  } finally {
    await connection.close();
  }
}
