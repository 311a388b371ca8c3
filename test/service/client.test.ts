import { describe, expect, test } from 'vitest';
import { InterruptedError } from '../../src/errors.ts';
import { Gate } from '../../src/pacing/gate.ts';
import { createMemoryLedger } from '../../src/pacing/ledger.ts';
import { Pacer } from '../../src/pacing/pacer.ts';
import type { Switches } from '../../src/sandbox/store/switches.ts';
import type { TraceEntry } from '../../src/service/http/http.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { answer, notSent, script } from '../support/http-answers.ts';
import type { WebhookBody } from '../../src/service/contracts/webhook.ts';
import { clientOver, sandboxClient } from '../support/service-client.ts';

describe('getEvent', () => {
  test.each<Switches['valuesShape']>([
    'strings',
    'numbers',
    'objects-label-value',
    'objects-id-name',
    'objects-slug-label',
    'map',
    'one-key-maps',
    'groups',
    'languages',
  ])('reads the event, its personas, fields and options as %s', async (valuesShape) => {
    const { client } = await sandboxClient({ valuesShape });
    const event = await client.getEvent();
    expect(event).toMatchObject({
      eventId: '4711',
      slug: 'harbour-trade-fair-2027',
      timezone: 'Europe/Amsterdam',
    });
    expect(event.personas.map((persona) => persona.slug)).toEqual(['visitor', 'exhibitor', 'speaker']);
    const fields = event.personas[0]?.fields ?? [];
    const kinds = Object.fromEntries(fields.map((field) => [field.slug, field.kind]));
    expect(kinds).toMatchObject({
      email: 'email',
      phone: 'phone',
      country: 'country',
      meal: 'choice',
      guests: 'numeric',
    });
    const meal = fields.find((field) => field.slug === 'meal');
    const value =
      { strings: 'Fish', numbers: '10802', 'objects-id-name': '10802' }[valuesShape as string] ?? 'fish';
    const label = valuesShape === 'numbers' ? '10802' : 'Fish';
    expect(meal?.choices.filter((choice) => choice.value === value)[0]).toEqual({ value, label });
    // What was read is what the service takes.
    const registration = {
      persona: 'visitor',
      fields: { meal: value },
      barcode: 'B1',
      parentBarcode: undefined,
      enableComms: false,
    };
    expect(await client.registrations.send(registration, () => undefined)).toMatchObject({ kind: 'done' });
  });

  test.each<[Partial<Switches>, number, RegExp]>([
    [
      { auth: '401' },
      4,
      /^Could not read the event: the service did not accept the token \(401: Unauthenticated\.\)/,
    ],
    [{ event: '404' }, 1, /answered 404: The event is not available\./],
    [{ event: '500' }, 1, /answered 500: Something went wrong\./],
    [
      { event: 'html' },
      1,
      /\/api\/event answered 200 with a web page titled "Log in" where JSON was expected/,
    ],
    [{ event: 'redirect' }, 1, /\/api\/event redirects to \/login \(302\)/],
    [{ event: '404', errorShape: 'html' }, 1, /a web page titled "The event is not available\."/],
    [{ event: '404', errorShape: 'empty' }, 1, /without an explanation/],
  ])('says why not: %j', async (switches, exitCode, message) => {
    const { client, sandbox } = await sandboxClient(switches);
    const error = await client.getEvent().catch((reason: unknown) => reason as Error);
    expect(error).toMatchObject({ exitCode, message: expect.stringMatching(message) as string });
    expect((error as Error).message).toMatch(/^.{1,300}$/);
    expect(JSON.stringify([error, (error as Error).message])).not.toContain(sandbox.token);
  });

  test.each([
    ['{"event_id":', []],
    ['[]', [expect.stringContaining('body: ')]],
    ['{"name":"no id"}', [expect.stringContaining('event_id: ')]],
  ])('says what is wrong with the body %s', async (body, details) => {
    const { client } = clientOver(script(answer(200, body)).send);
    await expect(client.getEvent()).rejects.toMatchObject({
      message: expect.stringMatching(
        /: \S+ answered 200 with .*JSON (?:was|of another form than) expected/,
      ) as string,
      details,
    });
  });

  test('names the address, and a remedy for unknown certificates', async () => {
    const { client } = clientOver(script(notSent('SELF_SIGNED_CERT_IN_CHAIN')).send);
    await expect(client.getEvent()).rejects.toMatchObject({
      message: 'Could not read the event: http://127.0.0.1:9: nothing listens there.',
      hint: expect.stringContaining('NODE_EXTRA_CA_CERTS') as string,
    });
  });

  test('ends as interrupted when it is broken off', async () => {
    const broken = Object.assign(notSent('ABORTED'), { cause: new InterruptedError() });
    await expect(clientOver(script(broken).send).client.getEvent()).rejects.toMatchObject({ exitCode: 130 });
  });
});

