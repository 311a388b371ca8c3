import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { describe, expect, test } from 'vitest';
import { resetSandbox, type Sandbox } from '../../../src/sandbox/sandbox.ts';
import { SWITCHES, type Switches } from '../../../src/sandbox/store/switches.ts';
import { openDeliveries } from '../../../src/sandbox/deliver/delivery-file.ts';
import { SandboxFile } from '../../../src/sandbox/store/database.ts';
import { verify } from '../../../src/webhooks/signing/verify.ts';
import { parseScheme } from '../../../src/webhooks/signing/parse-scheme.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { afterTest, call, post, start, temporaryFile } from '../support.ts';
import { hook, type Received, receive, type Receiver, SECRET, until } from './receiver.ts';

const create = (sandbox: Sandbox, body: object): Promise<unknown> =>
  call(sandbox, 'POST', '/integ/v1/webhooks', { body });

const remove = (sandbox: Sandbox, id: unknown): Promise<unknown> =>
  call(sandbox, 'DELETE', `/api/registration/${String(id)}`);

/** A sandbox with a webhook for all triggers, and what its receiver got by the time the work is over. */
async function told(
  switches: Partial<Switches>,
  work: (sandbox: Sandbox) => Promise<unknown>,
  change: Parameters<typeof hook>[1] = {},
): Promise<Receiver> {
  const receiver = await receive();
  const sandbox = await start(switches, { random: seededRandom(1) });
  const triggers = ['created', 'updated', 'deleted'].map((one) => `registration.${one}`);
  await create(sandbox, hook(receiver.url, { triggers, ...change }));
  await work(sandbox);
  await until(() => sandbox.deliveries().every(({ state }) => state === 'delivered'));
  return receiver;
}

const bodies = ({ received }: Receiver): unknown[] => received.map(({ body }) => JSON.parse(body) as unknown);

const words = <Name extends keyof Switches>(name: Name): Switches[Name][] =>
  (SWITCHES.find((one) => one.name === name)?.allowed ?? []) as Switches[Name][];

describe('what is told', () => {
  const all = async (sandbox: Sandbox): Promise<void> => {
    const { json } = await post(sandbox, { barcode: 'B1' });
    await post(sandbox, { barcode: 'B1', fields: { first_name: 'Bea' } });
    await remove(sandbox, (json as { registratoin_id: string }).registratoin_id);
  };
  const events = (receiver: Receiver): unknown[] =>
    bodies(receiver).map((body) => (body as { event: string }).event);

  test('is that a registration was created or updated, as the answer shows it', async () => {
    let created: unknown;
    const receiver = await told({}, async (sandbox) => {
      created = (await post(sandbox, { barcode: 'B1' })).json;
      await post(sandbox, { barcode: 'B1', fields: { first_name: 'Bea' } });
    });
    expect(bodies(receiver)).toMatchObject([
      { event: 'registration.updated', event_id: 4711, registration: created },
      { event: 'registration.updated', registration: { fields: { first_name: 'Bea' } } },
    ]);
    expect(receiver.received[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-webhook-id': '1',
      'webhook-id': expect.stringMatching(/^msg_\w{32}$/),
    });
  });

  test('webhookEvents: that it was deleted, with all that went with it', async () => {
    expect(events(await told({}, all))).toEqual(['registration.updated', 'registration.updated']);
    expect(events(await told({ webhookEvents: 'all' }, all))).toEqual([
      'registration.created',
      'registration.updated',
      'registration.deleted',
    ]);
    const group = await told({ webhookEvents: 'all', parentDelete: 'cascade' }, async (sandbox) => {
      const { json } = await post(sandbox, { barcode: 'P' });
      await post(sandbox, { barcode: 'M', parent_barcode: 'P' });
      await remove(sandbox, (json as { registratoin_id: string }).registratoin_id);
    });
    expect(bodies(group).slice(2)).toMatchObject([
      { event: 'registration.deleted', registration: { barcode: 'P' } },
      { event: 'registration.deleted', registration: { barcode: 'M' } },
    ]);
  });

  test('nothing where nothing changed, or to who is not active or wants to know something else', async () => {
    const { url, received } = await receive();
    const sandbox = await start({ upsert: 'ignore' });
    await create(sandbox, hook(url, { active: false }));
    await create(sandbox, hook(url, { triggers: ['registration.deleted'] }));
    await post(sandbox, { barcode: 'B1' });
    await create(sandbox, hook(url));
    await post(sandbox, { barcode: 'B1' });
    await post(sandbox, { fields: { email: 'wrong' } });
    expect([sandbox.deliveries(), received]).toEqual([[], []]);
  });

  test('webhookPayload', async () => {
    const one = async (webhookPayload: Switches['webhookPayload']): Promise<unknown> =>
      bodies(await told({ webhookPayload }, (sandbox) => post(sandbox, { barcode: 'B1' })))[0];
    const whole = { event: 'registration.updated', registration: { fields: { first_name: 'Ada' } } };
    expect(await one('full')).toMatchObject(whole);
    expect(await one('list')).toMatchObject([whole]);
    expect(await one('thin')).toEqual({
      event: 'registration.updated',
      event_id: 4711,
      registratoin_id: expect.any(String),
      barcode: 'B1',
      delivered_at: expect.any(String),
    });
  });

  test('webhookOrder', async () => {
    const work = async (sandbox: Sandbox): Promise<void> => {
      for (let number = 0; number < 6; number += 1) await post(sandbox, { barcode: `B${number}` });
    };
    const order = (receiver: Receiver): string[] =>
      bodies(receiver).map((body) => (body as { registration: { barcode: string } }).registration.barcode);
    const kept = ['B0', 'B1', 'B2', 'B3', 'B4', 'B5'];
    expect(order(await told({ webhookOrder: 'kept' }, work))).toEqual(kept);
    const doubled = await told({ webhookOrder: 'doubled' }, work);
    expect(order(doubled)).toEqual(kept.flatMap((barcode) => [barcode, barcode]));
    expect(new Set(doubled.received.map(({ headers }) => headers['webhook-id'])).size).toBe(6);
  });

  test('webhookOrder shuffled: each is held back for another time', async () => {
    const { url } = await receive();
    const sandbox = await start({ webhookOrder: 'shuffled' }, { now: () => 1000, random: seededRandom(1) });
    await create(sandbox, hook(url));
    for (let number = 0; number < 6; number += 1) await post(sandbox, { barcode: `B${number}` });
    const due = sandbox.deliveries().map(({ dueAt = 0 }) => dueAt - 1000);
    expect(due).not.toEqual(due.toSorted((a, b) => a - b));
    expect(Math.max(...due)).toBeLessThan(2000);
  });
});

