import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/** How long a receiver may take over one delivery. */
export const TIMEOUT_MS = 15_000;
/** What a receiver answers is of no interest; an endless answer is cut off. */
const MOST_ANSWER_BYTES = 64 * 1024;

/** One POST of a delivery. */
export interface Post {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  /** Breaks it off, with a reason in words. */
  signal: AbortSignal;
}

/** What came of it: a status, or an error in words. */
export interface PostResult {
  status: number | undefined;
  error: string | undefined;
  retryAfter: string | undefined;
}

/** Sends it on a connection of its own, so that nothing keeps the receiver or this process waiting. Follows nothing. */
export function postDelivery({ url, headers, body, signal }: Post): Promise<PostResult> {
  return new Promise((resolve) => {
    const send = url.toLowerCase().startsWith('https:') ? requestHttps : requestHttp;
    const failed = (error: Error): void =>
      resolve({ status: undefined, error: reasonOf(error), retryAfter: undefined });
    const sent = send(
      new URL(url),
      {
        method: 'POST',
        headers: { 'user-agent': 'eventreg-sandbox', 'content-length': body.length, ...headers },
        agent: false,
        signal,
      },
      (answer) => {
        const done = (): void => resolve(resultOf(answer));
        let bytes = 0;
        answer.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes <= MOST_ANSWER_BYTES) return;
          done();
          sent.destroy();
        });
        answer.on('error', failed);
        answer.on('end', done);
      },
    );
    sent.on('error', failed);
    sent.end(body);
  });
}

function resultOf({ statusCode, headers }: IncomingMessage): PostResult {
  return { status: statusCode, error: undefined, retryAfter: headers['retry-after'] };
}

/** An aborted request says only that it was aborted; its cause says why. */
function reasonOf(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message;
}
