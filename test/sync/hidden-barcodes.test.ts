import { expect, test } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { type Bench, pushBench, visitors } from './push-bench.ts';
import { deleteByHand, registerByHand } from './service-hands.ts';

async function benchOf(more: Parameters<typeof pushBench>[0] = {}): Promise<Bench> {
  const bench = await pushBench({ recordBarcode: 'hidden', ...more });
  await bench.push([bench.write('a.csv', visitors('A:Ada', 'B:Bob'))]);
  return bench;
}

test('where no barcodes are shown, rows are known by the ids that the service gave them', async () => {
  const bench = await pushBench({ recordBarcode: 'hidden', fieldsOnUpdate: 'replace' });
  const csv = (name: string): string => `persona,barcode,first_name,email\nvisitor,A,${name},a@example.com\n`;
  await bench.push([bench.write('a.csv', csv('Ada'))]);
  const fields = { first_name: 'Ada', email: 'a@example.com', remarks: 'vegan' };
  await registerByHand(bench, { barcode: 'A', fields });
  const ended = await bench.push([bench.write('a.csv', csv('Ava'))]);
  expect(ended).toMatchObject({ code: EXIT.done, summary: { updated: 1 } });
  expect(ended.err).not.toContain('cannot be compared');
  const [ava] = bench.kept().filter(({ barcode }) => barcode === 'A');
  expect(ava?.fields).toMatchObject({ first_name: 'Ava', remarks: 'vegan' });
  const undone = await bench.run(['runs', 'undo', ended.summary.run ?? '', '--yes']);
  expect(undone.code).toBe(EXIT.done);
  expect(bench.kept()[0]?.fields).toMatchObject({ first_name: 'Ada', remarks: 'vegan' });
});

test('a registration that somebody has deleted there is not made again unasked', async () => {
  const bench = await benchOf();
  await deleteByHand(bench, 'A');
  const ended = await bench.push([bench.write('a.csv', visitors('A:Ada', 'B:Bob'))]);
  expect(ended.code).toBe(EXIT.rejected);
  expect(ended.err).toContain('it was deleted there, or given another name and e-mail');
  expect(bench.kept().map(({ barcode }) => barcode)).toEqual(['B']);
});

test('what this machine has never sent is not compared, and that is said', async () => {
  const bench = await benchOf();
  const ended = await bench.push([bench.write('b.csv', visitors('C:Cy'))]);
  expect(ended.err).toContain('it may overwrite or empty what was entered there');
});
