import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import type { Switches } from '../../src/sandbox/store/switches.ts';
import { barcodes, type Bench, pushBench } from './push-bench.ts';
import { registerByHand } from './service-hands.ts';

const GUESTS = barcodes(5);
const HELD = {
  first_name: 'Zoe',
  last_name: 'Lane',
  email: 'zoe@example.com',
  birth_date: '1990-05-10',
  guests: '2',
};

/** A service that holds five guests just so, whatever it makes of what it is sent. */
async function held(
  switches: Partial<Switches>,
  more: Readonly<Record<string, string>> = {},
): Promise<Bench> {
  const bench = await pushBench(switches);
  for (const barcode of GUESTS) {
    await registerByHand(bench, {
      barcode,
      fields: { ...HELD, email: `${barcode.toLowerCase()}@example.com` },
    });
  }
  for (const there of bench.kept()) {
    bench.sandbox.put({
      ...there,
      fields: { ...HELD, ...more, email: `${there.barcode.toLowerCase()}@example.com` },
    });
  }
  await bench.clock.advance(120_000);
  return bench;
}

const file = (bench: Bench, column: string, value: string): string =>
  bench.write(
    'a.csv',
    ['persona,barcode,' + column, ...GUESTS.map((barcode) => `visitor,${barcode},${value}`), ''].join('\n'),
  );

const told = (bench: Bench, value: string): string[] =>
  bench.kept().flatMap(({ barcode, fields }) => (Object.values(fields).includes(value) ? [barcode] : []));

describe('an update that comes back as another value', () => {
  test.each([
    ['sent along', { storedAs: 'day-early', fieldsOnUpdate: 'replace' }, 'remarks,vegan', 1],
    ['a number sent along', { storedAs: 'tenfold', fieldsOnUpdate: 'replace' }, 'remarks,vegan', 1],
    ['said by the file', { storedAs: 'day-early' }, 'birth_date,1991-01-02', 1],
    ['a number said by the file', { storedAs: 'tenfold' }, 'guests,3', 1],
  ] as const)('stops the others, and is named with both values: %s', async (_name, switches, said, most) => {
    const bench = await held(switches);
    const [column = '', value = ''] = said.split(',');
    const before = bench.posts().length;
    const beganAt = bench.clock.now();
    const ended = await bench.push([file(bench, column, value), '--yes', '--show-values']);
    expect([ended.code, bench.posts().length - before]).toEqual([EXIT.rejected, most]);
    expect(ended.summary).toMatchObject({ postponed: 4 });
    const isDate = switches.storedAs === 'day-early';
    const [field, one, other] = isDate ? ['birth_date', '1990-05-10', '1990-05-09'] : ['guests', '2', '20'];
    const stored = isDate ? ['1991-01-02', '1991-01-01'] : ['3', '30'];
    const line =
      said === 'remarks,vegan'
        ? `was "${one}" before, is "${other}" now`
        : `sent "${stored[0]}", listed "${stored[1]}"`;
    expect(ended.err).toContain(`  ${field}: ${line}\n`);
    expect(ended.err).not.toContain('first_name, last_name');
    // Clear at the second look: nobody waits for a list that may be late.
    expect(bench.clock.now() - beganAt).toBeLessThan(30_000);
    const masked = await bench.run(['runs', 'show', ended.summary.run ?? '', '--json']);
    expect(masked.out).not.toContain(`"${other}"`);
  });

  test('is not tried on anybody else, until somebody asks', async () => {
    const bench = await held({ storedAs: 'day-early' });
    const posted = async (...argv: string[]): Promise<number> => {
      const before = bench.posts().length;
      const ended = await bench.push([file(bench, 'remarks', 'vegan'), '--yes', ...argv]);
      expect([ended.code, ended.summary.postponed]).toEqual([EXIT.rejected, argv.length === 0 ? 4 : 3]);
      return bench.posts().length - before;
    };
    expect(await posted()).toBe(1);
    const again = await bench.push([file(bench, 'remarks', 'vegan'), '--yes']);
    expect(again.err).toContain('this service was seen to store birth_date otherwise than it is sent');
    expect([again.summary.postponed, again.summary.sent]).toEqual([4, 0]);
    expect(await posted('--overwrite')).toBe(1);
  });

  test('names the undo that brings the first one back', async () => {
    const bench = await held({ storedAs: 'day-early' });
    const ended = await bench.push([file(bench, 'remarks', 'vegan'), '--yes']);
    expect(ended.err).toContain(`\`eventreg runs undo ${ended.summary.run}\` brings that one back`);
  });
});

