import { describe, expect, test } from 'vitest';
import { barcodes, call, fill, list, post, start } from './support.ts';
import { listed } from '../support/tables.ts';

const messages = (reply: { json: unknown }) => (reply.json as { errors: Record<string, string[]> }).errors;

describe('create and update', () => {
  test('a new registration: 201 and the record', async () => {
    const sandbox = await start({}, { now: () => Date.UTC(2027, 0, 2) });
    const reply = await post(sandbox, { barcode: 'B1', fields: { first_name: 'Ada', guests: 2 } });
    expect(reply.status).toBe(201);
    expect(reply.json).toEqual({
      registratoin_id: sandbox.registrations()[0]?.id,
      persona: 'visitor',
      barcode: 'B1',
      parent_barcode: null,
      enable_comms: false,
      fields: { first_name: 'Ada', guests: '2' },
      created_at: '2027-01-02T00:00:00.000Z',
      updated_at: '2027-01-02T00:00:00.000Z',
    });
  });

  test('an update merges fields, keeps keys that are absent, and an empty value clears', async () => {
    const sandbox = await start();
    await post(sandbox, { barcode: 'P' });
    const fields = { first_name: 'Ada', last_name: 'L', dietary_needs: ['Vegan', 'Halal'], email: 'a@b.de' };
    await post(sandbox, { barcode: 'B1', parent_barcode: 'P', enable_comms: true, fields });
    const change = { last_name: 'Byron', email: '', dietary_needs: [] };
    const reply = await post(sandbox, { barcode: 'B1', fields: change });
    expect(reply.status).toBe(200);
    expect(sandbox.registrations()[1]).toMatchObject({
      fields: { first_name: 'Ada', last_name: 'Byron' },
      parentBarcode: 'P',
      enableComms: true,
    });
    expect(Object.keys(sandbox.registrations()[1]?.fields ?? {})).toEqual(['first_name', 'last_name']);
  });

  test('without a barcode it always creates, with a barcode of its own making', async () => {
    const sandbox = await start();
    await post(sandbox);
    await post(sandbox);
    const kept = sandbox.registrations();
    expect(kept.map((registration) => registration.barcodeGenerated)).toEqual([true, true]);
    expect(new Set(kept.map((registration) => registration.barcode)).size).toBe(2);
    expect(barcodes(await list(sandbox, `?barcode=${kept[1]?.barcode}`))).toEqual([kept[1]?.barcode]);
  });

  test('everything that is wrong is told at once', async () => {
    const sandbox = await start({ errorShape: 'errors-map' });
    const reply = await post(sandbox, {
      parent_barcode: 'nobody',
      fields: {
        email: 'ada',
        phone: '123',
        country: 'XX',
        website: 'x',
        photo: 'x',
        birth_date: '2027-02-30',
        guests: 'two',
        ticket_type: 'Gold',
        dietary_needs: ['Vegan', 'Air'],
        first_name: 5,
        remarks: null,
        shoe_size: '44',
      },
    });
    expect(reply.status).toBe(422);
    expect(Object.keys(messages(reply))).toEqual(
      listed(`
        fields.email | fields.phone | fields.country | fields.website | fields.photo | fields.birth_date |
        fields.guests | fields.ticket_type | fields.dietary_needs | fields.first_name | fields.remarks |
        fields.shoe_size | parent_barcode
      `),
    );
    expect(sandbox.counts().registrations).toBe(0);
  });

  test('an empty text is taken for a field of every kind', async () => {
    const sandbox = await start();
    const slugs = 'first_name email phone country ticket_type dietary_needs birth_date guests website photo';
    const fields = Object.fromEntries(slugs.split(' ').map((slug) => [slug, '']));
    expect((await post(sandbox, { fields })).status).toBe(201);
  });

  test('a type that nobody knows takes any text', async () => {
    const sandbox = await start();
    const body = { persona: 'exhibitor', fields: { badge_colour: '?' } };
    expect((await post(sandbox, body)).status).toBe(201);
  });

  test.each([
    ['persona', { persona: 'sponsor' }],
    ['persona', { persona: undefined }],
    ['fields', { fields: undefined }],
    ['fields', { fields: ['first_name'] }],
    ['barcode', { barcode: 17 }],
    ['enable_comms', { enable_comms: 'yes' }],
    ['fields.toString', { fields: { toString: 'x' } }],
  ])('422 names %s', async (field, body) => {
    const sandbox = await start({ errorShape: 'errors-map' });
    const reply = await post(sandbox, body);
    expect([reply.status, Object.keys(messages(reply))]).toEqual([422, [field]]);
  });

  test('422 for a registration that would be its own parent', async () => {
    const sandbox = await start();
    await fill(sandbox, 1);
    expect((await post(sandbox, { barcode: 'B1', parent_barcode: 'B1' })).status).toBe(422);
  });

  test('a field named __proto__ is an unknown field like any other', async () => {
    const sandbox = await start({ errorShape: 'errors-list' });
    const body = '{"persona":"visitor","fields":{"__proto__":{"polluted":1}}}';
    const reply = await call(sandbox, 'POST', '/api/registration', { body });
    expect(reply.status).toBe(422);
    expect(reply.text).toContain('fields.__proto__');
  });

  test.each(['{', '{"persona": visitor}', '<xml/>'])('400 for a body that is not JSON: %j', async (body) => {
    const sandbox = await start();
    expect((await call(sandbox, 'POST', '/api/registration', { body })).status).toBe(400);
  });

  test.each(['null', '[]', '"text"', '5'])('422 for JSON that is no object: %s', async (body) => {
    const sandbox = await start();
    expect((await call(sandbox, 'POST', '/api/registration', { body })).status).toBe(422);
  });
});

