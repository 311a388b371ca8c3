import type { Manner } from '../store/delivery-store.ts';

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
