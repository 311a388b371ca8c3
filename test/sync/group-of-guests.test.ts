import { expect, test } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { pushBench } from './push-bench.ts';

const HEAD = 'persona,barcode,parent_barcode,First name,Last name,E-mail,Mobile phone,Country';
const person = (barcode: string, parent: string, name: string): string =>
  `visitor,${barcode},${parent},${name},Lee,${barcode.toLowerCase()}@example.com,+34600111222,ES`;
const table = (...lines: string[]): string => `${lines.join('\n')}\n`;

test.each([
  ['fields and keeps parents', { fieldsOnUpdate: 'replace' }, ['members.csv', 'names.csv']],
  ['parents and keeps fields', { parentOnUpdate: 'replace' }, ['names.csv', 'members.csv']],
  ['some fields', { fieldsOnUpdate: 'by-field' }, ['members.csv', 'names.csv']],
] as const)(
  'A push to a service that empties %s changes what the file says and nothing else, and can be undone',
  async (_, switches, files) => {
    const bench = await pushBench(switches);
    const [group, guests] = [
      ['P', 'M', 'N'],
      ['A', 'B', 'C'],
    ] as const;
    const full = [
      ...group.map((code) => person(code, code === 'P' ? '' : 'P', 'Ann')),
      ...guests.map((code) => person(code, '', 'Ann')),
    ];
    await bench.push([bench.write('all.csv', table(HEAD, ...full))]);
    const before = bench.kept();
    // The members come without their group, the others with nothing but a name.
    const members = ['M', 'N'].map((code) => person(code, '', 'Bea').replace(',,', ','));
    bench.write('members.csv', table(HEAD.replace('parent_barcode,', ''), ...members));
    bench.write(
      'names.csv',
      table('persona,barcode,First name', ...guests.map((code) => `visitor,${code},Bea`)),
    );
    const runs: string[] = [];
    for (const file of files) {
      const ended = await bench.push([file]);
      expect(ended).toMatchObject({ code: EXIT.done, summary: { failed: 0, conflict: 0 } });
      runs.push(ended.summary.run ?? '');
    }
    const changed = new Set(['M', 'N', ...guests]);
    const named = before.map(({ barcode, fields, parentBarcode }) => ({
      barcode,
      parentBarcode,
      fields: { ...fields, first_name: changed.has(barcode) ? 'Bea' : 'Ann' },
    }));
    expect(bench.kept()).toMatchObject(named);
    for (const run of runs.toReversed()) {
      expect((await bench.run(['runs', 'undo', run, '--yes'])).code).toBe(EXIT.done);
    }
    expect(bench.kept()).toMatchObject(
      before.map(({ barcode, fields, parentBarcode }) => ({ barcode, fields, parentBarcode })),
    );
  },
);

test('Messages that a guest asked for are counted before they are taken back, and never asked for again', async () => {
  const bench = await pushBench({ commsOnUpdate: 'replace' });
  const two = (line: (code: string) => string): string[] => ['A', 'B'].map(line);
  const head = 'persona,barcode,First name,enable_comms';
  bench.write('a.csv', table(head, ...two((code) => `visitor,${code},Ann,true`)));
  await bench.push(['a.csv', '--yes']);
  bench.write('a.csv', table(head.replace(',enable_comms', ''), ...two((code) => `visitor,${code},Bea`)));
  const dry = await bench.push(['a.csv', '--dry-run']);
  expect(dry.summary).toMatchObject({ takes_back_messages: 2 });
  expect(dry.err).toContain('May take back messages of 2 guests');
  const from = bench.posts().length;
  const ended = await bench.push(['a.csv']);
  expect(ended.summary).toMatchObject({ updated: 2, takes_back_messages: 2, communications: 0 });
  const run = ended.summary.run ?? '';
  await bench.run(['runs', 'undo', run, '--yes']);
  const bodies = bench.service.requests.filter(({ method }) => method === 'POST').slice(from);
  expect(bodies.length).toBeGreaterThan(2);
  expect(bodies.filter(({ body }) => body.includes('enable_comms'))).toEqual([]);
});

test('Nobody is put into a group whose parent has another barcode by now; whoever stays in it is still sent', async () => {
  const bench = await pushBench();
  const write = (...more: string[]): string =>
    bench.write('a.csv', table(HEAD, person('P', '', 'Ann'), ...more));
  await bench.push([write(person('M', 'P', 'Ann'))]);
  for (const one of bench.sandbox.registrations())
    bench.sandbox.put({ ...one, ...(one.barcode === 'P' ? { barcode: 'PX' } : { parentBarcode: 'PX' }) });
  const ended = await bench.push([write(person('M', 'P', 'Bea'), person('N', 'P', 'Ann'))]);
  expect(ended).toMatchObject({ code: EXIT.rejected, summary: { sent: 1, conflict: 1, blocked: 1 } });
  const [m, ...others] = bench.kept();
  expect(m).toMatchObject({ barcode: 'M', parentBarcode: 'PX', fields: { first_name: 'Bea' } });
  expect(others.map(({ barcode }) => barcode)).toEqual(['PX']);
});
