import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { createDispatchers, MAX_ANSWER_BYTES } from './dispatchers.ts';
import { type Network, placeOf, REQUEST_ID_HEADER, TransportError, type HttpAttempt } from './http.ts';
import { describeFailure } from './trouble.ts';
import diagnostics from 'node:diagnostics_channel';
import type { Dispatcher } from 'undici';

export interface UndiciOptions {
  /** Longest wait for the headers of an answer, and between two pieces of its body, in milliseconds. */
  timeoutMs: number;
  /** Drops requests under way when it aborts. */
  signal: AbortSignal;
  /** Asked last, right before a request may leave; what it throws keeps it back. */
  mayLeave?: ((isRead: boolean) => Promise<void>) | undefined;
  /** HTTPS_PROXY, HTTP_PROXY and NO_PROXY as the environment has them, in either case. */
  env: Readonly<Record<string, string | undefined>>;
}

const LOOPBACK = /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})$/;

/**
 * The bottom of the stack: one request over the network, redirects not followed.
 * Throws UsageError when the environment names a proxy that is no address.
 */
export function createUndiciTransport(options: UndiciOptions): { send: Network; close(): Promise<void> } {
  const { signal, timeoutMs, mayLeave } = options;
  const { direct, outside } = createDispatchers(options);
  const sending = watchSending();
  const open = new Set<EndExchange>();
  // One listener for all requests: a signal that Node combines for each costs as much as writing its outcome.
  const endAll = (): void => {
    for (const end of open) end(signal.reason);
  };
  signal.addEventListener('abort', endAll);

  const send: Network = async (attempt) => {
    await attempt.onSending?.(attempt.requestId);
    // Not before: what is written of a request as it leaves is what others have to know.
    if (mayLeave !== undefined) await mayLeave(attempt.method === 'GET');
    // Services on this machine are never reached through a proxy: the way to it is not encrypted.
    const dispatcher = LOOPBACK.test(placeOf(attempt.url).host) ? direct : outside;
    sending.expect(attempt.requestId);
    try {
      signal.throwIfAborted();
      const { status, headers, bytes } = await exchange(dispatcher, attempt, timeoutMs, open);
      sending.answered(attempt.requestId);
      return { status, headers, body: decode(bytes, headers['content-encoding']) };
    } catch (error) {
      throw toTransportError(error, signal.aborted, (code) => sending.hasLeft(attempt.requestId, code));
    } finally {
      sending.forget(attempt.requestId);
    }
  };
  return {
    send,
    async close() {
      // What is broken off here may have left until then.
      await Promise.all([direct.destroy(), outside.destroy()]);
      sending.close();
      signal.removeEventListener('abort', endAll);
    },
  };
}

function decode(bytes: Buffer, encoding: string | undefined): string {
  const limit = { maxOutputLength: MAX_ANSWER_BYTES };
  if (encoding === 'gzip') return gunzipSync(bytes, limit).toString();
  if (encoding === 'br') return brotliDecompressSync(bytes, limit).toString();
  if (encoding === 'deflate') return inflateSync(bytes, limit).toString();
  return bytes.toString();
}

function toTransportError(
  error: unknown,
  aborted: boolean,
  hasLeft: (code: string) => boolean,
): TransportError {
  const cause = error as { code?: string; name?: string; message?: string };
  const code = aborted ? 'ABORTED' : (cause.code ?? cause.name ?? 'UNKNOWN');
  const words = describeFailure(code, cause.message ?? 'no further news');
  return new TransportError(words, { code, sent: hasLeft(code), cause: error });
}

/** Which requests have left this machine: what became of one that was lost depends on nothing else. */
interface SendingWatch {
  /** Call before the request is handed over. */
  expect(requestId: string): void;
  /** A request that was answered has left: if that was not seen, nothing can be concluded from not seeing. */
  answered(requestId: string): void;
  /** Whether the headers of a lost request may have left. `code` is that of its error. */
  hasLeft(requestId: string, code: string): boolean;
  /** Call when the request has ended, however it did. */
  forget(requestId: string): void;
  close(): void;
}

