import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Manner } from '../store/delivery-store.ts';

/** How long a receiver may take over one delivery. */
export const TIMEOUT_MS = 15_000;
/** What a receiver answers is of no interest; an endless answer is cut off. */
const MOST_ANSWER_BYTES = 64 * 1024;

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

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Waits before each attempt, from the failure of the one before. */
const SCHEDULES: Readonly<Record<Manner['webhookRetry'], readonly number[]>> = {
  standard: [
    0,
    5 * SECOND,
    5 * MINUTE,
    30 * MINUTE,
    2 * HOUR,
    5 * HOUR,
    10 * HOUR,
    14 * HOUR,
    20 * HOUR,
    24 * HOUR,
  ],
  'every-minute': [0, MINUTE, MINUTE, MINUTE, MINUTE, MINUTE],
  none: [0],
};

/** A receiver may not put it off for longer. */
const MOST_RETRY_AFTER_MS = 24 * HOUR;

/**
 * When a delivery is tried again that has failed `failed` times, for the last time now; undefined: never. What the
 * receiver asks for is not shortened by the scale.
 */
export function nextAttemptAt(
  { webhookRetry, webhookScale }: Pick<Manner, 'webhookRetry' | 'webhookScale'>,
  failed: number,
  retryAfter: string | undefined,
  nowMs: number,
): number | undefined {
  const waitMs = SCHEDULES[webhookRetry][failed];
  if (waitMs === undefined) return undefined;
  const askedMs = Math.min(readRetryAfter(retryAfter, nowMs), MOST_RETRY_AFTER_MS);
  return nowMs + Math.max(Math.ceil(waitMs / webhookScale), askedMs);
}

/** Seconds or a date of HTTP, as milliseconds from now; 0 when it says nothing. */
function readRetryAfter(text: string | undefined, nowMs: number): number {
  if (text === undefined) return 0;
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND;
  const date = Date.parse(text);
  return Number.isNaN(date) ? 0 : Math.max(0, date - nowMs);
}
