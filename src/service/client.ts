import { randomUUID } from 'node:crypto';
import type { Gate } from '../pacing/gate.ts';
import type { EventInfo, Field } from '../registration/model/persona.ts';
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
  type OnSending,
  trace,
  type TraceEntry,
} from './http/http.ts';
import { readEvent } from './contracts/read-event.ts';
import { keyedBySlug } from './contracts/read-records.ts';
import { buildUrl, type Endpoints } from './endpoints.ts';
import { answerError, shapeError, silenceError } from './http/failure.ts';
import { readJson } from './contracts/json.ts';
import { pace, readRateHeaders } from './http/pace.ts';
import { retry, type RetryOptions } from './http/retry.ts';
import type { WebhooksClient } from './webhooks.ts';
import type { RawRecord, Registration } from '../registration/model/registration.ts';
import { type FieldsShape, type SendOutcome, sendRegistration } from './send-registration.ts';
import { createBarcodeFinder, type FindByBarcode } from './list/find-by-barcode.ts';
import {
  createRegistrationList,
  type ListFilter,
  type RecordsWatch,
  type RegistrationList,
} from './list/list-registrations.ts';
import {
  readAllRegistrations,
  type ReadingEnd,
  type WholePage,
  type WholeReading,
} from './list/read-all-registrations.ts';
import { type Removal, removeRegistration, type RemoveOptions } from './remove-registration.ts';

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

export interface ClientOptions extends RetryOptions, Omit<RegistrationsOptions, 'call' | 'named'> {
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
    allFields = event.personas.flatMap(({ fields }) => fields);
    onEvent?.(event);
    return event;
  };
  let known: EventInfo | undefined;
  let allFields: readonly Field[] = [];
  /** The persona as a cell of a file may name it. */
  const named = (record: RawRecord): RawRecord => {
    const found = known && record.persona ? readPersona(record.persona, known) : undefined;
    const persona = found?.ok === true ? found.persona : undefined;
    const told = { ...record };
    told.persona = persona?.slug ?? record.persona;
    told.fields = record.fields && keyedBySlug(record.fields, persona?.fields ?? allFields);
    return told;
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
    registrations: createRegistrationsClient({ ...options, call, named }),
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

export interface RegistrationsClient extends RegistrationList {
  /** Creates or updates. `onSending` runs right before each attempt may leave this machine, with its id. */
  send(registration: Registration, onSending: OnSending, shape?: FieldsShape): Promise<SendOutcome>;
  /** The registrations with exactly these barcodes, whatever the service makes of the filter. */
  findByBarcode: FindByBarcode;
  /**
   * Reads the whole list, again when it moved meanwhile: the caller forgets what it was given when a page
   * says `restart`. `moved`: it never stood still, so that registrations may be missing.
   */
  readAll(filter: ListFilter, onPage: (page: WholePage) => void, end?: ReadingEnd): Promise<WholeReading>;
  /** What deletes name a registration by, as the profile says; undefined: the id that it shows. */
  readonly registrationId: 'barcode' | undefined;
  /** Deletes one by the name that stands in the path. Throws RemovalError, which says whether it may be gone all the same. */
  remove(id: string, onSending?: OnSending): Promise<Removal>;
}

interface RegistrationsOptions extends RemoveOptions {
  baseUrl: URL;
  endpoints: Endpoints;
  /** What deletes name a registration by; undefined: the id that it shows. */
  registrationId?: 'barcode' | undefined;
  /** Told of the records of each page, as they were listed. */
  onRecords?: RecordsWatch | undefined;
  /** A record with the slugs of its persona and fields, in whatever way it names them. */
  named?: ((record: RawRecord) => RawRecord) | undefined;
}

/** The operations on /registration in the words of the domain. */
function createRegistrationsClient(options: RegistrationsOptions): RegistrationsClient {
  const { call, baseUrl, endpoints, policy, onRecords, named } = options;
  const url = buildUrl(baseUrl, endpoints.registrations);
  const list = createRegistrationList(call, url, { onRecords, named });
  const strangers = { count: 0 };
  return {
    ...list,
    registrationId: options.registrationId,
    send: (registration, onSending, shape = 'object') =>
      sendRegistration({ call, url, policy, strangers, shape, onRecords, named }, registration, onSending),
    findByBarcode: createBarcodeFinder(list),
    readAll: (filter, onPage, end) => readAllRegistrations(list, filter, onPage, end),
    async remove(id, onSending) {
      return await removeRegistration(options, id, buildUrl(baseUrl, endpoints.registration, id), onSending);
    },
  };
}
