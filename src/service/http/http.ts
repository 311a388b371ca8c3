import type { Clock } from '../../pacing/clock.ts';
/**
 * Called once an attempt, after all waiting and right before the request may leave this machine, with the id
 * of the attempt. Nothing is sent before what it returns has resolved; what it throws stops the attempt.
 */
export type OnSending = (requestId: string) => void | Promise<void>;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Of an address what each request needs: most go to the same one, and to take it apart takes as long as to write a row. */
interface Place {
  origin: string;
  host: string;
  path: string;
}

const places = new WeakMap<URL, Place>();

/** An address does not change once it is asked for. */
export function placeOf(url: URL): Place {
  const known = places.get(url);
  if (known !== undefined) return known;
  const place = { origin: url.origin, host: url.hostname, path: url.pathname + url.search };
  places.set(url, place);
  return place;
}

/** What is to be asked, however many attempts it takes. */
export interface HttpRequest {
  method: Method;
  url: URL;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
  onSending?: OnSending | undefined;
}

export interface HttpAttempt extends HttpRequest {
  /** Stands in the header x-request-id as well; no two attempts share one. */
  requestId: string;
}

/** One complete answer. Header names are lower case, repeated headers joined by `, `. */
export interface HttpResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** A layer: takes a request, gives the answer or throws a TransportError. Layers wrap one another. */
export type Transport = (request: HttpRequest) => Promise<HttpResponse>;

/** A layer below the one that gives every attempt its id. */
export type Network = (attempt: HttpAttempt) => Promise<HttpResponse>;

/** No complete answer came back. */
export class TransportError extends Error {
  /** The code of undici, Node or OpenSSL, for example ECONNREFUSED. */
  readonly code: string;
  /** True when request headers left this machine: the service may have acted on the request. */
  readonly sent: boolean;

  constructor(message: string, facts: { code: string; sent: boolean; cause?: unknown }) {
    super(message, { cause: facts.cause });
    this.name = 'TransportError';
    this.code = facts.code;
    this.sent = facts.sent;
  }
}

/** Sends one authorised request through the whole stack. */
export type Caller = (
  method: Method,
  url: URL,
  body?: string,
  onSending?: OnSending,
) => Promise<HttpResponse>;

/** Adds the headers that the interface declares, and a User-Agent. */
export function createCaller(
  send: Transport,
  { token, userAgent }: { token: string; userAgent: string },
): Caller {
  const reading = {
    accept: 'application/json',
    'accept-encoding': 'application/json',
    authorization: `Bearer ${token}`,
    'user-agent': userAgent,
  };
  const writing = { ...reading, 'content-type': 'application/json' };
  return (method, url, body, onSending) =>
    send({ method, url, headers: body === undefined ? reading : writing, body, onSending });
}

export function isSuccess(response: HttpResponse): boolean {
  return response.status >= 200 && response.status < 300;
}

/** The header by which support finds one attempt in the logs of the service. */
export const REQUEST_ID_HEADER = 'x-request-id';

/** Headers in which services and what stands before them tell their own id of a request, best first. */
const ANSWER_HEADERS = [REQUEST_ID_HEADER, 'x-correlation-id', 'x-amzn-requestid', 'cf-ray', 'request-id'];

/** Nobody searches for more than this, and nothing else belongs into a journal. */
const USABLE = /^[!-~]{1,200}$/;

/** Gives every attempt an id of its own, in the header x-request-id. */
export function identify(next: Network, makeId: () => string): Transport {
  return (request) => {
    const { method, url, body, onSending } = request;
    const requestId = makeId();
    const headers: Record<string, string> = { ...request.headers };
    // Named outright: a key that a variable holds makes this a slow store, for every request.
    headers['x-request-id'] = requestId;
    return next({ method, url, headers, body, onSending, requestId });
  };
}

/** The id that the service gave to a request; undefined when it tells none, or none that can be shown. */
export function readRequestId(headers: Readonly<Record<string, string>>): string | undefined {
  for (const name of ANSWER_HEADERS) {
    const id = headers[name]?.trim();
    if (id !== undefined && USABLE.test(id)) return id;
  }
  return undefined;
}

/** One attempt, for `--verbose`. Holds neither headers nor bodies. */
export interface TraceEntry {
  method: string;
  /** Path and query as sent. */
  path: string;
  /** The answer's status, or the error's code. */
  result: number | string;
  tookMs: number;
  remaining: string | undefined;
  /** The id that the attempt carried. */
  requestId: string;
  /** The id that the service gave it, where it tells one. */
  answerId: string | undefined;
}

/** Tells of every attempt, answered or not. */
export function trace(next: Network, clock: Clock, onAttempt: (entry: TraceEntry) => void): Network {
  return async (request) => {
    const startedAt = clock.now();
    const tell = (result: number | string, response?: HttpResponse): void =>
      onAttempt({
        method: request.method,
        path: placeOf(request.url).path,
        result,
        tookMs: clock.now() - startedAt,
        remaining: response?.headers['x-ratelimit-remaining'],
        requestId: request.requestId,
        answerId: response && readRequestId(response.headers),
      });
    try {
      const response = await next(request);
      tell(response.status, response);
      return response;
    } catch (error) {
      tell(error instanceof TransportError ? error.code : 'error');
      throw error;
    }
  };
}
