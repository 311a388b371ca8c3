import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { barcodes, type Bench, pushBench } from './push-bench.ts';

const GUESTS = barcodes(60);
const TENTH = 6;

const list = (company: string): string =>
  [
    'persona,barcode,First name,Company',
    ...GUESTS.map((barcode) => `visitor,${barcode},Ada,${company}`),
    '',
  ].join('\n');

function edit(bench: Bench, barcode: string, fields: Record<string, string>): void {
  const there = bench.kept().find((one) => one.barcode === barcode);
  if (there === undefined) throw new Error(`${barcode} is not there`);
  bench.sandbox.put({ ...there, fields: { ...there.fields, ...fields } });
}

/** Pushes 60 rows; after every tenth of them, a guest edits a registration that `whose` chooses. */
async function pushWithEdits(
  bench: Bench,
  company: string,
  whose: (posted: readonly string[], edited: readonly string[]) => string | undefined,
  fields: Record<string, string>,
) {
  const edited: string[] = [];
  const before = bench.postedBarcodes().length;
  bench.service.fault = ({ method, path }) => {
    const posted = bench.postedBarcodes().slice(before);
    const isDue = posted.length >= TENTH * (edited.length + 1) - 1 && posted.length > 0;
    const barcode =
      isDue && (method === 'POST' || path.includes('/registration')) ? whose(posted, edited) : undefined;
    if (barcode === undefined || edited.includes(barcode)) return undefined;
    edited.push(barcode);
    edit(bench, barcode, fields);
    return undefined;
  };
  const ended = await bench.push([
    bench.write('a.csv', list(company)),
    '--concurrency',
    '1',
    '--show-values',
  ]);
  bench.service.fault = () => undefined;
  return { ended, edited };
}

const companyOf = (bench: Bench, barcode: string): unknown =>
  bench.kept().find((one) => one.barcode === barcode)?.fields['company'];

const LIMITS = { 'without a limit': { limit: 0 }, 'at 30 a minute': { limit: 30, windowMs: 60_000 } };

describe.each(Object.entries(LIMITS))('guests who edit what was just sent, %s', (_how, switches) => {
  test.each([
    ['new rows, to another value', false, 'Edited'],
    ['changed rows, to another value', true, 'Edited'],
    ['changed rows, back to the value before', true, 'Acme'],
  ] as const)(
    '%s: told, never sent over, and a conflict at the next push',
    async (_name, isThere, company) => {
      const bench = await pushBench(switches);
      if (isThere) await bench.push([bench.write('a.csv', list('Acme'))]);
      const sent = (posted: readonly string[]): string | undefined => posted.at(-1);
      const { ended, edited } = await pushWithEdits(bench, 'Best', sent, { company });
      expect([ended.code, edited.length]).toEqual([EXIT.rejected, 10]);
      expect(ended.summary.problems.map(({ barcode }) => barcode).sort()).toEqual([...edited].sort());
      expect(edited.map((barcode) => companyOf(bench, barcode))).toEqual(edited.map(() => company));
      for (const barcode of edited) {
        expect(ended.err).toContain(`a.csv:${GUESTS.indexOf(barcode) + 2} (barcode ${barcode})`);
      }
      expect(ended.err).toContain(`  company: sent "Best", listed "${company}"\n`);
      const why = await bench.run(['runs', 'why', edited[0] ?? '', '--offline', '--show-values']);
      expect(why.out).toContain(`company: sent "Best", listed "${company}"`);
      const next = await bench.push([bench.write('a.csv', list('Best'))]);
      expect([next.code, next.summary]).toMatchObject([
        EXIT.rejected,
        { sent: 0, unchanged: 50, conflict: 10 },
      ]);
      expect(edited.map((barcode) => companyOf(bench, barcode))).toEqual(edited.map(() => company));
      const kept = await bench.push([bench.write('a.csv', list('Best')), '--keep']);
      expect([kept.code, (await bench.push([bench.write('a.csv', list('Best'))])).code]).toEqual([0, 0]);
      expect(edited.map((barcode) => companyOf(bench, barcode))).toEqual(edited.map(() => company));
    },
  );
});

/** More than goes in a minute, so that what waits behind it is looked at again. */
const A_MINUTE = 31;

/** The last in the list that was neither sent nor edited yet, while a minute's worth of rows is to go before it. */
const stillToCome = (posted: readonly string[], edited: readonly string[]): string | undefined =>
  posted.length + A_MINUTE + edited.length < GUESTS.length ? GUESTS.at(-1 - edited.length) : undefined;

describe('guests who edit what waits for longer than a minute', () => {
  const slow = { limit: 10, windowMs: 60_000 };

  test.each([
    ['updates that keep it', slow],
    ['updates that replace all', { ...slow, fieldsOnUpdate: 'replace' }],
  ] as const)('in what the file does not say: it stays, and the row goes (%s)', async (_name, switches) => {
    const bench = await pushBench(switches);
    await bench.push([bench.write('a.csv', list('Acme'))]);
    const phone = '+4915199999';
    const { ended, edited } = await pushWithEdits(bench, 'Best', stillToCome, { phone });
    const phones = new Map(bench.kept().map(({ barcode, fields }) => [barcode, fields['phone']]));
    expect([ended.code, edited.length]).toEqual([EXIT.done, 4]);
    expect(edited.map((barcode) => phones.get(barcode))).toEqual(edited.map(() => phone));
    expect(GUESTS.filter((barcode) => companyOf(bench, barcode) !== 'Best')).toEqual([]);
  });

  test('in what the file changes, too: a conflict, and told', async () => {
    const bench = await pushBench(slow);
    await bench.push([bench.write('a.csv', list('Acme'))]);
    const { ended, edited } = await pushWithEdits(bench, 'Best', stillToCome, { company: 'Edited' });
    expect([ended.code, edited.length]).toEqual([EXIT.rejected, 4]);
    expect(edited.map((barcode) => companyOf(bench, barcode))).toEqual(edited.map(() => 'Edited'));
    expect(ended.summary.problems.map(({ barcode }) => barcode).sort()).toEqual([...edited].sort());
  });
});
