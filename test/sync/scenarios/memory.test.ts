import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/errors.ts';
import { pushBench } from '../push-bench.ts';
import { registerByHand } from '../service-hands.ts';
import { cancel, DAY_MS, guest, NAMES, push, pushed, six, visitors } from './lists.ts';

describe('who was cancelled is not registered again', () => {
  const ROWS = six((name) => `${name},Poole,${name.toLowerCase()}@example.com`);
  const LIST = visitors('First name,Last name,E-mail', ...ROWS);
  const LONGER = visitors('First name,Last name,E-mail,Company', ...ROWS.map((row) => `${row},Acme`));

  test.each([
    ['because the list has a column more', LONGER, 0],
    ['because the run that knew of it is forgotten', LIST, 40],
  ])('%s', async (_why, next, days) => {
    const bench = await pushed(LIST);
    cancel(bench, 'Bob');
    await bench.clock.advance(days * DAY_MS);
    const ended = await push(bench, next);
    expect([bench.kept().length, ended.summary.conflict]).toEqual([5, 1]);
  });
});

test('who was found, and cancelled before an update of theirs was sent, is not registered', async () => {
  const bench = await pushBench();
  const fields = { first_name: 'Ana', last_name: 'Poole', email: 'ana@example.com' };
  await registerByHand(bench, { barcode: 'W1', fields });
  const list = visitors('First name,Last name,E-mail,Company', 'Ana,Poole,ana@example.com,Acme');
  bench.service.fault = ({ method }) => (method === 'POST' ? { answer: { status: 401 } } : undefined);
  await push(bench, list, '--yes');
  bench.service.fault = () => undefined;
  cancel(bench, 'Ana');
  const ended = await push(bench, list.replace('Acme', 'Best'), '--yes');
  expect([ended.code, bench.kept().length]).toEqual([EXIT.rejected, 0]);
});

test('a push that a guard refuses leaves no run with the values of people', async () => {
  const bench = await pushed(visitors(NAMES, ...Array.from({ length: 9 }, (_, at) => guest(`P${at}`))));
  const before = bench.runs().length;
  const next = visitors(NAMES, guest('N'));
  const ended = await push(bench, next, '--prune', '--max-delete', '3', '--yes');
  expect([ended.code, bench.runs().length]).toEqual([EXIT.guarded, before]);
});
