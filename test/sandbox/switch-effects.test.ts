import { describe, expect, test } from 'vitest';
import { readPage } from '../../src/service/contracts/read-records.ts';
import { readCreateAnswer } from '../../src/service/contracts/read-create-answer.ts';
import { readEvent } from '../../src/service/contracts/read-event.ts';
import { readError } from '../../src/service/contracts/read-error.ts';
import { DEFAULT_SWITCHES, SWITCHES, type Switches } from '../../src/sandbox/store/switches.ts';
import { createApp } from '../../src/sandbox/server.ts';
import { DEMO_EVENT } from '../../src/sandbox/demo-event.ts';
import { Store } from '../../src/sandbox/store/store.ts';
import { WebhookStore } from '../../src/sandbox/store/webhook-store.ts';
import { afterTest, barcodes, call, fill, list, post, start } from './support.ts';

/** Every word of a switch. */
function words<Name extends keyof Switches>(name: Name): Switches[Name][] {
  const info = SWITCHES.find((candidate) => candidate.name === name);
  return (info?.allowed ?? []) as Switches[Name][];
}

describe('limit, windowMs, limiter', () => {
  test('requests past the limit are refused until the window is over', async () => {
    let nowMs = 10_000;
    const sandbox = await start({ limit: 2, windowMs: 500 }, { now: () => nowMs });
    const first = await list(sandbox);
    expect([first.headers['x-ratelimit-limit'], first.headers['x-ratelimit-remaining']]).toEqual(['2', '1']);
    expect([(await list(sandbox)).status, (await list(sandbox)).status]).toEqual([200, 429]);
    nowMs += 500;
    expect((await list(sandbox)).status).toBe(200);
  });

  test.each([
    ['first-request', 500],
    ['aligned', 100],
    ['sliding-log', 500],
    ['sliding-counter', 101],
    ['token-bucket', 250],
    ['gcra', 250],
  ] as const)('%s lets the next through after %i ms', async (limiter, afterMs) => {
    let nowMs = 10_400;
    const sandbox = await start({ limit: 2, windowMs: 500, limiter }, { now: () => nowMs });
    await list(sandbox);
    await list(sandbox);
    nowMs = 10_400 + afterMs - 1;
    expect((await list(sandbox)).status).toBe(429);
    nowMs = 10_400 + afterMs;
    expect((await list(sandbox)).status).toBe(200);
  });

  test('0 switches the limiter and its headers off', async () => {
    const sandbox = await start({ limit: 0 });
    expect((await list(sandbox)).headers).not.toHaveProperty('x-ratelimit-limit');
  });

  test('an answer of 401 spends nothing', async () => {
    const sandbox = await start({ limit: 2 }, { now: () => 0 });
    const refused = await call(sandbox, 'GET', '/api/event', { authorization: 'Bearer wrong' });
    expect([refused.status, refused.headers['x-ratelimit-remaining']]).toEqual([401, '2']);
    expect((await list(sandbox)).headers['x-ratelimit-remaining']).toBe('1');
  });

  test('every operation spends, also one that fails', async () => {
    const sandbox = await start({ limit: 9 }, { now: () => 0 });
    const replies = [
      await list(sandbox, '?page=x'),
      await call(sandbox, 'GET', '/api/event'),
      await call(sandbox, 'GET', '/integ/v1/webhooks'),
      await call(sandbox, 'GET', '/nowhere'),
    ];
    expect(replies.map((reply) => reply.status)).toEqual([422, 200, 200, 404]);
    expect(replies.map((reply) => reply.headers['x-ratelimit-remaining'])).toEqual(['8', '7', '6', '5']);
  });
});

test.each([
  ['429', 429, undefined],
  ['429-retry-after', 429, '2'],
  ['429-retry-after-date', 429, 'Fri, 01 Jan 2027 00:00:02 GMT'],
  ['503-retry-after', 503, '2'],
] as const)('pastLimit %s', async (pastLimit, status, retryAfter) => {
  const now = () => Date.UTC(2027, 0, 1);
  const sandbox = await start({ limit: 1, windowMs: 1500, pastLimit }, { now });
  await list(sandbox);
  const reply = await list(sandbox);
  expect([reply.status, reply.headers['retry-after']]).toEqual([status, retryAfter]);
  expect(reply.headers['date']).toBe('Fri, 01 Jan 2027 00:00:00 GMT');
});

