import { UsageError } from '../errors.ts';
import { type Caller, isSuccess } from './caller.ts';
import { readWebhook, readWebhooks, type WebhookBody, type WebhookRecord } from './contracts.ts';
import { buildUrl, type Endpoints } from './endpoints.ts';
import { answerError, shapeError, silenceError } from './failure.ts';
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

  return {
    async list() {
      const doing = 'list webhooks';
      const response = await expectSuccess(doing, 'GET', address());
      const webhooks = readWebhooks(readBody(response));
      if (webhooks === undefined) throw shapeError(response, doing, address());
      return webhooks;
    },
    async create(body) {
      return readAnswer(await expectSuccess('create the webhook', 'POST', address(), body), address());
    },
    async update(id, body) {
      return readAnswer(await expectSuccess(`update webhook ${id}`, 'PUT', address(id), body), address(id));
    },
    async remove(id) {
      const doing = `delete webhook ${id}`;
      const response = await request(doing, 'DELETE', address(id));
      if (response.status === 404 || response.status === 410) return 'absent';
      if (!isSuccess(response)) throw answerError(response, doing, address(id));
      return 'deleted';
    },
  };
}

/** The record in a create or update answer; a web page instead of one is an error, silence is not. */
function readAnswer(response: HttpResponse, url: URL): WebhookRecord | undefined {
  if (response.body.trimStart().startsWith('<')) throw shapeError(response, 'change the webhook', url);
  return readWebhook(readBody(response));
}

function readBody(response: HttpResponse): unknown {
  if (response.body.trim() === '') return undefined;
  try {
    return parseJson(response.body);
  } catch {
    return undefined;
  }
}
