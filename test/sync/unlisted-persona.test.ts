import { expect, test } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import type { Switches } from '../../src/sandbox/store/switches.ts';
import { listIn } from '../support/documents.ts';
import type { Fault } from '../support/faulty-service.ts';
import { barcodes, type Bench, pushBench } from './push-bench.ts';
import { registerByHand } from './service-hands.ts';

/** A service whose lists leave out exhibitors. */
async function hiding(switches: Partial<Switches>): Promise<Bench> {
  const bench = await pushBench(switches);
  bench.service.fault = async ({ method, path }): Promise<Fault | undefined> => {
    if (method !== 'GET' || !path.includes('/registration?')) return undefined;
    const headers = { authorization: `Bearer ${bench.sandbox.token}` };
    const answer = await fetch(`${bench.sandbox.url}${path}`, { headers });
    const page = (await answer.json()) as { data: { persona: string }[]; meta: object };
    const data = page.data.filter(({ persona }) => persona !== 'exhibitor');
    const body = JSON.stringify({ data, meta: { ...page.meta, total: data.length } });
    return { answer: { status: answer.status, body, headers: { 'content-type': 'application/json' } } };
  };
  return bench;
}

const GUESTS = barcodes(5);
const file = (bench: Bench): string =>
  bench.write(
    'a.csv',
    ['persona,barcode,company', ...GUESTS.map((barcode) => `exhibitor,${barcode},Nova`), ''].join('\n'),
  );

test('where the list does not show a persona, one goes, and the others wait for somebody to say so', async () => {
  const bench = await hiding({ createStatus: '200', fieldsOnUpdate: 'replace' });
  for (const barcode of GUESTS)
    await registerByHand(bench, { persona: 'exhibitor', barcode, fields: { first_name: 'Zoe' } });
  const ended = await bench.push([file(bench), '--yes']);
  expect([ended.code, ended.summary.postponed]).toEqual([EXIT.uncertain, 4]);
  for (let night = 0; night < 2; night += 1)
    expect((await bench.push([file(bench), '--yes'])).summary).toMatchObject({ sent: 0, postponed: 4 });
  expect(bench.kept().filter(({ fields }) => fields['first_name'] === 'Zoe')).toHaveLength(4);
  expect(ended.err).toContain(
    'the list does not show exhibitor, so that it cannot be told whether they are there',
  );
  expect((await bench.push([file(bench), '--overwrite', '--yes'])).summary.postponed).toBe(0);
});

test.each([
  ['answers say that they were created', { createStatus: '201-200' }, true],
  ['the list shows them late', { createStatus: '200', readLagMs: 20_000 }, false],
  ['barcodes are not shown', { createStatus: '204', recordBarcode: 'hidden' }, false],
] as const)('a persona that is new is sent whole where %s', async (_name, switches, isHiding) => {
  const bench = isHiding ? await hiding(switches) : await pushBench(switches);
  const ended = await bench.push([file(bench), '--yes']);
  expect([ended.summary.postponed, bench.kept().length]).toEqual([0, 5]);
});

test('an undo calls nobody gone whom no list has ever shown, also where the list is empty', async () => {
  const bench = await hiding({ createStatus: '201-200' });
  const pushed = await bench.push([file(bench), '--yes']);
  const ended = await bench.run(['runs', 'undo', pushed.summary.run ?? '', '--yes', '--json']);
  const why = 'it may be there: nobody has seen it in the service, and the list shows none of its kind';
  expect([ended.code, bench.kept().length]).toEqual([EXIT.rejected, 5]);
  expect(listIn(ended.out)).toMatchObject(GUESTS.map(() => ({ result: 'kept', why })));
});

test('a prune says beforehand that nobody can be deleted where rows are not listed', async () => {
  const bench = await hiding({ createStatus: '201-200' });
  const visitors = ['V1', 'V2'].map((code) => `visitor,${code},Acme`);
  const both = (rows: readonly string[]): string => {
    const exhibitors = GUESTS.map((barcode) => `exhibitor,${barcode},Nova`);
    return bench.write('a.csv', ['persona,barcode,company', ...exhibitors, ...rows, ''].join('\n'));
  };
  await bench.push([both(visitors), '--yes']);
  const why = '5 rows of the file are not listed by the service, so it may hold them as registrations';
  const flags = ['--prune', '--max-delete', '1', '--yes', '--dry-run'];
  const ended = await bench.push([both(visitors.slice(1)), ...flags]);
  expect(ended.err).toContain(`warning: Nobody will be deleted: ${why}`);
});
