import { describe, expect, test } from 'vitest';
import { ListedRecords } from '../../../src/sync/snapshot/listed-records.ts';
import { readListed } from '../../../src/sync/snapshot/read-listed.ts';
import { fieldsOf } from '../../../src/registration/changes/field-change.ts';
import type { RawRecord, RegistrationRecord } from '../../../src/registration/model/registration.ts';
import { readRecord } from '../../../src/service/contracts/read-records.ts';
import { BarcodesHiddenError } from '../../../src/service/list/find-by-barcode.ts';
import type { RegistrationsClient } from '../../../src/service/client.ts';
import type { WholePage } from '../../../src/service/list/read-all-registrations.ts';
import { event, field, persona } from '../../registration/persona-fixture.ts';
import { type PlanBench, planBench } from '../plan-bench.ts';

const EVENT = event(
  persona('visitor', [field('name', 'name'), field('mail', 'email'), field('second', 'email')]),
  persona('speaker', [field('contact', 'email')]),
);
const PERSONAS = EVENT.personas.map(({ slug }) => slug);
const listedRecords = () => new ListedRecords(fieldsOf(EVENT), PERSONAS);

const sketch = (id: string, persona: string | undefined, fields: Record<string, unknown>): RawRecord =>
  readRecord({ id, barcode: `B-${id}`, ...(persona === undefined ? {} : { persona }), fields, extra: id });

const ids = (records: Iterable<RegistrationRecord>) => [...records].map(({ id }) => id);

const withoutRaw = ({ raw: _raw, ...record }: RawRecord): RegistrationRecord => record;

describe('records that are held', () => {
  test('are found by barcode and by id, as they were listed', () => {
    const listed = listedRecords();
    const one = sketch('1', 'visitor', { name: 'Ada' });
    const twin = readRecord({ id: '2', barcode: 'B-1', fields: { name: 'Bo' } });
    listed.add([one, twin, readRecord({ fields: {} })]);
    expect(listed.count).toBe(3);
    expect(listed.byBarcode('B-1')).toEqual([one, twin].map(withoutRaw));
    expect(listed.byBarcode('b-1')).toEqual([]);
    expect(listed.byId('2')).toEqual([withoutRaw(twin)]);
    expect(listed.byId('undefined')).toEqual([]);
  });

  test('are found by the first e-mail field of their persona', () => {
    const listed = listedRecords();
    listed.add([
      sketch('1', 'visitor', { mail: 'Ada@Example.com', second: 'x@example.com' }),
      sketch('2', 'visitor', { second: 'ada@example.com' }),
      sketch('3', 'speaker', { contact: 'ada@example.com', mail: 'x@example.com' }),
      sketch('4', 'visitor', { mail: '' }),
    ]);
    expect(ids(listed.byEmail('visitor', 'ada@example.com'))).toEqual(['1']);
    expect(ids(listed.byEmail('speaker', 'ada@example.com'))).toEqual(['3']);
    expect(ids(listed.byEmail('visitor', ''))).toEqual([]);
  });

  test('of no persona, or of one that the event does not have, may be of any', () => {
    const listed = listedRecords();
    listed.add([
      sketch('1', undefined, { contact: 'ada@example.com' }),
      sketch('2', 'The visitor', { mail: 'ada@example.com' }),
      sketch('3', undefined, { toString: 'ada@example.com' }),
    ]);
    expect(ids(listed.byEmail('visitor', 'ada@example.com'))).toEqual(['1', '2']);
    expect(ids(listed.byEmail('speaker', 'ada@example.com'))).toEqual(['1', '2']);
  });

  test('are walked in the order of the list, while more come', () => {
    const listed = listedRecords();
    listed.add(Array.from({ length: 1201 }, (_, at) => sketch(String(at), 'visitor', {})));
    expect(ids(listed.all())).toEqual(Array.from({ length: 1201 }, (_, at) => String(at)));
    let walked = 0;
    for (const { id } of listed.all()) {
      if (walked < 5) listed.add([sketch(`more-${id}`, 'visitor', {})]);
      walked += 1;
    }
    expect(walked).toBe(1206);
  });

  test('are kept apart by reading, and forgotten by reading', () => {
    const [one, other] = [listedRecords(), listedRecords()];
    one.add([sketch('1', 'visitor', {})]);
    other.add([sketch('2', 'visitor', {})]);
    expect([ids(one.all()), ids(other.all())]).toEqual([['1'], ['2']]);
    one.clear();
    expect([one.count, other.count]).toEqual([0, 1]);
    expect([ids(one.all()), ids(other.all())]).toEqual([[], ['2']]);
    expect(one.byBarcode('B-1')).toEqual([]);
  });
});

