import { describe, expect, test } from 'vitest';
import { InterruptedError } from '../../src/errors.ts';
import type { Registration, RegistrationRecord } from '../../src/registration/model/registration.ts';
import type { Switches } from '../../src/sandbox/store/switches.ts';
import type { ServiceClient } from '../../src/service/client.ts';
import type { ListFilter } from '../../src/service/list/list-registrations.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { answer, notSent, script, sentButLost } from '../support/http-answers.ts';
import { clientOver, sandboxClient } from '../support/service-client.ts';
import { movingList, numbered } from './moving-list.ts';
import { barcodesOf, everyPair, fill, keepVisitors, noop, visitor, words } from './visitors.ts';
import { casesOf } from '../support/night.ts';

const speaker = (barcode: string): Registration => ({ ...visitor(barcode), persona: 'speaker' });

async function listAll(client: ServiceClient, filter: ListFilter = {}): Promise<RegistrationRecord[]> {
  const records: RegistrationRecord[] = [];
  for await (const page of client.registrations.pages(filter)) records.push(...page.records);
  return records;
}

describe('send', () => {
  test.each(everyPair(words('createStatus'), words('createBody')))(
    'understands the status %s with the body %s',
    async (createStatus, createBody) => {
      const { client, sandbox } = await sandboxClient({ createStatus, createBody });
      const sent: string[] = [];
      const outcome = await client.registrations.send(visitor('B1'), (id) => void sent.push(id));
      const status = Number(createStatus.split('-')[0]);
      const shown = createBody === 'record' || createBody === 'wrapped' || createBody === 'echo';
      expect(outcome).toEqual(
        status < 202
          ? {
              kind: 'done',
              status,
              id: shown ? sandbox.registrations()[0]?.id : undefined,
              action: status === 201 ? 'created' : undefined,
              requestId: sent[0],
              ...(shown ? { record: expect.objectContaining({ barcode: 'B1', persona: 'visitor' }) } : {}),
            }
          : { kind: 'accepted', status, requestId: sent[0] },
      );
      expect([sandbox.counts().registrations, sent.length]).toEqual([1, 1]);
    },
  );

  test.each<[Switches['upsert'], object, number]>([
    ['update', { kind: 'done', status: 200 }, 1],
    ['double', { kind: 'done', status: 201, action: 'created' }, 2],
    ['refuse', { kind: 'conflict', status: 409, message: 'The barcode is already taken.' }, 1],
    ['ignore', { kind: 'done', status: 200 }, 1],
  ])('of a known barcode, when the service would %s', async (upsert, outcome, count) => {
    const { client, sandbox } = await sandboxClient({ upsert });
    await client.registrations.send(visitor('B1'), noop);
    expect(await client.registrations.send(visitor('B1', 'Eve'), noop)).toMatchObject(outcome);
    expect(sandbox.counts().registrations).toBe(count);
  });

  test.each<[Switches['errorShape'], RegExp]>([
    ['message', /data is invalid\. .*email/],
    ['errors-map', /data is invalid\.; fields\.email: /],
    ['errors-list', /data is invalid\.; fields\.email: /],
    ['problem', /data is invalid\.; fields\.email: /],
    ['html', /a web page titled "The given data is invalid\."/],
    ['empty', /HTTP 422 without an explanation/],
    ['error-string', /data is invalid\. .*email/],
  ])('of a row that the service refuses with %s gives its words', async (errorShape, message) => {
    const { client } = await sandboxClient({ errorShape });
    const wrong = { ...visitor('B1'), fields: { email: 'no address' } };
    const outcome = await client.registrations.send(wrong, noop);
    expect(outcome).toMatchObject({ kind: 'failed', status: 422, message: expect.stringMatching(message) });
    expect(JSON.stringify(outcome)).not.toMatch(/\\n/);
  });

  test('puts what is set into the body, and nothing else', async () => {
    const { client, asked } = await sandboxClient();
    await client.registrations.send(visitor('P1'), noop);
    asked();
    await client.registrations.send({ ...visitor('B1'), parentBarcode: 'P1', enableComms: true }, noop);
    expect(asked()[0]).toMatchObject({
      method: 'POST',
      path: '/api/registration',
      query: {},
      body: '{"persona":"visitor","fields":{"first_name":"Ada"},"barcode":"B1","parent_barcode":"P1","enable_comms":true}',
    });
  });

  test.each<[string, Partial<Switches>, object]>([
    ['refuses the token', { auth: '401' }, { kind: 'stopped', error: { exitCode: 4 } }],
    ['redirects', { event: 'redirect' }, { kind: 'uncertain', status: 302, stop: { exitCode: 1 } }],
  ])('stops the run when the service %s', async (_what, switches, outcome) => {
    const { client } = await sandboxClient(switches);
    expect(await client.registrations.send(visitor('B1'), noop)).toMatchObject(outcome);
  });

  test.each([
    [
      answer(500, { message: 'Boom.' }),
      { kind: 'uncertain', status: 500, message: 'answered 500: Boom.', stop: undefined },
    ],
    [answer(502), { kind: 'uncertain', status: 502, message: 'answered 502', stop: undefined }],
    [
      answer(200, { success: false, message: 'No.' }),
      { kind: 'uncertain', status: 200, message: 'answered 200, but says: No.', stop: undefined },
    ],
    [
      answer(201, { weather: 'fine' }),
      {
        kind: 'uncertain',
        status: 201,
        message: 'answered 201 with JSON that is no registration',
        stop: undefined,
      },
    ],
    [
      sentButLost(),
      { kind: 'uncertain', status: undefined, message: 'the connection was reset', stop: undefined },
    ],
  ])('leaves the row uncertain, and goes on', async (step, outcome) => {
    const network = script(step);
    expect(await clientOver(network.send).client.registrations.send(visitor('B1'), noop)).toMatchObject(
      outcome,
    );
    expect(network.requests).toHaveLength(1);
  });

  test.each([
    ['a web page', '<!doctype html><title>Log in</title>', 'a web page titled "Log in"'],
    ['cut-off JSON', '{"id": "re', 'something else'],
    ['words', 'Please hold the line', 'something else'],
  ])(
    'goes on after one good answer that is %s, and stops the run at the second',
    async (_what, body, says) => {
      const record = answer(201, { id: 1, barcode: 'B2' });
      const network = script(answer(200, body), record, answer(200, '{"a":1}'), answer(201, body));
      const { registrations } = clientOver(network.send).client;
      const outcomes = [];
      for (const barcode of ['B1', 'B2', 'B3', 'B4']) {
        outcomes.push(await registrations.send(visitor(barcode), noop));
      }
      expect(outcomes).toMatchObject([
        { kind: 'uncertain', stop: undefined },
        { kind: 'done' },
        { kind: 'uncertain', stop: undefined },
        {
          kind: 'uncertain',
          status: 201,
          stop: { exitCode: 1, message: expect.stringContaining(says) as string },
        },
      ]);
    },
  );

  test('takes an answer about another barcode for no answer', async () => {
    const network = script(answer(201, { id: 1, barcode: 'B2' }));
    const outcome = await clientOver(network.send).client.registrations.send(visitor('B1'), noop);
    expect(outcome).toMatchObject({ kind: 'uncertain', status: 201, stop: undefined });
  });

  test('leaves the row pending when nothing could be sent', async () => {
    const network = script(notSent());
    const outcome = await clientOver(network.send).client.registrations.send(visitor('B1'), noop);
    expect(outcome).toMatchObject({
      kind: 'stopped',
      error: {
        exitCode: 1,
        message: 'Could not send a registration: http://127.0.0.1:9: nothing listens there.',
      },
    });
    expect(network.requests).toHaveLength(3);
  });

  test('sends nothing when the intent cannot be written, and hands the error on as it is', async () => {
    const { client, sandbox } = await sandboxClient();
    const full = new Error('the disk is full');
    const sending = client.registrations.send(visitor('B1'), () => {
      throw full;
    });
    await expect(sending).rejects.toBe(full);
    expect(sandbox.requests()).toEqual([]);
  });

  test.each(words('pastLimit'))(
    'waits out the limit of the service, and every row arrives once (%s)',
    async (pastLimit) => {
      const { client, sandbox, clock } = await sandboxClient(
        { limit: 10, windowMs: 60_000, pastLimit },
        { policy: { refuses503: true }, maxRefusedMs: 3_600_000 },
      );
      const startMs = clock.now();
      const barcodes = await fill(client, 40);
      expect(barcodesOf(sandbox.registrations())).toEqual(barcodes);
      expect(clock.now() - startMs).toBeGreaterThanOrEqual(3 * 60_000);
    },
  );
});

