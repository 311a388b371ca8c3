import { type Answer, emptyAnswer, jsonAnswer } from './answer.ts';
import type { DemoEvent } from './demo-event.ts';
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
  return shown(parts, parts.webhooks.create(checked.value));
}

/** GET {integ_url}/v1/webhooks. */
export function listWebhooks(parts: WebhookParts): Answer {
  const { webhookList } = parts.switches;
  if (webhookList === 'absent') return noPath(parts);
  const all = parts.webhooks.list().map(webhookBody);
  const withoutId = all.map(({ webhook_id: _id, ...rest }) => rest);
  return jsonAnswer(200, { data: webhookList === 'no-ids' ? withoutId : all });
}

/** PUT {integ_url}/v1/webhooks/{id} with a parsed body: the whole webhook or only what changes. */
export function updateWebhook(parts: WebhookParts, id: string, body: unknown): Answer {
  const { webhookUpdate } = parts.switches;
  if (webhookUpdate === 'absent') return noPath(parts);
  const checked = checkWebhookChange(body, parts.event.event_id);
  if ('errors' in checked) return invalid(parts, checked.errors);
  const webhook = parts.webhooks.update(readId(id), webhookUpdate === 'done' ? checked.value : {});
  return webhook === undefined ? unknown(parts) : shown(parts, webhook);
}

/** DELETE {integ_url}/v1/webhooks/{id}. */
export function deleteWebhook(parts: WebhookParts, id: string): Answer {
  const { deleteStatus, webhookDelete } = parts.switches;
  if (webhookDelete === 'absent') return noPath(parts);
  if (webhookDelete === 'done' && !parts.webhooks.delete(readId(id))) return unknown(parts);
  return deleteStatus === '204' ? emptyAnswer(204) : jsonAnswer(200, { message: 'The webhook was deleted.' });
}

/** The answer that shows a webhook, as far as the service does. */
function shown({ switches }: WebhookParts, webhook: SandboxWebhook): Answer {
  if (switches.webhookAnswer === 'empty') return emptyAnswer(200);
  const body = webhookBody(webhook);
  return jsonAnswer(200, switches.webhookAnswer === 'wrapped' ? { data: body } : body);
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
