import { randomUUID } from 'node:crypto';
import type { Gate } from '../pacing/gate.ts';
import type { EventInfo } from '../registration/model/persona.ts';
import { readPersona } from '../registration/reading/read-persona.ts';
import {
  type Caller,
  createCaller,
  type HttpResponse,
  identify,
  isSuccess,
  type Network,
  type Transport,
  TransportError,
} from './http/http.ts';
import { readEvent } from './contracts/read-event.ts';
import { buildUrl } from './endpoints.ts';
import { answerError, shapeError, silenceError } from './http/failure.ts';
import { readJson } from './contracts/json.ts';
import { pace, readRateHeaders } from './http/pace.ts';
import {
  createRegistrationsClient,
  type RegistrationsClient,
  type RegistrationsOptions,
} from './registrations.ts';
import { retry, type RetryOptions } from './http/retry.ts';
import { trace, type TraceEntry } from './http/trace.ts';
import type { WebhooksClient } from './webhooks.ts';

/** Everything the service offers, in the words of the domain. */
export interface ServiceClient {
  /** Metadata of the active event. Throws an EventregError that says why not. */
  getEvent(): Promise<EventInfo>;
  /** One GET /event as it came back, for diagnosis; `tookMs` without all waiting before it left. */
  probe(): Promise<{
    response: HttpResponse;
    limit: number | undefined;
    remaining: number | undefined;
    tookMs: number;
  }>;
  registrations: RegistrationsClient;
  webhooks: WebhooksClient;
}

export interface ClientOptions extends RetryOptions, Omit<RegistrationsOptions, 'call' | 'personaOf'> {
  /** The bottom of the stack. */
  network: Network;
  gate: Gate;
  /** Makes the id of an attempt, a new one each time; random UUIDs unless given. */
  requestId?: () => string;
  integUrl: URL | undefined;
  token: string;
  userAgent: string;
  onAttempt: (entry: TraceEntry) => void;
  /** Called after each answer to a read, once the gate has it; what it throws, the read throws. */
  afterRead?: () => void;
  /** Told each event that was read. */
  onEvent?: (event: EventInfo) => void;
}

/** The layers of a request, outermost first: every attempt waits for its own place in the budget. */
function stack(options: ClientOptions): Transport {
  const { network, clock, gate, signal, policy, requestId = randomUUID, onAttempt, afterRead } = options;
  const attempt = identify(trace(network, clock, onAttempt), requestId);
  const send = retry(pace(attempt, { gate, clock, signal, policy }), options);
  return async (request) => {
    const response = await send(request);
    if (request.method === 'GET') afterRead?.();
    return response;
  };
}

export function createServiceClient(options: ClientOptions): ServiceClient {
  const call = createCaller(stack(options), options);
  const { baseUrl, integUrl, endpoints, onEvent } = options;
  const readTheEvent = async (): Promise<EventInfo> => {
    const event = await getEvent(call, buildUrl(baseUrl, endpoints.event));
    known = event;
    onEvent?.(event);
    return event;
  };
  let known: EventInfo | undefined;
  /** As a cell of a file may name it. */
  const personaOf = (cell: string): string => {
    const found = known && readPersona({ column: undefined, cell, fallback: undefined }, known);
    return found?.ok === true ? found.persona.slug : cell;
  };
  let event: Promise<EventInfo> | undefined;
  const eventId = async (): Promise<string> => (await (event ??= readTheEvent())).eventId;
  // Loaded when it is used: most commands are about registrations.
  let client: WebhooksClient | undefined;
  const webhooks = async (): Promise<WebhooksClient> =>
    (client ??= (await import('./webhooks.ts')).createWebhooksClient({ call, integUrl, endpoints, eventId }));
  return {
    getEvent: readTheEvent,
    async probe() {
      let leftAt = options.clock.now();
      const onSending = (): void => void (leftAt = options.clock.now());
      const response = await call('GET', buildUrl(baseUrl, endpoints.event), undefined, onSending);
      return { response, ...readRateHeaders(response, leftAt), tookMs: options.clock.now() - leftAt };
    },
    registrations: createRegistrationsClient({ ...options, call, personaOf }),
    webhooks: {
      list: async () => await (await webhooks()).list(),
      create: async (body) => await (await webhooks()).create(body),
      update: async (id, body) => await (await webhooks()).update(id, body),
      remove: async (id) => await (await webhooks()).remove(id),
      read: async (id) => await (await webhooks()).read(id),
    },
  };
}

async function getEvent(call: Caller, url: URL): Promise<EventInfo> {
  const doing = 'read the event';
  const response = await call('GET', url).catch((error: unknown) => {
    throw error instanceof TransportError ? silenceError(error, { doing, url }) : error;
  });
  if (!isSuccess(response)) throw answerError(response, { doing, url });
  const body = readJson(response.body);
  if (body === undefined) throw shapeError(response, { doing, url });
  const read = readEvent(body);
  if ('problems' in read) throw shapeError(response, { doing, url }, read.problems);
  return read.event;
}
