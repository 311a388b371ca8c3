import { type Answer, emptyAnswer, jsonAnswer } from './answer.ts';
import type { DemoEvent } from './demo-event.ts';
import type { Json } from '../service/contracts/json.ts';
import { type FieldError, refuse } from './error-shapes.ts';
import { webhookBody } from './shapes.ts';
import type { Switches } from './store/switches.ts';
import { checkWebhook, checkWebhookChange } from './validate.ts';
import type { SandboxWebhook, WebhookStore } from './store/webhook-store.ts';

/** What the operations on webhooks work with. */
export interface WebhookParts {
  event: DemoEvent;
  webhooks: WebhookStore;
  switches: Switches;
}

/** POST {integ_url}/v1/webhooks with a parsed body. */
export function createWebhook(parts: WebhookParts, body: unknown): Answer {
  const checked = checkWebhook(body, parts.event.event_id);
  if ('errors' in checked) return invalid(parts, checked.errors);
  const active = checked.value.active || parts.switches.webhookStart === 'on';
  return shown(parts, parts.webhooks.create({ ...checked.value, active }));
}

/** GET {integ_url}/v1/webhooks. */
export function listWebhooks(parts: WebhookParts): Answer {
  const { webhookList } = parts.switches;
  if (webhookList === 'absent') return noPath(parts);
  const all = parts.webhooks.list().filter(({ active }) => active || webhookList !== 'active-only');
  const listed = all.map((webhook) => recordOf(parts, webhook)).slice(0, MOST_LISTED[webhookList]);
  const withoutId = listed.map(({ webhook_id: _id, ...rest }) => rest);
  return jsonAnswer(200, { data: webhookList === 'no-ids' ? withoutId : listed });
}

const MOST_LISTED: { readonly [List in Switches['webhookList']]?: number } = { cut: 3, empty: 0 };

/** PUT {integ_url}/v1/webhooks/{id} with a parsed body: the whole webhook or only what changes. */
export function updateWebhook(parts: WebhookParts, id: string, body: unknown): Answer {
  const { webhookUpdate } = parts.switches;
  if (webhookUpdate === 'absent') return noPath(parts);
  const checked = checkWebhookChange(body, parts.event.event_id);
  if ('errors' in checked) return invalid(parts, checked.errors);
  const change = webhookUpdate === 'renamed' ? { ...checked.value, name: 'Changed' } : checked.value;
  const webhook = parts.webhooks.update(readId(id), webhookUpdate === 'ignored' ? {} : change);
  return webhook === undefined ? unknown(parts) : shown(parts, webhook);
}

/** DELETE {integ_url}/v1/webhooks/{id}. */
export function deleteWebhook(parts: WebhookParts, id: string): Answer {
  const { deleteStatus, webhookDelete } = parts.switches;
  if (webhookDelete === 'absent') return noPath(parts);
  if (webhookDelete !== 'ignored' && !parts.webhooks.delete(readId(id))) return unknown(parts);
  if (webhookDelete === 'failed') return refuse(parts.switches, 500, 'Something went wrong.');
  return deleteStatus === '204' ? emptyAnswer(204) : jsonAnswer(200, { message: 'The webhook was deleted.' });
}

/** The answer that shows a webhook, as far as the service does. */
function shown(parts: WebhookParts, webhook: SandboxWebhook): Answer {
  const { webhookAnswer } = parts.switches;
  if (webhookAnswer === 'empty') return emptyAnswer(200);
  if (webhookAnswer === 'number') return jsonAnswer(200, { success: true, id: 1 });
  const body = recordOf(parts, webhook);
  return jsonAnswer(200, webhookAnswer === 'wrapped' ? { data: body } : body);
}

type Named = Pick<SandboxWebhook, 'name' | 'webhook_url'>;

const NAMED: Readonly<Record<Switches['webhookShown'], (webhook: Named) => Partial<Named>>> = {
  'as-sent': ({ name, webhook_url }) => ({ name, webhook_url }),
  'other-name': ({ webhook_url }) => ({ name: 'Webhook', webhook_url }),
  'other-address': ({ name, webhook_url }) => ({ name, webhook_url: new URL(webhook_url).origin }),
  'no-name': ({ webhook_url }) => ({ webhook_url }),
  'no-address': ({ name }) => ({ name }),
  neither: () => ({}),
};

/** A webhook as the service shows it. */
function recordOf({ switches }: WebhookParts, webhook: SandboxWebhook): Json {
  const { name: _name, webhook_url: _url, ...rest } = webhookBody(webhook);
  return { ...rest, ...NAMED[switches.webhookShown](webhook) };
}

/** Webhooks are numbered from 1; anything else is the number of none. */
function readId(id: string): number {
  return /^\d{1,15}$/.test(id) ? Number(id) : 0;
}

function invalid(parts: WebhookParts, errors: FieldError[]): Answer {
  return refuse(parts.switches, 422, 'The given data is invalid.', errors);
}

function noPath(parts: WebhookParts): Answer {
  return refuse(parts.switches, 404, 'There is no such path.');
}

function unknown(parts: WebhookParts): Answer {
  return refuse(parts.switches, 404, 'There is no such webhook.');
}
