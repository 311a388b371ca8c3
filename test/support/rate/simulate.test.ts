import { describe, expect, test } from 'vitest';
import { simulate } from './simulate.ts';
import { type Client, START_MS, type World } from './world.ts';

const SECOND = 1000;

/** Sends at these times of the run, whatever the answers say. */
function sendingAt(times: readonly number[]): Client {
  let sent = 0;
  return {
    delayMs: (now) => (times[sent] ?? Number.POSITIVE_INFINITY) - (now - START_MS),
    sent: () => (sent += 1),
    answered: () => undefined,
    lost: () => undefined,
  };
}

const everyMs = (ms: number, count: number) => Array.from({ length: count }, (_, index) => index * ms);

/** A client that sends as soon as it may, and what it was told. */
function eager(): { client: Client; told: string[] } {
  const told: string[] = [];
  let sent = 0;
  const client: Client = {
    delayMs: () => 0,
    sent: () => (sent += 1),
    answered: (ticket, now) => told.push(`${ticket} at ${(now - START_MS).toFixed(0)}`),
    lost: (ticket, now) => told.push(`${ticket} lost at ${(now - START_MS).toFixed(0)}`),
  };
  return { client, told };
}

const world = (more: Partial<World>): World => ({
  seed: 1,
  kind: 'first-request',
  limit: 2,
  windowMs: SECOND,
  phaseMs: 300 - (START_MS % SECOND),
  latencyMs: 20,
  jitter: 0,
  requests: 4,
  client: eager().client,
  ...more,
});

describe('the way there and back', () => {
  test('takes the latency, each half off by the jitter at most', () => {
    const { sendings } = simulate(world({ limit: 500, requests: 500, jitter: 0.5 }));
    const halves = sendings.flatMap(({ sentMs, arrivedMs = 0, doneMs }) => [
      arrivedMs - sentMs,
      doneMs - arrivedMs,
    ]);
    expect(Math.min(...halves)).toBeGreaterThanOrEqual(5);
    expect(Math.min(...halves)).toBeLessThan(5.2);
    expect(Math.max(...halves)).toBeGreaterThan(14.8);
    expect(Math.max(...halves)).toBeLessThanOrEqual(15);
  });

  test('takes longer for a request that has to connect: the first, and one after some silence', () => {
    const client = sendingAt([0, 1000, 5500, 6000]);
    const { sendings } = simulate(world({ limit: 500, client, connectMs: 70 }));
    expect(sendings.map(({ sentMs, doneMs }) => doneMs - sentMs)).toEqual([90, 20, 90, 20]);
  });

  test('holds as many as there are workers, and no more than are wanted', () => {
    expect(simulate(world({ limit: 9, requests: 9, workers: 3 })).mostUnderWay).toBe(3);
    const { mostUnderWay, sendings, endMs } = simulate(world({ limit: 9, requests: 9 }));
    expect([mostUnderWay, sendings.length, endMs - START_MS]).toEqual([9, 9, 20]);
    expect(sendings.map(({ underWayBefore }) => underWayBefore)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test('loses requests, half of them before they arrive, and the client hears of it later', () => {
    const { client, told } = eager();
    const { sendings, accepted } = simulate(
      world({ client, limit: 10_000, requests: 100, workers: 1, lossy: 0.5 }),
    );
    expect(accepted).toBe(100);
    const lost = sendings.filter(({ outcome }) => outcome === 'lost');
    expect(lost.length / sendings.length).toBeCloseTo(0.5, 0);
    expect(lost.filter(({ arrivedMs }) => arrivedMs === undefined).length / lost.length).toBeCloseTo(0.5, 0);
    expect(new Set(lost.map(({ sentMs, doneMs }) => Math.round(doneMs - sentMs)))).toEqual(new Set([60]));
    expect(told.filter((line) => line.includes('lost')).length).toBe(lost.length);
  });
});

describe('a client', () => {
  test('hears of each request by its ticket, and of how much it shall leave', () => {
    const { client, told } = eager();
    const left: (number | undefined)[] = [];
    const listening: Client = { ...client, delayMs: (_now, leave) => left.push(leave) - left.length };
    simulate(world({ client: listening, requests: 2, leave: 5 }));
    expect(told).toEqual(['1 at 20', '2 at 20']);
    expect(left).toEqual([5, 5]);
  });

  test('that waits for an answer while none is to come has stalled', () => {
    const run = simulate(world({ client: sendingAt([0]), requests: 2 }));
    expect([run.stalled, run.accepted, run.endMs - START_MS]).toEqual([true, 1, 20]);
  });

  test('that waits for hours has stalled, and so has one that is refused for hours', () => {
    expect(simulate(world({ client: sendingAt([0, 5 * 3_600_000]), requests: 2 })).stalled).toBe(true);
    expect(simulate(world({ client: sendingAt([0, 60 * SECOND]), requests: 2 })).stalled).toBe(false);
    const pestering = sendingAt(everyMs(900, 100_000));
    expect(simulate(world({ kind: 'punishing', limit: 1, client: pestering })).stalled).toBe(true);
  });

  test('meets the same world for the same seed, and another for another', () => {
    const run = (seed: number) =>
      simulate(world({ seed, kind: 'sliding-log', jitter: 0.5, share: 0.3, blur: 2, lossy: 0.1 }));
    expect(run(1)).toEqual(run(1));
    expect(run(1).sendings).not.toEqual(run(2).sendings);
  });
});
