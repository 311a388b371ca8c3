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
