import { expect, test } from 'vitest';
import { EXIT } from '../../../src/errors.ts';
import { type Bench, type Ended, pushBench } from '../../sync/push-bench.ts';
import { deleteByHand, registerByHand } from '../../sync/service-hands.ts';

const guests = (company: string, meal: string): string =>
  [
    'persona,barcode,First name,E-mail,Company,Lunch',
    `visitor,EV-1,Ada,ada@example.com,${company},${meal}`,
    'visitor,EV-2,Bob,bob@example.com,Acme,Fish',
    '',
  ].join('\n');

async function sent(): Promise<Bench> {
  const bench = await pushBench();
  await bench.push([bench.write('guests.csv', guests('Acme', 'Fish'))]);
  return bench;
}

const compare = (bench: Bench, ...more: readonly string[]): Promise<Ended> =>
  bench.run(['push', 'guests.csv', '--only', 'EV-1', '--dry-run', '--diff', ...more]);

/** Without what changes from run to run. */
const settled = (text: string): string =>
  text.replace(/reg-[0-9a-f]+-(\d+)/g, 'reg-$1').replace(/run \d{8}-[0-9a-f]{6}/, 'run RUN');

test('one guest is compared value by value: file, last sent, and service now', async () => {
  const bench = await sent();
  await registerByHand(bench, { barcode: 'EV-1', fields: { company: 'Elsewhere', remarks: 'Front row' } });
  bench.write('guests.csv', guests('Acme Ltd', 'Meat'));
  const { code, out } = await compare(bench, '--show-values');
  expect([code, bench.posts().length]).toEqual([EXIT.rejected, 3]);
  expect(
    settled(out),
  ).toBe(`~ update  guests.csv:2  barcode EV-1  registration reg-1  visitor: the service holds other values than the file, and only you can tell which are right: company; --overwrite sends the file's, --keep leaves the service's
    meal: "Fish" → "Meat"
    company: "Elsewhere" stays (changed in both), the file has "Acme Ltd"
    last sent 2026-01-15 12:00 UTC, by run RUN
    persona: file "visitor", last sent "visitor", service now "visitor"
    first_name: file "Ada", last sent "Ada", service now "Ada"
    email: file "ada@example.com", last sent "ada@example.com", service now "ada@example.com"
    company: file "Acme Ltd", last sent "Acme", service now "Elsewhere"
    meal: file "Meat", last sent "Fish", service now "Fish"
    remarks: file nothing, last sent nothing, service now "Front row"
Plan: 1 to update.
`);
});

test('also where nothing is to be sent, and masked', async () => {
  const bench = await sent();
  const { code, out } = await compare(bench);
  expect(code).toBe(EXIT.done);
  expect(settled(out)).toBe(`= unchanged  guests.csv:2  barcode EV-1  registration reg-1  visitor
    last sent 2026-01-15 12:00 UTC, by run RUN
    persona: file "visitor", last sent "visitor", service now "visitor"
    first_name: file "A••", last sent "A••", service now "A••"
    email: file "a••@e••••••.c••", last sent "a••@e••••••.c••", service now "a••@e••••••.c••"
    company: file "A•••", last sent "A•••", service now "A•••"
    meal: file "Fish", last sent "Fish", service now "Fish"
Plan: 1 unchanged.
`);
});

test('for programs as well', async () => {
  const bench = await sent();
  bench.write('guests.csv', guests('', 'Fish'));
  const { out } = await compare(bench, '--json');
  const { plan } = JSON.parse(out) as { plan: unknown[] };
  expect(plan).toMatchObject([
    {
      action: 'unchanged',
      barcode: 'EV-1',
      last_sent: { run: bench.runs()[0]?.id, at: expect.stringMatching(/^2026-01-15T12:00/) },
      values: [
        {},
        {},
        {},
        { field: 'meal', file: 'Fish', last_sent: 'Fish', service: 'Fish' },
        { field: 'company' },
      ],
    },
  ]);
});

