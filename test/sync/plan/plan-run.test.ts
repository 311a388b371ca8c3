import { describe, expect, test } from 'vitest';
import { barcodes } from '../push-bench.ts';
import { type PlanBench, planBench, type RowSketch } from '../plan-bench.ts';

const ADA = { first_name: 'Ada', last_name: 'Lee', email: 'ada@example.com', company: 'Acme' };

/** Rows with barcodes and the same values. */
const people = (...codes: string[]): RowSketch[] => codes.map((barcode) => ({ barcode, fields: ADA }));

const posts = (bench: PlanBench): number => bench.asked().filter(({ method }) => method === 'POST').length;
const gets = (bench: PlanBench): number => bench.asked().filter(({ method }) => method === 'GET').length;
const warnings = (bench: PlanBench): string[] =>
  bench.told.flatMap((entry) => (entry.type === 'warning' ? [entry.text] : []));

describe('a first push', () => {
  test('creates what the service does not list', async () => {
    const bench = await planBench();
    const run = bench.claim(people('A', 'B'));
    const { counts, reading } = await bench.plan(run);
    expect(bench.fates(run)).toEqual(['pending create', 'pending create']);
    expect(counts).toEqual({ create: 2, update: 0, unchanged: 0, kept: 0, conflict: 0, unknown: 0 });
    expect(reading).toMatchObject({ how: 'list', total: 0, moved: false, barcodesShown: true });
  });

  test('sends only what differs from what the service lists, and keeps how that was', async () => {
    const bench = await planBench();
    await bench.post({ barcode: 'A', fields: ADA });
    await bench.post({ barcode: 'B', fields: { ...ADA, company: 'Old' } });
    const run = bench.claim(people('A', 'B', 'C'));
    const { counts } = await bench.plan(run);
    expect(bench.fates(run)).toEqual(['unchanged unchanged', 'pending update', 'pending create']);
    expect(counts).toMatchObject({ create: 1, update: 1, unchanged: 1 });
    const [, updated, created] = bench.rows(run);
    expect(updated?.before).toMatchObject({ barcode: 'B', persona: 'visitor', fields: { company: 'Old' } });
    expect(created?.before).toBeUndefined();
    await bench.send(run);
    expect(bench.fates(run)).toEqual(['unchanged unchanged', 'done update', 'done create']);
    expect(bench.sandbox.registrations().map(({ barcode, fields }) => [barcode, fields['company']])).toEqual([
      ['A', 'Acme'],
      ['B', 'Acme'],
      ['C', 'Acme'],
    ]);
  });

  test('does not update for a spelling of its own', async () => {
    const bench = await planBench();
    await bench.post({
      barcode: 'A',
      fields: { ...ADA, email: 'ADA@example.com', phone: '+34 600 111 222', country: 'ESP' },
    });
    const run = bench.claim([
      { barcode: 'A', fields: { ...ADA, phone: '0034600111222', country: 'es', first_name: ' Ada ' } },
    ]);
    await bench.plan(run);
    expect(bench.fates(run)).toEqual(['unchanged unchanged']);
  });

  test('leaves registrations with one barcode to people, and names them all', async () => {
    const bench = await planBench({ upsert: 'double' });
    await bench.post({ barcode: 'A' });
    await bench.post({ barcode: 'A' });
    const run = bench.claim(people('A'));
    await bench.plan(run, { winner: 'file' });
    const ids = bench.sandbox.registrations().map(({ id }) => id);
    expect(bench.rows(run)).toMatchObject([
      {
        state: 'conflict',
        plan: 'conflict',
        message: `2 registrations in the service have this barcode: ${ids.join(', ')}`,
      },
    ]);
  });

  test('asks for messages to people only where the service does not send them yet', async () => {
    const bench = await planBench();
    await bench.post({ barcode: 'A', fields: ADA, comms: true });
    await bench.post({ barcode: 'B', fields: ADA });
    const run = bench.claim([
      { barcode: 'A', fields: ADA, comms: true },
      { barcode: 'B', fields: ADA, comms: true },
      { barcode: 'A2', fields: ADA },
    ]);
    await bench.plan(run);
    expect(bench.fates(run)).toEqual(['unchanged unchanged', 'pending update', 'pending create']);
  });

  test('makes a guest a member, and leaves members that the file does not mention where they are', async () => {
    const bench = await planBench();
    for (const row of [{ barcode: 'P' }, { barcode: 'A', parent: 'P' }, { barcode: 'B' }])
      await bench.post(row);
    const run = bench.claim([{ barcode: 'P' }, { barcode: 'A' }, { barcode: 'B', parent: 'P' }]);
    await bench.plan(run);
    expect(bench.fates(run)).toEqual(['unchanged unchanged', 'unchanged unchanged', 'pending update']);
  });
});

