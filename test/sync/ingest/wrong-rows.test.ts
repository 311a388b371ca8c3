import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/errors.ts';
import { pushBench, visitors } from '../push-bench.ts';

describe('rows that are wrong together', () => {
  test('asks the service for parents that are not in the file, and takes those that are there', async () => {
    const bench = await pushBench();
    await bench.push([bench.write('parents.csv', visitors('P', 'Q'))]);
    const file = bench.write('a.csv', visitors('A/P', 'B/P', 'C/Q'));
    expect(await bench.push([file])).toMatchObject({ code: EXIT.done, summary: { sent: 3 } });

    const orphans = bench.write('b.csv', visitors('D/P', 'E/nowhere'));
    const ended = await bench.push([orphans]);
    expect(ended).toMatchObject({ code: EXIT.rejected, summary: { state: 'refused', rejected: 1 } });
    expect(ended.err).toContain(
      'b.csv:3  column "parent_barcode": "nowhere" is the barcode of no row in the file',
    );
  });

  test('does not call a rejected parent missing, nor its members wrong', async () => {
    const bench = await pushBench();
    const file = bench.write(
      'a.csv',
      visitors('A', 'B/A', 'C/B').replace('visitor,A,,Ada,Example,a@', 'visitor,A,,Ada,Example,a at '),
    );
    const ended = await bench.push([file]);
    expect(ended.summary).toMatchObject({ state: 'refused', rejected: 1 });
    expect(ended.err).not.toContain('a.csv:3');
    const skipped = await bench.push([file, '--invalid', 'skip']);
    expect(skipped.summary).toMatchObject({ rejected: 3, sent: 0 });
    expect(skipped.err).toContain(
      'a.csv:3  column "parent_barcode": "A" is the barcode of a row that is rejected itself (a.csv:2)',
    );
    expect(bench.service.requests.filter(({ path }) => path.includes('barcode='))).toEqual([]);
  });

  test('counts a rejected row among those that share a barcode, unless it is the barcode that is wrong', async () => {
    const bench = await pushBench();
    const rows = [
      'persona,barcode,E-mail',
      'visitor,A,nonsense',
      'visitor,A,a@example.com',
      'visitor,5.9E+12,b',
      'visitor,5.9E+12,c',
    ];
    const ended = await bench.push([bench.write('a.csv', rows.join('\n'))]);
    expect(ended.summary.rejected).toBe(4);
    expect(ended.err).toContain('a.csv:2  column "barcode": "A" stands on a.csv:3 too');
    expect(ended.err).toContain('a.csv:3  column "barcode": "A" stands on a.csv:2 too');
    expect(ended.err).not.toContain('stands on a.csv:5');
  });

  test('tells a row that is its own parent so once', async () => {
    const bench = await pushBench();
    const ended = await bench.push([bench.write('a.csv', visitors('A/A', 'B/A'))]);
    expect(ended.summary.rejected).toBe(1);
    expect(ended.err.match(/a\.csv:2 /g)).toHaveLength(1);
  });
});
