import { describe, expect, test } from 'vitest';
import type { WebhookBody } from '../../src/service/contracts/webhook.ts';
import { answer, notSent, script } from '../support/http-answers.ts';
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

test.each([
  ['the token is refused', { auth: '401' } as const, 4, /token/],
  ['the service redirects', { event: 'redirect' } as const, 1, /redirects to \/login/],
  ['a web page answers', { event: 'html' } as const, 1, /a web page titled "Log in"/],
])(
  'webhooks of the sandbox are errors when %s, whatever is asked',
  async (_what, switches, exitCode, message) => {
    const { client, sandbox } = await sandboxClient(switches);
    const { webhooks } = client;
    const works = [webhooks.list(), webhooks.create(hook), webhooks.update('1', hook), webhooks.remove('1')];
    for (const result of await Promise.allSettled(works)) {
      const { reason } = result as PromiseRejectedResult;
      expect(reason).toMatchObject({ exitCode, message: expect.stringMatching(message) as string });
      expect(String(reason)).not.toContain(sandbox.token);
      expect(String(reason)).not.toContain('hush-hush');
    }
  },
);

describe('webhooks', () => {
  test('are none in an empty 204', async () => {
    expect(await over(answer(204)).webhooks.list()).toEqual([]);
  });

  test.each([
    [answer(200, { 43: hook }), 'JSON of another form than expected'],
    [answer(200, 'OK'), 'something else where JSON was expected'],
    [answer(200), 'something else where JSON was expected'],
  ])('are not taken for none when there is no list', async (step, what) => {
    await expect(over(step).webhooks.list()).rejects.toThrow(what);
  });

  test('are made with the event in the query, where that is said to be missing', async () => {
    const missing = answer(422, { errors: { event_id: ['The event id field is required.'] } });
    const event = answer(200, { event_id: 7, slug: 'fair', name: 'Fair', personas: [] });
    const { webhooks, network } = over(missing, event, answer(200, { id: 1, ...hook }));
    expect(await webhooks.create(hook)).toMatchObject({ id: '1' });
    expect(network.requests.map(({ method, url }) => `${method} ${url.pathname}${url.search}`)).toEqual([
      expect.stringMatching(/POST .*webhooks$/),
      expect.stringMatching(/GET .*event$/),
      expect.stringMatching(/POST .*webhooks\?event_id=7$/),
    ]);
    const wrong = answer(422, { errors: { event_id: ['It is of another event.'] } });
    const refused = over(wrong, event);
    await expect(refused.webhooks.create(hook)).rejects.toThrow('422');
    expect(refused.network.requests.length).toBe(1);
  });

  test.each([
    'http://127.0.0.1:9/v1/webhooks?cursor=b%2F2',
    '/v1/webhooks?cursor=b%2F2',
    'https://evil.example/x?cursor=b%2F2',
  ])('are read on pages that a link leads to, at the address of the list alone: %s', async (next) => {
    const pages = [
      { data: [{ id: 1, name: 'a' }], next },
      { data: [{ id: 2, name: 'b' }], next: null },
    ];
    const { webhooks, network } = over(...pages.map((page) => answer(200, page)));
    expect((await webhooks.list()).map(({ id }) => id)).toEqual(['1', '2']);
    expect(network.requests[1]?.url.href).toBe(`${network.requests[0]?.url.href}?cursor=b%2F2`);
  });

  test('are not taken for created or deleted when the body speaks of failure', async () => {
    const failure = answer(200, { success: false, message: 'Too many webhooks.' });
    await expect(over(failure).webhooks.create(hook)).rejects.toThrow('says: Too many webhooks.');
    await expect(over(failure).webhooks.remove('1')).rejects.toThrow('says: Too many webhooks.');
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
      hint: expect.stringMatching(
        /check integ_url, .* or set \w+Webhooks? in endpoints of the profile/,
      ) as string,
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
