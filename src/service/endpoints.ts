import { GuardError, ServiceError } from '../errors.ts';
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

/** An operation that was read. */
interface Operation {
  /** Where it says one. */
  method: Method | undefined;
  template: string;
  /** What the body names one by; undefined: the address does. */
  naming: ((id: string) => Json) | undefined;
}

export function readOperation(text: string): Operation {
  const [, method, template = '', key, quote] = OPERATION.exec(text) ?? [];
  const naming = (id: string): Json => ({
    [key ?? 'id']: quote === '' && /^[1-9]\d{0,14}$/.test(id) ? Number(id) : id,
  });
  return { method: method as Method | undefined, template, naming: key === undefined ? undefined : naming };
}

const EXAMPLES: Readonly<Record<WebhookOperation, string>> = {
  listWebhooks: '/v1/webhooks?event_id={event_id}',
  createWebhook: '/v1/events/{event_id}/webhooks',
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
 * id that cannot be one.
 */
export function buildUrl(base: URL, template: string, id?: string, eventId = ''): URL {
  if (id !== undefined && !canStandInPath(id)) {
    throw new GuardError(
      'unclear',
      `The id ${JSON.stringify(id.slice(0, 60))} cannot be part of an address.`,
      {
        hint: 'Such an address would mean something else: nothing was sent.',
      },
    );
  }
  const path = `${base.pathname.replace(/\/+$/, '')}/${template.replace(/^\/+/, '')}`;
  const values = { id: encodeURIComponent(id ?? ''), event_id: encodeURIComponent(eventId) };
  const url = new URL(
    base.origin + path.replaceAll(/\{(id|event_id)\}/g, (_, name: keyof typeof values) => values[name]),
  );
  // Without its id the address would be that of the whole collection.
  if (id !== undefined && !(template.includes('{id}') && hasPlace(url, values.id))) {
    throw new ServiceError(
      `The id ${JSON.stringify(id.slice(0, 60))} has no place in the path ${template}.`,
      {
        hint: 'The path that the profile sets for this operation needs {id} between slashes, or as a value of its query.',
      },
    );
  }
  return url;
}

const hasPlace = ({ pathname, search }: URL, value: string): boolean =>
  [...pathname.split('/'), ...search.split(/[?&]/).map((pair) => pair.replace(/^[^=]*=/, ''))].includes(
    value,
  );
