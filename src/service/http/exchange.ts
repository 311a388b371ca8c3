import type { Dispatcher } from 'undici';
import type { HttpAttempt } from './http.ts';

/** An answer as it came. */
interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  bytes: Buffer;
}

/** Ends an exchange that nobody may wait for any longer. */
export type EndExchange = (reason: unknown) => void;

/**
 * One request and its whole answer. The headers have to be there in twice the time, as undici counts its own time
 * anew with every interim answer; then the body in that time, as one that drips for ever would never be done.
 * `open` holds what ends those under way.
 */
export function exchange(
  dispatcher: Dispatcher,
  { url, method, headers, body }: HttpAttempt,
  timeoutMs: number,
  open: Set<EndExchange>,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const answer: RawAnswer = { status: 0, headers: {}, bytes: Buffer.alloc(0) };
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
        origin: url.origin,
        path: url.pathname + url.search,
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
          for (const [name, value] of Object.entries(fields)) {
            if (value !== undefined) answer.headers[name] = Array.isArray(value) ? value.join(', ') : value;
          }
          clearTimeout(timer);
          timer = setTimeout(() => end(late('UND_ERR_BODY_TIMEOUT', 'the answer stopped coming')), timeoutMs);
        },
        onResponseData(_, piece) {
          pieces.push(piece);
        },
        onResponseEnd() {
          close();
          answer.bytes = Buffer.concat(pieces);
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
