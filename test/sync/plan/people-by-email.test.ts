import { describe, expect, test } from 'vitest';
import { readRecord } from '../../../src/service/contracts/read-records.ts';
import { type PlanBench, planBench, type RowSketch } from '../plan-bench.ts';

const guest = (name: string, email: string, more: Partial<RowSketch> = {}): RowSketch => ({
  ...more,
  fields: { first_name: name, email, ...more.fields },
});
const EMAIL = { match: 'email' } as const;

const kept = (bench: PlanBench) =>
  bench.sandbox.registrations().map(({ barcode, fields }) => [barcode, fields['first_name']]);
const idOf = (bench: PlanBench, index: number): string => bench.sandbox.registrations()[index]?.id ?? '';

describe('a row without a barcode', () => {
  test('finds its registration by the e-mail, and updates it under its barcode', async () => {
    const bench = await planBench();
    await bench.post(guest('Ada', 'Ada@Example.com', { barcode: 'A' }));
    await bench.post(guest('Bo', 'bo@example.com'));
    const run = await bench.push([guest('Eda', 'ada@example.com'), guest('Bob', 'BO@example.com')], EMAIL);
    expect(bench.fates(run)).toEqual(['done update', 'done update']);
    const [, bo] = bench.sandbox.registrations();
    expect(kept(bench)).toEqual([
      ['A', 'Eda'],
      [bo?.barcode, 'Bob'],
    ]);
    expect(bench.rows(run)).toMatchObject([{ barcode: 'A' }, { barcode: bo?.barcode }]);
  });

  test('that has nothing new is not sent, and one that is not there is created', async () => {
    const bench = await planBench();
    await bench.post(guest('Ada', 'ada@example.com'));
    bench.asked();
    const run = await bench.push([guest('Ada', 'ada@example.com'), guest('Bo', 'bo@example.com')], EMAIL);
    expect(bench.fates(run)).toEqual(['unchanged unchanged', 'done create']);
    expect(bench.asked().filter(({ method }) => method === 'POST')).toHaveLength(1);
    expect(bench.rows(run)[0]?.barcode).toBeUndefined();
  });

  test('is not moved from another persona by its e-mail, nor registered in this one unasked', async () => {
    const bench = await planBench();
    await bench.post(guest('Ada', 'ada@example.com', { persona: 'speaker' }));
    const run = bench.claim([guest('Ada', 'ada@example.com')]);
    await bench.plan(run, EMAIL);
    expect(bench.rows(run)[0]).toMatchObject({
      state: 'conflict',
      message: expect.stringContaining(
        'has its e-mail as speaker, and no row of the files stands for it: --match none',
      ),
    });
    const told = bench.claim([guest('Ada', 'ada@example.com')]);
    await bench.plan(told, { match: 'none' });
    expect(bench.fates(told)).toEqual(['pending create']);
  });

  test('without an e-mail cannot be found', async () => {
    const bench = await planBench();
    const run = bench.claim([
      { fields: { first_name: 'Ada' } },
      guest('Bo', ''),
      { barcode: 'C' },
      guest('Di', 'di@example.com', { persona: 'nobody' }),
    ]);
    await bench.plan(run, EMAIL);
    expect(bench.rows(run)).toMatchObject([
      { state: 'conflict', message: expect.stringContaining('it has neither barcode nor e-mail') },
      { state: 'conflict', message: expect.stringContaining('it has neither barcode nor e-mail') },
      { state: 'pending', plan: 'create' },
      { state: 'conflict', message: expect.stringContaining('it has neither barcode nor e-mail') },
    ]);
  });

  test('that fits several registrations is left to people, with their ids', async () => {
    const bench = await planBench();
    for (const name of ['Ada', 'Bo', 'Cy']) await bench.post(guest(name, 'team@example.com'));
    const run = bench.claim([guest('Di', 'team@example.com')]);
    await bench.plan(run, { ...EMAIL, winner: 'file' });
    const message = bench.rows(run)[0]?.message;
    for (const at of [0, 1, 2]) expect(message).toContain(idOf(bench, at));
    expect(message).toMatch(/have its e-mail, .*give its barcode to change it$/);
    expect(bench.fates(run)).toEqual(['conflict conflict']);
  });

  test('with the e-mail of another row is somebody else, as in a family', async () => {
    const bench = await planBench();
    const twin = (name: string, persona = 'visitor') => guest(name, 'Team@example.com', { persona });
    const run = bench.claim([twin('Ada'), twin('Bo'), twin('Cy', 'speaker'), guest('Di', 'di@example.com')]);
    await bench.plan(run, EMAIL);
    expect(bench.fates(run)).toEqual(Array.from({ length: 4 }, () => 'pending create'));
  });

  test('of any persona, where the service does not show personas', async () => {
    const bench = await planBench();
    await bench.post(guest('Ada', 'team@example.com'));
    const run = bench.claim([
      guest('Bo', 'team@example.com'),
      guest('Cy', 'team@example.com', { persona: 'speaker' }),
    ]);
    const context = bench.context(run);
    const service = context.registrations;
    const readAll: typeof service.readAll = (filter, onPage) =>
      service.readAll(filter, (page) => {
        const records = page.records.map(({ raw: { persona: _persona, ...raw } }) => readRecord(raw));
        onPage({ ...page, records });
      });
    const registrations = { ...service, readAll };
    await bench.plan(run, EMAIL, { registrations });
    expect(bench.fates(run)).toEqual(['conflict conflict', 'conflict conflict']);
  });

  test('does not take over a registration that another row stands for by its barcode', async () => {
    const bench = await planBench();
    await bench.post(guest('Ada', 'team@example.com', { barcode: 'A' }));
    const run = bench.claim([
      guest('Bo', 'team@example.com'),
      guest('Ada', 'team@example.com', { barcode: 'A' }),
    ]);
    await bench.plan(run, EMAIL);
    expect(bench.rows(run)).toMatchObject([{ state: 'pending', plan: 'create' }, { state: 'unchanged' }]);
  });

  test('cannot update a registration that shows no barcode', async () => {
    const bench = await planBench({ recordBarcode: 'hidden' });
    await bench.post(guest('Ada', 'ada@example.com'));
    await bench.post(guest('Bo', 'bo@example.com'));
    const run = bench.claim([guest('Eda', 'ada@example.com'), guest('Bo', 'bo@example.com')]);
    await bench.plan(run, EMAIL);
    expect(bench.rows(run)).toMatchObject([
      {
        state: 'conflict',
        message: 'its registration shows no barcode, without which it cannot be updated',
        before: { id: idOf(bench, 0) },
      },
      { state: 'unchanged' },
    ]);
  });
});

