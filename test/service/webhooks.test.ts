import { describe, expect, test } from 'vitest';
import type { WebhookBody } from '../../src/service/contracts/webhook.ts';
import { answer, notSent, script, sentButLost } from '../support/http-answers.ts';
import { clientOver, sandboxClient } from '../support/service-client.ts';

const hook: WebhookBody = {
  event_id: 4711,
  name: 'Badge printer',
  webhook_url: 'https://printer.example/hook',
  triggers: ['registration.updated'],
  active: true,
  config: {},
  signing_secret_encrypted: 'hush-hush',
};

const over = (...steps: Parameters<typeof script>) => {
  const network = script(...steps);
  return { webhooks: clientOver(network.send).client.webhooks, network };
};

describe('webhooks of the sandbox', () => {
  test('are created, listed, updated and deleted', async () => {
    const { client, asked } = await sandboxClient();
    const { webhooks } = client;
    expect(await webhooks.list()).toEqual([]);
    const created = await webhooks.create(hook);
    expect(created).toMatchObject({
      name: 'Badge printer',
      url: 'https://printer.example/hook',
      triggers: ['registration.updated'],
      active: true,
    });
    const id = created?.id ?? '';
    expect(await webhooks.update(id, { active: false })).toMatchObject({
      id,
      active: false,
      name: 'Badge printer',
    });
    expect((await webhooks.list()).map((one) => [one.id, one.active])).toEqual([[id, false]]);
    expect(await webhooks.remove(id)).toMatchObject({ status: 200 });
    expect(await webhooks.remove(id)).toMatchObject({ status: 404 });
    expect(asked().map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /integ/v1/webhooks',
      'POST /integ/v1/webhooks',
      `PUT /integ/v1/webhooks/${id}`,
      'GET /integ/v1/webhooks',
      `DELETE /integ/v1/webhooks/${id}`,
      `DELETE /integ/v1/webhooks/${id}`,
    ]);
  });

  test('are sent as the interface has them', async () => {
    const { client, asked } = await sandboxClient();
    await client.webhooks.create(hook);
    expect(JSON.parse(asked()[0]?.body ?? '')).toEqual(hook);
  });

  test('that are refused say why, field by field', async () => {
    const { client } = await sandboxClient({ errorShape: 'errors-map' });
    await expect(client.webhooks.create({ ...hook, event_id: 1 })).rejects.toMatchObject({
      exitCode: 1,
      message: 'Could not create the webhook: the service answered 422: The given data is invalid.',
      details: ['event_id: is not the permitted event.'],
    });
  });

  test.each([
    ['the token is refused', { auth: '401' } as const, 4, /token/],
    ['the service redirects', { event: 'redirect' } as const, 1, /redirects to \/login/],
    ['a web page answers', { event: 'html' } as const, 1, /a web page titled "Log in"/],
  ])('are errors when %s, whatever is asked', async (_what, switches, exitCode, message) => {
    const { client, sandbox } = await sandboxClient(switches);
    const { webhooks } = client;
    const works = [webhooks.list(), webhooks.create(hook), webhooks.update('1', hook), webhooks.remove('1')];
    for (const result of await Promise.allSettled(works)) {
      const { reason } = result as PromiseRejectedResult;
      expect(reason).toMatchObject({ exitCode, message: expect.stringMatching(message) as string });
      expect(String(reason)).not.toContain(sandbox.token);
      expect(String(reason)).not.toContain('hush-hush');
    }
  });
});

