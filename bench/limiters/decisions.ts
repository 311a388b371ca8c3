import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../../test/support/seeded-random.ts';
import type { ServerSpec } from './servers.ts';

/** What the limiter decided about one request. */
export interface Decision {
  /** Milliseconds since 1970. */
  atMs: number;
  status: number;
}

/** What all servers have in common: the way to them takes its time, and every decision is written down. */
export interface Way {
  /** One direction of the way. */
  travel(): Promise<void>;
  decided(status: number): void;
  decisions: readonly Decision[];
}

/** The same seed gives the same delays in the same order. */
export function createWay({ latencyMs, jitterMs }: ServerSpec, seed = 1): Way {
  const random = seededRandom(seed);
  const decisions: Decision[] = [];
  return {
    async travel() {
      const ms = latencyMs / 2 + (random() - 0.5) * jitterMs;
      if (ms > 0) await sleep(ms);
    },
    decided: (status) => void decisions.push({ atMs: Date.now(), status }),
    decisions,
  };
}
