import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { readPage } from '../../src/service/contracts/read-records.ts';
import { call, fill, list, post, start } from './support.ts';

type Json = Record<string, unknown>;

const fieldsOf = (sandbox: Sandbox) => sandbox.registrations().map((registration) => registration.fields);

async function listed(sandbox: Sandbox): Promise<Json[]> {
  return ((await list(sandbox, '?per_page=100')).json as { data: Json[] }).data;
}

describe('idShown', () => {
  test.each([
    ['everywhere', true, true],
    ['lists', false, true],
    ['answers', true, false],
    ['nowhere', false, false],
  ] as const)('%s', async (idShown, inAnswers, inLists) => {
    const sandbox = await start({ idShown });
    const answer = (await post(sandbox, { barcode: 'B1' })).json as Json;
    const [record = {}] = await listed(sandbox);
    expect(['registratoin_id' in answer, 'registratoin_id' in record]).toEqual([inAnswers, inLists]);
  });

  test('nowhere: a delete wants the id all the same', async () => {
    const sandbox = await start({ idShown: 'nowhere' });
    await fill(sandbox, 1);
    expect((await call(sandbox, 'DELETE', '/api/registration/B1')).status).toBe(404);
    expect(
      (await call(sandbox, 'DELETE', `/api/registration/${sandbox.registrations()[0]?.id}`)).status,
    ).toBe(200);
  });
});

describe('idForm', () => {
  const idsOf = (sandbox: Sandbox) => sandbox.registrations().map(({ id }) => id);

  test.each([
    ['text', /^reg-\w+-2$/, 'string'],
    ['number', /^1002$/, 'number'],
    ['reused', /^1002$/, 'number'],
    ['odd', /^\w+\+2\/r=$/, 'string'],
  ] as const)('%s, shown and deleted by', async (idForm, form, type) => {
    const sandbox = await start({ idForm });
    await fill(sandbox, 2);
    const [, record] = await listed(sandbox);
    const id = record?.['registratoin_id'];
    expect([typeof id, String(id)]).toEqual([type, expect.stringMatching(form)]);
    const path = `/api/registration/${encodeURIComponent(String(id))}`;
    expect((await call(sandbox, 'DELETE', path)).status).toBe(200);
    expect(sandbox.registrations().map(({ barcode }) => barcode)).toEqual(['B1']);
  });

  test.each([
    ['number', ['1001', '1003']],
    ['reused', ['1001', '1002']],
  ] as const)('%s after a delete', async (idForm, ids) => {
    const sandbox = await start({ idForm });
    await fill(sandbox, 2);
    await call(sandbox, 'DELETE', '/api/registration/1002');
    await post(sandbox, { barcode: 'N' });
    expect(idsOf(sandbox)).toEqual(ids);
  });
});

test.each([
  ['recordParent', 'parent_barcode'],
  ['recordComms', 'enable_comms'],
] as const)('%s', async (name, key) => {
  for (const shown of ['shown', 'hidden'] as const) {
    const sandbox = await start({ [name]: shown });
    const answer = (await post(sandbox, { barcode: 'B1', enable_comms: true })).json as Json;
    const [record = {}] = await listed(sandbox);
    expect([key in answer, key in record, 'barcode' in record]).toEqual([
      shown === 'shown',
      shown === 'shown',
      true,
    ]);
  }
});

test('createBody echo: what was sent, whatever was kept', async () => {
  const sandbox = await start({ createBody: 'echo', misstored: 'dropped', storedAs: 'capitals' });
  const fields = { last_name: 'Byron', company: 'Quay Ltd', remarks: '' };
  const reply = await post(sandbox, { barcode: 'B1', fields });
  expect(reply.json).toMatchObject({ barcode: 'B1', fields: { last_name: 'Byron', company: 'Quay Ltd' } });
  expect(reply.json).toHaveProperty('registratoin_id', sandbox.registrations()[0]?.id);
  expect(fieldsOf(sandbox)).toEqual([{ last_name: 'BYRON' }]);
});

describe('fieldsForm', () => {
  const entries = [
    { slug: 'first_name', value: 'Ada' },
    { slug: 'dietary_needs', value: ['Vegan'] },
  ];

  test.each([
    ['object', 201, 422],
    ['entries', 422, 201],
    ['entries-400', 400, 201],
  ] as const)('%s', async (fieldsForm, asObject, asEntries) => {
    const sandbox = await start({ fieldsForm, errorShape: 'errors-map' });
    const object = await post(sandbox, { fields: { first_name: 'Ada' } });
    const array = await post(sandbox, { fields: entries });
    expect([object.status, array.status]).toEqual([asObject, asEntries]);
    const refused = asObject === 201 ? array : object;
    expect(Object.keys((refused.json as { errors: Json }).errors)).toEqual(['fields']);
    expect(fieldsOf(sandbox)).toHaveLength(1);
    if (asEntries === 201)
      expect(fieldsOf(sandbox)).toEqual([{ first_name: 'Ada', dietary_needs: ['Vegan'] }]);
  });

  test('entries are checked as values are', async () => {
    const sandbox = await start({ fieldsForm: 'entries-400', errorShape: 'errors-map' });
    const reply = await post(sandbox, { fields: [{ slug: 'email', value: 'x' }] });
    expect([reply.status, Object.keys((reply.json as { errors: Json }).errors)]).toEqual([
      422,
      ['fields.email'],
    ]);
    expect((await post(sandbox, { fields: ['x'] })).status).toBe(400);
  });
});