describe('a service that does not show enough', () => {
  test('to be sure that nobody is doubled, creates no one', async () => {
    const bench = await planBench({ recordShape: 'no-fields' });
    const known = guest('Ada', 'ada@example.com');
    await bench.push([known]);
    const run = bench.claim([known, guest('Bo', 'bo@example.com')]);
    await bench.plan(run, EMAIL);
    expect(bench.rows(run)).toMatchObject([
      { state: 'unchanged' },
      {
        state: 'conflict',
        message: 'the service lists no e-mail addresses, so it cannot be told whether it is there',
      },
    ]);
  });

  test('because its list never stands still, creates no one who is not in it', async () => {
    const bench = await planBench();
    await bench.post(guest('Ada', 'ada@example.com'));
    const run = bench.claim([guest('Eda', 'ada@example.com'), guest('Bo', 'bo@example.com')]);
    const context = bench.context(run);
    const service = context.registrations;
    const readAll: typeof service.readAll = async (...wish) => ({
      ...(await service.readAll(...wish)),
      moved: true,
    });
    const registrations = { ...service, readAll };
    await bench.plan(run, EMAIL, { registrations });
    expect(bench.rows(run)).toMatchObject([
      { state: 'pending', plan: 'update' },
      {
        state: 'conflict',
        message: 'the list of registrations changed while it was read, so it may be in it already',
      },
    ]);
  });

  test('because it lists late, is believed about what it took a moment ago', async () => {
    const bench = await planBench({ readLagMs: 20_000 }, { settleMs: 60_000 });
    await bench.post(guest('Ada', 'ada@example.com'));
    await bench.clock.advance(30_000);
    const bo = guest('Bo', 'bo@example.com');
    await bench.push([bo], EMAIL);
    const run = bench.claim([bo, guest('Cy', 'cy@example.com')]);
    await bench.plan(run, EMAIL);
    expect(bench.fates(run)).toEqual(['unchanged unchanged', 'pending create']);
  });
});

