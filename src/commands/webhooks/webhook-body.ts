import { ServiceError, UsageError } from '../../errors.ts';
import type { WebhookBody, WebhookRecord } from '../../service/contracts/webhook.ts';
import { seenOf } from '../../webhooks/own/evidence.ts';
import type { Described } from '../../webhooks/own/own-books.ts';

/** What the flags say about a webhook; undefined where they say nothing. */
export interface WebhookFlags {
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
  return { ...usual, ...askedBody(flags) };
}

/** What each key is called, and the flag that gives it. */
export const WORDS: Readonly<Record<keyof Described, readonly [word: string, flag: string]>> = {
  webhook_url: ['address', '--url URL'],
  name: ['name', '--name NAME'],
  triggers: ['triggers', '--trigger TRIGGER'],
  active: ['state', '--active'],
  config: ['config', '--config JSON'],
  event_id: ['event', '--event NUMBER'],
};
export const KEYS = Object.keys(WORDS) as (keyof Described)[];

/** What a record shows, as the body has it. */
export function shownBody({ raw, name, url, triggers, active }: WebhookRecord): Partial<Described> {
  return onlyKnown({
    webhook_url: url,
    name,
    triggers: triggers.length > 0 ? [...triggers] : undefined,
    active,
    config: shownConfig(raw['config']),
    event_id: wholeNumber(raw['event_id']),
  });
}

/** What the flags of an update ask for. */
export function askedBody({ url, name, trigger, active, config, event }: WebhookFlags): Partial<Described> {
  return onlyKnown({
    webhook_url: url,
    name,
    triggers: trigger.length > 0 ? [...trigger] : undefined,
    active,
    config: config && { ...config },
    event_id: event,
  });
}

const onlyKnown = (body: { [Key in keyof Described]: Described[Key] | undefined }): Partial<Described> =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));

/**
 * What is known to be the whole of a webhook, by what is listed of it and what this machine has set last. What a list
 * shows may be a part: an address without its query or its end, a name in capitals, a config with a mask. It may go
 * back to the service only where no part of it could look like that, or where it is what this machine has set.
 */
export function knownBody(shown: Partial<Described>, set: Partial<Described> = {}): Partial<Described> {
  const known = KEYS.flatMap((key) => {
    if (set[key] !== undefined && seenOf(set[key], shown[key]) !== 'otherwise') return [[key, set[key]]];
    return isWhole(key, shown[key], set[key] !== undefined) ? [[key, shown[key]]] : [];
  });
  return Object.fromEntries(known) as Partial<Described>;
}

const DOCUMENTED = JSON.stringify(['registration.updated']);

function isWhole(
  key: keyof Described,
  shown: Described[keyof Described] | undefined,
  wasOtherwise: boolean,
): boolean {
  if (shown === undefined || key === 'webhook_url' || key === 'name') return false;
  if (key === 'triggers') return JSON.stringify(shown) === DOCUMENTED;
  // Texts in it may be masked, and an empty one may hide what there was.
  return key !== 'config' || !(hasText(shown) || (wasOtherwise && Object.keys(shown).length === 0));
}

const hasText = (value: unknown): boolean =>
  typeof value === 'string' ||
  (typeof value === 'object' && value !== null && Object.values(value).some(hasText));

/** Throws UsageError when neither a flag nor the secret changes anything. */
export function requireChange(flags: WebhookFlags, secret: string | undefined): void {
  if (secret !== undefined || Object.keys(askedBody(flags)).length > 0) return;
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
function shownConfig(value: unknown): WebhookBody['config'] | undefined {
  if (Array.isArray(value)) return value.length === 0 ? {} : undefined;
  return typeof value === 'object' && value !== null ? (value as WebhookBody['config']) : undefined;
}