test.each([
  ['always', ['0', '0', '0'], '1'],
  ['good-only', ['0', undefined, undefined], '1'],
  ['posts', [undefined, undefined, undefined], undefined],
  ['remaining-only', ['0', '0', '0'], undefined],
  ['never', [undefined, undefined, undefined], undefined],
] as const)('rateHeaders %s', async (rateHeaders, remaining, limit) => {
  const sandbox = await start({ limit: 1, rateHeaders }, { now: () => 0 });
  const replies = [
    await list(sandbox),
    await list(sandbox),
    await call(sandbox, 'GET', '/api/event', { authorization: undefined }),
  ];
  expect(replies.map((reply) => reply.status)).toEqual([200, 429, 401]);
  expect(replies.map((reply) => reply.headers['x-ratelimit-remaining'])).toEqual(remaining);
  expect(replies[0]?.headers['x-ratelimit-limit']).toBe(limit);
});

test('rateHeaders posts: to POST they are there', async () => {
  const sandbox = await start({ limit: 2, rateHeaders: 'posts' }, { now: () => 0 });
  expect((await post(sandbox, {})).headers['x-ratelimit-remaining']).toBe('1');
});

test.each([
  ['both', ['S'], ['S']],
  ['persona', ['S'], ['V', 'S']],
  ['pesona', ['V', 'S'], ['S']],
  ['strict-persona', ['S'], 422],
  ['strict-pesona', 422, ['S']],
  ['none', ['V', 'S'], ['V', 'S']],
  ['nobody', [], []],
] as const)('filterSpelling %s', async (filterSpelling, persona, pesona) => {
  const sandbox = await start({ filterSpelling });
  await post(sandbox, { barcode: 'V' });
  await post(sandbox, { barcode: 'S', persona: 'speaker' });
  const outcome = async (query: string) => {
    const reply = await list(sandbox, query);
    return reply.status === 200 ? barcodes(reply) : reply.status;
  };
  expect(await outcome('?persona=speaker')).toEqual(persona);
  expect(await outcome('?pesona=speaker')).toEqual(pesona);
});

test.each([
  ['honoured', ['B2']],
  ['ignored', ['B1', 'B2']],
] as const)('barcodeFilter %s', async (barcodeFilter, shown) => {
  const sandbox = await start({ barcodeFilter });
  await fill(sandbox, 2);
  expect(barcodes(await list(sandbox, '?barcode=B2'))).toEqual(shown);
});

describe('pageShape', () => {
  test.each([
    ['array', undefined],
    ['data-meta', { meta: { current_page: 2, per_page: 2, total: 5, last_page: 3 } }],
    ['registrations-pagination', { pagination: { page: 2, per_page: 2, total: 5, total_pages: 3 } }],
    ['items-flat', { page: 2, per_page: 2, total: 5, pages: 3 }],
    [
      'results-links',
      { links: { prev: expect.stringMatching(/page=1/), next: expect.stringMatching(/page=3/) } },
    ],
    ['laravel', { current_page: 2, last_page: 3, next_page_url: expect.stringMatching(/page=3/), total: 5 }],
    ['header-total', undefined],
    ['link-header', undefined],
  ] as const)('%s', async (pageShape, around) => {
    const sandbox = await start({ pageShape });
    await fill(sandbox, 5);
    const reply = await list(sandbox, '?page=2&per_page=2');
    expect(Array.isArray(reply.json)).toBe(around === undefined);
    expect(reply.json).toMatchObject(around ?? [{ barcode: 'B3' }, { barcode: 'B4' }]);
    expect(reply.headers['x-total-count']).toBe(pageShape === 'header-total' ? '5' : undefined);
    const page = readPage(reply.json, reply.headers);
    expect(page?.records.map((record) => record.barcode)).toEqual(['B3', 'B4']);
  });

  test.each(['results-links', 'laravel', 'link-header'] as const)(
    '%s leads through all pages',
    async (pageShape) => {
      const sandbox = await start({ pageShape });
      await fill(sandbox, 5);
      const more: unknown[] = [];
      for (const page of [1, 2, 3]) {
        const reply = await list(sandbox, `?page=${page}&per_page=2`);
        more.push(readPage(reply.json, reply.headers)?.hasNext);
      }
      expect(more).toEqual([true, true, false]);
    },
  );

  test('the address of the next page keeps the filters', async () => {
    const sandbox = await start({ pageShape: 'link-header' });
    await fill(sandbox, 2);
    const { headers } = await list(sandbox, '?per_page=1&persona=visitor');
    expect(headers['link']).toBe(
      `<${sandbox.baseUrl}/registration?per_page=1&persona=visitor&page=2>; rel="next"`,
    );
  });
});

