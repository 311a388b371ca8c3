import { UsageError } from '../errors.ts';
import { type Caller, type HttpResponse, isSuccess, type Method, TransportError } from './http/http.ts';
import { type PageReading, readPage } from './contracts/read-records.ts';
import { readWebhook, sharedIds, type WebhookBody, type WebhookRecord } from './contracts/webhook.ts';
import {
  buildUrl,
  type Endpoints,
  readOperation,
  setOperations,
  type WebhookOperation,
} from './endpoints.ts';
import { answerError, type Attempted, falseSuccess, shapeError, silenceError } from './http/failure.ts';
import { readJson } from './contracts/json.ts';
import { isAbsent } from './http/outcome.ts';
import { PageWalk, PAST_THE_END } from './list/page-walk.ts';

/** What the service said to a delete: that it did it, or that there is none. Neither proves anything. */
export interface WebhookRemoval {
  status: number;
  url: URL;
}

export interface WebhooksClient {
  /** All of them, on however many pages. */
  list(): Promise<WebhookRecord[]>;
  /** Undefined when the service does not show what it made. */
  create(body: WebhookBody): Promise<WebhookRecord | undefined>;
  update(id: string, body: Partial<WebhookBody>): Promise<WebhookRecord | undefined>;
  remove(id: string): Promise<WebhookRemoval>;
  /** What the address of one shows; undefined where nothing is there, or reading it might do something. */
  read(id: string): Promise<WebhookRecord | undefined>;
}

/** The address that webhooks are served from. Throws UsageError where it is not set. */
export function requireIntegUrl(integUrl: URL | undefined): URL {
  if (integUrl !== undefined) return integUrl;
  throw new UsageError('The address of the webhook service (integ_url) is not set.', {
    hint: 'Set it with `eventreg login --integ-url URL`, or EVENTREG_INTEG_URL.',
  });
}

/** How each operation is done unless the profile says it. */
const METHODS: Readonly<Record<WebhookOperation, Method>> = {
  listWebhooks: 'GET',
  createWebhook: 'POST',
  updateWebhook: 'PUT',
  deleteWebhook: 'DELETE',
};

interface WebhooksOptions {
  call: Caller;
  integUrl: URL | undefined;
  endpoints: Endpoints;
  /** Asked for where an operation names the event. */
  eventId: () => Promise<string>;
}

/** What is asked for, beside the operation. */
interface Asked {
  /** Completes "Could not …". */
  doing: string;
  id?: string;
  body?: Partial<WebhookBody>;
  page?: number;
  /** Where the page before says that this one is. */
  next?: string | undefined;
  /** Reads what is at the address of the operation, and does nothing to it. */
  reads?: true;
}

