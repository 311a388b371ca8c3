import { expect, test } from 'vitest';
import { type Bench, pushBench } from './push-bench.ts';
import { benchWith, registerByHand } from './service-hands.ts';

const HEAD = 'persona,barcode,First name,Last name,E-mail,Phone\n';
const MAX = 'visitor,B2,Max,Muster,info@example.com,+4930222222\n';
const NONE = ['--yes', '--match', 'none'];

/** Zoe was registered by hand; a push of Max, said to be another person, has changed her registration. */
async function overwritten(bench: Bench): Promise<string> {
  const fields = { first_name: 'Zoe', last_name: 'Zed', email: 'info@example.com', phone: '+4930111111' };
  await registerByHand(bench, { persona: 'visitor', barcode: 'OLD1', fields });
  const { code, summary } = await bench.push([bench.write('max.csv', HEAD + MAX), ...NONE]);
  expect([code, summary.problems[0]?.message]).toEqual([3, expect.stringContaining('instead of adding one')]);
  return summary.run ?? '';
}

const names = (bench: Bench) => bench.kept().map(({ barcode, fields }) => [barcode, fields['first_name']]);

test.each([{ flags: NONE }, { flags: ['--yes'] }])(
  'whom an undo brought back is not taken for the row again: $flags',
  async ({ flags }) => {
    const bench = await pushBench({ recognise: 'email' });
    const run = await overwritten(bench);
    expect((await bench.run(['runs', 'undo', run, '--yes'])).code).toBe(0);
    expect(names(bench)).toEqual([['OLD1', 'Zoe']]);
    const { code, summary, err } = await bench.push(['max.csv', ...flags]);
    expect(names(bench)).toEqual([['OLD1', 'Zoe']]);
    expect([code, summary.sent, summary.conflict]).toEqual([3, 0, 1]);
    expect(err).not.toContain(`runs undo ${run}`);
  },
);

test('what was said to be one person, and undone, has to be said again', async () => {
  const bench = await pushBench({ recognise: 'email' });
  const fields = { first_name: 'Zoe', last_name: 'Zed', email: 'info@example.com', phone: '+4930111111' };
  await registerByHand(bench, { persona: 'visitor', barcode: 'OLD1', fields });
  const name = bench.write('max.csv', HEAD + MAX);
  const { summary } = await bench.push([name, '--yes', '--match', 'email', '--overwrite']);
  expect(names(bench)).toEqual([['OLD1', 'Max']]);
  await bench.run(['runs', 'undo', summary.run ?? '', '--yes']);
  await bench.push([name, '--yes']);
  expect(names(bench)).toEqual([['OLD1', 'Zoe']]);
});

test('somebody else who was overwritten is named again by the next push, until that is undone', async () => {
  const bench = await pushBench({ recognise: 'email' });
  const run = await overwritten(bench);
  const { err } = await bench.push(['max.csv', '--yes']);
  expect(err).toContain(
    `In run ${run}, max.csv:2 changed the registration of somebody else instead of adding one, and that is still so: eventreg runs undo ${run} brings it back.`,
  );
  expect((await bench.run(['runs', 'undo', run, '--yes'])).code).toBe(0);
  expect(names(bench)).toEqual([['OLD1', 'Zoe']]);
});

test('who was changed by a row without a barcode is brought back where records show no ids', async () => {
  const bench = await pushBench({ recognise: 'email', idKey: 'none' });
  const fields = { first_name: 'Zoe', last_name: 'Zed', email: 'info@example.com', phone: '+4930111111' };
  await registerByHand(bench, { persona: 'visitor', fields });
  const csv = bench.write(
    'two.csv',
    'persona,First name,E-mail\nvisitor,Zoe,info@example.com\nvisitor,Ida,info@example.com\n',
  );
  const { summary } = await bench.push([csv, '--yes']);
  expect(bench.kept().map((one) => one.fields['first_name'])).toEqual(['Ida']);
  expect((await bench.run(['runs', 'undo', summary.run ?? '', '--yes', '--max-delete', '100%'])).code).toBe(
    0,
  );
  expect(bench.kept().map((one) => one.fields)).toEqual([fields]);
});

test('an update whose answer names another registration is not sent again: that one is told, and undone', async () => {
  const bench = await benchWith(['B001', 'B002', 'B003']);
  const before = bench.kept();
  const posted = bench.posts().length;
  bench.service.sent = ({ body }) => body.replace('"B001"', '"B002"');
  const file = bench.write('one.csv', 'persona,barcode,company\nvisitor,B001,Nova\n');
  const ended = await bench.push([file, '--yes']);
  expect([bench.posts().length - posted, ended.summary.conflict]).toEqual([1, 1]);
  const [, hit] = before;
  expect(ended.err).toContain(
    `the service has changed registration ${hit?.id} instead of the one with its barcode`,
  );
  delete bench.service.sent;
  await bench.run(['runs', 'undo', ended.summary.run ?? '', '--yes']);
  const valuesOf = (all: ReturnType<Bench['kept']>) => all.map(({ barcode, fields }) => [barcode, fields]);
  expect(valuesOf(bench.kept())).toEqual(valuesOf(before));
});
