import type { Clock } from '../../pacing/clock.ts';
import { type HttpResponse, type Network, readRequestId, TransportError } from './http.ts';

/** One attempt, for `--verbose`. Holds neither headers nor bodies. */
export interface TraceEntry {
  method: string;
  /** Path and query as sent. */
  path: string;
  /** The answer's status, or the error's code. */
  result: number | string;
  tookMs: number;
  remaining: string | undefined;
  /** The id that the attempt carried. */
  requestId: string;
  /** The id that the service gave it, where it tells one. */
  answerId: string | undefined;
}

/** Tells of every attempt, answered or not. */
export function trace(next: Network, clock: Clock, onAttempt: (entry: TraceEntry) => void): Network {
  return async (request) => {
    const startedAt = clock.now();
    const tell = (result: number | string, response?: HttpResponse): void =>
      onAttempt({
        method: request.method,
        path: request.url.pathname + request.url.search,
        result,
        tookMs: clock.now() - startedAt,
        remaining: response?.headers['x-ratelimit-remaining'],
        requestId: request.requestId,
        answerId: response && readRequestId(response.headers),
      });
    try {
      const response = await next(request);
      tell(response.status, response);
      return response;
    } catch (error) {
      tell(error instanceof TransportError ? error.code : 'error');
      throw error;
    }
  };
}
