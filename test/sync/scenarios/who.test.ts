import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/errors.ts';
import { deleteByHand, giveId, registerByHand } from '../service-hands.ts';
import { type Bench, pushBench } from '../push-bench.ts';
import { withFields } from '../../support/bodies.ts';
import {
  all,
  cancel,
  edit,
  find,
  guest,
  MINUTE_MS,
  NAMES,
  push,
  pushed,
  six,
  textOf,
  visitors,
} from './lists.ts';

const BEN = { first_name: 'Ben', last_name: 'Klein', email: 'ben@example.com' };

const phones = (phone: string): string => visitors(`${NAMES},Mobile phone`, `${guest('A')},${phone}`);

describe('a substitute on a ticket', () => {
  test('gets no values of the guest before', async () => {
    const bench = await pushed(phones('+34600123456'));
    edit(bench, 'A', BEN);
    const ended = await push(bench, phones('+34600999999'));
    expect(find(bench, 'A').fields).toMatchObject({ ...BEN, phone: '+34600123456' });
    expect([ended.code, ended.summary.conflict]).toEqual([EXIT.rejected, 1]);
  });

  test('nor does a walk-in who was given the barcode, with another id', async () => {
    const bench = await pushed(phones('+34600123456'));
    await deleteByHand(bench, 'A');
    await registerByHand(bench, { barcode: 'A', fields: BEN });
    const ended = await push(bench, phones('+34600999999'));
    expect([ended.code, find(bench, 'A').fields]).toEqual([EXIT.rejected, BEN]);
  });

  test('nor does one who is known by a first name alone, where nobody had looked', async () => {
    const bench = await pushBench();
    await push(bench, visitors('barcode,First name', 'A,Dan'), '--no-audit');
    await deleteByHand(bench, 'A');
    await registerByHand(bench, { barcode: 'A', fields: BEN });
    const ended = await push(bench, visitors('barcode,First name,E-mail', 'A,Dan,dan@example.com'), '--yes');
    expect([ended.code, find(bench, 'A').fields]).toEqual([EXIT.rejected, BEN]);
  });

  test('is told once where the list has not changed', async () => {
    const bench = await pushed(phones('+34600123456'));
    edit(bench, 'A', BEN);
    const conflicts = [];
    for (let night = 0; night < 2; night += 1)
      conflicts.push((await push(bench, phones('+34600123456'))).summary.conflict);
    expect(conflicts).toEqual([1, 0]);
  });

  test('of a member keeps the group that the list moves the guest before to', async () => {
    const list = (parent: string): string =>
      visitors(`parent_barcode,${NAMES}`, `,${guest('P')}`, `,${guest('Q')}`, `${parent},${guest('A')}`);
    const bench = await pushed(list('P'));
    edit(bench, 'A', BEN);
    const ended = await push(bench, list('Q'));
    expect([ended.code, find(bench, 'A').parentBarcode]).toEqual([EXIT.rejected, 'P']);
  });
});

test.each([
  [
    'with a barcode and an e-mail',
    'barcode,First name,Last name,E-mail',
    'A,Maximiliane,Oberhuber,max@example.com',
  ],
  ['with a name alone', 'First name,Last name,Company', 'Maximiliane,Oberhuber,Acme'],
])('a guest whose name the service cuts is no other person: %s', async (_, columns, row) => {
  const bench = await pushBench();
  const cut = (value: unknown): unknown => (typeof value === 'string' ? value.slice(0, 5) : value);
  bench.service.sent = ({ body }) =>
    withFields(body, (fields) => ({ ...fields, first_name: cut(fields['first_name']) }));
  await push(bench, visitors(columns, row));
  await bench.clock.advance(MINUTE_MS);
  const ended = await push(bench, visitors(columns, row));
  expect(textOf(ended)).toContain('the service holds other values than the file');
  const kept = [];
  for (const flags of [['--keep'], []]) kept.push((await push(bench, visitors(columns, row), ...flags)).code);
  expect([ended.code, ...kept, bench.kept().length]).toEqual([EXIT.rejected, EXIT.done, EXIT.done, 1]);
});