/** The webhook operations, served from integ_url. */
export function createWebhooksClient({
  call,
  integUrl,
  endpoints,
  eventId,
}: WebhooksOptions): WebhooksClient {
  /** As the profile says them, or as answers have taught. */
  const shapes = new Map<WebhookOperation, string>();

  /** Keys that hold no ids of webhooks, as lists have shown. */
  const shared: string[] = [];
  const shapeOf = (operation: WebhookOperation): string => shapes.get(operation) ?? endpoints[operation];

  /** Asks in the shape that is known; a refusal that says what it wants instead is followed. */
  const request = async (operation: WebhookOperation, asked: Asked) => {
    const { doing, id, body, page = 1, next = '' } = asked;
    const shape = shapeOf(operation);
    const { method = METHODS[operation], template, naming } = readOperation(shape);
    const event = template.includes('{event_id}') ? await eventId() : '';
    const url = buildUrl(requireIntegUrl(integUrl), template, naming === undefined ? id : undefined, event);
    // What a link asks for is all that is taken of it: it may lead elsewhere.
    const linked = URL.canParse(next, url.href) ? new URL(next, url).searchParams : new URLSearchParams();
    if (page > 1 && linked.size === 0) linked.set('page', String(page));
    for (const [key, value] of linked) url.searchParams.set(key, value);
    const attempted: Attempted = { doing, url, setting: 'integ_url', remedy: setOperations(operation) };
    // Nothing is of no body.
    const json = JSON.stringify(naming === undefined ? body : { ...naming(id ?? ''), ...body });
    const response = await call(asked.reads ? 'GET' : method, url, json).catch((error: unknown) => {
      throw error instanceof TransportError ? silenceError(error, attempted) : error;
    });
    const taught = shapeWanted(shape, operation, response);
    if (taught === undefined) return { response, attempted };
    shapes.set(operation, taught);
    return await request(operation, asked);
  };

  /** A web page instead of a record is an error; silence is not. */
  const refuseFailure = (response: HttpResponse, attempted: Attempted): void => {
    if (!isSuccess(response)) throw answerError(response, attempted);
    const failure = falseSuccess(response, attempted);
    if (failure !== undefined) throw failure;
  };

  const change = async (operation: WebhookOperation, asked: Asked) => {
    const { response, attempted } = await request(operation, asked);
    refuseFailure(response, attempted);
    return readWebhook(readJson(response.body), shared);
  };

  return {
    async list() {
      const walk = new PageWalk({ lookup: true, listed: 'webhooks' });
      const records: PageReading['records'] = [];
      let next: string | undefined;
      for (let page = 1, step = 'more'; step === 'more'; page += 1) {
        const reading = await readListPage({ page, next }, walk.promised);
        next = reading?.next;
        step = reading === undefined ? 'over' : walk.take(reading);
        if (reading !== undefined && step !== 'over') records.push(...reading.records);
      }
      walk.checkComplete();
      shared.push(...sharedIds(records.flatMap(({ raw }) => readWebhook(raw) ?? [])));
      return records.flatMap(({ raw }) => readWebhook(raw, shared) ?? []);
    },
    create: async (body) => await change('createWebhook', { doing: 'create the webhook', body }),
    update: async (id, body) => await change('updateWebhook', { doing: `update webhook ${id}`, id, body }),
    async remove(id) {
      const { response, attempted } = await request('deleteWebhook', { doing: `delete webhook ${id}`, id });
      if (!isAbsent(response)) refuseFailure(response, attempted);
      return { status: response.status, url: attempted.url };
    },
    async read(id) {
      const at = (['deleteWebhook', 'updateWebhook'] as const).find((one) => OF_ONE.test(shapeOf(one)));
      if (at === undefined) return undefined;
      const { response, attempted } = await request(at, { doing: `read webhook ${id}`, id, reads: true });
      if (isAbsent(response)) return undefined;
      refuseFailure(response, attempted);
      const shown = readWebhook(readJson(response.body), shared);
      return shown && (shown.name ?? shown.url) ? { ...shown, id } : undefined;
    },
  };

  /** Undefined past the end. The interface shows no parameters: the first page is asked for without any. */
  async function readListPage(
    { page, next }: { page: number; next: string | undefined },
    promised: boolean,
  ): Promise<PageReading | undefined> {
    const { response, attempted } = await request('listWebhooks', { doing: 'list webhooks', page, next });
    if (page > 1 && !promised && PAST_THE_END.has(response.status)) return undefined;
    if (!isSuccess(response)) throw answerError(response, attempted);
    if (response.status === 204) return undefined;
    const reading = readPage(readJson(response.body), response.headers);
    if (reading === undefined) throw shapeError(response, attempted);
    return reading;
  }
}

/**
 * The shape that a refused request is to have instead, where the answer says so in a way that leaves no doubt: a change
 * by PATCH, where that is allowed and ours is not; the event in the query, where that is missing.
 */
function shapeWanted(
  shape: string,
  operation: WebhookOperation,
  { status, headers, body }: HttpResponse,
): string | undefined {
  const { method, template } = readOperation(shape);
  if (status === 405 && operation === 'updateWebhook' && method === undefined) {
    return /\bPATCH\b/i.test(headers['allow'] ?? '') ? `PATCH ${template}` : undefined;
  }
  const wantsEvent = (status === 400 || status === 422) && /\bevent_?id\b/i.test(body);
  // A new one names its event itself: that may be refused, too.
  const isNamed = operation === 'createWebhook' && !/\b(?:required|missing)\b/i.test(body);
  if (!wantsEvent || isNamed || template.includes('{event_id}')) return undefined;
  return shape.replace(template, `${template}${template.includes('?') ? '&' : '?'}event_id={event_id}`);
}

/** The address of one webhook, where the method alone says what is done: reading it does nothing. */
const OF_ONE = /^(?:(?:PUT|PATCH|DELETE) )?\S*\/\{id\}(?:\?\S*)?$/;
