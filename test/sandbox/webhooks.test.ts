import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { readPage } from '../../src/service/contracts/read-records.ts';
import { readWebhook } from '../../src/service/contracts/webhook.ts';
import { Deliveries } from '../../src/sandbox/store/deliveries.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { Store } from '../../src/sandbox/store/store.ts';
import { WebhookStore } from '../../src/sandbox/store/webhook-store.ts';
import { afterTest, call, post, type Reply, start, temporaryFile } from './support.ts';

const WEBHOOK = {
  event_id: 4711,
  name: 'CRM',
  webhook_url: 'http://127.0.0.1:9/hook',
  triggers: ['registration.updated'],
  active: true,
  config: { retries: 1 },
  signing_secret_encrypted: 'hush',
};

function create(sandbox: Sandbox, change: Record<string, unknown> = {}): Promise<Reply> {
  return call(sandbox, 'POST', '/integ/v1/webhooks', { body: { ...WEBHOOK, ...change } });
}

const { signing_secret_encrypted: _secret, ...SHOWN } = WEBHOOK;

describe('subscriptions', () => {
  test('create answers 200 with everything but the secret', async () => {
    const sandbox = await start();
    const reply = await create(sandbox);
    expect([reply.status, reply.json]).toEqual([200, { webhook_id: 1, ...SHOWN }]);
    expect(readWebhook(reply.json)?.id).toBe('1');
  });

  test('list shows all, without secrets', async () => {
    const sandbox = await start();
    await create(sandbox);
    await create(sandbox, { name: 'Badges', active: false });
    const reply = await call(sandbox, 'GET', '/integ/v1/webhooks');
    const webhooks = readPage(reply.json, {})?.records.map(({ raw }) => readWebhook(raw));
    expect(webhooks?.map((webhook) => [webhook?.id, webhook?.name, webhook?.active])).toEqual([
      ['1', 'CRM', true],
      ['2', 'Badges', false],
    ]);
    expect(reply.text).not.toContain('hush');
    expect(sandbox.counts().webhooks).toBe(2);
  });

  test('update takes a part or the whole', async () => {
    const sandbox = await start();
    await create(sandbox);
    const part = await call(sandbox, 'PUT', '/integ/v1/webhooks/1', { body: { active: false } });
    expect([part.status, part.json]).toEqual([200, { webhook_id: 1, ...SHOWN, active: false }]);
    const body = { ...WEBHOOK, name: 'New' };
    const whole = await call(sandbox, 'PUT', '/integ/v1/webhooks/1', { body });
    expect(whole.json).toEqual({ webhook_id: 1, ...SHOWN, name: 'New' });
  });

  test('delete, and delete again', async () => {
    const sandbox = await start();
    await create(sandbox);
    const remove = () => call(sandbox, 'DELETE', '/integ/v1/webhooks/1');
    expect([(await remove()).status, (await remove()).status]).toEqual([200, 404]);
    expect((await call(sandbox, 'PUT', '/integ/v1/webhooks/1', { body: {} })).status).toBe(404);
    expect((await call(sandbox, 'DELETE', '/integ/v1/webhooks/x')).status).toBe(404);
  });

  test('delete follows deleteStatus', async () => {
    const sandbox = await start({ deleteStatus: '204' });
    await create(sandbox);
    expect((await call(sandbox, 'DELETE', '/integ/v1/webhooks/1')).status).toBe(204);
  });

  test.each([
    { event_id: 4712 },
    { event_id: '4711' },
    { webhook_url: 'nowhere' },
    { webhook_url: 'file:///etc/passwd' },
    { triggers: [] },
    { active: 'yes' },
    { name: '' },
  ])('422 for %j, new or changed', async (change) => {
    const sandbox = await start();
    expect((await create(sandbox, change)).status).toBe(422);
    await create(sandbox);
    expect((await call(sandbox, 'PUT', '/integ/v1/webhooks/1', { body: change })).status).toBe(422);
  });

  test('400 for a body that is not JSON', async () => {
    const sandbox = await start();
    expect((await call(sandbox, 'POST', '/integ/v1/webhooks', { body: '{"name"' })).status).toBe(400);
  });
});

interface Received {
  headers: IncomingMessage['headers'];
  body: string;
}

/** A real receiver; `answer` decides what it does once a call has come in whole. */
async function receive(
  answer: (response: ServerResponse) => void,
): Promise<{ url: string; received: Received[]; server: Server }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterTest(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received, server };
}

