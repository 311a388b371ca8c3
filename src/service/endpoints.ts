import { GuardError } from '../errors.ts';
import type { Json } from './contracts/json.ts';
import type { Method } from './http/http.ts';

/**
 * Where each operation is: a path, appended to base_url or integ_url. Those of webhooks may have a method in front and a
 * query behind, as in `PATCH /v1/webhooks/{id}?event_id={event_id}`. `{id}` stands for an identifier, which the body may
 * have instead: `DELETE /v1/webhooks {"id": {id}}`, or `{"id": "{id}"}` where a number is to be a text.
 */
export interface Endpoints {
  event: string;
  registrations: string;
  registration: string;
  listWebhooks: string;
  createWebhook: string;
  updateWebhook: string;
  deleteWebhook: string;
}

/** The operations whose shape the interface leaves open. */
export type WebhookOperation = Extract<keyof Endpoints, `${string}Webhook${string}`>;

const OPERATION = /^(?:(GET|POST|PUT|PATCH|DELETE) )?(\S*)(?: \{"(.+)": ?("?)\{id\}"?\})?$/s;

/** The method of an operation, where it says one, its path with its query, and what its body names one by. */
export function readOperation(text: string): Operation {
  const [, method, template = '', key, quote] = OPERATION.exec(text) ?? [];
  const isText = (id: string): boolean => quote !== '' || !/^[1-9]\d{0,14}$/.test(id);
  const naming = key && ((id: string) => ({ [key]: isText(id) ? id : Number(id) }));
  return { method: method as Method | undefined, template, naming: naming || undefined };
}

interface Operation {
  method: Method | undefined;
  template: string;
  /** Undefined: the address names it. */
  naming: ((id: string) => Json) | undefined;
}

const EXAMPLES: Readonly<Record<WebhookOperation, string>> = {
  listWebhooks: '/v1/webhooks?event_id={event_id}',
  createWebhook: '/v1/webhooks?event_id={event_id}" or "/v1/events/{event_id}/webhooks',
  updateWebhook: 'PATCH /v1/webhooks/{id}',
  deleteWebhook: 'POST /v1/webhooks/{id}/delete',
};

/** What to do where the service does not do as is usual, as the end of a sentence. */
export function setOperations(...names: readonly WebhookOperation[]): string {
  const examples = names.map((name) => `"${EXAMPLES[name]}"`);
  return `set ${names.join(' and ')} in endpoints of the profile to how the service has it, as in ${examples.join(' and ')}.`;
}

/** Half of a character: there is no way to write it in an address. */
const HALF = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** Whether an id can be one segment of a path. As `.` or `..` it would be left out, however it is written. */
export function canStandInPath(id: string): boolean {
  return id !== '' && id !== '.' && id !== '..' && !HALF.test(id);
}

/**
 * Builds the address of an operation, its id as one encoded segment or one value of the query. Throws GuardError on an
 * id that cannot be one, or has no place: the address would mean something else, such as all that there is.
 */
export function buildUrl(base: URL, template: string, id?: string, eventId = ''): URL {
  if (id !== undefined && !canStandInPath(id))
    throw new GuardError('unclear', `${idWords(id)} cannot be part of an address.`, NOTHING_SENT);
  const path = `${base.pathname.replace(/\/+$/, '')}/${template.replace(/^\/+/, '')}`;
  const values = { id: encodeURIComponent(id ?? ''), event_id: encodeURIComponent(eventId) };
  const url = new URL(
    base.origin + path.replaceAll(/\{(id|event_id)\}/g, (_, name: keyof typeof values) => values[name]),
  );
  if (id === undefined || (template.includes('{id}') && hasPlace(url, values.id))) return url;
  throw new GuardError('unclear', `${idWords(id)} has no place in the path ${template}.`, NOTHING_SENT);
}

const idWords = (id: string): string => `The id ${JSON.stringify(id.slice(0, 60))}`;

const NOTHING_SENT = { hint: 'Such an address would mean something else: nothing was sent.' };

const hasPlace = ({ pathname, search }: URL, value: string): boolean =>
  [...pathname.split('/'), ...search.split(/[?&]/).map((pair) => pair.replace(/^[^=]*=/, ''))].includes(
    value,
  );