describe('list', () => {
  test('5 a page unless asked for more, oldest first', async () => {
    const sandbox = await start();
    await fill(sandbox, 7);
    expect(barcodes(await list(sandbox))).toEqual(['B1', 'B2', 'B3', 'B4', 'B5']);
    expect(barcodes(await list(sandbox, '?page=2'))).toEqual(['B6', 'B7']);
    expect(barcodes(await list(sandbox, '?per_page=100'))).toHaveLength(7);
  });

  test('filters narrow together', async () => {
    const sandbox = await start();
    await fill(sandbox, 2);
    await post(sandbox, { persona: 'speaker', barcode: 'S1' });
    expect(barcodes(await list(sandbox, '?persona=speaker'))).toEqual(['S1']);
    expect(barcodes(await list(sandbox, '?barcode=B2'))).toEqual(['B2']);
    expect(barcodes(await list(sandbox, '?barcode=B2&persona=visitor'))).toEqual(['B2']);
    expect(barcodes(await list(sandbox, '?barcode=B2&persona=speaker'))).toEqual([]);
  });

  test.each(['page=0', 'page=x', 'page=1.5', 'page=', 'per_page=101', 'per_page=0', 'per_page=ten'])(
    '422 for %s',
    async (query) => {
      const sandbox = await start();
      expect((await list(sandbox, `?${query}`)).status).toBe(422);
    },
  );
});

describe('delete', () => {
  test('is gone, and its identifier is never used again', async () => {
    const sandbox = await start();
    await fill(sandbox, 1);
    const id = sandbox.registrations()[0]?.id ?? '';
    expect((await call(sandbox, 'DELETE', `/api/registration/${id}`)).status).toBe(200);
    await fill(sandbox, 1);
    expect(sandbox.registrations()[0]?.id).not.toBe(id);
  });

  test('404 for one that never was', async () => {
    const sandbox = await start({ deleteAgain: '204' });
    expect((await call(sandbox, 'DELETE', '/api/registration/reg-0-1')).status).toBe(404);
  });
});