describe('deliveries', () => {
  test('a create and an update are delivered, and close waits until they are', async () => {
    const file = temporaryFile();
    const { url, received } = await receive((response) => response.writeHead(202).end('fine'));
    const sandbox = await start({}, { file, now: () => Date.UTC(2027, 0, 1) });
    await create(sandbox, { webhook_url: url });
    const created = await post(sandbox, { barcode: 'B1' });
    await post(sandbox, { barcode: 'B1', fields: { first_name: 'Bea' } });
    await sandbox.close();
    const bodies = received.map(({ body }) => JSON.parse(body) as { registration: { fields: unknown } });
    const names = bodies.map(({ registration }) => registration.fields);
    expect(names).toHaveLength(2);
    expect(names).toEqual(expect.arrayContaining([{ first_name: 'Ada' }, { first_name: 'Bea' }]));
    expect(bodies).toContainEqual({
      event: 'registration.updated',
      event_id: 4711,
      registration: created.json,
      delivered_at: '2027-01-01T00:00:00.000Z',
    });
    expect(received[0]?.headers).toMatchObject({ 'x-webhook-id': '1', 'content-type': 'application/json' });
    const kept = (await start({}, { file })).deliveries();
    expect(kept.map(({ webhookId, status, error }) => [webhookId, status, error])).toEqual([
      [1, 202, undefined],
      [1, 202, undefined],
    ]);
  });

  test('nothing is delivered to one that is not active, has another trigger, or when nothing changed', async () => {
    const { url, received } = await receive((response) => response.end());
    const sandbox = await start({ upsert: 'ignore' });
    await create(sandbox, { webhook_url: url, active: false });
    await create(sandbox, { webhook_url: url, triggers: ['registration.deleted'] });
    await post(sandbox, { barcode: 'B1' });
    await create(sandbox, { webhook_url: url });
    await post(sandbox, { barcode: 'B1' });
    await post(sandbox, { fields: { email: 'wrong' } });
    await sandbox.close();
    expect(received).toEqual([]);
  });

  test('a receiver that is not there is written down and harms nobody', async () => {
    const file = temporaryFile();
    const { url, server } = await receive((response) => response.end());
    await new Promise((resolve) => server.close(resolve));
    const sandbox = await start({}, { file });
    await create(sandbox, { webhook_url: url });
    expect((await post(sandbox)).status).toBe(201);
    await sandbox.close();
    const [delivery] = (await start({}, { file })).deliveries();
    expect([delivery?.status, delivery?.error]).toEqual([undefined, expect.stringContaining('ECONNREFUSED')]);
  });

  test('a receiver that never answers holds the end up for 5 seconds at most', async () => {
    const store = new Store(':memory:');
    afterTest(() => store.close());
    const webhooks = new WebhookStore(store.database);
    const arrived = new Promise<string>((resolve) => {
      void receive(() => resolve('arrived')).then(({ url }) => {
        webhooks.create({ ...WEBHOOK, webhook_url: url });
        deliveries.announce(4711, {});
      });
    });
    const deliveries = new Deliveries(webhooks, () => 0);
    await arrived;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    afterTest(() => vi.useRealTimers());
    const settled = deliveries.settle();
    vi.advanceTimersByTime(5000);
    await settled;
    expect(webhooks.deliveries().map(({ error }) => error)).toEqual(['the sandbox was closed']);
  });

  test('more calls than go out at once are all delivered', async () => {
    const { url, received } = await receive((response) => response.end());
    const store = new Store(':memory:');
    afterTest(() => store.close());
    const webhooks = new WebhookStore(store.database);
    webhooks.create({ ...WEBHOOK, webhook_url: url });
    const deliveries = new Deliveries(webhooks, () => 0);
    for (let number = 0; number < 50; number += 1) deliveries.announce(4711, { number });
    await deliveries.settle();
    expect([received.length, webhooks.deliveries().length]).toEqual([50, 50]);
  });

  test('the last 1,000 are kept', async () => {
    const store = new Store(':memory:');
    afterTest(() => store.close());
    const webhooks = new WebhookStore(store.database);
    for (let at = 1; at <= 1003; at += 1) {
      webhooks.recordDelivery({ webhookId: 1, url: 'u', body: '', status: 200, error: undefined, at });
    }
    const kept = webhooks.deliveries();
    expect([kept.length, kept[0]?.at, kept.at(-1)?.at]).toEqual([1000, 4, 1003]);
  });
});