describe('another barcode for the same people', () => {
  const list = (barcode: (at: number) => string): string =>
    visitors('barcode,First name,Last name', ...six((name, at) => `${barcode(at)},${name},Poole`));

  test.each([
    ['without its zeros', (at: number): string => `${at + 1}`, '--set pad=barcode:4 if the list has lost'],
    [
      'of another series',
      (at: number): string => `NEW-${at + 1}`,
      'write its barcode 0001 into the row, as its',
    ],
  ])('%s registers nobody twice, and prunes nobody', async (_how, barcode, way) => {
    const bench = await pushed(list((at) => `000${at + 1}`));
    const before = bench.kept();
    const ended = await push(bench, list(barcode), '--yes', '--prune', '--max-delete', '100%');
    expect(ended.code).not.toBe(EXIT.done);
    expect(textOf(ended)).toContain(way);
    expect(bench.kept()).toEqual(before);
    const padded = await push(
      bench,
      list((at) => `${at + 1}`),
      '--set',
      'pad=barcode:4',
    );
    expect([padded.code, padded.summary.unchanged]).toEqual([EXIT.done, 6]);
  });
});

describe('the same guest under another id', () => {
  const list = (company: string): string =>
    visitors(`${NAMES},Company`, ...['A', 'B', 'C'].map((one) => `${guest(one)},${company}`));

  test('because staff has entered the guest again: updated', async () => {
    const bench = await pushed(list('Acme'));
    const { fields } = find(bench, 'B');
    cancel(bench, 'B');
    await registerByHand(bench, { barcode: 'B', fields });
    expect([(await push(bench, list('Acme'))).code, (await push(bench, list('Best'))).code]).toEqual([0, 0]);
    expect(all(bench, 'company')).toEqual(['Best', 'Best', 'Best']);
  });

  test.each([false, true])(
    'because each update gives another: no difference that anybody is told of, be one listed late: %s',
    async (isLate) => {
      const bench = await pushed(list('Acme'));
      let renewed = bench.posts().length;
      bench.service.fault = () => {
        for (; renewed < bench.posts().length; renewed += 1)
          giveId(bench, bench.postedBarcodes()[renewed] ?? '', `id-${renewed}`);
        return undefined;
      };
      let last = '';
      bench.service.shown = (body, { method }) => {
        const shown = method === 'GET' ? (/\{[^{}]*"barcode":"C".*?\}\}/.exec(body)?.[0] ?? '') : '';
        if (bench.posts().length < 6) last = shown || last;
        if (!isLate || bench.posts().length !== 6 || shown === '' || last === '') return body;
        const late = body.replace(shown, last);
        last = '';
        return late;
      };
      const one = list('Acme').replace('example.com,Acme', 'example.com,Best');
      for (const next of [list('Best'), one, list('Core')])
        expect((await push(bench, next)).code).toBe(EXIT.done);
      expect([all(bench, 'company'), last]).toEqual([['Core', 'Core', 'Core'], isLate ? '' : last]);
    },
  );
});

test('a substitute under another id is not said to be a deletion where no update was seen to keep an id', async () => {
  const list = visitors('First name,Last name,E-mail', 'Ana,Poole,ana@example.com');
  const bench = await pushed(list, { recordBarcode: 'hidden' });
  edit(bench, 'Ana', BEN);
  giveId(bench, find(bench, 'Ben').barcode, 'id-9');
  const ended = await push(bench, list);
  expect([ended.code, bench.kept().length]).toEqual([EXIT.rejected, 1]);
  expect(textOf(ended)).toContain('it was deleted there, or given another name and e-mail');
});