describe('the request id of an outcome', () => {
  const ids = (): { requestId: () => string } => {
    let made = 0;
    return { requestId: () => `own-${(made += 1)}` };
  };
  const sent = async (...steps: Parameters<typeof script>) =>
    await clientOver(script(...steps).send, ids()).client.registrations.send(visitor('B1'), noop);

  test.each([
    ['x-request-id', 'done', answer(201, { id: 1 }, { 'x-request-id': 'theirs' })],
    ['x-correlation-id', 'accepted', answer(202, '', { 'x-correlation-id': 'theirs' })],
    ['x-amzn-requestid', 'failed', answer(400, '', { 'x-amzn-requestid': 'theirs' })],
    ['cf-ray', 'uncertain', answer(502, '', { 'cf-ray': 'theirs' })],
    ['request-id', 'conflict', answer(409, '', { 'request-id': 'theirs' })],
    ['x-request-id', 'stopped', answer(401, '', { 'x-request-id': 'theirs' })],
  ])("is the service's own in %s, when %s", async (_name, kind, step) => {
    expect(await sent(step)).toMatchObject({ kind, requestId: 'theirs' });
  });

  test.each([
    ['done', answer(201, { id: 1 })],
    ['accepted', answer(204)],
    ['failed', answer(413)],
    ['uncertain', answer(500)],
    ['uncertain', sentButLost()],
    ['conflict', answer(412)],
    ['stopped', answer(404)],
  ])('is that of the last attempt when %s and the service tells none', async (kind, step) => {
    expect(await sent(notSent(), answer(429), step)).toMatchObject({ kind, requestId: 'own-3' });
  });

  test('is the better one of several, and none that cannot be shown', async () => {
    const both = { 'request-id': 'worse', 'x-request-id': ' better ' };
    expect(await sent(answer(201, { id: 1 }, both))).toMatchObject({ requestId: 'better' });
    for (const unusable of ['', 'a b', 'é', 'x'.repeat(201)]) {
      const headers = { 'x-request-id': unusable, 'request-id': 'other' };
      expect(await sent(answer(201, { id: 1 }, headers))).toMatchObject({ requestId: 'other' });
    }
  });

  test.each<[Switches['requestIds'], RegExp]>([
    ['none', /^own-1$/],
    ['echo', /^own-1$/],
    ['own', /^sandbox-/],
  ])('leads to the log of a service that tells %s', async (requestIds, expected) => {
    const { client, asked } = await sandboxClient({ requestIds }, ids());
    const outcome = await client.registrations.send(visitor('B1'), noop);
    expect(outcome.requestId).toMatch(expected);
    expect(asked().map((entry) => entry.requestId)).toEqual(['own-1']);
  });
});

