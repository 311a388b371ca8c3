import { describe, expect, test } from 'vitest';
import { fieldsOf } from '../../../src/registration/changes/field-change.ts';
import type { RecordImage, RegistrationRecord } from '../../../src/registration/model/registration.ts';
import { type PlanEntry, planEntries } from '../../../src/sync/plan/plan-entries.ts';
import { type PlanBench, planBench, type RowSketch, toPlan } from '../plan-bench.ts';

const named = (barcode: string, first_name: string, more: RowSketch = {}): RowSketch => ({
  barcode,
  ...more,
  fields: { first_name, company: 'Acme' },
});

const record = (image: RecordImage): RegistrationRecord => ({
  id: undefined,
  persona: undefined,
  barcode: undefined,
  parentBarcode: undefined,
  enableComms: undefined,
  fields: undefined,
  ...image,
});

const entries = (bench: PlanBench, run: string, all = false): PlanEntry[] => bench.entries(run, all);

describe('a plan read back', () => {
  test('tells what becomes of each row, and what would change', async () => {
    const bench = await planBench();
    for (const row of [named('A', 'Ada'), named('B', 'Old'), named('P', 'Pat')]) await bench.post(row);
    const run = bench.claim([
      named('A', 'Ada'),
      named('B', 'Bo'),
      named('C', 'Cy', { parent: 'P', comms: true }),
      { fields: { first_name: 'Di', company: '' } },
    ]);
    await bench.plan(run);
    const id = (barcode: string) => bench.sandbox.registrations().find((one) => one.barcode === barcode)?.id;
    const visitor = { persona: 'visitor', why: undefined };
    expect(entries(bench, run)).toEqual([
      {
        ...visitor,
        place: { file: 'people.csv', line: 3 },
        key: 'b:B',
        action: 'update',
        barcode: 'B',
        id: id('B'),
        state: 'pending',
        changes: [{ field: 'first_name', before: 'Old', after: 'Bo' }],
      },
      {
        ...visitor,
        place: { file: 'people.csv', line: 4 },
        key: 'b:C',
        action: 'create',
        barcode: 'C',
        id: undefined,
        state: 'pending',
        changes: [
          { field: 'persona', before: undefined, after: 'visitor' },
          { field: 'parent_barcode', before: undefined, after: 'P' },
          { field: 'enable_comms', before: undefined, after: 'true' },
          { field: 'first_name', before: undefined, after: 'Cy' },
          { field: 'company', before: undefined, after: 'Acme' },
        ],
      },
      {
        ...visitor,
        place: { file: 'people.csv', line: 5 },
        key: expect.stringMatching(/^h:.+:1$/),
        action: 'create',
        barcode: undefined,
        id: undefined,
        state: 'pending',
        changes: [
          { field: 'persona', before: undefined, after: 'visitor' },
          { field: 'first_name', before: undefined, after: 'Di' },
        ],
      },
    ]);
    const [first, ...others] = entries(bench, run, true);
    expect(first).toMatchObject({
      action: 'unchanged',
      state: 'unchanged',
      changes: [],
      id: id('A'),
    });
    expect(others).toEqual(entries(bench, run));
  });

  test('tells conflicts with their reason, and with the changes that were not made', async () => {
    const bench = await planBench();
    const rows = [named('A', 'Ada'), named('B', 'Bo')];
    await bench.push(rows);
    await bench.post({ barcode: 'A', fields: { first_name: 'Edited' } });
    await bench.client.registrations.remove(bench.sandbox.registrations()[1]?.id ?? '');
    const run = bench.claim(rows);
    await bench.plan(run);
    expect(entries(bench, run)).toMatchObject([
      {
        action: 'conflict',
        changes: [{ field: 'first_name', before: 'Edited', after: 'Ada', left: 'conflict' }],
        why: expect.stringContaining('only you can tell which are right'),
      },
      { action: 'conflict', changes: [], why: expect.stringContaining('deleted in the service') },
    ]);
  });

  test('tells what is kept beside what is sent', async () => {
    const bench = await planBench();
    const [row] = [named('A', 'Ada')];
    await bench.push([row]);
    await bench.plan(bench.claim([row]));
    await bench.post({ barcode: 'A', fields: { first_name: 'Edited' } });
    const run = bench.claim([{ barcode: 'A', fields: { first_name: 'Ada', company: 'New' } }]);
    await bench.plan(run);
    expect(entries(bench, run)).toMatchObject([
      {
        action: 'update',
        changes: [
          { field: 'company', before: 'Acme', after: 'New' },
          { field: 'first_name', before: 'Edited', after: 'Ada', left: 'kept' },
        ],
      },
    ]);
  });

  test('tells what could not be compared', async () => {
    const bench = await planBench({ recordShape: 'no-fields' });
    await bench.post(named('A', 'Ada'));
    const run = bench.claim([named('A', 'Ada')]);
    await bench.plan(run);
    expect(entries(bench, run)).toMatchObject([
      { action: 'unknown', state: 'pending', changes: [], why: undefined },
    ]);
  });

  test('ends with what is deleted, by id', async () => {
    const { journal, target, event } = await planBench();
    const going = [
      record({ id: 'reg-9', barcode: 'Z', persona: 'visitor', fields: { first_name: 'Zoe', company: '' } }),
    ];
    const context = { journal, target, fields: fieldsOf(event) };
    const shown = { rows: toPlan([]), planned: [], going };
    expect([...planEntries(context, shown, { all: false })]).toEqual([
      {
        place: undefined,
        key: 'd:reg-9',
        action: 'delete',
        barcode: 'Z',
        id: 'reg-9',
        persona: 'visitor',
        state: 'pending',
        changes: [{ field: 'first_name', before: 'Zoe', after: undefined }],
        why: undefined,
      },
    ]);
  });
});
