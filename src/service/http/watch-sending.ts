import diagnostics from 'node:diagnostics_channel';
import { REQUEST_ID_HEADER } from './request-id.ts';

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
  'EPROXY',
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
    hasLeft: (requestId, code) => left.get(requestId) === true || (blind && !BEFORE_SENDING.has(code)),
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
