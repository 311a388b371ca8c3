import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import type { Fault } from '../support/faulty-service.ts';
import { barcodes, type Bench, pushBench, visitors } from './push-bench.ts';
import { registerByHand } from './service-hands.ts';

interface Page {
  data: unknown[];
  meta: { current_page: number; per_page: number; total: number; last_page: number };
}

/** Has lists without a filter say something else than they do. */
function tellOtherwise(bench: Bench, tell: (page: Page) => Page): void {
  bench.service.fault = async ({ method, path }): Promise<Fault | undefined> => {
    if (method !== 'GET' || !path.includes('/registration?') || path.includes('barcode=')) return undefined;
    const headers = { authorization: `Bearer ${bench.sandbox.token}` };
    const answer = await fetch(`${bench.sandbox.url}${path}`, { headers });
    const body = JSON.stringify(tell((await answer.json()) as Page));
    return { answer: { status: answer.status, body, headers: { 'content-type': 'application/json' } } };
  };
}

const ALL = barcodes(60);

/** A service that doubles, and holds all guests already, in pages of 20. */
async function doubling(): Promise<Bench> {
  const bench = await pushBench({ upsert: 'double', perPageCap: 20 });
  const fields = { first_name: 'Ada', last_name: 'Example' };
  for (const barcode of ALL) {
    const email = `${barcode.toLowerCase()}@example.com`;
    await registerByHand(bench, { barcode, fields: { ...fields, email } });
  }
  return bench;
}

const lookups = (bench: Bench): number =>
  bench.service.requests.filter(({ path }) => path.includes('barcode=')).length;

describe('guests who are there already are not doubled', () => {
  test('by a list that counts fewer than it holds: pages are asked for as long as they are full', async () => {
    const bench = await doubling();
    tellOtherwise(bench, ({ data, meta }) => ({ data, meta: { ...meta, total: 20, last_page: 1 } }));
    const ended = await bench.push([bench.write('a.csv', visitors(...ALL))]);
    expect(ended).toMatchObject({ code: EXIT.done, summary: { sent: 0, unchanged: 60 } });
    expect(bench.kept()).toHaveLength(60);
    expect(lookups(bench)).toBe(0);
  });

  test('by a list that ends early: what it does not show is asked for by barcode', async () => {
    const bench = await doubling();
    tellOtherwise(bench, ({ data, meta }) => ({
      data: meta.current_page === 1 ? data : [],
      meta: { ...meta, total: 20, last_page: 1 },
    }));
    const ended = await bench.push([bench.write('a.csv', visitors(...ALL, 'NEW'))]);
    expect(ended).toMatchObject({ code: EXIT.done, summary: { sent: 1, not_proven_new: 1, unchanged: 60 } });
    expect(bench.kept()).toHaveLength(61);
    expect(ended.err).toContain('The list of the service lacks 40 registrations');
  });

  test('by a list that ends early and a filter that finds others: nothing is sent unasked', async () => {
    const bench = await doubling();
    tellOtherwise(bench, ({ data, meta }) => ({
      data: meta.current_page === 1 ? data : [],
      meta: { ...meta, total: 20, last_page: 1 },
    }));
    const listed = bench.service.fault;
    bench.service.fault = async (request) => {
      if (!request.path.includes('barcode=B055')) return await listed(request);
      const body = JSON.stringify({ data: [{ id: '1', barcode: 'b055', fields: {} }] });
      return { answer: { status: 200, body, headers: { 'content-type': 'application/json' } } };
    };
    const ended = await bench.push([bench.write('a.csv', visitors(...ALL))]);
    expect(ended.code).toBe(EXIT.guarded);
    expect(ended.err).toContain('its filter does not find each by its barcode');
    expect(bench.posts()).toHaveLength(60);
  });
});

test('A list that shows what is there costs a few lookups, however many rows are new', async () => {
  const bench = await pushBench();
  await registerByHand(bench, { barcode: 'OLD', fields: { first_name: 'Ada' } });
  const ended = await bench.push([bench.write('a.csv', visitors(...ALL)), '--no-audit']);
  expect(ended).toMatchObject({ code: EXIT.done, summary: { sent: 60 } });
  const asked = bench.service.requests.flatMap(({ path }) => /barcode=(\w+)/.exec(path)?.[1] ?? []);
  // The first new row is looked at once it is sent.
  expect(asked).toEqual(['B001', 'B013', 'B025', 'B037', 'B049', 'B001']);
});
