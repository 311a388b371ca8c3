/**
 * Called once an attempt, after all waiting and right before the request may leave this machine, with the id
 * of the attempt. Nothing is sent before what it returns has resolved; what it throws stops the attempt.
 */
export type OnSending = (requestId: string) => void | Promise<void>;

/** What is to be asked, however many attempts it takes. */
export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: URL;
  headers: Readonly<Record<string, string>>;
  body?: string;
  onSending?: OnSending;
}

/** One attempt at a request. */
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