describe('a second push by e-mail', () => {
  const ADA = guest('Ada', 'ada@example.com', { fields: { company: 'Acme' } });
  const EDITED = { first_name: 'Ada', email: 'ada@example.com', company: 'Edited' };

  test('sends nothing', async () => {
    const bench = await planBench({ storedAs: 'tidied' });
    await bench.push([ADA], EMAIL);
    bench.asked();
    const again = await bench.push([ADA, guest('Bo', 'bo@example.com')], EMAIL);
    expect(bench.fates(again)).toEqual(['unchanged unchanged', 'done create']);
    expect(bench.asked().filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  test('does not overwrite what was edited in the service, whether the file changed too or not', async () => {
    const bench = await planBench();
    await bench.push([ADA], EMAIL);
    await bench.post({ barcode: bench.sandbox.registrations()[0]?.barcode ?? '', fields: EDITED });
    const same = bench.claim([ADA, guest('Bo', 'bo@example.com')]);
    await bench.plan(same, EMAIL);
    const message = expect.stringContaining('only you can tell which are right: company;');
    expect(bench.rows(same)[0]).toMatchObject({ state: 'conflict', message });
    const changed = bench.claim([guest('Eda', 'ada@example.com', { fields: { company: 'Acme' } })]);
    await bench.plan(changed, EMAIL);
    expect(bench.rows(changed)[0]).toMatchObject({ state: 'pending', message });
  });

  test('finds a registration whose e-mail was edited in the service by its id', async () => {
    const bench = await planBench();
    await bench.push([ADA], EMAIL);
    const { barcode = '' } = bench.sandbox.registrations()[0] ?? {};
    await bench.post({ barcode, fields: { email: 'other@example.com' } });
    const run = bench.claim([ADA, guest('Bo', 'bo@example.com')]);
    await bench.plan(run, EMAIL);
    expect(bench.rows(run)[0]?.message).toContain('only you can tell which are right: email;');
  });

  test('leaves alone who has got the e-mail of a registration since', async () => {
    const bench = await planBench();
    await bench.push([ADA], EMAIL);
    const { barcode = '' } = bench.sandbox.registrations()[0] ?? {};
    await bench.post({ barcode, fields: { email: 'other@example.com' } });
    await bench.post(guest('Bo', 'ada@example.com'));
    const run = bench.claim([ADA, guest('Cy', 'cy@example.com')]);
    await bench.plan(run, { ...EMAIL, winner: 'file' });
    expect(bench.rows(run)[0]).toMatchObject({ plan: 'update', barcode, before: { id: idOf(bench, 0) } });
  });

  test('knows its own registration among several with the e-mail', async () => {
    const bench = await planBench();
    await bench.push([ADA], EMAIL);
    await bench.post(guest('Twin', 'ada@example.com'));
    const run = bench.claim([ADA, guest('Bo', 'bo@example.com')]);
    await bench.plan(run, EMAIL);
    expect(bench.fates(run)).toEqual(['unchanged unchanged', 'pending create']);
  });

  test('says what was deleted in the service', async () => {
    const bench = await planBench();
    await bench.push([ADA], EMAIL);
    await bench.client.registrations.remove(idOf(bench, 0));
    await bench.post(guest('Di', 'di@example.com'));
    const run = bench.claim([ADA, guest('Bo', 'bo@example.com')]);
    await bench.plan(run, EMAIL);
    expect(bench.rows(run)[0]?.message).toContain('it was deleted there, or given another name');
  });
});

test('the plan shows which barcode a row takes over', async () => {
  const bench = await planBench();
  await bench.post(guest('Ada', 'ada@example.com', { barcode: 'A' }));
  const run = bench.claim([guest('Eda', 'ada@example.com')]);
  await bench.plan(run, EMAIL);
  expect(bench.entries(run)).toMatchObject([
    { action: 'update', barcode: 'A', id: idOf(bench, 0), changes: [{ field: 'first_name', after: 'Eda' }] },
  ]);
});
