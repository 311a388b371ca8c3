import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/errors.ts';
import type { Switches } from '../../../src/sandbox/store/switches.ts';
import { barcodes, type Bench, pushBench } from '../push-bench.ts';

const list = (guests: readonly string[], columns: string, cells: string): string =>
  [`persona,barcode,First name,${columns}`, ...guests.map((one) => `visitor,${one},Ada,${cells}`), ''].join(
    '\n',
  );

/** A service that holds guests with a company and remarks, a day ago. */
async function held(count: number, switches: Partial<Switches> = {}): Promise<Bench> {
  const bench = await pushBench(switches);
  await bench.push([bench.write('all.csv', list(barcodes(count), 'Company,Remarks', 'Acme,vegan'))]);
  await bench.clock.advance(86_400_000);
  return bench;
}

const change = async (bench: Bench, count: number): ReturnType<Bench['push']> =>
  await bench.push([bench.write('some.csv', list(barcodes(count), 'Company', 'Nova')), '--concurrency', '1']);

const remarks = (bench: Bench): unknown[] => bench.kept().map(({ fields }) => fields['remarks']);

/** From now on the service refuses updates, with a message, where they send remarks. */
function refuseRemarks(bench: Bench, message: string): void {
  bench.service.fault = ({ method, body }) =>
    method === 'POST' && body.includes('remarks')
      ? {
          answer: {
            status: 422,
            body: JSON.stringify({ message }),
            headers: { 'content-type': 'application/json' },
          },
        }
      : undefined;
}

describe('an update that the service refuses for what it carries', () => {
  test('goes once without what is named, and so do the others where that stays', async () => {
    const bench = await held(4);
    const before = bench.posts().length;
    refuseRemarks(bench, 'remarks: is read only');
    const ended = await change(bench, 4);
    expect([ended.code, ended.summary.updated, bench.posts().length - before]).toEqual([EXIT.done, 4, 4]);
    expect(remarks(bench)).toEqual(Array(4).fill('vegan'));
  });

  test('stops its kind where what is named goes without it', async () => {
    const bench = await held(4, { fieldsOnUpdate: 'replace' });
    refuseRemarks(bench, 'remarks: is read only');
    const ended = await change(bench, 4);
    expect([ended.code, ended.summary.postponed]).toEqual([EXIT.rejected, 3]);
    expect(remarks(bench).filter((one) => one === 'vegan')).toHaveLength(3);
  });

  test('holds its kind back with the words of the service where nothing is named', async () => {
    const bench = await held(6);
    refuseRemarks(bench, 'Closed.');
    const ended = await change(bench, 6);
    expect(ended.summary).toMatchObject({ failed: 3, postponed: 3 });
    expect(ended.err).toContain('the first 3 were all refused: Closed.');
    expect(remarks(bench)).toEqual(Array(6).fill('vegan'));
  });
});

test('what goes wrong after the first is seen after ten more', async () => {
  const bench = await held(40);
  const first = bench.posts().length;
  bench.service.fault = () => {
    for (const body of bench.posts().slice(first + 1)) {
      const { barcode } = JSON.parse(body.body ?? '{}') as { barcode: string };
      const there = bench.kept().find((one) => one.barcode === barcode);
      if (there !== undefined) bench.sandbox.put({ ...there, fields: { ...there.fields, remarks: 'none' } });
    }
    return undefined;
  };
  const ended = await change(bench, 40);
  expect([ended.code, ended.summary.postponed, bench.posts().length - first]).toEqual([
    EXIT.rejected,
    29,
    11,
  ]);
});
