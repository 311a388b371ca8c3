import { expect, test } from 'vitest';
import { EXIT } from '../../../src/errors.ts';
import { pushBench } from '../push-bench.ts';

const HEAD = 'persona,barcode,First name,Last name,E-mail\n';
const WITH = 'visitor,G1,Gina,Gray,gina@example.com\n';
const BARE = 'visitor,,Gina,Gray,gina@example.com\n';

test.each([
  ['in one list', [`${HEAD}${WITH}${BARE}`]],
  ['the other way round', [`${HEAD}${BARE}${WITH}`]],
  ['one of them registered before', [`${HEAD}${BARE}`, `${HEAD}${BARE}${WITH}`]],
  ['the other one registered before', [`${HEAD}${WITH}`, `${HEAD}${BARE}${WITH}`]],
])('a person with a barcode in one row and none in another is registered once: %s', async (_how, lists) => {
  const bench = await pushBench();
  for (const list of lists) await bench.push([bench.write('a.csv', list), '--yes']);
  const again = await bench.push([bench.write('a.csv', lists.at(-1) ?? ''), '--yes']);
  expect([again.code, bench.kept().length]).toEqual([EXIT.rejected, 1]);
  expect(again.err).toMatch(/has its e-mail and name (?:and|without) a barcode.*--match none registers both/);
  await bench.push(['a.csv', '--match', 'none', '--yes']);
  expect(bench.kept()).toHaveLength(2);
});