describe('a second push of the same rows', () => {
  test.each(['as-sent', 'tidied'] as const)(
    'sends nothing to a service that keeps values %s',
    async (storedAs) => {
      const bench = await planBench({ storedAs });
      const rows = [
        { barcode: 'A', fields: { ...ADA, email: 'Ada@Example.COM', phone: '0034 600 111 222' } },
        { barcode: 'B', fields: { ...ADA, first_name: 'Bo  Lee', country: 'esp', phone: '34600111222' } },
        {
          barcode: 'C',
          fields: { ...ADA, dietary_needs: ['Vegan', 'Halal'], birth_date: '2001-02-03', guests: '05' },
        },
      ];
      await bench.push(rows);
      bench.asked();
      const again = await bench.push(rows);
      expect(bench.fates(again)).toEqual([
        'unchanged unchanged',
        'unchanged unchanged',
        'unchanged unchanged',
      ]);
      expect(posts(bench)).toBe(0);
    },
  );

  test('sends the one that was edited in the file', async () => {
    const bench = await planBench();
    await bench.push(people('A', 'B'));
    bench.asked();
    const run = await bench.push([...people('A'), { barcode: 'B', fields: { ...ADA, company: 'New' } }]);
    expect(bench.fates(run)).toEqual(['unchanged unchanged', 'done update']);
    expect(posts(bench)).toBe(1);
  });

  test('sends a value that was only respelled in the file, because the service has the old spelling', async () => {
    const bench = await planBench();
    const named = (first_name: string) => [{ barcode: 'A', fields: { ...ADA, first_name } }];
    await bench.push(named('ada  maria'));
    const run = await bench.push(named('ada maria'));
    expect(bench.fates(run)).toEqual(['done update']);
    expect(bench.sandbox.registrations()[0]?.fields['first_name']).toBe('ada maria');
  });

  test('with again sends everything once more', async () => {
    const bench = await planBench();
    await bench.push(people('A'));
    bench.asked();
    const run = await bench.push(people('A'), { again: true });
    expect(bench.fates(run)).toEqual(['done update']);
    expect(bench.rows(run)[0]?.before).toMatchObject({ barcode: 'A', fields: ADA });
    expect(posts(bench)).toBe(1);
  });

  test('comes to the same however often it is planned', async () => {
    const bench = await planBench();
    await bench.post({ barcode: 'B', fields: { ...ADA, company: 'Old' } });
    const run = bench.claim(people('A', 'B', 'C'));
    await bench.plan(run);
    const first = bench.rows(run);
    const { counts } = await bench.plan(run);
    expect(bench.rows(run)).toEqual(first);
    expect(counts).toMatchObject({ create: 2, update: 1 });
  });
});

