import { expect, test } from 'vitest';
import { EXIT } from '../../../src/errors.ts';
import { readDocument } from '../../support/documents.ts';
import { type Bench, barcodes } from '../push-bench.ts';
import { benchWith, left, registerByHand } from '../service-hands.ts';

const PERSONA = ['delete', '--persona', 'visitor', '--yes', '--json', '--max-delete', '50'];

const isPage = (path: string, page: number): boolean =>
  path.includes('/registration?') && new URL(path, 'http://service').searchParams.get('page') === `${page}`;

const breakSecondPage = (bench: Bench): void => {
  bench.service.fault = ({ method, path }) =>
    method === 'GET' && isPage(path, 2) ? { answer: { status: 404, body: '{}' } } : undefined;
};

test('a list that ends short of the count of the service deletes nobody of a persona', async () => {
  const bench = await benchWith(barcodes(15), { perPageCap: 10, pageShape: 'header-total' });
  breakSecondPage(bench);
  const ended = await bench.run(PERSONA);
  expect([ended.code, left(bench).length]).toEqual([EXIT.failed, 15]);
  expect(ended.err).toContain('The list ended after 10 of 15 registrations');
  expect((await bench.run(['list', '--all', '--persona', 'visitor'])).code).toBe(EXIT.failed);
});

test('a count of all registrations, whatever the filter, is no sign of a short list', async () => {
  const bench = await benchWith(barcodes(3));
  await registerByHand(bench, { persona: 'speaker', barcode: 'S', fields: { first_name: 'Bo' } });
  bench.service.fault = async ({ method, path }) => {
    if (method !== 'GET' || !path.includes('persona=visitor')) return undefined;
    const answer = await fetch(`${bench.sandbox.url}${path}`, {
      headers: { authorization: 'Bearer bench-token-1234' },
    });
    const body = (await answer.json()) as { meta: { total: number } };
    body.meta.total = bench.kept().length;
    return { answer: { status: 200, body: JSON.stringify(body) } };
  };
  expect((await bench.run(PERSONA)).code).toBe(EXIT.done);
  expect(left(bench)).toEqual(['S']);
});

test('without a count, what a short list did not show is told of afterwards', async () => {
  const bench = await benchWith(barcodes(15), { perPageCap: 10, listTotal: 'hidden', pageShape: 'array' });
  breakSecondPage(bench);
  const ended = await bench.run(PERSONA);
  expect([ended.code, left(bench).length]).toEqual([EXIT.rejected, 5]);
  expect(readDocument(ended.out)).toMatchObject({ deleted: 10, left: 5 });
  expect(ended.err).toContain('5 registrations of the persona visitor are still there');
  expect(ended.err).toContain('10 registrations deleted, 5 not.');
  expect((await bench.run(PERSONA)).code).toBe(EXIT.done);
  expect(left(bench)).toEqual([]);
});

test.each([
  ['a persona', ['--persona', 'visitor']],
  ['an id that is not seen', ['no-such-id']],
])('a list that moves at each reading deletes nobody: %s', async (_name, chosen) => {
  const bench = await benchWith(barcodes(15), { perPageCap: 10 });
  let came = 0;
  bench.service.fault = async ({ method, path }) => {
    if (method !== 'GET' || !isPage(path, 2)) return undefined;
    came += 1;
    await registerByHand(bench, { barcode: `NEW-${came}`, fields: { first_name: 'Bo' } });
    return undefined;
  };
  const ended = await bench.run(['delete', ...chosen, '--yes', '--json']);
  expect([ended.code, left(bench).length]).toEqual([EXIT.guarded, 15 + came]);
  expect(readDocument(ended.out)).toMatchObject({ stopped_by: 'moving-list' });
});
