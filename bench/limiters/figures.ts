import { shortestMs as shortestInWorld } from '../../test/support/rate/oracle.ts';
import type { Decision } from './decisions.ts';
import { BURST, sandboxKind, type ServerSpec } from './servers.ts';

/** How good a push was. Shares are fractions of 1. */
export interface Figures {
  granted: number;
  /** Refused of all that were asked. */
  refusedShare: number;
  /** The shortest possible time for what was granted / the time taken. */
  overall: number;
  /**
   * Granted of the permitted, from the grant that opens the fourth window's worth to the one that opens the
   * last. Undefined where that is less than four windows' worth: too few to tell a rate from.
   */
  steady: number | undefined;
  /** The longest time between two grants, or from the last one until the client was stopped. */
  longestIdleMs: number;
}

const LEARNING_WINDOWS = 3;
const LEAST_STEADY_WINDOWS = 4;

/** Measures a push from what the server decided. Times in milliseconds since 1970. */
export function figuresOf(
  spec: ServerSpec,
  decisions: readonly Decision[],
  { startMs, endMs }: { startMs: number; endMs: number },
): Figures {
  const granted = decisions.filter(({ status }) => status === 201).map(({ atMs }) => atMs);
  const refused = decisions.filter(({ status }) => status === 429).length;
  return {
    granted: granted.length,
    refusedShare: refused / Math.max(1, decisions.length),
    overall: shortestMs(spec, granted.length, startMs) / (endMs - startMs),
    steady: steadyOf(spec, granted),
    longestIdleMs: longestGap([...granted, endMs]),
  };
}

/**
 * The shortest time in which so many requests can be granted from `startMs` on. Windows of the packages open with
 * their first request: as many at once as pass, each time that a window ends, and the latency once.
 */
export function shortestMs(spec: ServerSpec, requests: number, startMs: number): number {
  const kind = sandboxKind(spec);
  if (kind !== undefined) {
    const { limit, windowMs, latencyMs } = spec;
    return shortestInWorld({ kind, limit, windowMs, latencyMs, requests, startMs, phaseMs: 0, seed: 0 });
  }
  let nowMs = 0;
  let left = requests - spec.limit - burstAt(spec, 0);
  while (left > 0) {
    nowMs += spec.windowMs;
    left -= spec.limit + burstAt(spec, nowMs);
  }
  return nowMs + spec.latencyMs;
}

/** How many pass at that time beyond the limit. */
function burstAt({ kind }: ServerSpec, ms: number): number {
  return kind === 'rate-limiter-flexible-bursty' && ms % BURST.windowMs === 0 ? BURST.requests : 0;
}

function steadyOf({ kind, limit, windowMs }: ServerSpec, granted: readonly number[]): number | undefined {
  const first = LEARNING_WINDOWS * limit;
  const last = Math.floor((granted.length - 1) / limit) * limit;
  const fromMs = granted[first];
  const toMs = granted[last];
  if (fromMs === undefined || toMs === undefined) return undefined;
  if (last - first < LEAST_STEADY_WINDOWS * limit) return undefined;
  const burst = kind === 'rate-limiter-flexible-bursty' ? BURST.requests / BURST.windowMs : 0;
  return (last - first) / ((toMs - fromMs) * (limit / windowMs + burst));
}

function longestGap(timesMs: readonly number[]): number {
  return timesMs.reduce((longest, ms, index) => Math.max(longest, ms - (timesMs[index - 1] ?? ms)), 0);
}
