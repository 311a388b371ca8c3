import { describe, expect, test } from 'vitest';
import { Gate } from '../../src/pacing/gate.ts';
import { createMemoryLedger } from '../../src/pacing/ledger.ts';
import { Pacer } from '../../src/pacing/pacer.ts';
import { toldBudget } from '../../src/pacing/pacer-memory.ts';
import { performAll } from '../../src/sync/perform/perform.ts';
import { createLimiter } from '../../src/sandbox/limiter.ts';
import type { SendOutcome } from '../../src/service/send-registration.ts';
import { planBench } from './plan-bench.ts';
import { barcodes } from './push-bench.ts';

const done: SendOutcome = { kind: 'done', status: 201, id: undefined, action: 'created', requestId: 'own' };
const refused: SendOutcome = { kind: 'failed', status: 422, message: 'No.', requestId: 'own' };

/** A service that lets 300 through every 2 s, and takes 150 ms to answer; the window is known. */
const BUDGET = { limit: 300, windowMs: 2000 };
const LATENCY_MS = 150;

interface Wishes {
  /** How many are to work at once, so many milliseconds after the first. */
  workers?: (gate: Gate, sinceMs: number) => number;
  answer?: (nth: number) => SendOutcome;
}

/** Sends so many rows in virtual time. */
async function send(
  rows: number,
  { workers = (gate) => gate.workersWanted(), answer = () => done }: Wishes = {},
) {
  const bench = await planBench();
  const { clock } = bench;
  const run = bench.claim(barcodes(rows).map((barcode) => ({ barcode })));
  const base = bench.context(run);
  const startMs = clock.now();
  const gate = new Gate({ ledger: createMemoryLedger(new Pacer(toldBudget(BUDGET, startMs))), clock });
  const limiter = createLimiter('first-request', BUDGET.limit, BUDGET.windowMs);
  const left: string[] = [];
  /** Under way, itself counted, when each request left. */
  const underWay: number[] = [];
  let now = 0;
  let denied = 0;
  const once = async (barcode: string, onSending: (id: string) => unknown): Promise<boolean> => {
    const ticket = await gate.enter(base.stopping);
    await onSending(`id-${barcode}`);
    now += 1;
    underWay.push(now);
    await clock.sleep(LATENCY_MS / 2);
    const { allowed, remaining } = limiter.take(clock.now());
    await clock.sleep(LATENCY_MS / 2);
    now -= 1;
    gate.answered(ticket, { refused: !allowed, limit: BUDGET.limit, remaining, retryAfterMs: undefined });
    return allowed;
  };
  const registrations: typeof base.registrations = {
    ...base.registrations,
    async send({ barcode = '' }, onSending) {
      while (!(await once(barcode, onSending))) denied += 1;
      left.push(barcode);
      return answer(left.length);
    },
  };
  const limits = { ...base.limits, workers: () => workers(gate, clock.now() - startMs) };
  const error = await performAll({ ...base, registrations, limits }).catch((thrown: Error) => thrown);
  const windows = (clock.now() - startMs) / BUDGET.windowMs;
  return {
    fates: bench.fates(run),
    left,
    denied,
    underWay,
    used: left.length / (BUDGET.limit * windows),
    error,
  };
}

describe('workers', () => {
  test('as many as rate and latency ask for use the budget; eight do not', async () => {
    const { left, denied, underWay, used } = await send(1800);
    expect(used).toBeGreaterThan(0.85);
    expect(Math.max(...underWay)).toBeGreaterThan(20);
    expect(denied).toBe(0);
    expect([left.length, new Set(left).size]).toEqual([1800, 1800]);
    expect((await send(600, { workers: () => 8 })).used).toBeLessThan(0.4);
  }, 60_000);

  test('come and go while rows are sent: each is sent once, and done', async () => {
    const { fates, left, underWay } = await send(900, {
      workers: (gate, sinceMs) => (sinceMs % 1000 < 500 ? 3 : gate.workersWanted()),
    });
    expect([left.length, new Set(left).size, new Set(fates)]).toEqual([900, 900, new Set(['done -'])]);
    expect(underWay.filter((count) => count > 8).length).toBeGreaterThan(50);
    expect(underWay.filter((count) => count <= 3).length).toBeGreaterThan(50);
  }, 60_000);

  test('are no more than eight until a row got through: the rest would be refused alike', async () => {
    const { left, underWay, error } = await send(200, { answer: () => refused });
    expect(String(error)).toContain('The first 20 rows were all refused alike');
    expect([Math.max(...underWay), left.length <= 28]).toEqual([8, true]);
  });
});