describe('what was changed in the service', () => {
  const edited = async (rows = people('A', 'B')) => {
    const bench = await planBench();
    await bench.push(rows);
    await bench.post({ barcode: 'A', fields: { company: 'Edited', phone: '+34600000000' } });
    return bench;
  };

  test('is not overwritten, and the fields are named without their values', async () => {
    const bench = await edited();
    const run = bench.claim(people('A', 'B'));
    await bench.plan(run);
    expect(bench.rows(run)).toMatchObject([
      {
        state: 'conflict',
        plan: 'conflict',
        message: expect.stringContaining('only you can tell which are right: company; --overwrite sends'),
        before: { fields: { company: 'Edited' } },
      },
      { state: 'unchanged', plan: 'unchanged', message: undefined },
    ]);
    const step = bench.journal.get<{ detail: string }>(
      `SELECT detail FROM step WHERE run = $run AND seq = 0 AND what = 'planned'`,
      { $run: run },
    );
    expect(step?.detail).toContain('conflict: the service holds other values than the file');
  });

  test('is overwritten when that is asked for', async () => {
    const bench = await edited();
    const run = await bench.push(people('A', 'B'), { winner: 'file' });
    expect(bench.fates(run)).toEqual(['done update', 'unchanged unchanged']);
    expect(bench.sandbox.registrations()[0]?.fields['company']).toBe('Acme');
  });

  test('stays when the file changes something else', async () => {
    const bench = await edited();
    const run = await bench.push([{ barcode: 'A', fields: { ...ADA, last_name: 'Li' } }, ...people('B')]);
    expect(bench.fates(run)[0]).toBe('done update');
    expect(bench.sandbox.registrations()[0]?.fields).toMatchObject({ last_name: 'Li', company: 'Edited' });
  });

  test('is no conflict in a field that the file does not have', async () => {
    const bench = await planBench();
    await bench.push(people('A'));
    await bench.post({ barcode: 'A', fields: { phone: '+34600000000' } });
    const run = await bench.push([{ barcode: 'A', fields: { ...ADA, last_name: 'Li' } }]);
    expect(bench.fates(run)).toEqual(['done update']);
    expect(bench.sandbox.registrations()[0]?.fields).toMatchObject({
      phone: '+34600000000',
      last_name: 'Li',
    });
  });

  test('is no conflict when the file says the same by now', async () => {
    const bench = await edited();
    const run = bench.claim([{ barcode: 'A', fields: { ...ADA, company: 'Edited' } }, ...people('B')]);
    await bench.plan(run);
    expect(bench.fates(run)).toEqual(['unchanged unchanged', 'unchanged unchanged']);
  });

  test('deleted there, it is not created again by surprise', async () => {
    const bench = await planBench();
    await bench.push(people('A', 'B'));
    const [registration] = bench.sandbox.registrations();
    await bench.client.registrations.remove(registration?.id ?? '');
    const run = bench.claim(people('A', 'B'));
    const { counts } = await bench.plan(run);
    expect(bench.rows(run)).toMatchObject([
      {
        state: 'conflict',
        message: expect.stringContaining('it was sent before and has been deleted in the service since'),
      },
      { state: 'unchanged' },
    ]);
    expect(counts).toMatchObject({ conflict: 1, unchanged: 1 });
    const forced = await bench.push(people('A', 'B'), { winner: 'file' });
    expect(bench.fates(forced)).toEqual(['done create', 'unchanged unchanged']);
    expect(bench.sandbox.registrations().map(({ barcode }) => barcode)).toEqual(['B', 'A']);
  });
});

