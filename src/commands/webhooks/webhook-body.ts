import { ServiceError, UsageError } from '../../errors.ts';
import { isObject } from '../../service/contracts/json.ts';
import type { WebhookRecord } from '../../service/contracts/webhook.ts';
import { mayBePart, seenOf } from '../../webhooks/own/evidence.ts';
import type { Described } from '../../webhooks/own/own-books.ts';
import { visible } from '../../report/words/escape.ts';
import type { DocumentBody } from '../../documents/documents.ts';

/** What is said of a webhook, by flags or by a list; undefined where nothing is. */
interface WebhookFlags {
  event?: number | undefined;
  name?: string | undefined;
  url?: string | undefined;
  /** Empty when none is given. */
  trigger: readonly string[];
  active?: boolean | undefined;
  config?: Readonly<Record<string, unknown>> | undefined;
}

/** The body of a new webhook, whole, as the interface describes it. */
export function newWebhookBody(flags: WebhookFlags & { url: string }, eventId: number): Described {
  const { host: name } = new URL(flags.url);
  const usual = { event_id: eventId, name, webhook_url: flags.url, triggers: [], active: true, config: {} };
  return { ...usual, ...bodyOf(flags) };
}

/** What each key is called, and the flag that gives it. */
export const WORDS: Readonly<Record<keyof Described, readonly [word: string, flag: string]>> = {
  webhook_url: ['address', '--url'],
  name: ['name', '--name'],
  triggers: ['triggers', '--trigger'],
  active: ['state', '--active or --inactive'],
  config: ['config', '--config'],
  event_id: ['event', '--event'],
};
export const KEYS = Object.keys(WORDS) as (keyof Described)[];

/** What is said, as the body has it. */
export function bodyOf({ url, name, trigger, active, config, event }: WebhookFlags): Partial<Described> {
  const triggers = trigger.length > 0 ? [...trigger] : undefined;
  const body = { webhook_url: url, name, triggers, active, config, event_id: event };
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

/** What a record shows, as the body has it. */
export const shownBody = ({ raw, triggers: trigger, ...shown }: WebhookRecord): Partial<Described> =>
  bodyOf({ ...shown, trigger, config: shownConfig(raw['config']), event: wholeNumber(raw['event_id']) });

/**
 * What is known to be the whole of a webhook, by what is listed of it and what this machine has set last. What a list
 * shows may be a part: an address without its path or its end, a name in capitals, a config with a mask. It may go
 * back to the service only where it does not look like one, and fits what this machine has set: that goes back then.
 */
export function knownBody(shown: Partial<Described>, set: Partial<Described> = {}): Partial<Described> {
  const known = KEYS.flatMap((key) => {
    const seen = set[key] === undefined ? undefined : seenOf(set[key], shown[key]);
    if (seen === 'so' || seen === 'unshown') return [[key, set[key]]];
    const isKnown = typeof shown[key] === 'boolean' || typeof shown[key] === 'number';
    return isKnown || (seen === undefined && isWhole(key, shown[key])) ? [[key, shown[key]]] : [];
  });
  return Object.fromEntries(known) as Partial<Described>;
}

/** The one trigger that is documented. */
const DOCUMENTED = 'registration.updated';

/** Texts in a config may be masked. */
function isWhole(key: keyof Described, shown: unknown): boolean {
  if (key === 'webhook_url') return !mayBePart(String(shown));
  if (key === 'triggers') return JSON.stringify(shown) === JSON.stringify([DOCUMENTED]);
  return key === 'config' && shown !== undefined && !hasText(shown);
}

const hasText = (value: unknown): boolean =>
  typeof value === 'string' ||
  (typeof value === 'object' && value !== null && Object.values(value).some(hasText));

/** Throws UsageError when neither a flag nor the secret changes anything. */
export function requireChange(flags: WebhookFlags, secret: string | undefined): void {
  if (secret !== undefined || Object.keys(bodyOf(flags)).length > 0) return;
  throw new UsageError('There is nothing to change.', {
    hint: 'Give at least one of --url, --trigger, --name, --active, --inactive, --config, --event and --secret-stdin.',
  });
}

/** The event id as the number that the body needs. Throws ServiceError when it is none. */
export function eventNumber(eventId: string): number {
  const number = wholeNumber(eventId);
  if (number !== undefined) return number;
  throw new ServiceError(`The service calls its event ${JSON.stringify(eventId)}, which is no number.`, {
    hint: 'Give the number of the event with --event.',
  });
}

function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
}

/** Some services show an empty object as an empty list. */
function shownConfig(value: unknown): WebhookFlags['config'] {
  if (Array.isArray(value)) return value.length === 0 ? {} : undefined;
  return isObject(value) ? value : undefined;
}

/** What the sandbox fires besides, where it is told to. */
const BY_SWITCH = ['registration.created', 'registration.deleted'];

/** What there is to say of triggers that may never fire; undefined: nothing. */
export function noteTriggers(triggers: readonly string[], sandbox: boolean | string): string | undefined {
  const others = triggers.filter((trigger) => trigger !== DOCUMENTED);
  if (others.length === 0) return undefined;
  const which = visible(others.join(', '));
  if (sandbox === false) {
    return `${DOCUMENTED} is the one trigger that is documented: whether the service fires ${which} is not known.`;
  }
  const byRequests = 'for requests to `eventreg sandbox --set webhookEvents=all`';
  if (others.every((trigger) => BY_SWITCH.includes(trigger))) {
    return `The sandbox fires ${which} only ${byRequests}.`;
  }
  return `The sandbox never fires ${which}: it knows ${DOCUMENTED}, and ${byRequests} ${BY_SWITCH.join(', ')}.`;
}

type ShownWebhook = DocumentBody<'webhooks@1'>['webhooks'][number];

export const WEBHOOK_COLUMNS = ['id', 'name', 'url', 'triggers', 'active'];

/** Not only the key of the interface: a service may show the secret under a name of its own. */
export const SECRET_KEY = /secret/i;

/**
 * A webhook to print: the columns, then whatever else the service shows. Keys of signing secrets are
 * left out at every depth, and `redact` is applied to every text.
 */
export function webhookRecord(webhook: WebhookRecord, redact: (text: string) => string): ShownWebhook {
  const { shownId, name, url, triggers, active, raw } = webhook;
  const columns = {
    id: shownId ?? null,
    name: name ?? null,
    url: url ?? null,
    triggers,
    active: active ?? null,
  };
  return clean({ ...columns, ...raw, ...columns }, redact) as ShownWebhook;
}

function clean(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => clean(item, redact));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => !SECRET_KEY.test(key));
  return Object.fromEntries(entries.map(([key, inner]) => [redact(key), clean(inner, redact)]));
}