describe('webhooks', () => {
  test('need integ_url', async () => {
    const network = script(answer(200));
    const { webhooks } = clientOver(network.send, { integUrl: undefined }).client;
    await expect(webhooks.list()).rejects.toMatchObject({ name: 'UsageError', exitCode: 2 });
    await expect(webhooks.remove('1')).rejects.toThrow('integ_url');
    expect(network.requests).toEqual([]);
  });

  test.each([
    ['nothing', answer(200)],
    ['204', answer(204)],
    ['text', answer(200, 'OK')],
  ])('are created without a record when the service answers %s', async (_what, step) => {
    expect(await over(step).webhooks.create(hook)).toBeUndefined();
  });

  test('are none in an empty 204', async () => {
    expect(await over(answer(204)).webhooks.list()).toEqual([]);
  });

  test.each([[answer(200, { message: 'hello' })], [answer(200, 'OK')], [answer(200)]])(
    'are not taken for none when there is no list',
    async (step) => {
      await expect(over(step).webhooks.list()).rejects.toThrow('where JSON was expected');
    },
  );

  test('are not taken for created or deleted when the body speaks of failure', async () => {
    const failure = answer(200, { success: false, message: 'Too many webhooks.' });
    await expect(over(failure).webhooks.create(hook)).rejects.toThrow('says: Too many webhooks.');
    await expect(over(failure).webhooks.remove('1')).rejects.toThrow('says: Too many webhooks.');
  });

  test('are not created twice when the answer is lost', async () => {
    const { webhooks, network } = over(sentButLost(), answer(200));
    await expect(webhooks.create(hook)).rejects.toMatchObject({ name: 'ServiceError' });
    expect(network.requests).toHaveLength(1);
  });

  test('name the address when it cannot be reached', async () => {
    await expect(over(notSent()).webhooks.list()).rejects.toThrow(
      'Could not list webhooks: http://127.0.0.1:9: nothing listens there.',
    );
  });

  test('are listed from all pages, asked for like those of any list', async () => {
    const page = (ids: readonly number[], last: number) =>
      answer(200, { data: ids.map((id) => ({ id })), meta: { total: 7, last_page: last } });
    const { webhooks, network } = over(page([1, 2, 3, 4, 5], 2), page([6, 7], 2));
    expect((await webhooks.list()).map(({ id }) => id)).toEqual(['1', '2', '3', '4', '5', '6', '7']);
    expect(network.requests.map(({ url }) => url.search)).toEqual(['', '?page=2']);
  });

  test('are all listed by a service that knows no pages', async () => {
    const list = answer(
      200,
      [1, 2, 3, 4, 5, 6].map((id) => ({ id })),
    );
    expect(await over(list, list).webhooks.list()).toHaveLength(6);
    expect(await over(list, answer(404)).webhooks.list()).toHaveLength(6);
  });

  test('are no list when the service counts more than it shows', async () => {
    const { webhooks } = over(answer(200, { data: [{ id: 1 }], total: 3 }), answer(200, { data: [] }));
    await expect(webhooks.list()).rejects.toThrow('ended after 1 of 3 webhooks');
  });

  test.each([
    ['list', 404],
    ['list', 405],
    ['create', 404],
    ['update', 404],
    ['delete', 405],
  ])('that are not where they are looked for name integ_url: %s, %i', async (what, status) => {
    const { webhooks } = over(answer(status));
    const asked = {
      list: () => webhooks.list(),
      create: () => webhooks.create(hook),
      update: () => webhooks.update('1', {}),
      delete: () => webhooks.remove('1'),
    }[what];
    await expect(asked?.()).rejects.toMatchObject({
      hint: expect.stringMatching(/check integ_url and endpoints with/) as string,
    });
  });

  test('are deleted by their id as one encoded segment', async () => {
    const { webhooks, network } = over(answer(200));
    await webhooks.remove('a/b=');
    expect(network.requests[0]?.url.pathname).toBe('/integ/v1/webhooks/a%2Fb%3D');
  });

  test.each(['..', '.', ''])('never send the id %j', async (id) => {
    const { webhooks, network } = over(answer(200));
    await expect(webhooks.remove(id)).rejects.toThrow('cannot be part');
    await expect(webhooks.update(id, {})).rejects.toThrow('cannot be part');
    expect(network.requests).toEqual([]);
  });
});