describe('what some guests have and the first of them has not', () => {
  test('is looked at with one of them', async () => {
    const bench = await held({ storedAs: 'day-early' });
    for (const there of bench.kept().slice(0, 3)) {
      const { birth_date: _day, ...fields } = there.fields;
      bench.sandbox.put({ ...there, fields: { ...fields, company: 'Acme', phone: '+4915112345' } });
    }
    await bench.clock.advance(120_000);
    const ended = await bench.push([file(bench, 'remarks', 'vegan'), '--yes']);
    expect([ended.code, ended.summary.sent]).toEqual([EXIT.rejected, 2]);
    const days = bench.kept().map(({ fields }) => fields['birth_date']);
    expect(days.slice(3).sort()).toEqual(['1990-05-09', '1990-05-10']);
  });
});

describe('an update that comes back with less', () => {
  const NEW = 'company,birth_date,Nova,1990-05-11';
  test.each([
    ['emptied', { misstored: 'emptied' }, NEW, 'company: sent "Nova", listed nothing'],
    [
      'another value, which is the old one',
      { storedAs: 'day-early' },
      NEW,
      'birth_date: sent "1990-05-11", listed "1990-05-10"',
    ],
  ] as const)('stops the others: %s', async (_name, switches, said, line) => {
    const bench = await held(switches, { company: 'Acme' });
    const [one, other, first, second] = said.split(',');
    const before = bench.posts().length;
    const csv = file(bench, `${one},${other}`, `${first},${second}`);
    const ended = await bench.push([csv, '--yes', '--show-values']);
    expect([ended.code, bench.posts().length - before]).toEqual([EXIT.rejected, 1]);
    expect(ended.summary).toMatchObject({ postponed: 4 });
    expect(ended.err).toContain(`  ${line}\n`);
  });

  test('is late as long as all of it is as before: nothing is stopped, and the end tells', async () => {
    const bench = await held({ readLagMs: 20_000 });
    const ended = await bench.push([file(bench, 'birth_date', '1990-05-11'), '--yes']);
    expect([ended.code, ended.summary.sent]).toEqual([EXIT.done, 5]);
  });
});

test('An update of a field that no list shows is no change that the service ignores', async () => {
  const bench = await held({ recordShape: 'no-phone' });
  const pushed = await bench.push([file(bench, 'phone', '+4915112345'), '--yes']);
  expect([pushed.code, pushed.summary.sent]).toEqual([EXIT.done, 5]);
  expect(pushed.err).toContain('not shown by the service: phone (5 rows)');
  expect(pushed.err).toContain('5 not verified: the service shows too little, or the list is too long');
  expect(pushed.err).not.toContain('are in the service');
  expect((await bench.push([file(bench, 'phone', '+4915112345'), '--yes'])).summary.sent).toBe(0);
});

