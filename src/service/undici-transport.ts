import diagnostics from 'node:diagnostics_channel';
import { setMaxListeners } from 'node:events';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { UsageError } from '../errors.ts';
import { type HttpRequest, type HttpResponse, type Transport, TransportError } from './http.ts';

export interface UndiciOptions {
  /** Longest wait for the headers of an answer, and between two pieces of its body, in milliseconds. */
  timeoutMs: number;
  /** Drops requests under way when it aborts. */
  signal: AbortSignal;
  /** HTTPS_PROXY, HTTP_PROXY and NO_PROXY as the environment has them, in either case. */
  env: Readonly<Record<string, string | undefined>>;
}

export interface UndiciTransport {
  send: Transport;
  close(): Promise<void>;
}

/** Errors that come before anything was sent. */
const BEFORE_SENDING = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const CONNECT_TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const LOOPBACK = /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})$/;

/**
 * The bottom of the stack: one request over the network, redirects not followed.
 * Throws UsageError when the environment names a proxy that is no address.
 */
export function createUndiciTransport(options: UndiciOptions): UndiciTransport {
  const { direct, outside } = createDispatchers(options);
  setMaxListeners(0, options.signal);
  const sentBodies = new WeakSet<object>();
  const onHeaders = (message: unknown): void => {
    const body = (message as { request?: { body?: unknown } }).request?.body;
    if (typeof body === 'object' && body !== null) sentBodies.add(body);
  };
  diagnostics.subscribe('undici:client:sendHeaders', onHeaders);

  const send: Transport = async (request) => {
    // undici keeps the very same Buffer, which is how its diagnostics are told apart.
    const body = request.body === undefined ? undefined : Buffer.from(request.body);
    request.onSending?.();
    // Services on this machine are never reached through a proxy: the way to it is not encrypted.
    const dispatcher = LOOPBACK.test(request.url.hostname) ? direct : outside;
    try {
      return await exchange(dispatcher, request, body, options);
    } catch (error) {
      const sent = body === undefined ? undefined : sentBodies.has(body);
      throw toTransportError(error, { sent, aborted: options.signal.aborted });
    }
  };
  return {
    send,
    async close() {
      diagnostics.unsubscribe('undici:client:sendHeaders', onHeaders);
      await Promise.all([direct.destroy(), outside.destroy()]);
    },
  };
}

function createDispatchers({ env, timeoutMs }: UndiciOptions): { direct: Dispatcher; outside: Dispatcher } {
  const common = {
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    maxResponseSize: MAX_ANSWER_BYTES,
  };
  const direct = new Agent(common);
  const httpProxy = proxyAddress(env, 'http_proxy');
  const httpsProxy = proxyAddress(env, 'https_proxy');
  if (httpProxy === '' && httpsProxy === '') return { direct, outside: direct };
  const noProxy = env['no_proxy'] ?? env['NO_PROXY'] ?? '';
  return { direct, outside: new EnvHttpProxyAgent({ ...common, httpProxy, httpsProxy, noProxy }) };
}

/** The proxy that the environment names, in either case; empty when it names none. */
function proxyAddress(env: UndiciOptions['env'], name: string): string {
  const value = (env[name] ?? env[name.toUpperCase()] ?? '').trim();
  if (value === '') return '';
  const address = value.includes('://') ? value : `http://${value}`;
  // The value may hold a password, so the error does not repeat it.
  if (URL.canParse(address)) return address;
  throw new UsageError(`${name.toUpperCase()} is not the address of a proxy.`, {
    hint: 'Write it as http://HOST:PORT.',
  });
}

async function exchange(
  dispatcher: Dispatcher,
  request: HttpRequest,
  body: Buffer | undefined,
  { signal, timeoutMs }: UndiciOptions,
): Promise<HttpResponse> {
  const response = await dispatcher.request({
    origin: request.url.origin,
    path: request.url.pathname + request.url.search,
    method: request.method,
    headers: request.headers,
    body: body ?? null,
    signal,
  });
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  const bytes = await readWhole(response.body, timeoutMs);
  return { status: response.statusCode, headers, body: decode(bytes, headers['content-encoding']) };
}

/** Reads a body in the time that a request has: one that drips for ever would never be done. */
async function readWhole(body: Dispatcher.ResponseData['body'], timeoutMs: number): Promise<Buffer> {
  const late = Object.assign(new Error('the answer stopped coming'), { code: 'UND_ERR_BODY_TIMEOUT' });
  const timer = setTimeout(() => body.destroy(late), timeoutMs);
  try {
    return Buffer.from(await body.arrayBuffer());
  } finally {
    clearTimeout(timer);
  }
}

function decode(bytes: Buffer, encoding: string | undefined): string {
  const limit = { maxOutputLength: MAX_ANSWER_BYTES };
  if (encoding === 'gzip') return gunzipSync(bytes, limit).toString();
  if (encoding === 'br') return brotliDecompressSync(bytes, limit).toString();
  if (encoding === 'deflate') return inflateSync(bytes, limit).toString();
  return bytes.toString();
}

/** `sent`: whether the body's headers were seen to leave; undefined for requests without a body. */
function toTransportError(
  error: unknown,
  facts: { sent: boolean | undefined; aborted: boolean },
): TransportError {
  const cause = error as { code?: string; name?: string; message?: string };
  const code = facts.aborted ? 'ABORTED' : (cause.code ?? cause.name ?? 'UNKNOWN');
  const sent = facts.sent ?? !BEFORE_SENDING.has(code);
  return new TransportError(describe(code, cause.message ?? 'no further news'), { code, sent, cause: error });
}

/** A clause that names what happened on the way, for people. */
function describe(code: string, message: string): string {
  const known: Record<string, string> = {
    ABORTED: 'the request was broken off',
    ECONNREFUSED: 'nothing listens there (connection refused)',
    ECONNRESET: 'the connection was reset',
    ENOTFOUND: 'no such host',
    EAI_AGAIN: 'the host name could not be looked up (is the network up?)',
    EHOSTUNREACH: 'the host cannot be reached',
    ENETUNREACH: 'the network cannot be reached',
    EPIPE: 'the connection was closed',
    UND_ERR_CONNECT_TIMEOUT: 'connecting took too long',
    UND_ERR_HEADERS_TIMEOUT: 'no answer came in time',
    UND_ERR_BODY_TIMEOUT: 'the answer stopped coming',
    UND_ERR_SOCKET: 'the connection was closed before the answer was complete',
    UND_ERR_RES_EXCEEDED_MAX_SIZE: 'the answer is larger than 64 MB',
  };
  return known[code] ?? `${message} (${code})`;
}