test('probe tells the answer as it is, the budget and the time', async () => {
  const clock = fakeClock({ auto: true });
  const { client } = clientOver(
    async () => {
      await clock.sleep(80);
      return answer(418, 'teapot', { 'x-ratelimit-limit': '30', 'x-ratelimit-remaining': '29' });
    },
    { clock },
  );
  expect(await client.probe()).toMatchObject({
    response: { status: 418, body: 'teapot' },
    limit: 30,
    remaining: 29,
    tookMs: 80,
  });
});

describe('the stack', () => {
  test('makes every attempt wait for its place in the budget, and tells of every one', async () => {
    const entries: TraceEntry[] = [];
    const clock = fakeClock({ auto: true, startMs: 0 });
    const network = script(
      answer(500),
      answer(429, '', { 'retry-after': '30' }),
      answer(200, { event_id: 1 }),
    );
    const gate = new Gate({ ledger: createMemoryLedger(new Pacer()), clock });
    const { client } = clientOver(network.send, { clock, gate, onAttempt: (entry) => entries.push(entry) });
    await client.getEvent();
    expect(entries.map((entry) => [entry.method, entry.path, entry.result])).toEqual([
      ['GET', '/api/event', 500],
      ['GET', '/api/event', 429],
      ['GET', '/api/event', 200],
    ]);
    // Half of the first backoff, then what the 429 asked for.
    expect(clock.now()).toBe(500 + 30_000);
  });

  test('sends the headers of the interface, and the token in no other place', async () => {
    const network = script(answer(200, []));
    const { client } = clientOver(network.send, { token: 'secret-token', requestId: () => 'id-1' });
    await client.registrations.page({}, 1, 20);
    const [request] = network.requests;
    expect(request?.headers).toEqual({
      accept: 'application/json',
      'accept-encoding': 'application/json',
      authorization: 'Bearer secret-token',
      'user-agent': 'eventreg/0.0.0-test',
      'x-request-id': 'id-1',
    });
    expect(request?.url.href).not.toContain('secret-token');
  });

  test('gives every attempt an id of its own, and shows it', async () => {
    const entries: TraceEntry[] = [];
    const network = script(answer(500), answer(429), answer(200, { event_id: 1 }));
    const { client } = clientOver(network.send, { onAttempt: (entry) => entries.push(entry) });
    await client.getEvent();
    const ids = network.requests.map((request) => request.headers['x-request-id'] ?? '');
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
    expect(entries.map((entry) => entry.requestId)).toEqual(ids);
  });

  test('uses the paths that the profile sets', async () => {
    const network = script(answer(200, []));
    const { client } = clientOver(network.send, {
      endpoints: {
        event: '/v2/event',
        registrations: '/v2/attendees',
        registration: '/v2/attendees/{id}',
        listWebhooks: '/hooks',
        createWebhook: '/hooks/new',
        updateWebhook: '/hooks/{id}/change',
        deleteWebhook: '/hooks/{id}',
      },
    });
    await client.registrations.page({}, 1, 20);
    await client.registrations.remove('7');
    await client.webhooks.list();
    await client.webhooks.create({} as WebhookBody);
    await client.webhooks.update('8', {});
    await client.webhooks.remove('8');
    expect(network.requests.map((request) => request.url.pathname)).toEqual([
      '/api/v2/attendees',
      '/api/v2/attendees/7',
      '/integ/hooks',
      '/integ/hooks/new',
      '/integ/hooks/8/change',
      '/integ/hooks/8',
    ]);
  });
});
