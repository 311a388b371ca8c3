import { describe, expect, test } from 'vitest';
import { announce } from '../../../src/sandbox/deliver/announcer.ts';
import { Deliverer } from '../../../src/sandbox/deliver/deliverer.ts';
import { TIMEOUT_MS } from '../../../src/sandbox/deliver/post-delivery.ts';
import { SandboxFile } from '../../../src/sandbox/store/database.ts';
import { DeliveryStore } from '../../../src/sandbox/store/delivery-store.ts';
import { DEFAULT_SWITCHES, type Switches } from '../../../src/sandbox/store/switches.ts';
import { WebhookStore } from '../../../src/sandbox/store/webhook-store.ts';
import { type FakeClock, fakeClock } from '../../support/fake-clock.ts';
import { afterTest, temporaryFile } from '../support.ts';
import { hook, receive, until } from './receiver.ts';

interface Bench {
  clock: FakeClock;
  webhooks: WebhookStore;
  deliveries: DeliveryStore;
  deliverer: Deliverer;
  /** Puts down an event. */
  tell: (switches?: Partial<Switches>) => void;
  /** Waits until there were so many attempts in all, and nothing is under way. */
  tried: (attempts: number) => Promise<void>;
}

/** A process of its own with the file, as far as a test can have one. */
function bench(file = ':memory:', clock = fakeClock()): Bench {
  const database = new SandboxFile(file);
  const webhooks = new WebhookStore(database);
  const deliveries = new DeliveryStore(database);
  const now = () => clock.now();
  const sleep = (ms: number, signal: AbortSignal) => clock.sleep(ms, signal);
  // Nothing but what is due wakes it.
  const deliverer = new Deliverer({ file: database, webhooks, deliveries, now, sleep, lookEveryMs: 1e9 });
  afterTest(async () => {
    const closed = deliverer.close();
    await clock.advance(1000);
    await closed;
    database.close();
  });
  deliverer.start();
  const attempts = () => deliveries.list().flatMap((one) => one.attempts).length;
  return {
    clock,
    webhooks,
    deliveries,
    deliverer,
    tell(switches = {}) {
      const parts = {
        webhooks,
        deliveries,
        switches: { ...DEFAULT_SWITCHES, ...switches },
        eventId: 4711,
        now,
      };
      announce({ ...parts, random: () => 0.5 }, 'updated', { barcode: 'B1' });
      deliverer.wake();
    },
    tried: async (count) => {
      await until(() => attempts() >= count && clock.sleeping === 1);
      expect(attempts()).toBe(count);
    },
  };
}

describe('a delivery that fails', () => {
  test('is tried at the promised times, and is dead then', async () => {
    const { url, received } = await receive((response) => response.writeHead(500).end());
    const { clock, webhooks, deliveries, tell, tried } = bench();
    webhooks.create(hook(url));
    const startMs = clock.now();
    tell();
    await tried(1);
    const waits = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
    for (const [at, seconds] of waits.entries()) {
      await clock.advance(seconds * 1000 - 1);
      await tried(at + 1);
      await clock.advance(1);
      await tried(at + 2);
    }
    await clock.advance(30 * 86_400_000);
    await tried(10);
    const [delivery] = deliveries.list();
    expect(delivery).toMatchObject({ state: 'dead', dueAt: undefined });
    const sums = waits.map((_wait, at) => waits.slice(0, at + 1).reduce((sum, wait) => sum + wait, 0));
    expect(delivery?.attempts.map(({ at, status }) => [(at - startMs) / 1000, status])).toEqual(
      [0, ...sums].map((seconds) => [seconds, 500]),
    );
    const signed = received.map(({ headers }) => [headers['webhook-id'], headers['webhook-timestamp']]);
    expect(new Set(signed.map(([id]) => id)).size).toBe(1);
    expect(signed.map(([, time]) => Number(time) - startMs / 1000)).toEqual([0, ...sums]);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
  });

  test('is delivered by the attempt that succeeds', async () => {
    const { url } = await receive((response, nth) => response.writeHead(nth < 3 ? 503 : 204).end());
    const { clock, webhooks, deliveries, tell, tried } = bench();
    webhooks.create(hook(url));
    tell();
    await tried(1);
    await clock.advance(5000);
    await tried(2);
    await clock.advance(300_000);
    await tried(3);
    await clock.advance(1e9);
    expect(deliveries.list()).toMatchObject([
      { state: 'delivered', dueAt: undefined, attempts: [{ status: 503 }, { status: 503 }, { status: 204 }] },
    ]);
  });

  test.each([301, 302, 307, 308, 304, 400, 404, 500])(
    '%i is a failure, and nothing is followed',
    async (status) => {
      const other = await receive();
      const { url } = await receive((response) => response.writeHead(status, { location: other.url }).end());
      const { clock, webhooks, deliveries, tell, tried } = bench();
      webhooks.create(hook(url));
      tell();
      await tried(1);
      expect(deliveries.list()).toMatchObject([{ state: 'waiting', dueAt: clock.now() + 5000 }]);
      expect(other.received).toEqual([]);
    },
  );

  test('is not tried before Retry-After', async () => {
    const { url } = await receive((response) => response.writeHead(429, { 'retry-after': '120' }).end());
    const { clock, webhooks, deliveries, tell, tried } = bench();
    webhooks.create(hook(url));
    tell({ webhookScale: 1000 });
    await tried(1);
    expect(deliveries.list()[0]?.dueAt).toBe(clock.now() + 120_000);
  });

  test('is told why: nobody there, no key, an answer that is cut off', async () => {
    const gone = await receive();
    await gone.close();
    const cut = await receive((response) => response.destroy());
    const { webhooks, deliveries, tell, tried } = bench();
    webhooks.create(hook(gone.url));
    webhooks.create(hook(cut.url));
    webhooks.create(hook(cut.url, { signing_secret_encrypted: 'whpk_short' }));
    tell();
    await tried(3);
    const errors = deliveries.list().map(({ attempts }) => attempts[0]?.error);
    expect(errors).toEqual([
      expect.stringContaining('ECONNREFUSED'),
      'socket hang up',
      'The secret is no key of the scheme standard.',
    ]);
  });
});