describe('of several personas, one goes first of each', () => {
  const SOME = ['B001', 'B002', 'B003', 'B004', 'B005', 'B006'];
  const both = (bench: Bench, company: string, day: string): string =>
    bench.write(
      `${company}.csv`,
      [
        'persona,barcode,first_name,last_name,email,phone,company,build_up_at',
        ...SOME.map((barcode, at) =>
          at < 3
            ? `visitor,${barcode},Zoe,Lane,${barcode}@example.com,+4915112345,${company},`
            : `exhibitor,${barcode},Zoe,Lane,${barcode}@example.com,,${company},${day}`,
        ),
        '',
      ].join('\n'),
    );

  test('and what is wrong with those of one does not hold back the others', async () => {
    const bench = await pushBench({ storedAs: 'day-early' });
    const ended = await bench.push([both(bench, 'Acme', '2027-05-02'), '--show-values']);
    expect(ended.code).toBe(EXIT.rejected);
    expect(bench.kept().map(({ barcode }) => barcode)).toEqual(['B001', 'B002', 'B003', 'B004']);
    expect(ended.summary).toMatchObject({ postponed: 2 });
    expect(ended.err).toContain('build_up_at: sent "2027-05-02", listed "2027-05-01"');
  });

  test('of updates, too, at one look each', async () => {
    const bench = await pushBench({ storedAs: 'day-early' });
    for (const [at, barcode] of SOME.entries())
      await registerByHand(bench, { persona: at < 3 ? 'visitor' : 'exhibitor', barcode, fields: {} });
    for (const there of bench.kept()) {
      const day: Record<string, string> = there.persona === 'visitor' ? {} : { build_up_at: '2027-05-01' };
      bench.sandbox.put({ ...there, fields: { company: 'Acme', ...day } });
    }
    await bench.clock.advance(120_000);
    const asked = bench.sandbox.requests().length;
    const ended = await bench.push([both(bench, 'Nova', '2027-05-02'), '--yes']);
    const moved = bench.kept().filter(({ fields }) => fields['company'] === 'Nova');
    expect([ended.code, moved.map(({ barcode }) => barcode)]).toEqual([EXIT.rejected, SOME.slice(0, 4)]);
    const looked = bench.sandbox
      .requests()
      .slice(asked)
      .filter(({ query }) => query['barcode'] !== undefined);
    expect(looked.map(({ query }) => query['barcode'])).toEqual(['B001', 'B004']);
  });
});

test('a new row that comes back without what others have stops the others', async () => {
  const bench = await held({ misstored: 'dropped' }, { company: 'Acme' });
  const rows = ['persona,barcode,first_name,last_name,email,company', ''];
  rows.splice(1, 0, ...['N1', 'N2', 'N3'].map((n) => `visitor,${n},${n},Berg,${n}@example.com,Nova`));
  const ended = await bench.push([bench.write('n.csv', rows.join('\n')), '--show-values']);
  expect([ended.code, bench.kept().length]).toEqual([EXIT.rejected, 6]);
  expect(ended.err).toContain('company: sent "Nova", listed nothing');
});

const people = (bench: Bench): string =>
  bench.write(
    'new.csv',
    [
      'persona,barcode,first_name,last_name,email,phone,birth_date,guests',
      ...GUESTS.map(
        (barcode) => `visitor,${barcode},Zoe,Lane,${barcode}@Example.com,0049 151 12345,1990-05-10,2`,
      ),
      '',
    ].join('\n'),
  );

describe('a new row that comes back as another value', () => {
  test.each([
    ['day-early', 'birth_date: sent "1990-05-10", listed "1990-05-09"'],
    ['tenfold', 'guests: sent "2", listed "20"'],
  ] as const)('stops the others (%s), until somebody says that it counts', async (storedAs, line) => {
    const bench = await pushBench({ storedAs });
    const ended = await bench.push([people(bench), '--show-values']);
    expect([ended.code, bench.posts().length]).toEqual([EXIT.rejected, 1]);
    expect(ended.err).toContain(`  ${line}\n`);
    expect(ended.err).toContain('went first, and came back otherwise than it was sent');
    expect((await bench.push([people(bench), '--keep'])).summary).toMatchObject({ sent: 4, postponed: 0 });
    expect(bench.kept()).toHaveLength(5);
  });

  test.each([
    [{ storedAs: 'tidied' }],
    [{ storedAs: 'capitals' }],
    [{ storedAs: 'zero-time' }],
    [{ misstored: 'dropped' }],
    [{ readLagMs: 20_000 }],
    [{ recordShape: 'no-fields' }],
    [{ recordBarcode: 'hidden' }],
  ] as const)('is none where only the writing differs, or the list is late: %j', async (switches) => {
    const bench = await pushBench(switches);
    const ended = await bench.push([people(bench)]);
    expect([ended.code, ended.summary.sent, told(bench, 'Zoe').length]).toEqual([EXIT.done, 5, 5]);
  });
});

