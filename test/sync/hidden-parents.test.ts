import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { type Bench, type Ended, pushBench, visitors } from './push-bench.ts';
import { listIn } from '../support/documents.ts';
import { benchWith, registerByHand } from './service-hands.ts';

test('where no parents are shown, a member stays in the group that this machine has put it in', async () => {
  const bench = await pushBench({
    recordParent: 'hidden',
    parentOnUpdate: 'clear',
    unsentFields: 'keep',
  } as never);
  const head = 'persona,barcode,first_name';
  await bench.push([bench.write('a.csv', `${head},parent_barcode\nvisitor,P,Pia,\nvisitor,M,Max,P\n`)]);
  for (const name of ['Maxi', 'Mia']) {
    const ended = await bench.push([bench.write(`${name}.csv`, `${head}\nvisitor,M,${name}\n`)]);
    expect(ended.err).toContain('The service does not show who belongs to a group');
    const member = bench.kept().find(({ barcode }) => barcode === 'M');
    expect([member?.fields['first_name'], member?.parentBarcode]).toEqual([name, 'P']);
  }
});

test('a double that an update makes whose effect is not shown is seen also where the list is late', async () => {
  const silent = { createBody: 'empty', readLagMs: 2000 } as const;
  const bench = await pushBench({ recordParent: 'hidden', upsert: 'double', ...silent });
  await registerByHand(bench, { barcode: 'M', fields: { first_name: 'Max' } });
  await bench.clock.advance(60_000);
  const file = bench.write('a.csv', 'persona,barcode,first_name,parent_barcode\nvisitor,M,Max,\n');
  const ended = await bench.push([file, '--blank', 'clear', '--yes']);
  expect([ended.code, ended.summary.conflict, bench.kept().length]).toEqual([EXIT.rejected, 1, 2]);
});

test.each(['shown', 'hidden'] as const)(
  'members that a delete has left without their parent get it back with the list, unasked (parents %s)',
  async (recordParent) => {
    const people = ['A', 'B/A', 'C/A', 'D'];
    const bench = await benchWith(people, { parentDelete: 'orphaned', recordParent });
    const groups = (): unknown[] => bench.kept().map(({ parentBarcode }) => parentBarcode);
    const before = groups();
    await bench.run(['delete', '--barcode', 'A', '--yes']);
    expect(groups()).not.toContain('A');
    const ended = await bench.push([bench.write('a.csv', visitors(...people))]);
    expect([ended.code, groups()]).toEqual([EXIT.done, before]);
    expect(ended.summary).toMatchObject({ created: 1, updated: 2, unchanged: 1 });
  },
);

describe('undo where no parents are shown', () => {
  const rows = (name: string, parent: string): string =>
    `persona,barcode,first_name,parent_barcode\nvisitor,P,Pia,\nvisitor,M,${name},${parent}\n`;

  async function joined(name: string): Promise<Bench> {
    const bench = await pushBench({ recordParent: 'hidden' });
    await bench.push([bench.write('a.csv', rows('Max', ''))]);
    await bench.push([bench.write('b.csv', rows(name, 'P'))]);
    expect(bench.kept()[0]).toMatchObject({ parentBarcode: 'P', fields: { first_name: name } });
    return bench;
  }

  const undo = async (bench: Bench, run: string | undefined, ...flags: string[]): Promise<Ended> =>
    await bench.run(['runs', 'undo', run ?? '', '--yes', '--json', ...flags]);

  const WHY =
    'whether parent_barcode is as it was before cannot be told: the service does not list what was sent';

  test('a member that was changed besides is brought back, and named as one that may still be a member', async () => {
    const bench = await joined('Maxi');
    const [push] = bench.runs();
    const dry = await undo(bench, push?.id, '--dry-run');
    expect([dry.code, listIn(dry.out)]).toMatchObject([EXIT.rejected, [{ result: 'restore', why: WHY }]]);
    const ended = await undo(bench, push?.id);
    expect([ended.code, listIn(ended.out)]).toMatchObject([
      EXIT.rejected,
      [{ result: 'restored', barcode: 'M', why: WHY }],
    ]);
    expect(ended.err).toContain(`b.csv:3 (barcode M) unseen: ${WHY}`);
    expect(bench.kept()[0]).toMatchObject({ parentBarcode: 'P', fields: { first_name: 'Max' } });
    const again = await undo(bench, push?.id);
    expect([again.code, listIn(again.out)]).toMatchObject([
      EXIT.rejected,
      [{ result: 'kept', why: expect.stringContaining(`; ${WHY}`) }],
    ]);
  });

  test('a member that was not changed besides is kept, and named', async () => {
    const bench = await joined('Max');
    const ended = await undo(bench, bench.runs()[0]?.id);
    expect([ended.code, listIn(ended.out)]).toMatchObject([
      EXIT.rejected,
      [{ result: 'kept', barcode: 'M', why: WHY }],
    ]);
  });

  test.each(['merge', 'replace'] as const)(
    'nobody is taken out of a group that an earlier push has put them in: %s',
    async (parentOnUpdate) => {
      const bench = await pushBench({ recordParent: 'hidden', parentOnUpdate });
      const member = (): unknown => bench.kept().find(({ barcode }) => barcode === 'M');
      await bench.push([bench.write('a.csv', rows('Max', 'P'))]);
      await bench.push([bench.write('b.csv', rows('Maxi', 'P'))]);
      await undo(bench, bench.runs()[0]?.id);
      expect(member()).toMatchObject({ parentBarcode: 'P', fields: { first_name: 'Max' } });
      await bench.run(['delete', '--barcode', 'M', '--yes']);
      expect(member()).toBeUndefined();
      expect((await undo(bench, bench.runs()[0]?.id)).code).toBe(EXIT.done);
      expect(member()).toMatchObject({ parentBarcode: 'P', fields: { first_name: 'Max' } });
    },
  );

  test('a parent that an earlier push has given is not that of the push', async () => {
    const bench = await joined('Maxi');
    await bench.push([bench.write('c.csv', rows('Mia', 'P'))]);
    expect((await undo(bench, bench.runs()[0]?.id)).code).toBe(EXIT.done);
    expect(bench.kept()[0]).toMatchObject({ parentBarcode: 'P', fields: { first_name: 'Maxi' } });
  });
});

test('where no parents are shown, a row that only joins a group is no conflict', async () => {
  const bench = await pushBench({ recordParent: 'hidden' });
  const csv = (parent: string): string =>
    `persona,barcode,first_name,parent_barcode\nvisitor,P,Pia,\nvisitor,M,Max,${parent}\n`;
  await bench.push([bench.write('a.csv', csv(''))]);
  const ended = await bench.push([bench.write('a.csv', csv('P'))]);
  expect(ended.code).toBe(0);
  expect(bench.kept().find(({ barcode }) => barcode === 'M')?.parentBarcode).toBe('P');
});