describe('signatures', () => {
  const three = async (sandbox: Sandbox): Promise<void> => {
    for (const name of ['Zoë', '李', '🎟']) await post(sandbox, { fields: { first_name: name } });
  };

  test.each([
    ['standard', StandardWebhook],
    ['svix', SvixWebhook],
  ] as const)('%s: every delivery is accepted by its library', async (webhookSign, Webhook) => {
    const { received } = await told({ webhookSign }, three);
    const accepted = received.map(({ raw, headers }) =>
      new Webhook(SECRET).verify(raw, headers as Record<string, string>),
    );
    expect(accepted).toHaveLength(3);
    expect(() => new Webhook(SECRET).verify('{}', received[0]?.headers as Record<string, string>)).toThrow(
      'No matching signature',
    );
  });

  /** As our own eyes see it. */
  const judged = ({ headers, raw }: Received, url: string, scheme: string) =>
    verify(parseScheme(scheme), SECRET, {
      headers: Object.entries(headers).map(([name, value]) => [name, String(value)] as const),
      body: raw,
      url,
      nowMs: Date.now(),
    }).verdict;

  test.each(words('webhookSign').filter((word) => word !== 'none'))('webhookSign %s', async (webhookSign) => {
    const { received, url } = await told({ webhookSign }, three);
    expect(received.map((one) => judged(one, url, webhookSign))).toEqual(['valid', 'valid', 'valid']);
    expect(received.map((one) => judged(one, url, 'auto'))).toEqual(['valid', 'valid', 'valid']);
  });

  test('none by webhookSign none, and where the webhook has no secret', async () => {
    const none = await told({ webhookSign: 'none' }, three);
    const secretless = await told({}, three, { signing_secret_encrypted: '' });
    for (const { received, url } of [none, secretless]) {
      expect(received.map((one) => judged(one, url, 'auto'))).toEqual(['unsigned', 'unsigned', 'unsigned']);
    }
  });

  test('are those of the sandbox where it happened, whoever sends them', async () => {
    const file = temporaryFile();
    const receiver = await receive((response, nth) => response.writeHead(nth === 1 ? 500 : 200).end());
    const first = await start({ webhookSign: 'github', webhookScale: 1_000_000 }, { file });
    await create(first, hook(receiver.url));
    await post(first);
    await first.close();
    const second = await start({}, { file });
    await until(() => second.deliveries().every(({ state }) => state === 'delivered'));
    expect(receiver.received.map((one) => judged(one, receiver.url, 'github'))).toEqual(['valid', 'valid']);
  });
});