describe('pages', () => {
  const counts = [0, 5, 100, 101, 200, 250];

  // The data is written once and listed in every shape: what differs is how a sandbox shows it.
  describe.each([100, 50])('of at most %d records', (perPageCap) => {
    test.each(casesOf(everyPair(words('pageShape'), words('pageOverflow')), 4))(
      'in the shape %s, with %s past the end, hold every record once',
      async (pageShape, pageOverflow) => {
        const { client, sandbox } = await sandboxClient({ pageShape, pageOverflow, perPageCap });
        const sent: string[] = [];
        for (const count of counts) {
          sent.push(...keepVisitors(sandbox, count - sent.length, `N${count}-`));
          expect(await listAll(client).then(barcodesOf)).toEqual(sent);
        }
      },
    );
  });

  test.each<[Partial<Switches>, number, number]>([
    [{}, 4, 1],
    // A full page is believed to be the last when there is none behind it.
    [{}, 5, 2],
    [{}, 100, 2],
    [{}, 101, 2],
    [{ pageShape: 'header-total' }, 100, 2],
    [{ pageShape: 'results-links' }, 100, 2],
    [{ pageShape: 'array' }, 0, 1],
    [{ pageShape: 'array' }, 5, 2],
    [{ pageShape: 'array' }, 101, 2],
    [{ pageShape: 'array', perPageCap: 50 }, 101, 3],
    // The end of the list is looked at once more.
    [{ pageShape: 'array', pageOverflow: 'repeat-last' }, 100, 3],
    [{ pageShape: 'array', pageOverflow: 'endless' }, 200, 4],
  ])('%j of %d records cost no request too many', async (switches, count, requests) => {
    const { client, sandbox, asked } = await sandboxClient(switches);
    keepVisitors(sandbox, count);
    await listAll(client);
    expect(asked()).toHaveLength(requests);
  });

  test('ask for as many records as the interface allows', async () => {
    const { client, asked } = await sandboxClient();
    await listAll(client);
    expect(asked().map((entry) => entry.query)).toEqual([{ page: '1', per_page: '100' }]);
  });

  test('do not take for short what came, or was counted, only while they were read', async () => {
    for (const filter of [{}, { persona: 'visitor' }]) {
      const list = movingList(numbered(1, 5));
      list.before = (query) => void (query === 'page 2' && list.records.push({ id: 9, barcode: 'NEW' }));
      expect(barcodesOf(await listAll(clientOver(list.send).client, filter))).toHaveLength(5);
    }
    // All are counted, whatever the filter, and a visitor comes before the list is read without one.
    const records = ['visitor', 'speaker', 'visitor'].map((persona, id) => ({ id, persona }));
    const late = script(
      answer(200, { data: [records[0]], total: 2 }),
      answer(200, { data: [], total: 2 }),
      answer(200, { data: records, total: 3 }),
    );
    expect(await listAll(clientOver(late.send).client, { persona: 'visitor' })).toHaveLength(1);
  });

  test('say so when fewer are shown than the least that was counted', async () => {
    const network = script(
      answer(200, { data: [{ id: 1 }], total: 250 }),
      answer(200, { data: [], total: 251 }),
    );
    await expect(listAll(clientOver(network.send).client)).rejects.toThrow('after 1 of 250');
  });

  test('take a refusal of a page that was promised for an error', async () => {
    const network = script(
      answer(200, { data: [{ id: 1 }], has_more: true }),
      answer(404, { message: 'Gone.' }),
    );
    await expect(listAll(clientOver(network.send).client)).rejects.toThrow('404: Gone.');
  });
});

