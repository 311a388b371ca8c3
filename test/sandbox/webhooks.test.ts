import { describe, expect, test } from 'vitest';
import { readPage } from '../../src/service/contracts/read-records.ts';
import { readWebhook } from '../../src/service/contracts/webhook.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { call, type Reply, start } from './support.ts';

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

describe('operations that are done in another way', () => {
  const PATH = '/integ/v1/webhooks';
  const EVENT = '?event_id=4711';
  const SCOPED = '/integ/v1/events/4711/webhooks';

  test.each([
    ['webhookScope', 'query', 'GET', PATH, 422, 'event_id'],
    ['webhookScope', 'query', 'GET', `${PATH}?event_id=4712`, 422, 'event_id'],
    ['webhookScope', 'query', 'GET', PATH + EVENT, 200],
    ['webhookScope', 'query-untold', 'DELETE', `${PATH}/1`, 422, '"The given data is invalid."'],
    ['webhookScope', 'query-untold', 'DELETE', `${PATH}/1${EVENT}`, 200],
    ['webhookScope', 'path', 'GET', PATH, 404],
    ['webhookScope', 'path', 'GET', '/integ/v1/events/4712/webhooks', 404],
    ['webhookScope', 'path', 'PUT', `${SCOPED}/1`, 200],
    ['webhookUpdateBy', 'PATCH', 'PUT', `${PATH}/1`, 405],
    ['webhookUpdateBy', 'PATCH', 'PATCH', `${PATH}/1`, 200],
    ['webhookUpdateBy', 'POST-update', 'POST', `${PATH}/1/update`, 200],
    ['webhookDeleteBy', 'POST-delete', 'DELETE', `${PATH}/1`, 405],
    ['webhookDeleteBy', 'POST-delete', 'POST', `${PATH}/1/delete`, 200],
    ['webhookDeleteBy', 'DELETE-query', 'DELETE', `${PATH}?id=1`, 200],
    ['webhookDeleteBy', 'DELETE-query', 'DELETE', PATH, 404],
    ['webhookId', '_id', 'DELETE', `${PATH}/1`, 404],
    ['webhookId', '_id', 'DELETE', `${PATH}/wh_1`, 200, 'deleted'],
    ['webhookId', 'null-and-_id', 'GET', PATH, 200, '"id":null,"_id":"wh_1"'],
    ['webhookList', 'array', 'GET', PATH, 200, '[{"webhook_id":1'],
    ['webhookShown', 'host', 'GET', PATH, 200, '"webhook_url":"127.0.0.1:9"'],
    ['deleteAgain', '204', 'DELETE', `${PATH}/2`, 204],
  ] as const)('%s %s: %s %s', async (name, value, method, path, status, text?: string) => {
    const sandbox = await start({ [name]: value });
    const base = value === 'path' ? SCOPED : PATH;
    await call(sandbox, 'POST', base, { body: WEBHOOK });
    const sends = method === 'PUT' || method === 'PATCH' || path.endsWith('/update');
    const reply = await call(sandbox, method, path, sends ? { body: { active: false } } : {});
    expect([reply.status, reply.text]).toEqual([status, expect.stringContaining(text ?? '')]);
    if (sends && status === 200) expect(sandbox.webhooks()).toMatchObject([{ active: false }]);
    if (method === 'DELETE' && status === 200) expect(sandbox.webhooks()).toEqual([]);
  });

  test('PATCH: what is allowed is told, and untold it is not', async () => {
    const allowed = async (webhookUpdateBy: 'PATCH' | 'PATCH-untold') => {
      const reply = await call(await start({ webhookUpdateBy }), 'PUT', `${PATH}/1`, { body: {} });
      return [reply.status, reply.headers['allow']];
    };
    expect([await allowed('PATCH'), await allowed('PATCH-untold')]).toEqual([
      [405, 'PATCH'],
      [405, undefined],
    ]);
  });

  test('DELETE-body: the body names it', async () => {
    const sandbox = await start({ webhookDeleteBy: 'DELETE-body' });
    await create(sandbox);
    const remove = (body: unknown) => call(sandbox, 'DELETE', PATH, { body });
    expect([(await remove({})).status, (await remove({ id: 1 })).status]).toEqual([404, 200]);
  });
});