test('410 ends the delivery and makes the webhook inactive; what waits for it is dead', async () => {
  const { url, received } = await receive((response) => response.writeHead(410).end());
  const { webhooks, deliveries, tell, tried, clock } = bench();
  webhooks.create(hook(url));
  tell();
  tell();
  await tried(1);
  expect(webhooks.list()).toMatchObject([{ active: false }]);
  expect(deliveries.list()).toMatchObject([
    { state: 'dead', attempts: [{ status: 410 }] },
    { state: 'dead', why: 'the webhook is not active', attempts: [] },
  ]);
  await clock.advance(1e9);
  expect(received).toHaveLength(1);
});

test('a webhook that is deleted gets nothing any more', async () => {
  const { url, received } = await receive((response) => response.writeHead(500).end());
  const { webhooks, deliveries, tell, tried, clock } = bench();
  webhooks.create(hook(url));
  tell();
  await tried(1);
  webhooks.delete(1);
  await clock.advance(1e9);
  expect([received.length, deliveries.list()]).toMatchObject([
    1,
    [{ state: 'dead', why: 'the webhook was deleted', url: undefined }],
  ]);
});

test.each([
  [500, { state: 'dead', why: 'the webhook was deleted', dueAt: undefined }],
  [200, { state: 'delivered', why: undefined, dueAt: undefined }],
])(
  'a delivery that is under way when its webhook is deleted and is answered with %i then, is over',
  async (status, expected) => {
    let remove = (): unknown => undefined;
    const { url } = await receive((response) => {
      remove();
      response.writeHead(status).end();
    });
    const { webhooks, deliveries, tell, tried } = bench();
    remove = () => webhooks.delete(1);
    webhooks.create(hook(url));
    tell();
    await tried(1);
    expect(deliveries.list()).toMatchObject([{ ...expected, attempts: [{ status }] }]);
  },
);

describe('receivers', () => {
  test('one that does not answer is left after 15 seconds', async () => {
    const { url, received } = await receive(() => undefined);
    const { webhooks, deliveries, tell, tried, clock } = bench();
    webhooks.create(hook(url));
    tell();
    await until(() => received.length === 1);
    await clock.advance(14_999);
    expect(deliveries.list()[0]?.attempts).toEqual([]);
    await clock.advance(1);
    await tried(1);
    const attempts = [{ tookMs: 15_000, status: undefined, error: 'no answer within 15 seconds' }];
    expect(deliveries.list()).toMatchObject([{ state: 'waiting', dueAt: clock.now() + 5000, attempts }]);
  });

  test('one that is slow does not hold up the others', async () => {
    const slow = await receive(() => undefined);
    const good = await receive();
    const { webhooks, tell } = bench();
    webhooks.create(hook(slow.url));
    webhooks.create(hook(good.url));
    for (let times = 0; times < 20; times += 1) tell();
    await until(() => good.received.length === 20);
    expect([good.received.length, slow.received.length]).toEqual([20, 1]);
    await slow.close();
  });

  test('get what happened in its order', async () => {
    const { url, received } = await receive();
    const { webhooks, deliveries, tell } = bench();
    webhooks.create(hook(url));
    for (let times = 0; times < 20; times += 1) tell();
    await until(() => received.length === 20);
    expect(received.map(({ headers }) => headers['webhook-id'])).toEqual(
      deliveries.list().map(({ messageId }) => messageId),
    );
  });

  test('many are called, but only 16 at once', async () => {
    const { url, received, close } = await receive(() => undefined);
    const { webhooks, tell, clock } = bench();
    for (let number = 0; number < 20; number += 1) webhooks.create(hook(url));
    tell();
    await until(() => received.length >= 16 && clock.sleeping === 17);
    expect(received).toHaveLength(16);
    await close();
  });

  test('one that never ends its answer counts by its status', async () => {
    const { url } = await receive((response) => {
      response.writeHead(200);
      const more = (): void => void response.write('x'.repeat(16_384), () => setImmediate(more));
      more();
    });
    const { webhooks, deliveries, tell, tried } = bench();
    webhooks.create(hook(url));
    tell();
    await tried(1);
    expect(deliveries.list()).toMatchObject([{ state: 'delivered' }]);
  });
});