test.each([
  ['nothing', ['Quay Ltd', 'Quay Inc']],
  ['dropped', [undefined, undefined]],
  ['emptied', ['Quay Ltd', undefined]],
  ['once', ['Qua', 'Quay Inc']],
  ['always', ['Qua', 'Qua']],
] as const)('misstored: %s', async (misstored, seen) => {
  const sandbox = await start({ misstored });
  const company = async (text: string) => {
    await post(sandbox, { barcode: 'B1', fields: { company: text } });
    return fieldsOf(sandbox)[0]?.['company'];
  };
  expect([await company('Quay Ltd'), await company('Quay Inc')]).toEqual(seen);
});

test.each([
  ['capitals', { last_name: 'BYRON', company: 'QUAY', first_name: 'Ada', birth_date: '1815-12-10' }],
  [
    'zero-time',
    { last_name: 'Byron', company: 'Quay', first_name: 'Ada', birth_date: '1815-12-10 00:00:00' },
  ],
] as const)('storedAs %s', async (storedAs, kept) => {
  const sandbox = await start({ storedAs });
  await post(sandbox, {
    fields: { last_name: 'Byron', company: 'Quay', first_name: 'Ada', birth_date: '1815-12-10' },
  });
  expect(fieldsOf(sandbox)).toEqual([kept]);
});

describe('uploads', () => {
  const link = 'https://files.example.com/ada.png';
  const photoOf = async (sandbox: Sandbox) =>
    ((await listed(sandbox))[0]?.['fields'] as { photo: string } | undefined)?.photo ?? '';

  test('as-sent', async () => {
    const sandbox = await start();
    await post(sandbox, { fields: { photo: link } });
    expect(await photoOf(sandbox)).toBe(link);
  });

  test.each([
    ['signed', 422, link],
    ['signed-taken', 200, expect.stringMatching(/signature=.*/)],
  ] as const)('%s: another link at each reading; sent back: %i', async (uploads, status, kept) => {
    const sandbox = await start({ uploads });
    await post(sandbox, { barcode: 'B1', fields: { photo: link, website: link } });
    const first = await photoOf(sandbox);
    const second = await photoOf(sandbox);
    expect([first.startsWith(`${link}?signature=`), first === second]).toEqual([true, false]);
    expect((await post(sandbox, { barcode: 'B1', fields: { photo: first } })).status).toBe(status);
    expect(fieldsOf(sandbox)).toEqual([{ photo: kept, website: link }]);
  });
});

test.each([
  ['values', 'vegetarian', ['halal', 'vegan']],
  ['labels', 'Vegetarian', ['Halal', 'Vegan']],
] as const)('choicesListed %s', async (choicesListed, one, several) => {
  const sandbox = await start({ choicesListed, valuesShape: 'objects-slug-label' });
  await post(sandbox, { fields: { meal: 'vegetarian', dietary_needs: ['halal', 'vegan'] } });
  const [record] = await listed(sandbox);
  expect(record?.['fields']).toEqual({ meal: one, dietary_needs: several });
});

test.each(['data-meta', 'registrations-pagination', 'items-flat', 'laravel', 'header-total'] as const)(
  'listTotal hidden, %s',
  async (pageShape) => {
    for (const [listTotal, total] of [
      ['shown', 3],
      ['hidden', undefined],
    ] as const) {
      const sandbox = await start({ pageShape, listTotal });
      await fill(sandbox, 3);
      const reply = await list(sandbox, '?per_page=2');
      const page = readPage(reply.json, reply.headers);
      expect([page?.total, page?.records.length]).toEqual([total, 2]);
      if (listTotal === 'hidden') expect(reply.text).not.toMatch(/total|last_page|"pages"/);
    }
  },
);

describe('another client', () => {
  test('put changes, put adds, remove deletes, past all rules', async () => {
    const sandbox = await start({ parentDelete: 'cascade' });
    await fill(sandbox, 1);
    const [first] = sandbox.registrations();
    if (first === undefined) throw new Error('nothing is there');
    sandbox.put({ ...first, fields: { first_name: 'Zoe', phone: 'x' } });
    sandbox.put({ ...first, id: 'new', barcode: 'B2', parentBarcode: 'B1' });
    expect(sandbox.registrations().map(({ id, fields }) => [id, fields])).toEqual([
      [first.id, { first_name: 'Zoe', phone: 'x' }],
      ['new', { first_name: 'Ada' }],
    ]);
    expect([sandbox.remove('nobody'), sandbox.remove(first.id)]).toEqual([false, true]);
    expect(sandbox.counts().registrations).toBe(0);
  });

  test('acts when a request has come, before its work', async () => {
    const sandbox: Sandbox = await start(
      {},
      {
        onArrival: ({ method, path, body }) => {
          if (method !== 'POST' || !body.includes('second')) return;
          const [first] = sandbox.registrations();
          if (first !== undefined) sandbox.put({ ...first, fields: { first_name: path } });
        },
      },
    );
    await post(sandbox, { barcode: 'B1' });
    await post(sandbox, { barcode: 'B2', fields: { first_name: 'second' } });
    expect(fieldsOf(sandbox)).toEqual([{ first_name: '/api/registration' }, { first_name: 'second' }]);
  });

  test.each([
    ['drop', 0],
    ['drop-answer', 1],
  ] as const)('%s: the connection is cut', async (fate, count) => {
    const sandbox = await start({}, { onArrival: () => fate });
    await expect(post(sandbox)).rejects.toThrow('fetch failed');
    expect([sandbox.counts().registrations, sandbox.requests()]).toEqual([
      count,
      count === 0 ? [] : [expect.anything()],
    ]);
  });
});
