/** What one server is like. Plain data: it travels to the server's own process as JSON. */
export interface ServerSpec {
  name: string;
  kind:
    | 'express-rate-limit'
    | 'rate-limiter-flexible'
    | 'rate-limiter-flexible-bursty'
    | 'rate-limiter-flexible-block'
    | 'fastify-rate-limit'
    | 'fastify-rate-limit-continue';
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

/** What BurstyRateLimiter grants on top of the limit, of which its Remaining says nothing. */
export const BURST = { requests: 10, windowMs: 10_000 };

const common = { limit: 30, windowMs: 2_000, latencyMs: 20, jitterMs: 4, retryAfter: false, quick: false };
const near = { latencyMs: 0, jitterMs: 0 };

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
