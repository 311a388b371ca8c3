import * as z from 'zod';
import { firstText, isObject, type Json, unwrap } from './json.ts';

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
  name: string | undefined;
  url: string | undefined;
  triggers: readonly string[];
  active: boolean | undefined;
  raw: Json;
}

export const WEBHOOK_IDS = ['webhook_id', 'id', 'uuid'];
const WEBHOOK_KEYS = [...WEBHOOK_IDS, 'webhook_url', 'url'];

/** Reads one webhook, bare or wrapped. */
export function readWebhook(body: unknown): WebhookRecord | undefined {
  const raw = unwrap(body, ['data', 'webhook', 'result'], (object) =>
    WEBHOOK_KEYS.some((key) => key in object),
  );
  if (!isObject(raw)) return undefined;
  const triggers = raw['triggers'] ?? raw['events'];
  return {
    id: firstText(raw, WEBHOOK_IDS),
    name: firstText(raw, ['name']),
    url: firstText(raw, ['webhook_url', 'url']),
    triggers: Array.isArray(triggers) ? triggers.map(String) : [],
    active: typeof raw['active'] === 'boolean' ? raw['active'] : undefined,
    raw,
  };
}