describe('the persona filter', () => {
  const both = ['persona', 'pesona'];
  const cases: [Switches['filterSpelling'], string[][], number][] = [
    ['both', [both, both], 0],
    ['persona', [both, both], 0],
    ['pesona', [both, both], 0],
    ['strict-persona', [both, ['persona'], ['persona']], 0],
    ['strict-pesona', [both, ['persona'], ['pesona'], ['pesona']], 0],
    ['none', [both, both], 2],
    ['nobody', [both, [], [], []], 2],
  ];
  test.each(cases)(
    'gives the right rows where the service takes %s',
    async (filterSpelling, spellings, mismatched) => {
      const { client, asked } = await sandboxClient({ filterSpelling });
      await fill(client, 2);
      await client.registrations.send(speaker('S1'), noop);
      asked();
      for (let round = 0; round < 2; round += 1) {
        const page = await client.registrations.page({ persona: 'speaker' }, 1, 20);
        expect([barcodesOf(page.records), page.mismatched, page.unverified]).toEqual([['S1'], mismatched, 0]);
      }
      const names = asked().map((entry) => Object.keys(entry.query).filter((name) => name.endsWith('sona')));
      expect(names).toEqual(spellings);
    },
  );

  test('learns nothing from a service that refuses every spelling', async () => {
    const { client, asked } = await sandboxClient();
    const network = script(answer(422, { message: 'No such persona.' }));
    const refused = clientOver(network.send).client.registrations.page({ persona: 'nobody' }, 1, 20);
    await expect(refused).rejects.toThrow('422: No such persona.');
    expect(network.requests).toHaveLength(3);
    expect(await listAll(client, { persona: 'nobody' })).toEqual([]);
    // Once more without the filter: it may find nobody, whoever is there.
    expect(asked()).toHaveLength(2);
  });

  test('counts records that do not show what was filtered by', async () => {
    const network = script(answer(200, { data: [{ id: 1 }, { id: 2, persona: 'speaker' }], total: 2 }));
    const page = await clientOver(network.send).client.registrations.page({ persona: 'speaker' }, 1, 20);
    expect([page.records.length, page.unverified, page.total]).toEqual([2, 1, 2]);
  });
});

