import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/errors.ts';
import { pushBench } from '../push-bench.ts';
import { registerByHand } from '../service-hands.ts';
import {
  after,
  all,
  companies,
  edit,
  find,
  guest,
  MINUTE_MS,
  NAMES,
  push,
  pushed,
  six,
  visitors,
} from './lists.ts';

const three = (company: string): string => companies(company, 'A', 'B', 'C');

describe('an edit', () => {
  test('between the reading of the list and the update stays', async () => {
    const bench = await pushed(three('Acme'));
    after(bench, 1, () => edit(bench, 'C', { company: 'Staff Ltd' }));
    const ended = await push(bench, three('Other'), '--concurrency', '1');
    expect([ended.code, find(bench, 'C').fields['company']]).toEqual([EXIT.rejected, 'Staff Ltd']);
  });

  test('of a row that an undo has just brought back stays, and is told', async () => {
    const bench = await pushed(three('Acme'));
    const { summary } = await push(bench, three('Best'));
    await bench.clock.advance(MINUTE_MS);
    after(bench, 1, () => edit(bench, 'A', { company: 'Own' }));
    const ended = await bench.run(['runs', 'undo', summary.run ?? '', '--yes']);
    expect([ended.code, find(bench, 'A').fields['company']]).toEqual([EXIT.rejected, 'Own']);
    expect(ended.err).toContain('(barcode A) different');
  });

  test('by staff goes as staff left it beside another change of the row', async () => {
    const list = (remark: string): string =>
      visitors(`${NAMES},Company,Remarks`, ...['A', 'B'].map((one) => `${guest(one)},Acme,${remark}`));
    const bench = await pushed(list('one'), { fieldsOnUpdate: 'replace' });
    edit(bench, 'A', { company: 'Staff Ltd' });
    const ended = await push(bench, list('two'));
    expect([ended.code, all(bench, 'remarks')]).toEqual([EXIT.done, ['two', 'two']]);
    expect(all(bench, 'company')).toEqual(['Staff Ltd', 'Acme']);
  });
});

describe('what somebody has only written otherwise', () => {
  const LIST = visitors(`${NAMES},Company`, `${guest('A')},Acme Ltd`, `${guest('B')},Acme`);
  const REMARK = visitors('barcode,Remarks', 'A,vegan', 'B,vegan');

  test('goes as it was left, also after a list that says the same', async () => {
    const bench = await pushed(LIST, { fieldsOnUpdate: 'replace' });
    edit(bench, 'A', { company: 'Acme  Ltd', email: 'A@Example.com' });
    await push(bench, LIST);
    await push(bench, REMARK);
    expect(all(bench, 'company')).toEqual(['Acme  Ltd', 'Acme']);
    expect(all(bench, 'email')).toEqual(['A@Example.com', 'b@example.com']);
  });
});

describe('a list that is late', () => {
  test('does not make the next list wrong', async () => {
    const bench = await pushed(three('Acme'), { readLagMs: 4000 });
    await push(bench, three('Wrong'), '--no-audit');
    const ended = await push(bench, three('Acme'));
    await bench.clock.advance(MINUTE_MS);
    expect([ended.summary.unchanged, all(bench, 'company')]).toEqual([0, ['Acme', 'Acme', 'Acme']]);
  });

  test('takes nothing back that was sent a moment ago, where another column is sent', async () => {
    const six = ['A', 'B', 'C', 'D', 'E', 'F'];
    const bench = await pushed(companies('Acme', ...six), { readLagMs: 4000, fieldsOnUpdate: 'replace' });
    const column = (name: string, value: string, ...of: readonly string[]): string =>
      visitors(`barcode,${name}`, ...of.map((one) => `${one},${value}`));
    await push(bench, column('Company', 'Best', ...six), '--no-audit');
    const ended = await push(bench, column('Remarks', 'vegan', 'A', 'D'), '--no-audit');
    expect([ended.code, ended.summary.updated]).toEqual([EXIT.done, 2]);
    expect(all(bench, 'company')).toEqual(six.map(() => 'Best'));
  });

  test.each(['Acme', 'Best'])('by 2.5 s is waited for until it shows what was sent (%s)', async (company) => {
    const bench = await pushed(three('Acme'), { readLagMs: 2500 });
    const [list, begun] = [
      company === 'Acme' ? companies(company, 'D', 'E', 'F') : three(company),
      bench.clock.now(),
    ];
    expect((await push(bench, list)).code).toBe(EXIT.done);
    expect(bench.clock.now() - begun).toBeLessThan(15_000);
  });

  test.each([
    ['who have no e-mail', visitors('First name,Last name', ...six((name) => `${name},Poole`))],
    [
      'who share one with others',
      visitors('First name,Last name,E-mail', ...six((name) => `${name},Poole,all@example.com`)),
    ],
  ])('is waited for also for people %s, and undo finds them', async (_who, list) => {
    const bench = await pushBench({ readLagMs: 2000, createBody: 'text' });
    bench.service.fault = async ({ method }) => {
      if (method === 'POST') await bench.clock.sleep(700);
      return undefined;
    };
    const { summary } = await push(bench, list);
    expect(summary).toMatchObject({ sent: 6, audit: { checked: 6, unverified: 0 } });
    await bench.run(['runs', 'undo', summary.run ?? '', '--yes']);
    expect(bench.kept()).toEqual([]);
  });

  test.each([
    ['that is late beyond that is in doubt until the next push', { readLagMs: 100_000 }, EXIT.done],
    ['that never shows what was taken stays in doubt', {}, EXIT.uncertain],
  ])('of people without e-mails %s', async (_how, switches, next) => {
    const bench = await pushBench({ createBody: 'empty', ...switches });
    await registerByHand(bench, { fields: { first_name: 'Old', last_name: 'Friend' } });
    bench.service.fault = ({ method }) =>
      method === 'POST' ? { passOn: next === EXIT.done, answer: { status: 200, body: '' } } : undefined;
    const list = visitors('First name,Last name', ...six((name) => `${name},Poole`));
    const codes = [(await push(bench, list)).code];
    await bench.clock.advance(MINUTE_MS);
    codes.push((await push(bench, list)).code);
    expect([codes, bench.posts().length]).toEqual([[EXIT.uncertain, next], next === EXIT.done ? 7 : 1]);
  });

  test('is waited for no longer than it takes where nothing can be seen', async () => {
    const bench = await pushBench({ recordShape: 'no-values', recordBarcode: 'hidden', idShown: 'nowhere' });
    const begun = bench.clock.now();
    const list = visitors('First name,Last name', ...six((name) => `${name},Poole`));
    expect((await push(bench, list, '--yes')).summary).toMatchObject({ audit: { unverified: 6 } });
    expect(bench.clock.now() - begun).toBeLessThan(15_000);
  });
});
