import { expect, test } from 'vitest';
import { pushBench } from './push-bench.ts';

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
