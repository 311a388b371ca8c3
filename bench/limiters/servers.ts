/** What one server is like. Plain data: it travels to the server's own process as JSON. */
export interface ServerSpec {
  name: string;
  kind:
    | 'express-rate-limit'
    | 'rate-limiter-flexible'
    | 'rate-limiter-flexible-bursty'
    | 'rate-limiter-flexible-block'
    | 'fastify-rate-limit'
    | 'fastify-rate-limit-continue'
    // The sandbox's own, of kinds that no package for Node.js has.
    | 'aligned'
    | 'sliding-log'
    | 'token-bucket';
  limit: number;
  windowMs: number;
  /** Time on the way, both directions together, and how much it varies to either side. */
  latencyMs: number;
  jitterMs: number;
  /** Whether a refusal says in whole seconds when to come back. */
  retryAfter: boolean;
  /** Part of the bench that is quick. */
  quick: boolean;
}

/** Which of the sandbox's limiters the server has, if it has one. */
export function sandboxKind({ kind }: ServerSpec): 'aligned' | 'sliding-log' | 'token-bucket' | undefined {
  return kind === 'aligned' || kind === 'sliding-log' || kind === 'token-bucket' ? kind : undefined;
}

/** What BurstyRateLimiter grants on top of the limit, of which its Remaining says nothing. */
export const BURST = { requests: 10, windowMs: 10_000 };

const common = { limit: 30, windowMs: 2_000, latencyMs: 20, jitterMs: 4, retryAfter: false, quick: false };
const near = { latencyMs: 0, jitterMs: 0 };

/** Thirty a minute, as a service may have it: a push lasts minutes. */
const minute = { ...common, windowMs: 60_000 };

export const MINUTE_SERVERS: readonly ServerSpec[] = [
  { ...minute, name: 'express-rate-limit, 60 s', kind: 'express-rate-limit' },
  { ...minute, name: 'aligned, 60 s', kind: 'aligned' },
  { ...minute, name: 'sliding log, 60 s', kind: 'sliding-log' },
  { ...minute, name: 'token bucket, 60 s', kind: 'token-bucket' },
];

export const SERVERS: readonly ServerSpec[] = [
  { ...common, name: 'express-rate-limit', kind: 'express-rate-limit', quick: true },
  { ...common, ...near, name: 'express-rate-limit, no latency', kind: 'express-rate-limit' },
  { ...common, name: 'express-rate-limit, Retry-After', kind: 'express-rate-limit', retryAfter: true },
  { ...common, name: 'rate-limiter-flexible', kind: 'rate-limiter-flexible', quick: true },
  { ...common, name: 'rate-limiter-flexible, bursty', kind: 'rate-limiter-flexible-bursty' },
  { ...common, name: 'rate-limiter-flexible, block', kind: 'rate-limiter-flexible-block' },
  { ...common, name: '@fastify/rate-limit', kind: 'fastify-rate-limit', quick: true },
  { ...common, name: '@fastify/rate-limit, continue', kind: 'fastify-rate-limit-continue' },
  { ...common, name: 'express-rate-limit, 300', kind: 'express-rate-limit', limit: 300 },
  { ...common, name: '@fastify/rate-limit, 300', kind: 'fastify-rate-limit', limit: 300 },
];
