import { setMaxListeners } from 'node:events';
import { GaveUpError } from '../../errors.ts';
import type { Clock } from '../../pacing/clock.ts';
import { type HttpRequest, type HttpResponse, type Transport, TransportError } from './http.ts';
import { isRateRefusal, type OutcomePolicy } from './outcome.ts';
import { isLasting } from './trouble.ts';

export interface RetryOptions {
  clock: Clock;
  /** A number in [0, 1), for jitter. */
  random: () => number;
  signal: AbortSignal;
  policy: OutcomePolicy;
  /** Longest time one request may go on being refused, in milliseconds; then GaveUpError. */
  maxRefusedMs: number;
  /** Told of each wait before a request is tried again, and until when (milliseconds since 1970). */
  onRetryWait?: ((untilMs: number) => void) | undefined;
}

const BASE_MS = 500;
const CAP_MS = 30_000;
const ATTEMPTS = 6;
/** Before the service has answered anything, a wrong address is likelier than a passing fault. */
const FIRST_ATTEMPTS = 3;
/**
 * Repeats that all requests of a client share, and what each success gives back of them: a fault that passes is
 * ridden out, and a service that is down is not hammered by every row in turn.
 */
const REPEATS = 30;
const REPEATS_PER_SUCCESS = 0.5;
/** A GET may be asked again on any of these, and on 52x, which proxies answer for a service out of reach. */
const PASSING = new Set([408, 421, 425, 500, 502, 503, 504]);
const isPassing = (status: number): boolean => PASSING.has(status) || (status >= 520 && status <= 529);

/** A random share of 0.5 s × 2ⁿ, capped at 30 s. */
export function backoffMs(attempt: number, random: () => number): number {
  return random() * Math.min(CAP_MS, BASE_MS * 2 ** attempt);
}

/**
 * Sends again what may safely be sent again: whatever never left this machine, whatever the service
 * refused unprocessed, and reads. A request that may have been acted on is never repeated here.
 * Six attempts at most, and all requests share one budget of repeats; refusals are no attempts.
 */
export function retry(next: Transport, options: RetryOptions): Transport {
  const { clock, signal } = options;
  // Any number of requests may wait at once; Node would warn of more than ten.
  setMaxListeners(0, signal);
  let repeatsLeft = REPEATS;
  let reached = false;

  const attempt = async (request: HttpRequest): Promise<HttpResponse | TransportError> => {
    try {
      const response = await next(request);
      reached = true;
      return response;
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      if (error.sent) reached = true;
      return error;
    }
  };

  return async (request) => {
    let attempts = 0;
    let refusals = 0;
    // Waiting for a place in the budget is no refusal, so the time counts from the first one.
    let refusedSince: number | undefined;
    for (;;) {
      const result = await attempt(request);
      const verdict = judge(request, result, options.policy);
      if (verdict === 'final') {
        if (isWell(result)) repeatsLeft = Math.min(REPEATS, repeatsLeft + REPEATS_PER_SUCCESS);
        return finish(result);
      }
      if (verdict === 'refused') {
        refusals += 1;
        const steadyMs = clock.steadyMs?.() ?? clock.now();
        refusedSince ??= steadyMs;
        const refusedMs = steadyMs - refusedSince;
        if (refusedMs > options.maxRefusedMs) throw gaveUp(refusedMs);
      } else {
        attempts += 1;
        if (attempts >= (reached ? ATTEMPTS : FIRST_ATTEMPTS) || repeatsLeft < 1) return finish(result);
        repeatsLeft -= 1;
      }
      const wait = waitMs(result, verdict === 'refused' ? refusals : attempts, clock.now(), options);
      if (wait <= 0) continue;
      options.onRetryWait?.(clock.now() + wait);
      await clock.sleep(wait, signal);
    }
  };
}

/** What to do about an attempt: take it, wait until the service takes requests again, or try again. */
function judge(
  request: HttpRequest,
  result: HttpResponse | TransportError,
  policy: OutcomePolicy,
): 'final' | 'refused' | 'again' {
  if (result instanceof TransportError) {
    if (isLasting(result.code) || result.code === 'ABORTED') return 'final';
    return !result.sent || request.method === 'GET' ? 'again' : 'final';
  }
  if (isRateRefusal(result, policy)) return 'refused';
  return request.method === 'GET' && isPassing(result.status) ? 'again' : 'final';
}

/** An answer that shows that the service does its work, whatever it makes of the request. */
function isWell(result: HttpResponse | TransportError): boolean {
  return !(result instanceof TransportError) && result.status < 500;
}

/** The gate already waits after a refusal for the rate, for all requests; every other wait happens here. */
function waitMs(
  result: HttpResponse | TransportError,
  times: number,
  now: number,
  { random, policy }: RetryOptions,
): number {
  if (result instanceof TransportError) return backoffMs(times, random);
  if (isRateRefusal(result, policy)) return 0;
  return readRetryAfter(result.headers, now) ?? backoffMs(times, random);
}

function finish(result: HttpResponse | TransportError): HttpResponse {
  if (result instanceof TransportError) throw result;
  return result;
}

function gaveUp(refusedMs: number): GaveUpError {
  const minutes = Math.round(refusedMs / 60_000);
  return new GaveUpError(`The service has refused every request for ${minutes} min.`, {
    hint: 'Nothing is lost: run the same command again later.',
  });
}

/** Longest wait that a Retry-After header may ask of us. */
const MOST_MS = 15 * 60_000;

/**
 * Milliseconds that Retry-After asks to wait, at most 15 minutes. Undefined when it is nonsense or asks for no wait
 * at all, so that the caller backs off instead of hammering.
 */
export function readRetryAfter(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const waitMs = readWait(headers['retry-after'], headers, now);
  return waitMs !== undefined && waitMs > 0 ? Math.min(waitMs, MOST_MS) : undefined;
}

/** A number of seconds or milliseconds since 1970 within so much of today is a time, as nobody asks to wait for years. */
const NEAR_MS = 10 * 365 * 24 * 60 * 60_000;

/**
 * Milliseconds to wait that a header names as seconds, as a time since 1970 or as an HTTP date. A time is measured
 * from the answer's own Date when there is one: the two clocks need not agree. Undefined for anything else.
 */
export function readWait(
  text: string | undefined,
  headers: Readonly<Record<string, string>>,
  now: number,
): number | undefined {
  if (text === undefined) return undefined;
  const value = text.trim();
  const nowMs = parseHttpDate(headers['date'] ?? '') || now;
  const number = /^\d{1,13}$/.test(value) ? Number(value) : undefined;
  if (number === undefined) return parseHttpDate(value) - nowMs || undefined;
  const atMs = [number * 1000, number].find((ms) => ms > NEAR_MS && Math.abs(ms - nowMs) < NEAR_MS);
  if (atMs !== undefined) return atMs - nowMs;
  return value.length <= 10 ? number * 1000 : undefined;
}

/** NaN for anything that does not begin like an HTTP date: `Date.parse` reads far too much. */
function parseHttpDate(text: string): number {
  return /^[A-Za-z]{3,9}, /.test(text) ? Date.parse(text) : Number.NaN;
}