test.each(casesOf(everyPair(words('recordShape'), words('idKey')), 2))(
  'the records of the shape %s with %s are understood',
  async (recordShape, idKey) => {
    const { client, sandbox } = await sandboxClient({ recordShape, idKey });
    await client.getEvent();
    await client.registrations.send(visitor('B1'), noop);
    const [record] = await listAll(client);
    expect(record).toMatchObject({
      id: idKey === 'none' ? undefined : sandbox.registrations()[0]?.id,
      persona: 'visitor',
      barcode: 'B1',
      parentBarcode: undefined,
      enableComms: false,
      fields: ['no-fields', 'no-values'].includes(recordShape) ? undefined : { first_name: 'Ada' },
    });
  },
);

describe('an error', () => {
  test.each<[string, Partial<Switches>, string, number, RegExp]>([
    [
      'the token is refused',
      { auth: '401' },
      'AuthorisationError',
      4,
      /the token \(401: Unauthenticated\.\)/,
    ],
    ['the service redirects', { event: 'redirect' }, 'ServiceError', 1, /redirects to \/login \(302\)/],
    ['a web page answers', { event: 'html' }, 'ServiceError', 1, /"Log in" where JSON was expected/],
  ])('when %s names it in one line', async (_what, switches, name, exitCode, message) => {
    const { client, sandbox } = await sandboxClient(switches);
    for (const work of [
      client.registrations.page({}, 1, 20),
      listAll(client),
      client.registrations.findByBarcode(['B1']),
    ]) {
      const error = await work.catch((reason: unknown) => reason);
      expect(error).toMatchObject({ name, exitCode, message: expect.stringMatching(message) as string });
      const { message: words } = error as Error;
      expect(words).toMatch(/^Could not list registrations: .+$/);
      expect(words).not.toContain(sandbox.token);
    }
  });

  test.each([
    [404, /answered 404: Gone\./],
    [500, /answered 500: Gone\./],
    [418, /answered 418: Gone\./],
  ])('with status %d has a hint where there is one', async (status, message) => {
    const network = script(answer(status, { message: 'Gone.', errors: ['one', 'two'] }));
    const error = clientOver(network.send).client.registrations.page({}, 1, 20);
    await expect(error).rejects.toMatchObject({
      exitCode: 1,
      message: expect.stringMatching(message),
      details: ['one', 'two'],
    });
  });

  test('when the stop signal aborts during a backoff is the interruption', async () => {
    const stop = new AbortController();
    const network = script(answer(500));
    const send: typeof network.send = async (request) => {
      setImmediate(() => stop.abort(new InterruptedError()));
      return await network.send(request);
    };
    const { client } = clientOver(send, { signal: stop.signal, clock: fakeClock() });
    await expect(listAll(client)).rejects.toBeInstanceOf(InterruptedError);
  });
});
