import { expect, test } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { benchWith, idOf, left, registerByHand } from './service-hands.ts';
import { pushBench, visitors } from './push-bench.ts';

test('a registration that somebody deletes while it is updated is another one then, and that is said', async () => {
  const bench = await benchWith(['A:Ada', 'B:Bob', 'C:Cy']);
  const before = idOf(bench, 'C');
  let gone = false;
  bench.service.fault = ({ method, body }) => {
    if (method !== 'POST' || gone || !body.includes('"C"')) return undefined;
    gone = true;
    bench.sandbox.remove(before);
    return undefined;
  };
  const ended = await bench.push([
    bench.write('a.csv', visitors('A:Ava', 'B:Bea', 'C:Cleo')),
    '--concurrency',
    '1',
  ]);
  const after = idOf(bench, 'C');
  expect(after).not.toBe(before);
  expect(ended.code).toBe(EXIT.rejected);
  expect(ended.err).toContain('not sent, and not as before: id');
  const undone = await bench.run(['runs', 'undo', ended.summary.run ?? '', '--yes']);
  expect(undone.code).toBe(EXIT.rejected);
  expect(undone.out + undone.err).toContain('it was deleted and registered anew since');
  expect(bench.kept().map(({ fields }) => fields['first_name'])).toEqual(['Ada', 'Bob', 'Cleo']);
});

test('a create that hits somebody names all that it has changed, also what it did not say', async () => {
  const bench = await pushBench({ recognise: 'barcode-or-email', fieldsOnUpdate: 'replace' });
  const fields = { first_name: 'Old', email: 'a@example.com', company: 'Acme', remarks: 'vegan' };
  await registerByHand(bench, { barcode: 'S', fields });
  const csv = 'persona,barcode,first_name,email\nvisitor,N,New,a@example.com\n';
  const ended = await bench.push([bench.write('a.csv', csv), '--match', 'none']);
  expect(ended.code).toBe(EXIT.rejected);
  expect(ended.err).toMatch(
    /instead of adding one.*: (?=.*first_name)(?=.*company)(?=.*remarks)(?=.*barcode)/,
  );
  expect(left(bench)).toEqual(['N']);
});
