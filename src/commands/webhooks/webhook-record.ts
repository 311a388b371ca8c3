import type { DocumentBody } from '../../documents/documents.ts';
import { asWritten } from '../../service/contracts/json.ts';
import { WEBHOOK_IDS, type WebhookRecord } from '../../service/contracts/webhook.ts';

type ShownWebhook = DocumentBody<'webhooks@1'>['webhooks'][number];

export const WEBHOOK_COLUMNS = ['id', 'name', 'url', 'triggers', 'active'];

/** Not only the key of the interface: a service may show the secret under a name of its own. */
export const SECRET_KEY = /secret/i;

/**
 * A webhook to print: the columns, then whatever else the service shows. Keys of signing secrets are
 * left out at every depth, and `redact` is applied to every text.
 */
export function webhookRecord(webhook: WebhookRecord, redact: (text: string) => string): ShownWebhook {
  const { id, name, url, triggers, active, raw } = webhook;
  const columns = {
    id: asWritten(id, raw, WEBHOOK_IDS) ?? null,
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
