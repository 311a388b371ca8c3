import { describe, expect, test } from 'vitest';
import { RecentChanges } from '../../src/sandbox/store/stored-row.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { barcodes, call, fill, list, post, start } from './support.ts';
import { paired } from '../support/tables.ts';

const fieldsOf = (sandbox: Sandbox) => sandbox.registrations().map((registration) => registration.fields);

test.each([
  ['merge', { first_name: 'Bea', company: 'Quay Ltd' }],
  ['replace', { first_name: 'Bea' }],
] as const)('fieldsOnUpdate %s', async (fieldsOnUpdate, kept) => {
  const sandbox = await start({ fieldsOnUpdate });
  await post(sandbox, { barcode: 'B1', fields: { first_name: 'Ada', company: 'Quay Ltd' } });
  await post(sandbox, { barcode: 'B1', fields: { first_name: 'Bea', remarks: '' } });
  expect(fieldsOf(sandbox)).toEqual([kept]);
});

describe('storedAs', () => {
  const sent = {
    first_name: '  Mary   Ann ',
    last_name: 'O’Neill',
    email: 'Mary.Ann@Example.COM',
    phone: '0034 (612) 34-56.78',
    country: 'esp',
    company: ' Quay  Ltd ',
    remarks: 'Says  HELLO ',
    dietary_needs: ['Vegan'],
  };

  test('as-sent keeps what was sent', async () => {
    const sandbox = await start();
    expect((await post(sandbox, { fields: sent })).json).toMatchObject({ fields: sent });
    expect(fieldsOf(sandbox)).toEqual([sent]);
  });

  test('tidied keeps, answers and lists something that is nearly the same', async () => {
    const sandbox = await start({ storedAs: 'tidied' });
    const tidied = {
      ...sent,
      first_name: 'Mary Ann',
      email: 'mary.ann@example.com',
      phone: '+34612345678',
      country: 'ES',
    };
    expect((await post(sandbox, { fields: sent })).json).toMatchObject({ fields: tidied });
    expect(fieldsOf(sandbox)).toEqual([tidied]);
    expect((await list(sandbox)).json).toMatchObject({ data: [{ fields: tidied }] });
  });

  test.each(paired('+34 612 → +34612 | 34612 → +34612 | 00 34612 → +34612 | 100200 → +100200'))(
    'tidied keeps the phone %s as %s',
    async (phone, kept) => {
      const sandbox = await start({ storedAs: 'tidied' });
      await post(sandbox, { fields: { phone } });
      expect(fieldsOf(sandbox)).toEqual([{ phone: kept }]);
    },
  );

  test('tidied still clears a field that is sent empty, and goes by the persona', async () => {
    const sandbox = await start({ storedAs: 'tidied' });
    await post(sandbox, { barcode: 'B1', persona: 'speaker', fields: { country: 'be', phone: '12345' } });
    await post(sandbox, { barcode: 'B1', persona: 'speaker', fields: { phone: '' } });
    expect(fieldsOf(sandbox)).toEqual([{ country: 'BE' }]);
  });
});

test.each([
  ['oldest', ['B1', 'B2'], ['B3']],
  ['newest', ['B3', 'B2'], ['B1']],
] as const)('listOrder: %s', async (listOrder, first, second) => {
  const sandbox = await start({ listOrder });
  await fill(sandbox, 3);
  expect(barcodes(await list(sandbox, '?per_page=2'))).toEqual(first);
  expect(barcodes(await list(sandbox, '?per_page=2&page=2'))).toEqual(second);
  expect(sandbox.registrations().map((one) => one.barcode)).toEqual(['B1', 'B2', 'B3']);
});

