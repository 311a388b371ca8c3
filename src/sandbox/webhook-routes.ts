import { type Answer, emptyAnswer, jsonAnswer, type FieldError, refuse } from './answer.ts';
import { DEMO_EVENT, type DemoEvent } from './demo-event.ts';
import { firstText, isObject, type Json } from '../service/contracts/json.ts';
import type { Switches } from './store/switches.ts';
import { checkWebhook, checkWebhookChange } from './validate.ts';
import type { SandboxWebhook, WebhookStore } from './store/webhook-store.ts';

/** What the operations on webhooks work with. */
export interface WebhookParts {
  event: DemoEvent;
  webhooks: WebhookStore;
  switches: Switches;
}

/** A request to a path below integ_url. */
interface WebhookRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  /** Parsed; undefined where there is none. */
  body: unknown;
}

type Operation = (parts: WebhookParts, id: string, body: unknown) => Answer;

const UPDATED_AT: Readonly<Record<Switches['webhookUpdateBy'], string>> = {
  PUT: 'PUT /{id}',
  PATCH: 'PATCH /{id}',
  'PATCH-untold': 'PATCH /{id}',
  'POST-update': 'POST /{id}/update',
};

const DELETED_AT: Readonly<Record<Switches['webhookDeleteBy'], string>> = {
  DELETE: 'DELETE /{id}',
  'POST-delete': 'POST /{id}/delete',
  'DELETE-query': 'DELETE ',
  'DELETE-body': 'DELETE ',
};

/** Does what is asked for, wherever the switches have it. */
export function answerWebhooks(parts: WebhookParts, { method, path, query, body }: WebhookRequest): Answer {
  const { switches, event } = parts;
  const { webhookScope, webhookUpdateBy, webhookDeleteBy } = switches;
  const all = `/v1/${webhookScope === 'path' ? `events/${event.event_id}/` : ''}webhooks`;
  if (!path.startsWith(all)) return noPath(parts);
  const below = path.slice(all.length);
  const place = below.replace(/^\/[^/]+/, '/{id}');
  const operations: Readonly<Record<string, Operation>> = {
    'POST ': createWebhook,
    'GET ': listWebhooks,
    ...(switches.webhookRead === 'shown' && { 'GET /{id}': readOne }),
    [UPDATED_AT[webhookUpdateBy]]: updateWebhook,
    [DELETED_AT[webhookDeleteBy]]: deleteWebhook,
  };
  const operation = operations[`${method} ${place}`];
  if (operation === undefined) return place === '/{id}' ? notAllowed(parts) : noPath(parts);
  const isAsked = webhookScope.startsWith('query') && operation !== createWebhook;
  if (isAsked && query.get('event_id') !== String(event.event_id)) {
    return invalid(parts, webhookScope === 'query' ? [{ field: 'event_id', message: 'is required.' }] : []);
  }
  return operation(parts, below.split('/')[1] ?? query.get('id') ?? idIn(body), body);
}

const idIn = (body: unknown): string => (isObject(body) && firstText(body, ['id'])) || '';

/** With a parsed body. */
function createWebhook(parts: WebhookParts, _id: string, body: unknown): Answer {
  const checked = checkWebhook(body, parts.event.event_id);
  if ('errors' in checked) return invalid(parts, checked.errors);
  const active = checked.value.active || parts.switches.webhookStart === 'on';
  return shown(parts, parts.webhooks.create({ ...checked.value, active }));
}

function listWebhooks(parts: WebhookParts): Answer {
  const { webhookList } = parts.switches;
  if (webhookList === 'absent') return noPath(parts);
  const all = parts.webhooks.list().filter(({ active }) => active || webhookList !== 'active-only');
  const listed = all
    .slice(0, MOST_LISTED[webhookList])
    .map((webhook) => recordOf(parts, webhook, webhookList !== 'no-ids'));
  return jsonAnswer(200, webhookList === 'array' ? listed : { data: listed });
}

