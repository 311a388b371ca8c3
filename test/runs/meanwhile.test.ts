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

test('What a trial took away before it was interrupted is given back before the edited file is planned', async () => {
  const bench = await pushBench({ fieldsOnUpdate: 'replace' });
  const file = (company: string): string =>
    bench.write('guests.csv', `persona,barcode,Company\nvisitor,A,${company}\nvisitor,B,${company}\n`);
  await bench.push([file('Acme')]);
  for (const one of bench.sandbox.registrations()) {
    bench.sandbox.put({ ...one, fields: { ...one.fields, remarks: 'vegan' } });
  }
  const sent = bench.posts().length;
  bench.service.fault = ({ method }) =>
    method === 'POST' && bench.posts().length > sent ? { answer: { status: 401 } } : undefined;
  expect(await bench.push([file('Other')])).toMatchObject({ code: EXIT.unauthorised });
  expect(bench.kept()[0]?.fields).not.toHaveProperty('remarks');
  bench.service.fault = () => undefined;
  expect(await bench.push([file('Third')])).toMatchObject({ code: EXIT.done });
  expect(bench.kept().map(({ fields }) => fields)).toEqual([
    { company: 'Third', remarks: 'vegan' },
    { company: 'Third', remarks: 'vegan' },
  ]);
});