/** Published by undici right before it writes the headers of a request to a connection. */
const CHANNEL = 'undici:client:sendHeaders';

/** Errors of making a connection, which come before anything is sent. */
const BEFORE_SENDING = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/**
 * Watches by the id that each request carries, so that the CONNECT to a proxy is not taken for the request.
 * Should the channel ever fail to tell, error codes decide, and whatever they leave open counts as sent.
 */
export function watchSending(): SendingWatch {
  const left = new Map<string, boolean>();
  let blind = false;
  const onHeaders = (message: unknown): void => {
    const id = requestIdOf(message);
    if (id !== undefined && left.has(id)) left.set(id, true);
  };
  diagnostics.subscribe(CHANNEL, onHeaders);
  return {
    expect: (requestId) => void left.set(requestId, false),
    answered(requestId) {
      if (left.get(requestId) === false) blind = true;
    },
    hasLeft: (requestId, code) =>
      left.get(requestId) === true || (blind && !BEFORE_SENDING.has(code) && !code.startsWith('EPROXY')),
    forget: (requestId) => void left.delete(requestId),
    close: () => void diagnostics.unsubscribe(CHANNEL, onHeaders),
  };
}

/** Undici keeps the headers of a request as one list of names and values in turn. */
function requestIdOf(message: unknown): string | undefined {
  const headers = (message as { request?: { headers?: unknown } }).request?.headers;
  if (!Array.isArray(headers)) return undefined;
  const at = headers.findIndex((name, index) => index % 2 === 0 && name === REQUEST_ID_HEADER);
  const value: unknown = at < 0 ? undefined : headers[at + 1];
  return typeof value === 'string' ? value : undefined;
}

interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  bytes: Buffer;
}

const NOTHING = Buffer.alloc(0);

/** Ends an exchange that nobody may wait for any longer. */
type EndExchange = (reason: unknown) => void;

/**
 * One request and its whole answer. The headers have to be there in twice the time, as undici counts its own time
 * anew with every interim answer; then the body in that time, as one that drips for ever would never be done.
 * `open` holds what ends those under way.
 */
function exchange(
  dispatcher: Dispatcher,
  { url, method, headers, body }: HttpAttempt,
  timeoutMs: number,
  open: Set<EndExchange>,
): Promise<RawAnswer> {
  const place = placeOf(url);
  return new Promise((resolve, reject) => {
    const answer: RawAnswer = { status: 0, headers: {}, bytes: NOTHING };
    const pieces: Buffer[] = [];
    let ended: { reason: unknown } | undefined;
    let controller: Dispatcher.DispatchController | undefined;
    const end: EndExchange = (reason) => {
      ended ??= { reason };
      controller?.abort(reason as Error);
    };
    let timer = setTimeout(
      () => end(late('UND_ERR_HEADERS_TIMEOUT', 'no answer came in time')),
      2 * timeoutMs,
    );
    open.add(end);
    const close = (): void => {
      clearTimeout(timer);
      open.delete(end);
    };
    dispatcher.dispatch(
      {
        origin: place.origin,
        path: place.path,
        method,
        headers,
        body: body ?? null,
      },
      {
        onRequestStart(started) {
          controller = started;
          if (ended !== undefined) started.abort(ended.reason as Error);
        },
        onResponseStart(_, status, fields) {
          if (status < 200) return;
          answer.status = status;
          for (const name in fields) {
            const value = fields[name];
            if (Array.isArray(value)) fields[name] = value.join(', ');
          }
          answer.headers = fields as Record<string, string>;
          clearTimeout(timer);
          timer = setTimeout(() => end(late('UND_ERR_BODY_TIMEOUT', 'the answer stopped coming')), timeoutMs);
        },
        onResponseData(_, piece) {
          pieces.push(piece);
        },
        onResponseEnd() {
          close();
          answer.bytes = pieces.length === 1 ? (pieces[0] ?? NOTHING) : Buffer.concat(pieces);
          resolve(answer);
        },
        onResponseError(_, error) {
          close();
          reject(error);
        },
      },
    );
  });
}

const late = (code: string, message: string): Error => Object.assign(new Error(message), { code });