describe('readLagMs', () => {
  async function lagging(listOrder: 'oldest' | 'newest' = 'oldest') {
    const time = { nowMs: 1_000_000 };
    const sandbox = await start({ readLagMs: 5000, listOrder }, { now: () => time.nowMs });
    return { sandbox, time };
  }
  const shown = async (sandbox: Sandbox, query = '') => {
    const reply = await list(sandbox, `?per_page=100${query}`);
    const { data, meta } = reply.json as {
      data: { barcode: string; fields: { first_name: string } }[];
      meta: { total: number };
    };
    return [meta.total, ...data.map((one) => `${one.barcode} ${one.fields.first_name}`)];
  };

  test('lists show what was created that long ago, not a moment earlier', async () => {
    const { sandbox, time } = await lagging();
    await fill(sandbox, 2);
    expect(await shown(sandbox)).toEqual([0]);
    expect(sandbox.counts().registrations).toBe(2);
    time.nowMs += 4999;
    expect(await shown(sandbox)).toEqual([0]);
    time.nowMs += 1;
    expect(await shown(sandbox)).toEqual([2, 'B1 Ada', 'B2 Ada']);
  });

  test('lists show the values from before an update, and from between two', async () => {
    const { sandbox, time } = await lagging();
    await fill(sandbox, 2);
    time.nowMs += 10_000;
    await post(sandbox, { barcode: 'B1', fields: { first_name: 'Bea' } });
    time.nowMs += 2000;
    await post(sandbox, { barcode: 'B1', fields: { first_name: 'Cleo' } });
    expect(await shown(sandbox)).toEqual([2, 'B1 Ada', 'B2 Ada']);
    time.nowMs += 3000;
    expect(await shown(sandbox)).toEqual([2, 'B1 Bea', 'B2 Ada']);
    time.nowMs += 2000;
    expect(await shown(sandbox)).toEqual([2, 'B1 Cleo', 'B2 Ada']);
  });

  test('lists show what was deleted where it was, and filter it', async () => {
    const { sandbox, time } = await lagging();
    await fill(sandbox, 3);
    time.nowMs += 10_000;
    await call(sandbox, 'DELETE', `/api/registration/${sandbox.registrations()[1]?.id}`);
    expect(await shown(sandbox)).toEqual([3, 'B1 Ada', 'B2 Ada', 'B3 Ada']);
    expect(await shown(sandbox, '&barcode=B2')).toEqual([1, 'B2 Ada']);
    expect(await shown(sandbox, '&persona=speaker')).toEqual([0]);
    time.nowMs += 5000;
    expect(await shown(sandbox)).toEqual([2, 'B1 Ada', 'B3 Ada']);
  });

  test('what came and went within it is never shown', async () => {
    const { sandbox, time } = await lagging();
    await fill(sandbox, 1);
    time.nowMs += 1000;
    await call(sandbox, 'DELETE', `/api/registration/${sandbox.registrations()[0]?.id}`);
    for (const atMs of [0, 4000, 1000]) {
      time.nowMs += atMs;
      const seen = await shown(sandbox);
      // Created five seconds ago, deleted four: that is what lists show in between.
      expect(seen).toEqual(atMs === 4000 ? [1, 'B1 Ada'] : [0]);
    }
  });

  test('holds for lists alone, page by page and in any order', async () => {
    const { sandbox, time } = await lagging('newest');
    await fill(sandbox, 3);
    expect((await post(sandbox, { barcode: 'B4', parent_barcode: 'B1' })).status).toBe(201);
    expect((await post(sandbox, { barcode: 'B4' })).status).toBe(200);
    time.nowMs += 5000;
    expect(barcodes(await list(sandbox, '?per_page=2&page=1'))).toEqual(['B4', 'B3']);
    expect(barcodes(await list(sandbox, '?per_page=2&page=2'))).toEqual(['B2', 'B1']);
  });

  test('remembers no more than it needs', () => {
    const changes = new RecentChanges<{ seq: number; name: string }>();
    const before = { seq: 1, name: 'old' };
    changes.note({ atMs: 0, seq: 1, before }, 100);
    changes.note({ atMs: 99, seq: 2, before: undefined }, 100);
    const rows = [
      { seq: 1, name: 'new' },
      { seq: 2, name: 'new' },
    ];
    expect(changes.rewind(rows, -1)).toEqual([before]);
    changes.note({ atMs: 100, seq: 3, before: undefined }, 100);
    expect(changes.rewind(rows, -1)).toEqual([{ seq: 1, name: 'new' }]);
  });
});