describe('what is kept', () => {
  test('a delivery, its attempts and what becomes of it, over a restart', async () => {
    const file = temporaryFile();
    const { url } = await receive((response, nth) => response.writeHead(nth === 1 ? 202 : 500).end());
    const first = await start({}, { file });
    await create(first, hook(url));
    await post(first);
    await until(() => first.deliveries()[0]?.state === 'delivered');
    await post(first);
    await first.close();
    const kept = (await start({}, { file })).deliveries();
    expect(kept).toMatchObject([
      { number: 1, state: 'delivered', url, event: 'registration.updated', attempts: [{ status: 202 }] },
      { number: 2, state: 'waiting', dueAt: expect.any(Number), attempts: [{ status: 500 }] },
    ]);
  });

  test('a registration and its delivery, or neither of them', async () => {
    const file = temporaryFile();
    const sandbox = await start({ errorShape: 'message' }, { file });
    await create(sandbox, hook('http://127.0.0.1:9/hook'));
    const database = new SandboxFile(file);
    afterTest(() => database.close());
    database.run(
      `CREATE TRIGGER full BEFORE INSERT ON deliveries BEGIN SELECT RAISE(ABORT, 'disk full'); END`,
    );
    expect((await post(sandbox)).status).toBe(500);
    expect([sandbox.counts().registrations, sandbox.deliveries()]).toEqual([0, []]);
  });

  test('nothing of what was under way when the sandbox was emptied', async () => {
    const file = temporaryFile();
    const { url } = await receive((response) => {
      resetSandbox(file);
      response.end();
    });
    const sandbox = await start({}, { file });
    await create(sandbox, hook(url));
    await post(sandbox);
    await until(() => sandbox.counts().registrations === 0);
    await create(sandbox, hook('http://127.0.0.1:9/hook'));
    await post(sandbox);
    await until(() => sandbox.deliveries()[0]?.attempts.length === 1);
    expect(sandbox.deliveries()).toMatchObject([{ number: 1, attempts: [{ status: undefined }] }]);
  });
});

describe('the deliveries of a file', () => {
  test('are sent by a process that serves nothing', async () => {
    const file = temporaryFile();
    const { url, received } = await receive();
    const sandbox = await start({ webhookOrder: 'shuffled' }, { file, random: () => 0.1 });
    await create(sandbox, hook(url));
    await post(sandbox);
    await sandbox.close();
    expect(received).toEqual([]);
    const other = openDeliveries(file, Date.now);
    afterTest(() => other.close());
    other.start();
    await until(() => other.list()[0]?.state === 'delivered');
    expect(received).toHaveLength(1);
  });

  test('are sent again when asked, with the same id and bytes', async () => {
    const file = temporaryFile();
    const { url, received } = await receive((response, nth) =>
      response.writeHead(nth === 1 ? 410 : 200).end(),
    );
    const sandbox = await start({}, { file });
    await create(sandbox, hook(url));
    await post(sandbox);
    await until(() => sandbox.deliveries()[0]?.state === 'dead');
    const other = openDeliveries(file, Date.now);
    afterTest(() => other.close());
    expect(await other.redeliver(1)).toMatchObject({ state: 'dead', why: 'the webhook is not active' });
    await call(sandbox, 'PUT', '/integ/v1/webhooks/1', { body: { active: true } });
    expect(await other.redeliver(1)).toMatchObject({
      state: 'delivered',
      why: undefined,
      attempts: [{ status: 410 }, { status: 200 }],
    });
    expect(await other.redeliver(1)).toMatchObject({ attempts: [{}, {}, { status: 200 }] });
    expect(
      new Set(received.map(({ headers, body }) => `${String(headers['webhook-id'])} ${body}`)).size,
    ).toBe(1);
    expect(await other.redeliver(2)).toBeUndefined();
    await call(sandbox, 'DELETE', '/integ/v1/webhooks/1');
    expect(await other.redeliver(1)).toBeUndefined();
  });
});
