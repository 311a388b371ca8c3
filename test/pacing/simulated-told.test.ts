import { expect, test } from 'vitest';
import { Pacer } from '../../src/pacing/pacer.ts';
import { toldBudget } from '../../src/pacing/pacer-memory.ts';
import { START_MS } from '../support/rate/world.ts';
import { push } from './any-world.ts';

const SANDBOX = { limit: 30, windowMs: 1000 };

test('what is told is known before the first request, and nothing is left to learn', () => {
  for (let seed = 1; seed <= 100; seed += 1) {
    const client = new Pacer(toldBudget(SANDBOX, START_MS));
    expect(client.budget(START_MS)).toMatchObject({ ...SANDBOX, confirmedAtMs: START_MS });
    const world = { seed, kind: 'first-request', ...SANDBOX, latencyMs: 5 } as const;
    const { refused, overall } = push(world, { client, requests: 243, workers: 8 });
    expect({ seed, refused }).toEqual({ seed, refused: 0 });
    expect(overall).toBeGreaterThan(0.99);
  }
});