test.each([
  ['nested', { fields: { first_name: 'Ada' } }],
  ['flat', { first_name: 'Ada' }],
  ['entries', { fields: [{ slug: 'first_name', value: 'Ada' }] }],
  ['labels', { fields: { 'First name': 'Ada' } }],
  ['no-fields', {}],
  ['no-values', { fields: {} }],
  ['no-phone', { fields: { first_name: 'Ada' } }],
] as const)('recordShape %s', async (recordShape, expected) => {
  const sandbox = await start({ recordShape });
  const reply = await post(sandbox);
  const { fields, first_name } = reply.json as Record<string, unknown>;
  expect({ fields, first_name }).toEqual({ fields: undefined, first_name: undefined, ...expected });
});

test.each(words('recordBarcode'))('recordBarcode %s', async (recordBarcode) => {
  const sandbox = await start({ recordBarcode });
  const record = (await post(sandbox, { barcode: 'B1' })).json as Record<string, unknown>;
  expect('barcode' in record).toBe(recordBarcode === 'shown');
  expect('parent_barcode' in record).toBe(recordBarcode === 'shown');
});

test.each(words('idKey'))('idKey %s', async (idKey) => {
  const sandbox = await start({ idKey });
  const record = (await post(sandbox, { barcode: 'B1' })).json as Record<string, unknown>;
  const keys = words('idKey').filter((key) => key in record);
  expect(keys).toEqual(idKey === 'none' ? [] : [idKey]);
  const id = idKey === 'none' ? 'B1' : String(record[idKey]);
  expect((await call(sandbox, 'DELETE', `/api/registration/${id}`)).status).toBe(200);
  expect(sandbox.counts().registrations).toBe(0);
});

test.each([
  ['201-200', 201, 200],
  ['200-201', 200, 201],
  ['200', 200, 200],
  ['201', 201, 201],
  ['202', 202, 202],
  ['204', 204, 204],
] as const)('createStatus %s', async (createStatus, created, updated) => {
  const sandbox = await start({ createStatus });
  const replies = [await post(sandbox, { barcode: 'B1' }), await post(sandbox, { barcode: 'B1' })];
  expect(replies.map((reply) => reply.status)).toEqual([created, updated]);
  expect(replies.map((reply) => reply.text === '')).toEqual([created === 204, updated === 204]);
});

