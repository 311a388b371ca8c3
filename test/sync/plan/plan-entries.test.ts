import { describe, expect, test } from 'vitest';
import { type PlanEntry, planEntries } from '../../../src/sync/plan/plan-entries.ts';
import { fieldsOf } from '../../../src/registration/changes/field-change.ts';
import { type PlanBench, planBench, type RowSketch } from '../plan-bench.ts';

const named = (barcode: string, first_name: string, more: RowSketch = {}): RowSketch => ({
  barcode,
  ...more,
  fields: { first_name, company: 'Acme' },
});

const entries = (bench: PlanBench, run: string, all = false): PlanEntry[] => [
  ...planEntries(bench.journal, run, fieldsOf(bench.event), { all }),
];

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

  test('tells what is in doubt, and what could not be compared', async () => {
    const bench = await planBench({ recordShape: 'no-fields' });
    await bench.post(named('A', 'Ada'));
    const run = bench.claim([named('A', 'Ada'), named('B', 'Bo')]);
    bench.journal.run(
      `UPDATE row SET state = 'uncertain', message = 'no answer' WHERE run = $run AND seq = 1`,
      {
        $run: run,
      },
    );
    await bench.plan(run);
    expect(entries(bench, run)).toMatchObject([
      { action: 'unknown', state: 'pending', changes: [], why: undefined },
      { action: 'unknown', state: 'uncertain', changes: [], why: 'no answer' },
    ]);
  });

  test('of rows that were not compared says so', async () => {
    const bench = await planBench();
    const run = bench.claim([named('A', 'Ada')]);
    expect(entries(bench, run)).toMatchObject([{ action: 'unknown', state: 'pending', changes: [] }]);
  });

  test('leaves out rejected rows, and tells nothing of a run that is not there', async () => {
    const bench = await planBench();
    const run = bench.claim([named('A', 'Ada'), named('B', 'Bo')]);
    bench.journal.run(`UPDATE row SET state = 'rejected' WHERE run = $run AND seq = 0`, { $run: run });
    expect(entries(bench, run).map(({ key }) => key)).toEqual(['b:B']);
    expect(entries(bench, 'no-such-run', true)).toEqual([]);
  });

  test('shows what is sent no more as unchanged', async () => {
    const bench = await planBench();
    const run = await bench.push([named('A', 'Ada'), named('B', 'Bo')]);
    expect(entries(bench, run)).toEqual([]);
    expect(entries(bench, run, true).map(({ action }) => action)).toEqual(['unchanged', 'unchanged']);
  });

  test('ends with what is deleted, by id', async () => {
    const bench = await planBench();
    const run = bench.claim([named('A', 'Ada')]);
    const before = {
      id: 'reg-9',
      barcode: 'Z',
      persona: 'visitor',
      fields: { first_name: 'Zoe', company: '' },
    };
    bench.journal.run(
      `INSERT INTO row (run, seq, file, line, op, state, persona, barcode, remote_id, plan, before)
       VALUES ($run, 7, '', 0, 'delete', 'pending', 'visitor', 'Z', 'reg-9', 'delete', $before)`,
      { $run: run, $before: JSON.stringify(before) },
    );
    expect(entries(bench, run)[1]).toEqual({
      place: undefined,
      key: 'd:reg-9',
      action: 'delete',
      barcode: 'Z',
      id: 'reg-9',
      persona: 'visitor',
      state: 'pending',
      changes: [{ field: 'first_name', before: 'Zoe', after: undefined }],
      why: undefined,
    });
  });

  test('may be walked while the journal is written, and over many pages', async () => {
    const bench = await planBench();
    const run = bench.claim(Array.from({ length: 1203 }, (_, index) => named(`B${index}`, 'Ada')));
    let seen = 0;
    for (const { barcode } of planEntries(bench.journal, run, fieldsOf(bench.event), { all: true })) {
      bench.journal.run('UPDATE row SET message = NULL WHERE run = $run AND seq = $seq', {
        $run: run,
        $seq: seen,
      });
      expect(barcode).toBe(`B${seen}`);
      seen += 1;
    }
    expect(seen).toBe(1203);
  });
});