describe('reading what the service holds', () => {
  const page = (records: RawRecord[], more: Partial<WholePage> = {}): WholePage => ({
    records,
    total: undefined,
    restart: false,
    unverified: 0,
    ...more,
  });

  /** Reads through a client of which parts are replaced. */
  async function readThrough(
    parts: Partial<RegistrationsClient>,
    barcodes: readonly string[],
    whole = false,
  ): Promise<{ bench: PlanBench; read: ReturnType<typeof readListed> }> {
    const bench = await planBench();
    const context = bench.context(bench.claim([{ barcode: 'A' }]));
    const registrations = { ...bench.client.registrations, ...parts };
    const wish = { barcodes, whole };
    return { bench, read: readListed({ ...context, registrations }, wish) };
  }

  const records = ['1', '2', '3'].map((id) => sketch(id, 'visitor', {}));

  test('starts over when the list moved, and says so when it never stood still', async () => {
    const [one, two, three] = records as [RawRecord, RawRecord, RawRecord];
    const asked: string[][] = [];
    const { read } = await readThrough(
      {
        readAll: (_, onPage) => {
          onPage(page([one, two], { total: 3 }));
          onPage(page([one], { restart: true, total: 2 }));
          return Promise.resolve({ moved: true, cut: false, pages: 1 });
        },
        findByBarcode: (barcodes) => {
          asked.push([...barcodes]);
          return Promise.resolve(new Map([['B-3', [three]]]));
        },
      },
      ['B-1', 'B-3', 'B-4'],
    );
    const reading = await read;
    // What the list does not show may be there all the same: it is asked for.
    expect(asked).toEqual([['B-3', 'B-4']]);
    expect(ids(reading.listed.all())).toEqual(['1', '3']);
    expect(reading).toMatchObject({ how: 'list', moved: true, total: 2 });
  });

  test('gives up with a hint when neither the list nor the filter can be relied on', async () => {
    const { read } = await readThrough(
      {
        readAll: (_, onPage) => {
          onPage(page(records));
          return Promise.resolve({ moved: true, cut: false, pages: 1 });
        },
        findByBarcode: () => Promise.reject(new BarcodesHiddenError('The list moves.')),
      },
      ['B-4'],
    );
    await expect(read).rejects.toMatchObject({
      message: 'The list moves.',
      hint: expect.stringContaining('when fewer registrations come in'),
    });
  });

  test('looks up in portions, without what the list had shown so far', async () => {
    const many = Array.from({ length: 1100 }, (_, at) => `N-${at}`);
    const portions: number[] = [];
    const { bench, read } = await readThrough(
      {
        readAll: (_, onPage, end) => {
          onPage(page(records, { total: 500_000 }));
          expect(end).toEqual({ pagesMax: 1100 });
          return Promise.resolve({ moved: false, cut: true, pages: 5000 });
        },
        findByBarcode: (barcodes, isLong) => {
          portions.push(barcodes.length);
          expect(isLong).toBe(true);
          return Promise.resolve(new Map(barcodes.map((barcode) => [barcode, []])));
        },
      },
      many,
    );
    const reading = await read;
    expect(portions).toEqual([500, 500, 100]);
    expect(reading).toMatchObject({ how: 'lookup', total: 500_000, moved: false, barcodesShown: true });
    expect(reading.listed.count).toBe(0);
    const progress = bench.told.flatMap((entry) => (entry.type === 'checking' ? [entry.done] : []));
    expect(progress.at(-1)).toBe(1100);
  });

  test('may take as many pages as there are barcodes to look up, or all there are', async () => {
    const ends: unknown[] = [];
    const readAll: RegistrationsClient['readAll'] = (_, onPage, end) => {
      onPage(page(records));
      ends.push(end);
      return Promise.resolve({ moved: false, cut: false, pages: 1 });
    };
    await (await readThrough({ readAll }, ['B-1', 'B-2'])).read;
    await (await readThrough({ readAll }, ['B-1'], true)).read;
    expect(ends).toEqual([{ pagesMax: 2 }, {}]);
  });

  test('tells hidden barcodes, also where a list is looked into only', async () => {
    const bare = [readRecord({ id: '1', fields: {} })];
    const hidden = () => Promise.reject(new BarcodesHiddenError());
    const cut = await readThrough(
      {
        readAll: (_, onPage) => {
          onPage(page(bare));
          return Promise.resolve({ moved: false, cut: true, pages: 1 });
        },
        findByBarcode: hidden,
      },
      ['B-1'],
    );
    expect(await cut.read).toMatchObject({ barcodesShown: false, how: 'lookup' });
    const whole = await readThrough(
      {
        readAll: (_, onPage) => {
          onPage(page(bare));
          return Promise.resolve({ moved: true, cut: false, pages: 1 });
        },
        findByBarcode: hidden,
      },
      ['B-1'],
    );
    expect(await whole.read).toMatchObject({ barcodesShown: false, how: 'list' });
  });

  test.each<[string, Record<string, unknown>[], Record<string, boolean>]>([
    [
      'nothing',
      [],
      { barcodesShown: true, fieldsShown: true, parentsShown: true, personasShown: true, idsShown: true },
    ],
    [
      'some of it',
      [
        { id: '1', persona: 'visitor' },
        { barcode: 'B', fields: { note: '' }, parent_barcode: null },
      ],
      { barcodesShown: true, fieldsShown: true, parentsShown: true, personasShown: false, idsShown: false },
    ],
    [
      'little',
      [{ id: '1', persona: 'visitor' }],
      { barcodesShown: false, fieldsShown: false, parentsShown: false, personasShown: true, idsShown: true },
    ],
    ['a parent', [{ parent: { barcode: 'P' } }], { parentsShown: true }],
  ])('says what records show: %s', async (_, raws, expected) => {
    const { read } = await readThrough(
      {
        readAll: (_, onPage) => {
          onPage(page(raws.map(readRecord)));
          return Promise.resolve({ moved: false, cut: false, pages: 1 });
        },
      },
      ['A'],
    );
    expect(await read).toMatchObject(expected);
  });
});