test('a guest who is not there, and was never sent', async () => {
  const bench = await pushBench();
  bench.write('guests.csv', guests('Acme', 'Fish'));
  expect((await compare(bench)).out).toBe(`+ create  guests.csv:2  barcode EV-1  visitor
    this machine knows of no time when it was sent
    the service does not list it
    persona: file "visitor"
    first_name: file "A••"
    email: file "a••@e••••••.c••"
    company: file "A•••"
    meal: file "Fish"
Plan: 1 to create.
`);
});

test('the service is asked once more to write to one guest, and that is all that is said', async () => {
  const bench = await sent();
  bench.write('write.csv', 'persona,barcode,enable_comms\nvisitor,EV-1,yes\n');
  const before = bench.posts().length;
  const { code, err } = await bench.run(['push', 'write.csv', '--only', 'EV-1', '--again', '--yes']);
  expect(code).toBe(EXIT.done);
  const bodies = bench
    .posts()
    .slice(before)
    .map(({ body }) => JSON.parse(body ?? '') as object);
  expect(bodies).toMatchObject([{ barcode: 'EV-1', enable_comms: true }]);
  expect(err).toContain(
    'The service will be asked to send e-mail or text messages to 1 person (enable_comms)',
  );
  expect(err).toContain('1 of them asking the service to write to the person (enable_comms)');
  expect(err).not.toMatch(/message (?:was|is|has been) sent/);
});

test.each<[string, (bench: Bench) => unknown, object]>([
  [
    'what only the service has changed',
    (bench) => registerByHand(bench, { barcode: 'EV-1', fields: { company: 'Elsewhere' } }),
    { code: EXIT.done, summary: { sent: 0, unchanged: 0, kept: 1 } },
  ],
  [
    'what both have changed',
    async (bench) => {
      await registerByHand(bench, { barcode: 'EV-1', fields: { company: 'Elsewhere' } });
      bench.write('guests.csv', guests('Acme Ltd', 'Fish'));
    },
    { code: EXIT.rejected, summary: { sent: 0, conflict: 1 } },
  ],
  [
    'who has the ticket of another one now',
    (bench) =>
      registerByHand(bench, { barcode: 'EV-1', fields: { first_name: 'Zoe', email: 'zoe@example.com' } }),
    { code: EXIT.rejected, summary: { sent: 0, conflict: 1 } },
  ],
  [
    'who was deleted since',
    (bench) => deleteByHand(bench, 'EV-1'),
    { code: EXIT.rejected, summary: { sent: 0, conflict: 1 } },
  ],
])('--again looks first, and leaves %s', async (_name, edit, expected) => {
  const bench = await sent();
  await edit(bench);
  const posts = bench.posts().length;
  const ended = await bench.push(['guests.csv', '--only', 'EV-1', '--again']);
  expect(ended).toMatchObject(expected);
  expect(bench.posts()).toHaveLength(posts);
});

test.each(['EV-1', 'NEVER-1'])('--again registers nobody: %s', async (barcode) => {
  const bench = await pushBench();
  bench.write('write.csv', `persona,barcode,enable_comms\nvisitor,${barcode},yes\n`);
  const ended = await bench.push(['write.csv', '--only', barcode, '--again', '--yes']);
  expect([ended.code, bench.posts().length]).toEqual([EXIT.rejected, 0]);
  expect(ended.err).toContain('there is nothing to send again: look at its barcode');
});

test('--again does not send a row that is in doubt still', async () => {
  const bench = await pushBench({ recordBarcode: 'hidden', recordShape: 'no-values', idShown: 'nowhere' });
  bench.write('guests.csv', guests('Acme', 'Fish'));
  bench.service.fault = ({ method }) => (method === 'POST' ? { passOn: true, answer: 'cut' } : undefined);
  await bench.push(['guests.csv', '--no-audit']);
  bench.service.fault = () => undefined;
  const posts = bench.posts().length;
  const ended = await bench.push(['guests.csv', '--only', 'EV-1', '--again', '--yes']);
  expect(ended).toMatchObject({ code: EXIT.uncertain, summary: { sent: 0, uncertain: 1 } });
  expect(bench.posts()).toHaveLength(posts);
});
