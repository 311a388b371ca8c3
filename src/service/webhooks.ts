import { UsageError } from '../errors.ts';
import { type Caller, isSuccess } from './caller.ts';
import { readWebhook, readWebhooks, type WebhookBody, type WebhookRecord } from './contracts.ts';
import { buildUrl, type Endpoints } from './endpoints.ts';
import { answerError, falseSuccess, shapeError, silenceError } from './failure.ts';
import { type HttpResponse, TransportError } from './http.ts';
import { parseJson } from './json.ts';

export interface WebhooksClient {
  list(): Promise<WebhookRecord[]>;
  /** Undefined when the service does not show what it made. */
  create(body: WebhookBody): Promise<WebhookRecord | undefined>;
  update(id: string, body: Partial<WebhookBody>): Promise<WebhookRecord | undefined>;
  remove(id: string): Promise<'deleted' | 'absent'>;
}

/** The webhook operations, served from integ_url. */
export function createWebhooksClient(
  call: Caller,
  integUrl: URL | undefined,
  endpoints: Endpoints,
): WebhooksClient {
  const address = (id?: string): URL => {
    if (integUrl === undefined) {
      throw new UsageError('The address of the webhook service (integ_url) is not set.', {
        hint: 'Set it with `eventreg login --integ-url URL`, or EVENTREG_INTEG_URL.',
      });
    }
    return buildUrl(integUrl, id === undefined ? endpoints.webhooks : endpoints.webhook, id);
  };

  const request = async (
    doing: string,
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: URL,
    body?: unknown,
  ) => {
    try {
      return await call(method, url, body === undefined ? undefined : JSON.stringify(body));
    } catch (error) {
      throw error instanceof TransportError ? silenceError(error, doing, url) : error;
    }
  };

  const expectSuccess = async (doing: string, method: 'GET' | 'POST' | 'PUT', url: URL, body?: unknown) => {
    const response = await request(doing, method, url, body);
    if (!isSuccess(response)) throw answerError(response, doing, url);
    return response;
  };

  /** A web page instead of a record is an error; silence is not. */
  const expectChange = async (doing: string, method: 'POST' | 'PUT', url: URL, body: unknown) => {
    const response = await expectSuccess(doing, method, url, body);
    const failure = falseSuccess(response, doing, url);
    if (failure !== undefined) throw failure;
    return response;
  };

  return {
    async list() {
      const doing = 'list webhooks';
      const response = await expectSuccess(doing, 'GET', address());
      if (response.status === 204) return [];
      const webhooks = readWebhooks(readBody(response));
      if (webhooks === undefined) throw shapeError(response, doing, address());
      return webhooks;
    },
    async create(body) {
      return readWebhook(readBody(await expectChange('create the webhook', 'POST', address(), body)));
    },
    async update(id, body) {
      return readWebhook(readBody(await expectChange(`update webhook ${id}`, 'PUT', address(id), body)));
    },
    async remove(id) {
      const doing = `delete webhook ${id}`;
      const response = await request(doing, 'DELETE', address(id));
      if (response.status === 404 || response.status === 410) return 'absent';
      if (!isSuccess(response)) throw answerError(response, doing, address(id));
      const failure = falseSuccess(response, doing, address(id));
      if (failure !== undefined) throw failure;
      return 'deleted';
    },
  };
}

function readBody(response: HttpResponse): unknown {
  if (response.body.trim() === '') return undefined;
  try {
    return parseJson(response.body);
  } catch {
    return undefined;
  }
}
