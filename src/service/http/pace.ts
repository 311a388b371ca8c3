import type { Gate } from '../../pacing/gate.ts';
import type { Answer } from '../../pacing/pacer-state.ts';
import type { HttpResponse, Transport } from './http.ts';
import { isRateRefusal } from './outcome.ts';
import { readRetryAfter, readWait, type RetryOptions } from './retry.ts';

/** `signal` gives up waiting at once when it aborts; requests under way are not touched. */
type PaceOptions = Pick<RetryOptions, 'clock' | 'signal' | 'policy'> & { gate: Gate };

/** Holds each attempt until the budget allows it, and tells the gate what the answer said. */
export function pace(next: Transport, { gate, clock, signal, policy }: PaceOptions): Transport {
  return async (request) => {
    const ticket = await gate.enter(signal, request.method !== 'GET');
    let response: HttpResponse;
    try {
      response = await next(request);
    } catch (error) {
      gate.lost(ticket);
      throw error;
    }
    gate.answered(ticket, {
      refused: isRateRefusal(response, policy),
      ...readRateHeaders(response, clock.now()),
      retryAfterMs: readRetryAfter(response.headers, clock.now()),
    });
    return response;
  };
}

/** What the headers of an answer say of the budget; `resetMs`: how long until it is whole again. */
type RateHeaders = Pick<Answer, 'limit' | 'remaining' | 'resetMs'>;

/**
 * X-Ratelimit-Limit, -Remaining and -Reset, or where they say nothing the same without X-, or the RateLimit and
 * RateLimit-Policy of the drafts (`limit=30, remaining=7, reset=12`; `"default";r=7;t=12` and `"default";q=30`).
 * Anything but a plain whole number is no news.
 */
export function readRateHeaders({ headers }: Pick<HttpResponse, 'headers'>, now: number): RateHeaders {
  const drafted = `${headers['ratelimit'] ?? ''};${headers['ratelimit-policy'] ?? ''}`;
  const told = (name: keyof typeof DRAFTED): string | undefined =>
    headers[`x-ratelimit-${name}`] ?? headers[`ratelimit-${name}`] ?? DRAFTED[name].exec(drafted)?.[1];
  const resetMs = readWait(told('reset'), headers, now);
  return {
    limit: whole(told('limit')),
    remaining: whole(told('remaining')),
    ...(resetMs !== undefined && resetMs > 0 && { resetMs }),
  };
}

const DRAFTED = {
  limit: /(?:^|[;,\s])(?:limit|q)=(\d+)(?=$|[;,\s])/,
  remaining: /(?:^|[;,\s])(?:remaining|r)=(\d+)(?=$|[;,\s])/,
  reset: /(?:^|[;,\s])(?:reset|t)=(\d+)(?=$|[;,\s])/,
};

function whole(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text.trim()) ? Number(text) : undefined;
}
