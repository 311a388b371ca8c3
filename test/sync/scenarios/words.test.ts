import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/errors.ts';
import { pushBench } from '../push-bench.ts';
import { withRecords } from '../../support/bodies.ts';
import { registerByHand } from '../service-hands.ts';
import {
  all,
  cancel,
  companies,
  edit,
  find,
  guest,
  MINUTE_MS,
  NAMES,
  push,
  pushed,
  textOf,
  visitors,
  why,
} from './lists.ts';

const two = (company: string): string => companies(company, 'A', 'B');
const PRUNE = ['push', 'guests.csv', '--prune', '--max-delete', '100%', '--yes'];

describe('a push', () => {
  test('says of no registration that it was changed instead of added where both are there as sent', async () => {
    const row = (name: string): string => `${name},${name},Poole,same@example.com`;
    const bench = await pushed(visitors(NAMES, row('Ana')));
    const { id } = find(bench, 'Ana');
    // An id that is none: the same in every answer.
    bench.service.shown = (body, { method }) =>
      method === 'POST' ? withRecords(body, (record) => ({ ...record, registratoin_id: id })) : body;
    const ended = await push(bench, visitors(NAMES, row('Ana'), row('Bob')));
    expect(all(bench, 'first_name')).toEqual(['Ana', 'Bob']);
    expect(textOf(ended)).not.toMatch(/instead of adding one|same person/);
  });

  test('counts whom --keep leaves deleted', async () => {
    const bench = await pushed(two('Acme'));
    cancel(bench, 'B');
    for (const flags of [['--keep'], ['--dry-run'], []])
      expect((await bench.run(['push', 'guests.csv', ...flags])).err).toContain(
        '  1 deleted in the service, and left so',
      );
  });

  test('says before it prunes that a backup without values brings nobody back', async () => {
    const bench = await pushed(two('Acme'), { recordShape: 'no-fields' });
    bench.write('guests.csv', companies('Acme', 'A'));
    const ended = await bench.run(PRUNE);
    expect([bench.kept().length, ended.err]).toEqual([1, expect.stringContaining('cannot bring them back')]);
  });

  test('that cannot delete by barcode says not to push the same again', async () => {
    const bench = await pushed(two('Acme'), { idShown: 'nowhere' });
    bench.write('guests.csv', companies('Acme', 'A'));
    for (const command of [PRUNE, ['delete', '--barcode', 'B', '--yes']]) {
      const { code, err } = await bench.run(command);
      expect([code, err]).toEqual([EXIT.guarded, expect.stringContaining('in the event platform itself')]);
      expect(err).not.toMatch(/again with --prune|run the same command again/);
    }
  });

  test('says of a registration that a row was taken for and that is as it was that nothing of it was changed', async () => {
    const bench = await pushBench({ recognise: 'email', upsert: 'ignore' });
    const ana = { first_name: 'Ana', last_name: 'Poole', email: 'ana@example.com' };
    await registerByHand(bench, { barcode: 'OLD', fields: ana });
    await bench.clock.advance(MINUTE_MS);
    const list = visitors(NAMES, 'A,Ana,Poole,ana@example.com');
    const ended = await push(bench, list, '--match', 'none', '--yes');
    expect([ended.code, find(bench, 'Ana')]).toMatchObject([EXIT.rejected, { barcode: 'OLD', fields: ana }]);
    expect(textOf(ended)).toContain('took it for registration');
    expect(textOf(ended)).toContain('and changed nothing of that one');
  });

  test('whose reading back was interrupted makes no value one that both sides have changed', async () => {
    const bench = await pushed(two('Acme'), { storedAs: 'capitals' });
    const sent = bench.posts().length;
    bench.service.fault = () => (bench.posts().length > sent + 1 ? { answer: { status: 401 } } : undefined);
    await push(bench, two('Best'));
    bench.service.fault = () => undefined;
    const next = await push(bench, two('Best'));
    expect([next.code, textOf(next)]).toEqual([EXIT.done, expect.not.stringContaining('in the file and in')]);
  });

  test('says of a value that the service cuts not that the service has changed it', async () => {
    const bench = await pushed(companies('Acme', 'A'), { misstored: 'once' });
    expect(textOf(await push(bench, companies('Acme', 'A')))).not.toContain(
      'changed in the file and in the service',
    );
  });

  test('of another file does not say that it goes on from a run whose row it does not send as that has it', async () => {
    const bench = await pushBench();
    bench.service.fault = ({ method, nth }) =>
      method === 'POST' && nth > 0 ? { answer: { status: 401 } } : undefined;
    await bench.push([bench.write('first.csv', two('Acme'))]);
    bench.service.fault = () => undefined;
    const other = bench.write('second.csv', companies('Best', 'B', 'C'));
    expect(textOf(await bench.push([other]))).not.toContain('Going on from');
  });

  test('that asks for messages does not say that somebody may have changed that', async () => {
    const list = (comms: string): string => visitors(`${NAMES},enable_comms`, `${guest('A')},${comms}`);
    const bench = await pushed(list(''));
    const ended = await push(bench, list('yes'));
    expect([ended.code, textOf(ended)]).toEqual([
      EXIT.guarded,
      expect.not.stringContaining('cannot tell who'),
    ]);
  });
});

describe('runs why', () => {
  test('does not advise the flag that was given', async () => {
    const bench = await pushBench({ misstored: 'always' });
    await push(bench, companies('Acme', 'A'), '--overwrite');
    expect(await why(bench, 'A')).not.toContain('--overwrite');
  });

  test('says of a value that the run before has sent that it was sent', async () => {
    const bench = await pushed(two('Acme'));
    await push(bench, visitors('barcode,First name', 'A,Ana', 'B,Bna'));
    expect(await why(bench, 'A')).not.toMatch(/company: .*not sent/);
  });

  test('says after an undo that the next push of the list brings it back', async () => {
    const bench = await pushed(two('Acme'));
    const { summary } = await push(bench, two('Best'));
    await bench.run(['runs', 'undo', summary.run ?? '', '--yes']);
    expect(await why(bench, 'A')).not.toContain('There is nothing to do.');
  });

  test('names the file and the row of the command that puts a value back', async () => {
    const bench = await pushed(two('Acme'));
    edit(bench, 'A', { company: 'Staff Ltd' });
    expect(await why(bench, 'A')).toContain('eventreg push guests.csv --only A --overwrite');
  });
});
