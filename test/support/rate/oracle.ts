import { SimulatedService } from './service.ts';
import { startOf, type World } from './world.ts';

const SHORTEST_STEP_MS = 0.01;

/**
 * The shortest time in which `requests` can be granted, by a client that knows limiter, phase and changes, sends
 * without jitter and pays the latency once. It asks at the first moment at which a request passes. With n requests,
 * limit L, window W, and b from the first arrival to the next window of the clock, that is, latency aside:
 * - first-request, punishing, sliding-log: (⌈n/L⌉ − 1) · W
 * - aligned: b + (⌈n/L⌉ − 2) · W, or 0 for n ≤ L
 * - sliding-counter: b + (n − L − 1)/L · W, or 0 for n ≤ L
 * - token-bucket, gcra: (n − L)/L · W, or 0 for n ≤ L
 * Of a limit that another client shares, what that one asks for is taken off: 1/(1 − share) of this.
 */
export function shortestMs(world: Omit<World, 'client'>): number {
  const { kind, requests, latencyMs, share = 0 } = world;
  const { nodes, limit } = world;
  const service = new SimulatedService({
    ...world,
    ...(nodes !== undefined && { nodes: { count: 1 }, limit: limit * nodes.count }),
    share: 0,
    staleMs: 0,
    kind: kind === 'punishing' ? 'first-request' : kind === 'counting-log' ? 'sliding-log' : kind,
  });
  const firstMs = startOf(world) + latencyMs / 2;
  let nowMs = firstMs;
  for (let granted = 0; granted < requests; ) {
    const { allowed, retryAfterMs } = service.take(nowMs);
    if (allowed) granted += 1;
    else nowMs = Math.min(nowMs + Math.max(retryAfterMs, SHORTEST_STEP_MS), nextChangeMs(world, nowMs));
  }
  return (nowMs - firstMs) / (1 - share) + latencyMs + (world.atOnce?.workMs ?? 0);
}

function nextChangeMs(world: Omit<World, 'client'>, nowMs: number): number {
  const times = (world.changes ?? []).map(({ atMs }) => startOf(world) + atMs);
  return Math.min(...times.filter((ms) => ms > nowMs));
}