test.each([
  ['a list', 'oldest', 0],
  ['a long list', 'oldest', 230],
  ['a long list that begins with them', 'newest', 230],
] as const)(
  'a first guest whom nothing names is looked for among those who have come: %s',
  async (_, listOrder, others) => {
    const bench = await pushBench({ storedAs: 'day-early', createStatus: '204', listOrder });
    if (others > 0) await registerByHand(bench, { barcode: 'X', fields: { first_name: 'Ada' } });
    for (const there of bench.kept())
      for (let n = 1; n < others; n += 1)
        bench.sandbox.put({ ...there, id: `${there.id}-${n}`, barcode: `X${n}` });
    const before = bench.posts().length;
    const rows = GUESTS.map(
      (code) => `visitor,Zoe,Lane ${code},${code.toLowerCase()}@example.com,1990-05-10`,
    );
    const head = 'persona,First name,Last name,E-mail,Birth date';
    const ended = await bench.push([bench.write('a.csv', [head, ...rows, ''].join('\n'))]);
    // No answer shows what was stored: a second one tells that nobody has edited the first.
    expect([ended.code, bench.posts().length - before, ended.summary.postponed]).toEqual([
      EXIT.rejected,
      2,
      3,
    ]);
  },
);

describe('an edit right after the first was sent', () => {
  /** Has a guest edit what was posted first, before it is looked at. */
  function editFirst(bench: Bench, fields: Readonly<Record<string, string>>): void {
    changeFirst(bench, (there) => bench.sandbox.put({ ...there, fields: { ...there.fields, ...fields } }));
  }

  function changeFirst(bench: Bench, change: (there: ReturnType<Bench['kept']>[number]) => void): void {
    const before = bench.posts().length;
    let isEdited = false;
    bench.service.fault = () => {
      const first = bench.postedBarcodes()[before];
      const there = bench.kept().find(({ barcode }) => barcode === first);
      if (!isEdited && there !== undefined) {
        change(there);
        isEdited = true;
      }
      return undefined;
    };
  }

  test.each([
    ['in what the file says', {}, 'remarks', { remarks: 'nuts' }, 3],
    ['in what was sent along', {}, 'remarks', { birth_date: '1990-05-11' }, 3],
    ['where no answer shows anything', { createBody: 'empty' }, 'remarks', { remarks: 'nuts' }, 3],
  ] as const)('holds nobody back, and stays: %s', async (_name, switches, column, edit, code) => {
    const bench = await held(switches);
    editFirst(bench, edit);
    const ended = await bench.push([file(bench, column, 'vegan'), '--yes']);
    expect([ended.code, ended.summary.sent, ended.summary.postponed]).toEqual([code, 5, 0]);
    for (const [slug, value] of Object.entries(edit)) {
      expect(told(bench, value)).toHaveLength(1);
      expect(ended.err).toContain(`  ${slug}: `);
    }
  });

  test('holds nobody back where it gives another barcode, or deletes', async () => {
    for (const change of ['barcode', 'delete'] as const) {
      const bench = await held({});
      changeFirst(bench, (there) => {
        if (change === 'delete') bench.sandbox.remove(there.id);
        else bench.sandbox.put({ ...there, barcode: 'X-1' });
      });
      const ended = await bench.push([file(bench, 'remarks', 'vegan'), '--yes']);
      expect([told(bench, 'vegan').length >= 4, ended.summary.postponed]).toEqual([true, 0]);
    }
  });

  test('of a new row holds nobody back either', async () => {
    const bench = await pushBench();
    editFirst(bench, { guests: '7' });
    const ended = await bench.push([people(bench)]);
    expect([ended.code, ended.summary.sent, told(bench, '7').length]).toEqual([EXIT.rejected, 5, 1]);
  });

  test('is told apart in the next push where nobody else was sent', async () => {
    const bench = await held({ storedAs: 'day-early', createBody: 'echo' });
    const one = ['persona,barcode,remarks', 'visitor,B001,vegan', ''].join('\n');
    await bench.push([bench.write('one.csv', one), '--yes']);
    const ended = await bench.push([file(bench, 'remarks', 'vegan'), '--yes']);
    expect([ended.code, ended.summary.sent, ended.summary.postponed]).toEqual([EXIT.rejected, 1, 3]);
  });
});
