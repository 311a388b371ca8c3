import { describe, expect, test } from 'vitest';
import { SimulatedService } from './service.ts';
import { START_MS, type ServiceWorld } from './world.ts';

const SECOND = 1000;

function service(more: Partial<ServiceWorld> = {}) {
  const world: ServiceWorld = { seed: 1, kind: 'first-request', limit: 10, windowMs: SECOND, ...more };
  const simulated = new SimulatedService(world);
  return { others: simulated.others, at: (ms: number) => simulated.receive(START_MS + ms) };
}

/** What Remaining says at each of these times. */
const remainingAt = (times: readonly number[], more: Partial<ServiceWorld>) => {
  const { at } = service(more);
  return times.map((ms) => at(ms).remaining);
};

describe('answers', () => {
  test('tell limit, Remaining and Retry-After in whole seconds, rounded up', () => {
    const { at } = service({ limit: 1, retryAfter: true, windowMs: 2500 });
    expect(at(0)).toEqual({ refused: false, limit: 1, remaining: 0, retryAfterMs: undefined });
    expect(at(400)).toEqual({ refused: true, limit: 1, remaining: 0, retryAfterMs: 3 * SECOND });
    expect(at(1500).retryAfterMs).toBe(SECOND);
  });

  test('carry headers as the world says', () => {
    const told = (headers: 'good-only' | 'never') => {
      const { at } = service({ limit: 1, headers });
      return [at(0), at(0)].map(({ limit, remaining }) => [limit, remaining]);
    };
    expect(told('good-only')).toEqual([
      [1, 0],
      [undefined, undefined],
    ]);
    expect(told('never').flat()).toEqual([undefined, undefined, undefined, undefined]);
  });

  test('tell a stale Remaining as it was then', () => {
    expect(remainingAt([0, 50, 99, 100, 150, 200], { staleMs: 100 })).toEqual([10, 10, 10, 9, 8, 6]);
    expect(remainingAt([0, 999, 1000, 1099, 1100], { staleMs: 100 })).toEqual([10, 9, 9, 8, 9]);
  });

  test('tell a blurred Remaining two off at most, within the limit', () => {
    const ages = Array.from({ length: 200 }, (_, index) => index * SECOND);
    const blurred = remainingAt(ages, { blur: 2, limit: 3 });
    expect([...new Set(blurred)].sort()).toEqual([0, 1, 2, 3]);
    const spent = remainingAt(
      ages.map((ms) => ms / 1000),
      { blur: 2, limit: 1000 },
    );
    const off = spent.slice(5).map((remaining, index) => (remaining ?? 0) - (994 - index));
    expect([...new Set(off)].sort((a, b) => a - b)).toEqual([-2, -1, 0, 1, 2]);
  });
});

describe('windows that follow the clock', () => {
  test('begin at the phase', () => {
    const phaseMs = 300 - (START_MS % SECOND);
    expect(remainingAt([299, 299, 300, 1299, 1300], { kind: 'aligned', phaseMs })).toEqual([9, 8, 9, 8, 9]);
  });

  test('begin at random moments of the seed when no phase is given', () => {
    const begins = (seed: number) => {
      const remaining = remainingAt(
        Array.from({ length: 10 }, (_, index) => index * 100),
        { kind: 'aligned', limit: 100, seed },
      );
      return remaining.lastIndexOf(99);
    };
    const seeds = Array.from({ length: 50 }, (_, seed) => seed);
    expect(new Set(seeds.map(begins)).size).toBe(10);
    expect(seeds.map(begins)).toEqual(seeds.map(begins));
  });
});

describe('the other client', () => {
  test('asks for its share of the limit, at moments of the seed', () => {
    const { at, others } = service({ share: 0.3, limit: 100 });
    at(100 * SECOND);
    expect(others.asked).toBeGreaterThan(2700);
    expect(others.asked).toBeLessThan(3300);
    expect(others.refused).toBe(0);
    expect(others.grantedMs.length).toBe(others.asked);
    const again = service({ share: 0.3, limit: 100 });
    again.at(100 * SECOND);
    expect(again.others).toEqual(others);
  });

  test('spends from the same limit, and is refused like us', () => {
    const { at, others } = service({ share: 5, limit: 10, windowMs: 1000 * SECOND });
    expect(at(1).remaining).toBe(9);
    expect(at(900 * SECOND).refused).toBe(true);
    expect(others.asked - others.refused).toBe(9);
  });
});

describe('changes', () => {
  test('a new limit comes with a full budget', () => {
    const { at } = service({ changes: [{ atMs: 500, limit: 3 }] });
    expect(at(499)).toMatchObject({ limit: 10, remaining: 9 });
    expect(at(500)).toMatchObject({ limit: 3, remaining: 2 });
    expect([at(1499).remaining, at(1500).remaining]).toEqual([1, 2]);
  });

  test('a new window lasts as long as it says', () => {
    const changes = [{ atMs: 500, windowMs: 2 * SECOND }];
    expect(remainingAt([0, 500, 2499, 2500], { changes })).toEqual([9, 9, 8, 9]);
  });

  test('Remaining gets stuck, and headers vanish', () => {
    const changes = [
      { atMs: 600, headers: 'never' as const },
      { atMs: 500, stuckAt: 7 },
    ];
    expect(remainingAt([0, 500, 510, 600], { changes })).toEqual([9, 7, 7, undefined]);
  });

  test('the clock jumps forward and back', () => {
    expect(remainingAt([0, 499, 500], { changes: [{ atMs: 500, clockJumpMs: 500 }] })).toEqual([9, 8, 9]);
    const back = [{ atMs: 500, clockJumpMs: -500 }];
    expect(remainingAt([0, 500, 1499, 1500], { changes: back })).toEqual([9, 8, 7, 9]);
  });
});