describe('a guest whom staff deleted and entered again under another barcode', () => {
  const LIST = visitors(NAMES, guest('A'), guest('B'));
  const reentered = async (): Promise<Bench> => {
    const bench = await pushed(LIST);
    const { fields } = find(bench, 'B');
    await deleteByHand(bench, 'B');
    await registerByHand(bench, { barcode: 'W1', fields });
    return bench;
  };

  test.each([[[]], [['--overwrite']], [['--match', 'email', '--overwrite']]])(
    'is not registered beside that one with %j',
    async (flags) => {
      const bench = await reentered();
      const ended = await push(bench, LIST, ...flags);
      expect([ended.code, bench.kept().map(({ barcode }) => barcode)]).toEqual([EXIT.rejected, ['A', 'W1']]);
      expect(textOf(ended)).toMatch(/its barcode W1|has barcode W1/);
    },
  );

  test('is left as it is with --keep, and not asked about again', async () => {
    const bench = await reentered();
    expect((await push(bench, LIST)).err).toContain('has been deleted in the service since; registration');
    for (const flags of [['--keep'], []])
      expect([(await push(bench, LIST, ...flags)).code, bench.kept().length]).toEqual([EXIT.done, 2]);
  });

  test('is registered again where it is said to be another person', async () => {
    const bench = await reentered();
    expect((await push(bench, LIST, '--match', 'none')).err).toContain('--overwrite creates it again');
    const ended = await push(bench, LIST, '--match', 'none', '--overwrite');
    expect([ended.code, bench.kept().length]).toEqual([EXIT.done, 3]);
  });
});

test('of two of one e-mail late in a long list, one at the most is changed by a service that goes by e-mail', async () => {
  const rows = Array.from(
    { length: 60 },
    (_, at) => `G${at},Guest${at},Poole,g${at === 59 ? 58 : at}@example.com`,
  );
  const bench = await pushed(visitors(NAMES, ...rows), { recognise: 'email' });
  const before = bench.posts().length;
  const ended = await push(bench, visitors(NAMES, ...rows), '--yes');
  expect([ended.code, ended.summary.conflict, bench.posts().length]).toEqual([EXIT.rejected, 1, before]);
  expect(before).toBeLessThanOrEqual(60);
});

test('a double that an update has made of a guest without a barcode is told while it is there, and of nobody else', async () => {
  const list = (company: string): string =>
    visitors(
      'First name,Last name,E-mail,Company',
      `Ana,Poole,ana@example.com,${company}`,
      'Bo,Hay,b@e.com,',
    );
  const bench = await pushed(list('Acme'), { upsert: 'double' });
  for (let night = 0; night < 3; night += 1) {
    const { code, err, summary } = await push(bench, list('Best'));
    expect([code, summary.conflict, summary.no_longer_in_file]).toEqual([EXIT.rejected, 1, []]);
    const told =
      night === 0 ? 'has added a registration, reg-' : '2 registrations in the service have this barcode';
    expect(err).toContain(told);
    expect(err).not.toContain('though not sent from here');
  }
  expect(bench.kept()).toHaveLength(3);
});

describe('somebody of whom no answer and no list shows an id', () => {
  test('and who has no e-mail is asked about once the file writes the name otherwise', async () => {
    const bench = await pushed(visitors('First name,Last name', 'Jan,Hopper'), {
      createBody: 'empty',
      idKey: 'none',
    });
    const ended = await push(bench, visitors('First name,Last name', 'Jan,'), '--blank', 'clear', '--yes');
    expect([ended.code, ended.summary.conflict, bench.kept().length]).toEqual([EXIT.rejected, 1, 1]);
  });

  test('but by the answer is asked about once the file writes the e-mail otherwise', async () => {
    const bench = await pushBench({ idShown: 'answers' });
    const list = (email: string): string =>
      visitors('First name,E-mail', `Bob,${email}`, 'Bob,b@example.com');
    await push(bench, list('a@example.com'), '--no-audit');
    const ended = await push(bench, list('new@example.com'));
    expect([ended.code, ended.summary.conflict, bench.kept().length]).toEqual([EXIT.rejected, 1, 2]);
  });
});