function readOne(parts: WebhookParts, id: string): Answer {
  const webhook = parts.webhooks.find(numberOf(parts, id));
  return webhook === undefined ? unknown(parts) : jsonAnswer(200, recordOf(parts, webhook));
}

const MOST_LISTED: { readonly [List in Switches['webhookList']]?: number } = { cut: 3, empty: 0 };

/** With a parsed body: the whole webhook or only what changes. */
function updateWebhook(parts: WebhookParts, id: string, body: unknown): Answer {
  const { webhookUpdate } = parts.switches;
  if (webhookUpdate === 'absent') return noPath(parts);
  const checked = checkWebhookChange(body, parts.event.event_id);
  if ('errors' in checked) return invalid(parts, checked.errors);
  const change = webhookUpdate === 'renamed' ? { ...checked.value, name: 'Changed' } : checked.value;
  const webhook = parts.webhooks.update(numberOf(parts, id), webhookUpdate === 'ignored' ? {} : change);
  return webhook === undefined ? unknown(parts) : shown(parts, webhook);
}

function deleteWebhook(parts: WebhookParts, id: string): Answer {
  const { deleteAgain, deleteStatus, webhookDelete } = parts.switches;
  if (webhookDelete === 'absent') return noPath(parts);
  if (webhookDelete !== 'ignored' && !parts.webhooks.delete(numberOf(parts, id))) {
    return deleteAgain === '204' ? emptyAnswer(204) : unknown(parts);
  }
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
  host: ({ name, webhook_url }) => ({ name, webhook_url: new URL(webhook_url).host }),
  'no-name': ({ webhook_url }) => ({ webhook_url }),
  'no-address': ({ name }) => ({ name }),
  neither: () => ({}),
};

/** A webhook as the service shows it: never with its signing secret. */
function recordOf({ switches }: WebhookParts, webhook: SandboxWebhook, hasId = true): Json {
  const { webhook_id: id, event_id, triggers, active, config } = webhook;
  const shown = { event_id, triggers, active, config, ...NAMED[switches.webhookShown](webhook) };
  return hasId ? { ...WEBHOOK_IDS[switches.webhookId](id), ...shown } : shown;
}

const WEBHOOK_IDS: Readonly<Record<Switches['webhookId'], (id: number) => Json>> = {
  webhook_id: (id) => ({ webhook_id: id }),
  id: (id) => ({ id }),
  _id: (id) => ({ _id: `wh_${id}` }),
  'event-and-uuid': (id) => ({ id: DEMO_EVENT.event_id, uuid: `wh_${id}` }),
  uuid: (id) => ({ uuid: `wh_${id}` }),
  'null-and-_id': (id) => ({ id: null, _id: `wh_${id}` }),
};

/** Its id, as an address has it. */
export const shownWebhookId = (
  { webhook_id: id }: SandboxWebhook,
  { webhookId }: Pick<Switches, 'webhookId'>,
): string => String(Object.values(WEBHOOK_IDS[webhookId](id)).at(-1));

/** Webhooks are numbered from 1; 0 is the number of none. */
function numberOf({ webhooks, switches }: WebhookParts, id: string): number {
  return webhooks.list().find((one) => shownWebhookId(one, switches) === id)?.webhook_id ?? 0;
}

function invalid(parts: WebhookParts, errors: FieldError[]): Answer {
  return refuse(parts.switches, 422, 'The given data is invalid.', errors);
}

function notAllowed({ switches }: WebhookParts): Answer {
  const answer = refuse(switches, 405, 'It is not done by that method.');
  if (switches.webhookUpdateBy !== 'PATCH') return answer;
  return { ...answer, headers: { ...answer.headers, allow: 'PATCH' } };
}

function noPath(parts: WebhookParts): Answer {
  return refuse(parts.switches, 404, 'There is no such path.');
}

function unknown(parts: WebhookParts): Answer {
  return refuse(parts.switches, 404, 'There is no such webhook.');
}