describe('a service that lists late', () => {
  const LATE = { readLagMs: 20_000 };

  test('is believed about what it took a moment ago, as by a push that was interrupted', async () => {
    const bench = await planBench(LATE, { settleMs: 60_000 });
    await bench.post({ barcode: 'B', fields: { ...ADA, company: 'Old' } });
    await bench.clock.advance(30_000);
    const run = await bench.push(people('A', 'B'));
    expect(bench.fates(run)).toEqual(['done create', 'done update']);
    const more = bench.claim(people('A', 'B', 'C'));
    await bench.plan(more);
    expect(bench.fates(more)).toEqual(['unchanged unchanged', 'unchanged unchanged', 'pending create']);
  });

  test('is not, once nothing can be listed late any more, or it has listed it', async () => {
    const bench = await planBench(LATE, { settleMs: 60_000 });
    const run = await bench.push(people('A', 'B'));
    await bench.clock.advance(30_000);
    await bench.plan(run);
    for (const { id } of bench.sandbox.registrations()) await bench.client.registrations.remove(id);
    await bench.clock.advance(20_000);
    await bench.plan(run);
    expect(bench.fates(run)).toEqual(['conflict conflict', 'conflict conflict']);

    const blind = await planBench({}, { settleMs: 60_000 });
    const lost = await blind.push(people('A'));
    await blind.client.registrations.remove(blind.sandbox.registrations()[0]?.id ?? '');
    await blind.post({ barcode: 'Z' });
    await blind.clock.advance(30_000);
    await blind.plan(lost);
    expect(blind.fates(lost)).toEqual(['conflict conflict']);
  });

  test('is waited for as well where the file has changed a row since', async () => {
    const bench = await planBench(LATE, { settleMs: 60_000 });
    await bench.push(people('A', 'B'));
    const run = bench.claim([...people('A'), { barcode: 'B', fields: { ...ADA, company: 'New' } }]);
    await bench.plan(run);
    expect(bench.fates(run)).toEqual(['unchanged unchanged', 'pending update']);
  });

  test('is not about what an audit has seen', async () => {
    const bench = await planBench({}, { settleMs: 60_000 });
    const run = await bench.push(people('A'));
    bench.journal.run('UPDATE operation SET checked_at = 1 WHERE run = $run', { $run: run });
    await bench.client.registrations.remove(bench.sandbox.registrations()[0]?.id ?? '');
    await bench.post({ barcode: 'Z' });
    const more = bench.claim(people('A', 'B'));
    await bench.plan(more);
    expect(bench.fates(more)).toEqual(['conflict conflict', 'pending create']);
  });
});

describe('a service that does not show enough', () => {
  test('without barcodes: what was sent is not sent again, the rest is', async () => {
    const bench = await planBench({ recordBarcode: 'hidden' });
    await bench.push(people('A'));
    const run = bench.claim(people('A', 'B'));
    const { counts } = await bench.plan(run);
    expect(bench.fates(run)).toEqual(['unchanged unchanged', 'pending unknown']);
    expect(counts).toMatchObject({ unchanged: 1, unknown: 1 });
    expect(warnings(bench)).toEqual([expect.stringContaining('does not show the barcodes')]);
  });

  test('without fields: what is there is told apart from what is not', async () => {
    const bench = await planBench({ recordShape: 'no-fields' });
    await bench.push(people('A', 'B'));
    await bench.post({ barcode: 'D' });
    const [registration] = bench.sandbox.registrations();
    await bench.client.registrations.remove(registration?.id ?? '');
    const run = bench.claim(people('A', 'B', 'C', 'D'));
    await bench.plan(run);
    expect(bench.fates(run)).toEqual([
      'conflict conflict',
      'unchanged -',
      'pending create',
      'pending unknown',
    ]);
    expect(bench.rows(run)[3]?.before).toMatchObject({ barcode: 'D' });
  });

  test('rows without a barcode are compared all the same', async () => {
    const bench = await planBench();
    const rows = [{ fields: ADA }, { fields: { ...ADA, first_name: 'Bo' } }];
    const run = await bench.push(rows.slice(0, 1));
    expect(bench.fates(run)).toEqual(['done create']);
    bench.asked();
    const more = bench.claim(rows);
    const { reading, counts } = await bench.plan(more);
    expect(bench.fates(more)).toEqual(['unchanged unchanged', 'pending create']);
    expect(reading).toMatchObject({ how: 'list' });
    expect(counts).toMatchObject({ unchanged: 1, create: 1 });
    expect(gets(bench)).toBe(1);
  });
});

