import * as z from 'zod';
import { asWritten, firstText, isObject, type Json, text, unwrap } from './json.ts';

/** Body of POST {integ_url}/v1/webhooks. */
export const webhookBodySchema = z.object({
  event_id: z.number().int(),
  name: z.string().min(1),
  webhook_url: z.url(),
  triggers: z.array(z.string().min(1)).min(1),
  active: z.boolean(),
  config: z.record(z.string(), z.unknown()),
  signing_secret_encrypted: z.string(),
});
export type WebhookBody = z.infer<typeof webhookBodySchema>;

/** A webhook as the service returns it; the interface does not show the record. */
export interface WebhookRecord {
  id: string | undefined;
  /** The id as it is written: an integer stays one. */
  shownId: string | number | undefined;
  name: string | undefined;
  url: string | undefined;
  triggers: readonly string[];
  active: boolean | undefined;
  raw: Json;
}

const WEBHOOK_IDS = ['webhook_id', 'id', '_id', 'uuid', 'hook_id', 'subscription_id'];
const URL_KEYS = ['webhook_url', 'url', 'target_url', 'endpoint'];
const ACTIVE_KEYS = ['active', 'is_active', 'enabled', 'status'];
const ON = /^"?(?:true|1|active|enabled|on)"?$/i;
const OFF = /^"?(?:false|0|inactive|disabled|off)"?$/i;

const TRIGGER_KEYS = ['slug', 'trigger', 'event', 'key', 'type', 'name'];

const readTrigger = (one: unknown): string =>
  isObject(one) ? (firstText(one, TRIGGER_KEYS) ?? JSON.stringify(one)) : String(one);

/** Keys of ids whose value several of these webhooks share: it is of something else, such as the event. */
export const sharedIds = (webhooks: readonly WebhookRecord[]): string[] =>
  WEBHOOK_IDS.filter((key) => {
    const having = webhooks.filter(({ raw }) => text(raw[key]) !== undefined);
    const texts = new Set(having.map(({ raw }) => JSON.stringify(raw)));
    return new Set(having.map(({ raw }) => text(raw[key]))).size < texts.size;
  });

/** Whether a webhook shows an id under any key, be it its own or not. */
export const bearsId = ({ raw }: WebhookRecord, id: string): boolean =>
  WEBHOOK_IDS.some((key) => text(raw[key]) === id);

/** Reads one webhook, bare or wrapped, or with what it has under `attributes`; `shared`: keys that hold no id of its own. */
export function readWebhook(body: unknown, shared: readonly string[] = []): WebhookRecord | undefined {
  const found = unwrap(body, ['data', 'webhook', 'result'], (object) =>
    [...WEBHOOK_IDS, ...URL_KEYS].some((key) => key in object),
  );
  if (!isObject(found)) return undefined;
  const raw = isObject(found['attributes']) ? { ...found, ...found['attributes'] } : found;
  const triggers = raw['triggers'] ?? raw['events'];
  const active =
    JSON.stringify(ACTIVE_KEYS.map((key) => raw[key]).find((value) => value !== undefined)) ?? '';
  const keys = WEBHOOK_IDS.filter((key) => !shared.includes(key));
  const id = firstText(raw, keys);
  return {
    id,
    shownId: asWritten(id, raw, keys),
    name: firstText(raw, ['name']),
    url: firstText(raw, URL_KEYS),
    triggers: Array.isArray(triggers) ? triggers.map(readTrigger) : [],
    active: ON.test(active) ? true : OFF.test(active) ? false : undefined,
    raw,
  };
}