describe('several processes with one file', () => {
  test('send each delivery once', async () => {
    const clock = fakeClock();
    const file = temporaryFile();
    const receivers = [await receive(), await receive(), await receive()];
    const [one, other] = [bench(file, clock), bench(file, clock)];
    for (const { url } of receivers) one.webhooks.create(hook(url));
    for (let times = 0; times < 30; times += 1) {
      (times % 2 === 0 ? one : other).tell();
      one.deliverer.wake();
      other.deliverer.wake();
      if (times % 10 === 9) await new Promise((resolve) => setImmediate(resolve));
    }
    await until(() => receivers.every(({ received }) => received.length >= 30));
    await Promise.all([one.deliverer.close(), other.deliverer.close()]);
    const ids = receivers.flatMap(({ received }) => received.map(({ headers }) => headers['webhook-id']));
    expect([ids.length, new Set(ids).size]).toEqual([90, 90]);
  });

  test('a lane whose holder was killed is taken over, not before', async () => {
    const { url, received } = await receive();
    const { webhooks, deliveries, deliverer, tell, clock, tried } = bench();
    webhooks.create(hook(url));
    const untilMs = clock.now() + 2 * TIMEOUT_MS;
    tell();
    expect(deliveries.takeLane('killed', clock.now(), untilMs)).toBe(1);
    await until(() => clock.sleeping === 1);
    await clock.advance(2 * TIMEOUT_MS - 1);
    deliverer.wake();
    await tried(0);
    await clock.advance(1);
    deliverer.wake();
    await tried(1);
    expect(received).toHaveLength(1);
    expect(deliveries.holdLane(1, 'killed', untilMs * 2)).toBe(false);
  });
});

describe('the end', () => {
  test('does not wait for receivers that fail, and the next start goes on', async () => {
    const file = temporaryFile();
    const clock = fakeClock();
    const { url, received } = await receive((response, nth) =>
      response.writeHead(nth === 1 ? 500 : 200).end(),
    );
    const first = bench(file, clock);
    first.webhooks.create(hook(url));
    first.tell();
    await first.tried(1);
    await first.deliverer.close();
    await clock.advance(4999);
    const second = bench(file, clock);
    await until(() => clock.sleeping === 1);
    expect(received).toHaveLength(1);
    await clock.advance(1);
    await second.tried(2);
    expect(second.deliveries.list()).toMatchObject([{ state: 'delivered' }]);
  });

  test('lets out what is due', async () => {
    const { url, received } = await receive();
    const { webhooks, deliverer, tell } = bench();
    webhooks.create(hook(url));
    for (let times = 0; times < 5; times += 1) tell();
    await deliverer.close();
    expect(received).toHaveLength(5);
  });

  test('drops a receiver that does not answer after a second, and says so; it is due again', async () => {
    const file = temporaryFile();
    const { url, received } = await receive((response, nth) => (nth === 1 ? undefined : response.end()));
    const { webhooks, deliverer, deliveries, tell, clock } = bench(file);
    webhooks.create(hook(url));
    tell();
    await until(() => received.length === 1);
    const closed = deliverer.close();
    await clock.advance(1000);
    await closed;
    const tookMs = 1000;
    const first = { status: undefined, error: 'the sandbox was closed', tookMs };
    expect(deliveries.list()).toMatchObject([
      { state: 'waiting', attempts: [first], dueAt: clock.now() + 5000 },
    ]);
    const next = bench(file, clock);
    await clock.advance(5000);
    await next.tried(2);
    expect(received).toHaveLength(2);
  });

  test('is not the last attempt of a delivery that is tried once', async () => {
    const file = temporaryFile();
    const { url, received } = await receive((response, nth) => (nth === 1 ? undefined : response.end()));
    const { webhooks, deliverer, tell, clock } = bench(file);
    webhooks.create(hook(url));
    tell({ webhookRetry: 'none' });
    await until(() => received.length === 1);
    const closed = deliverer.close();
    await clock.advance(1000);
    await closed;
    const next = bench(file, clock);
    await next.tried(2);
    expect(next.deliveries.list()).toMatchObject([{ state: 'delivered' }]);
  });
});
