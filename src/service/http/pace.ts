import type { Gate } from '../../pacing/gate.ts';
import type { HttpResponse, Transport } from './http.ts';
import { isRateRefusal } from './outcome.ts';
import { readRetryAfter, type RetryOptions } from './retry.ts';

/** `signal` gives up waiting at once when it aborts; requests under way are not touched. */
type PaceOptions = Pick<RetryOptions, 'clock' | 'signal' | 'policy'> & { gate: Gate };

/** Holds each attempt until the budget allows it, and tells the gate what the answer said. */
export function pace(next: Transport, { gate, clock, signal, policy }: PaceOptions): Transport {
  return async (request) => {
    const ticket = await gate.enter(signal);
    let response: HttpResponse;
    try {
      response = await next(request);
    } catch (error) {
      gate.lost(ticket);
      throw error;
    }
    gate.answered(ticket, {
      refused: isRateRefusal(response, policy),
      ...readRateHeaders(response),
      retryAfterMs: readRetryAfter(response.headers, clock.now()),
    });
    return response;
  };
}

/** X-Ratelimit-Limit and X-Ratelimit-Remaining; anything but a plain whole number is no news. */
export function readRateHeaders({ headers }: Pick<HttpResponse, 'headers'>): {
  limit: number | undefined;
  remaining: number | undefined;
} {
  const whole = (text: string | undefined): number | undefined =>
    text !== undefined && /^\d{1,9}$/.test(text.trim()) ? Number(text) : undefined;
  return { limit: whole(headers['x-ratelimit-limit']), remaining: whole(headers['x-ratelimit-remaining']) };
}