test.each([
  ['record', 'record', /^\{"registratoin_id":/],
  ['wrapped', 'record', /^\{"data":\{"registratoin_id":/],
  ['empty', 'accepted', /^$/],
  ['text', 'accepted', /^OK$/],
] as const)('createBody %s', async (createBody, kind, text) => {
  const sandbox = await start({ createBody });
  const reply = await post(sandbox);
  expect(reply.text).toMatch(text);
  expect(readCreateAnswer(reply.status, reply.text).kind).toBe(kind);
});

describe('errorShape', () => {
  const map = { 'fields.email': [expect.any(String)], 'fields.nope': [expect.any(String)] };
  const found = { field: 'fields.email', message: expect.any(String) };
  test.each([
    ['message', 'application/json', { message: expect.stringMatching(/fields\.email: .*fields\.nope: /) }],
    ['errors-map', 'application/json', { message: expect.any(String), errors: map }],
    ['errors-list', 'application/json', { errors: expect.arrayContaining([found]) }],
    [
      'problem',
      'application/problem+json',
      { status: 422, title: expect.any(String), errors: expect.any(Array) },
    ],
    ['error-string', 'application/json', { error: expect.stringMatching(/fields\.email/) }],
  ] as const)('%s', async (errorShape, contentType, expected) => {
    const sandbox = await start({ errorShape });
    const reply = await post(sandbox, { fields: { email: 'x', nope: 'x' } });
    expect([reply.status, reply.headers['content-type']]).toEqual([422, contentType]);
    expect(reply.json).toMatchObject(expected);
    expect(readError(reply.status, reply.text).message).not.toBe('');
  });

  test('empty', async () => {
    const sandbox = await start({ errorShape: 'empty' });
    const reply = await post(sandbox, { fields: { email: 'x' } });
    expect([reply.status, reply.headers['content-type'], reply.text]).toEqual([422, undefined, '']);
  });

  test('html: a hostile field name is escaped', async () => {
    const sandbox = await start({ errorShape: 'html' });
    const reply = await post(sandbox, { fields: { '<script>"&': 'x' } });
    expect([reply.status, reply.headers['content-type']]).toEqual([422, 'text/html; charset=utf-8']);
    expect(reply.text).toContain('&lt;script&gt;&quot;&amp;');
    expect(reply.text).not.toContain('<script>');
  });
});

test.each([
  ['update', 200, ['Bea']],
  ['double', 201, ['Ada', 'Bea']],
  ['refuse', 409, ['Ada']],
  ['ignore', 200, ['Ada']],
] as const)('upsert %s', async (upsert, status, names) => {
  const sandbox = await start({ upsert });
  await fill(sandbox, 1);
  const reply = await post(sandbox, { barcode: 'B1', fields: { first_name: 'Bea' } });
  expect(reply.status).toBe(status);
  expect(sandbox.registrations().map((registration) => registration.fields['first_name'])).toEqual(names);
});

test.each([
  ['empty', 200, []],
  ['repeat-last', 200, ['B3']],
  ['repeat-first', 200, ['B1', 'B2']],
  ['endless', 200, ['B3']],
  ['404', 404, undefined],
  ['422', 422, undefined],
] as const)('pageOverflow %s', async (pageOverflow, status, shown) => {
  const sandbox = await start({ pageOverflow });
  expect((await list(sandbox)).status).toBe(200);
  await fill(sandbox, 3);
  const reply = await list(sandbox, '?per_page=2&page=9');
  expect(reply.status).toBe(status);
  expect(reply.status === 200 ? barcodes(reply) : undefined).toEqual(shown);
});

test('an endless list never shows the same page twice', async () => {
  const sandbox = await start({ pageOverflow: 'endless' });
  await fill(sandbox, 2);
  const pages = await Promise.all([1, 2, 3].map((page) => list(sandbox, `?page=${page}`)));
  expect(new Set(pages.map((page) => JSON.stringify(page))).size).toBe(3);
});

test('perPageCap cuts pages short without a word', async () => {
  const sandbox = await start({ perPageCap: 2 });
  await fill(sandbox, 3);
  expect(barcodes(await list(sandbox, '?per_page=100'))).toEqual(['B1', 'B2']);
  expect(barcodes(await list(sandbox, '?per_page=100&page=2'))).toEqual(['B3']);
});

test('labels: fields and personas are named in several languages', async () => {
  const sandbox = await start({ labels: 'languages' });
  const { json } = await call(sandbox, 'GET', '/api/event');
  const { personas } = json as { personas: { name: unknown; fields: { label: unknown }[] }[] };
  expect(personas[0]?.name).toEqual({ nl: 'Visitor (nl)', en: 'Visitor' });
  expect(personas[0]?.fields[0]?.label).toEqual({ nl: 'First name (nl)', en: 'First name' });
  expect(readEvent(json)).toMatchObject({
    event: { personas: [{ name: 'Visitor' }, { name: 'Exhibitor' }, { name: 'Speaker' }] },
  });
});

describe('valuesShape', () => {
  test.each([
    ['strings', 'Gluten free', ['Gluten free']],
    ['numbers', 10901, [10901]],
    ['objects-label-value', { label: 'Gluten free', value: 'gluten-free' }, ['gluten-free']],
    ['objects-id-name', { id: 10901, name: 'Gluten free' }, ['10901']],
    ['objects-slug-label', { slug: 'gluten-free', label: 'Gluten free' }, ['gluten-free']],
    ['map', 'Gluten free', ['gluten-free']],
    ['one-key-maps', { 'gluten-free': 'Gluten free' }, ['gluten-free']],
    [
      'groups',
      {
        label: 'Usual',
        options: [
          { value: 'gluten-free', label: 'Gluten free' },
          { value: 'halal', label: 'Halal' },
        ],
      },
      ['gluten-free'],
    ],
    [
      'languages',
      { value: 'gluten-free', label: { nl: 'Gluten free (nl)', en: 'Gluten free' } },
      ['gluten-free'],
    ],
  ] as const)('%s: shown so, and what is shown is what is accepted', async (valuesShape, shown, sent) => {
    const sandbox = await start({ valuesShape });
    const { json } = await call(sandbox, 'GET', '/api/event');
    const { personas } = json as { personas: { fields: { slug: string; values?: unknown }[] }[] };
    const values = personas[0]?.fields.find((field) => field.slug === 'dietary_needs')?.values;
    expect(valuesShape === 'map' ? Object.values(values as object)[0] : (values as unknown[])[0]).toEqual(
      shown,
    );
    expect((await post(sandbox, { fields: { dietary_needs: sent } })).status).toBe(201);
    expect((await post(sandbox, { fields: { dietary_needs: ['GLUTEN'] } })).status).toBe(422);
  });

  test.each(words('valuesShape'))(
    '%s: a client that reads the event sends what is accepted',
    async (valuesShape) => {
      const sandbox = await start({ valuesShape });
      const reading = readEvent((await call(sandbox, 'GET', '/api/event')).json);
      const field =
        'event' in reading
          ? reading.event.personas[0]?.fields.find((candidate) => candidate.slug === 'meal')
          : undefined;
      const fields = { meal: field?.choices.at(-1)?.value };
      expect((await post(sandbox, { fields })).status).toBe(201);
    },
  );
});

test.each([
  ['200', 200],
  ['204', 204],
  ['404', 404],
] as const)('deleteStatus %s', async (deleteStatus, status) => {
  const sandbox = await start({ deleteStatus });
  await fill(sandbox, 1);
  const reply = await call(sandbox, 'DELETE', `/api/registration/${sandbox.registrations()[0]?.id}`);
  expect([reply.status, sandbox.registrations()]).toEqual([status, []]);
  expect(reply.text === '').toBe(status === 204);
});

test.each([
  ['404', 404],
  ['204', 204],
] as const)('deleteAgain %s', async (deleteAgain, status) => {
  const sandbox = await start({ deleteAgain });
  await fill(sandbox, 1);
  const path = `/api/registration/${sandbox.registrations()[0]?.id}`;
  await call(sandbox, 'DELETE', path);
  expect((await call(sandbox, 'DELETE', path)).status).toBe(status);
});

test('auth 401 refuses the right token too', async () => {
  const sandbox = await start({ auth: '401' });
  const reply = await list(sandbox);
  expect([reply.status, reply.headers['www-authenticate']]).toEqual([401, 'Bearer']);
});

describe('event', () => {
  test.each([
    ['404', 404, 200],
    ['500', 500, 200],
    ['html', 200, 200],
    ['redirect', 302, 302],
  ] as const)('%s', async (event, eventStatus, listStatus) => {
    const sandbox = await start({ event });
    const shown = await call(sandbox, 'GET', '/api/event');
    expect([shown.status, (await list(sandbox)).status]).toEqual([eventStatus, listStatus]);
    expect((await call(sandbox, 'GET', '/api/event/personas')).status).toBe(eventStatus);
    expect(shown.text.includes('<title>Log in</title>')).toBe(event === 'html');
    expect(shown.headers['location']).toBe(event === 'redirect' ? '/login' : undefined);
  });

  test.each(['html', 'redirect'] as const)(
    '%s: nothing reaches the data, and a follower finds a page',
    async (event) => {
      const sandbox = await start({ event });
      await post(sandbox);
      expect(sandbox.counts().registrations).toBe(0);
      const page = await call(sandbox, 'GET', '/login', { authorization: undefined });
      expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    },
  );
});

test('latencyMs: the work is done, the answer waits, and close does not wait for it', async () => {
  const logged = deferred();
  const sandbox = await start({ latencyMs: 600_000 }, { onRequest: () => logged.resolve() });
  const answer = post(sandbox).then(
    () => 'answered',
    () => 'cut off',
  );
  await logged.promise;
  expect(sandbox.counts().registrations).toBe(1);
  await sandbox.close();
  expect(await answer).toBe('cut off');
});

test('latencyMs: closing ends the wait, so that nothing keeps the process', async () => {
  const store = new Store(':memory:');
  afterTest(() => store.close());
  const webhooks = new WebhookStore(store.file);
  const closing = new AbortController();
  const app = createApp({
    event: DEMO_EVENT,
    store,
    webhooks,
    announce: () => undefined,
    switches: { ...DEFAULT_SWITCHES, latencyMs: 600_000 },
    now: () => 0,
    token: 't',
    limiter: undefined,
    logRequest: () => closing.abort(),
    closing: closing.signal,
  });
  const answer = await app.request('/api/event', { headers: { authorization: 'Bearer t' } });
  expect(answer.status).toBe(200);
});

test('a small latencyMs only delays', async () => {
  const sandbox = await start({ latencyMs: 1 });
  expect((await post(sandbox)).status).toBe(201);
});

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

test('what is not set stays at its default', async () => {
  const sandbox = await start({ limit: DEFAULT_SWITCHES.limit }, { now: () => 0 });
  expect((await list(sandbox)).headers['x-ratelimit-limit']).toBe('30');
});
