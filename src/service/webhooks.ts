import { UsageError } from '../errors.ts';
import { type Caller, type HttpResponse, isSuccess, TransportError } from './http/http.ts';
import { type PageReading, readPage } from './contracts/read-records.ts';
import { readWebhook, type WebhookBody, type WebhookRecord } from './contracts/webhook.ts';
import { buildUrl, type Endpoints } from './endpoints.ts';
import { answerError, falseSuccess, shapeError, silenceError } from './http/failure.ts';
import { parseJson } from './contracts/json.ts';
import { PageWalk } from './list/page-walk.ts';

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
}

/** The address that webhooks are served from. Throws UsageError where it is not set. */
export function requireIntegUrl(integUrl: URL | undefined): URL {
  if (integUrl !== undefined) return integUrl;
  throw new UsageError('The address of the webhook service (integ_url) is not set.', {
    hint: 'Set it with `eventreg login --integ-url URL`, or EVENTREG_INTEG_URL.',
  });
}

/** The webhook operations, served from integ_url. */
export function createWebhooksClient(
  call: Caller,
  integUrl: URL | undefined,
  endpoints: Endpoints,
): WebhooksClient {
  const address = (operation: WebhookOperation, id?: string): URL =>
    buildUrl(requireIntegUrl(integUrl), endpoints[operation], id);

  const request = async (
    doing: string,
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: URL,
    body?: unknown,
  ) => {
    try {
      return await call(method, url, body === undefined ? undefined : JSON.stringify(body));
    } catch (error) {
      throw error instanceof TransportError ? silenceError(error, { doing, url }) : error;
    }
  };

  /** A web page instead of a record is an error; silence is not. */
  const refuseFailure = (response: HttpResponse, doing: string, url: URL): void => {
    if (!isSuccess(response)) throw answerError(response, { doing, url, setting: 'integ_url' });
    const failure = falseSuccess(response, { doing, url, setting: 'integ_url' });
    if (failure !== undefined) throw failure;
  };

  const change = async (doing: string, method: 'POST' | 'PUT', url: URL, body: unknown) => {
    const response = await request(doing, method, url, body);
    refuseFailure(response, doing, url);
    return readWebhook(readBody(response));
  };

  return {
    async list() {
      const walk = new PageWalk({ lookup: true, listed: 'webhooks' });
      const records: PageReading['records'] = [];
      for (let page = 1, step = 'more'; step === 'more'; page += 1) {
        const reading = await readListPage(page, walk.promised);
        step = reading === undefined ? 'over' : walk.take(reading);
        if (reading !== undefined && step !== 'over') records.push(...reading.records);
      }
      walk.checkComplete();
      return records.flatMap(({ raw }) => readWebhook(raw) ?? []);
    },
    create: async (body) => await change('create the webhook', 'POST', address('createWebhook'), body),
    update: async (id, body) =>
      await change(`update webhook ${id}`, 'PUT', address('updateWebhook', id), body),
    async remove(id) {
      const doing = `delete webhook ${id}`;
      const url = address('deleteWebhook', id);
      const response = await request(doing, 'DELETE', url);
      const { status } = response;
      if (status !== 404 && status !== 410) refuseFailure(response, doing, url);
      return { status, url };
    },
  };

  /** Undefined past the end. The interface shows no parameters: the first page is asked for without any. */
  async function readListPage(page: number, promised: boolean): Promise<PageReading | undefined> {
    const doing = 'list webhooks';
    const url = address('listWebhooks');
    if (page > 1) url.searchParams.set('page', String(page));
    const response = await request(doing, 'GET', url);
    if (page > 1 && !promised && PAST_THE_END.has(response.status)) return undefined;
    if (!isSuccess(response)) throw answerError(response, { doing, url, setting: 'integ_url' });
    if (response.status === 204) return undefined;
    const reading = readPage(readBody(response), response.headers);
    if (reading === undefined) throw shapeError(response, { doing, url, setting: 'integ_url' });
    return reading;
  }
}

type WebhookOperation = 'listWebhooks' | 'createWebhook' | 'updateWebhook' | 'deleteWebhook';

/** What services answer to a page number past the end. */
const PAST_THE_END = new Set([400, 404, 416, 422]);

function readBody(response: HttpResponse): unknown {
  if (response.body.trim() === '') return undefined;
  try {
    return parseJson(response.body);
  } catch {
    return undefined;
  }
}