describe('reading', () => {
  const half = (codes: readonly string[]): RowSketch[] =>
    people(...codes.filter((_, index) => index % 2 === 0));

  test.each([
    'array',
    'data-meta',
    'registrations-pagination',
    'items-flat',
    'results-links',
    'laravel',
    'header-total',
    'link-header',
  ] as const)('understands pages of the shape %s', async (pageShape) => {
    const bench = await planBench({ pageShape, perPageCap: 7 });
    const codes = barcodes(24);
    for (const row of half(codes)) await bench.post(row);
    const run = bench.claim(people(...codes));
    const { counts } = await bench.plan(run);
    expect(counts).toMatchObject({ create: 12, unchanged: 12 });
  });

  test.each(['nested', 'flat', 'entries'] as const)(
    'understands records of the shape %s',
    async (recordShape) => {
      const bench = await planBench({ recordShape, barcodeFilter: 'ignored', idKey: 'none' });
      await bench.post({ barcode: 'A', fields: ADA });
      await bench.post({ barcode: 'B', fields: { ...ADA, company: 'Old' } });
      const run = bench.claim(people('A', 'B', 'C'));
      const { counts } = await bench.plan(run);
      expect(counts).toMatchObject({ unchanged: 1, update: 1, create: 1 });
    },
  );

  test('looks a few rows up by their barcodes when the list is long', async () => {
    const bench = await planBench({ perPageCap: 5 });
    for (const row of people(...barcodes(60))) await bench.post(row);
    bench.asked();
    const run = bench.claim(people('B059', 'NEW'));
    const { reading, counts } = await bench.plan(run);
    expect(reading).toMatchObject({ how: 'lookup', total: 60 });
    expect(reading?.listed.count).toBe(1);
    expect(counts).toMatchObject({ unchanged: 1, create: 1 });
    expect(gets(bench)).toBeLessThan(9);
  });

  test('reads the whole list when it is asked for, or costs less', async () => {
    const bench = await planBench({ perPageCap: 5 });
    for (const row of people(...barcodes(18))) await bench.post(row);
    const few = bench.claim(people('B018'));
    expect((await bench.plan(few, { whole: true })).reading).toMatchObject({ how: 'list', total: 18 });
    bench.asked();
    const many = bench.claim(people('B001', 'B002', 'B003', 'B004', 'NEW'));
    const { reading } = await bench.plan(many);
    expect(reading).toMatchObject({ how: 'list', total: 18, idsShown: true, personasShown: true });
    // Four pages, and a look for what is not in them.
    expect(gets(bench)).toBe(5);
  });

  test('of a list that cannot be read leaves everything as it was', async () => {
    const bench = await planBench();
    const run = bench.claim(people('A'));
    await bench.sandbox.close();
    await expect(bench.plan(run)).rejects.toThrow('list registrations');
    expect(bench.fates(run)).toEqual(['pending -']);
  });
});

describe('before anything is sent it is said', () => {
  const old = (barcode: string): RowSketch => ({ barcode, fields: { ...ADA, company: 'Old' } });

  test('how many values differ of which this machine cannot tell who changed them', async () => {
    const bench = await planBench();
    for (const barcode of ['A', 'B', 'C']) await bench.post(old(barcode));
    const { unbased } = await bench.plan(bench.claim([...people('A', 'B'), old('C'), ...people('D')]));
    expect(unbased).toMatch(/^2 values differ in 2 registrations/);
  });

  test('nothing of those that it has sent, whether or not an answer came', async () => {
    const bench = await planBench();
    await bench.push([old('A'), old('B')]);
    bench.journal.run(`UPDATE operation SET listed_no = NULL WHERE barcode = 'B'`);
    const run = bench.claim(people('A', 'B'));
    const { unbased } = await bench.plan(run);
    expect(bench.fates(run)).toEqual(['pending update', 'pending update']);
    expect(unbased).toBeUndefined();
  });

  test.each([
    [{}, ''],
    [{ dietary_needs: ['Vegan'] }, ', which has no dietary_needs: what stands there now is lost'],
  ])('how many registrations move to another persona, and what they lose there: %j', async (fields, lost) => {
    const bench = await planBench();
    await bench.push(people('A', 'B', 'C').map((row) => ({ ...row, fields: { ...row.fields, ...fields } })));
    const moved = people('A', 'B').map((row) => ({ ...row, persona: 'exhibitor' }));
    await bench.plan(bench.claim([...moved, ...people('C')]));
    expect(warnings(bench)).toContain(`2 registrations move from visitor to exhibitor${lost}.`);
  });

  test('nothing of hidden barcodes to rows that have none', async () => {
    const bench = await planBench({ recordBarcode: 'hidden' });
    await bench.post({ fields: ADA });
    await bench.plan(bench.claim([{ fields: { ...ADA, email: 'bo@example.com' } }]), { match: 'email' });
    expect(warnings(bench)).toEqual([]);
  });
});
