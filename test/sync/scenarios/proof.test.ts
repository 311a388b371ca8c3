import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/errors.ts';
import { type Bench, pushBench } from '../push-bench.ts';
import { registerByHand } from '../service-hands.ts';
import { withFields, withRecords } from '../../support/bodies.ts';
import {
  after,
  all,
  companies,
  diffOf,
  DAY_MS,
  edit,
  find,
  guest,
  hide,
  MINUTE_MS,
  NAMES,
  push,
  pushed,
  textOf,
  visitors,
  why,
} from './lists.ts';

const FIVE = ['A', 'B', 'C', 'D', 'E'];

describe('a first update', () => {
  test('takes nothing from its guest, also when everything is lost right after it', async () => {
    const whole = visitors(
      `${NAMES},Mobile phone`,
      `${guest('A')},+34600123456`,
      `${guest('B')},+34600123457`,
    );
    const bench = await pushed(whole, { fieldsOnUpdate: 'replace' });
    const sent = bench.posts().length;
    bench.service.fault = () => (bench.posts().length > sent ? { answer: { status: 401 } } : undefined);
    await push(bench, visitors('barcode,Mobile phone', 'A,+34600999999', 'B,+34600999998'), '--yes');
    expect(bench.posts().length).toBe(sent + 1);
    expect(all(bench, 'email')).toEqual(['a@example.com', 'b@example.com']);
  });

  test('is of the guest with the field that the service shifts, also when another stands before', async () => {
    const bench = await pushed(companies('Acme', ...FIVE), {
      fieldsOnUpdate: 'replace',
      storedAs: 'day-early',
    });
    for (const one of FIVE.slice(1)) edit(bench, one, { birth_date: '1990-05-10' });
    const ended = await push(bench, companies('Best', ...FIVE), '--yes');
    const moved = all(bench, 'birth_date').filter((date) => date === '1990-05-09');
    expect([ended.code, moved.length, ended.summary.postponed]).toEqual([EXIT.rejected, 1, 4]);
  });

  test('never asks for messages that the service lists', async () => {
    const bench = await pushed(companies('Acme', 'A', 'B'), {
      fieldsOnUpdate: 'replace',
      commsOnUpdate: 'merge',
    });
    bench.sandbox.put({ ...find(bench, 'A'), enableComms: true });
    expect((await push(bench, companies('Best', 'A', 'B'))).code).toBe(EXIT.done);
    expect(bench.posts().filter(({ body }) => body?.includes('enable_comms'))).toEqual([]);
  });
});

describe('what no list shows is not sent again by the next push', () => {
  const LISTS = {
    'all but visitors': [
      `persona,${NAMES}\nvisitor,${guest('A')}\nexhibitor,${guest('B')}\n`,
      'persona',
      'exhibitor',
    ],
    'members of a group': [
      visitors(`parent_barcode,${NAMES}`, `,${guest('A')}`, `A,${guest('B')}`),
      'parent_barcode',
      'A',
    ],
  } as const;

  test.each(Object.entries(LISTS))('%s', async (_who, [list, key, hidden]) => {
    const bench = await pushBench({ filterSpelling: 'none', listTotal: 'hidden' });
    hide(bench, (record) => record[key] === hidden);
    for (let night = 0; night < 2; night += 1) {
      await push(bench, list);
      await bench.clock.advance(DAY_MS);
    }
    expect(bench.postedBarcodes()).toEqual(['A', 'B']);
  });
});

describe('a note that the service cuts for everybody', () => {
  const list = visitors(
    `${NAMES},Remarks`,
    ...FIVE.map((one) => `${guest(one)},${'a long note '.repeat(20)}`),
  );

  test('is told once for the field, and is no news the second night', async () => {
    const bench = await pushBench();
    bench.service.sent = ({ body }) =>
      withFields(body, (fields) => ({ ...fields, remarks: String(fields['remarks']).slice(0, 200) }));
    const first = await push(bench, list);
    const told = `${first.err}${(await push(bench, list, '--keep')).err}`;
    expect(told.match(/remarks: sent/g)).toHaveLength(1);
    await bench.clock.advance(DAY_MS);
    const second = await push(bench, list);
    expect([second.code, second.summary.sent, bench.kept().length]).toEqual([EXIT.done, 0, 5]);
  });
});

test('an update that a service ignores is tried on one guest, and again with another field or --overwrite', async () => {
  const bench = await pushed(companies('Acme', 'A', 'B'), { upsert: 'ignore' });
  const next = companies('Best', 'A', 'B');
  const more = `${next}visitor,${guest('C')},\n`.replace('Ana', 'Anna');
  const ended = [];
  for (const [list, ...flags] of [[next], [next], [next], [next, '--overwrite'], [more]] as const) {
    const before = bench.posts().length;
    const { code } = await push(bench, list, ...flags);
    ended.push([code, bench.posts().length - before]);
  }
  expect(ended).toEqual([1, 0, 0, 1, 2].map((posts) => [EXIT.rejected, posts]));
});

test.each<[string, Parameters<typeof pushed>[1], readonly (readonly [posts: number, isLong: boolean])[]]>([
  [
    'ignores, and a minute waited for the first where no answer shows the old values',
    { upsert: 'ignore', createBody: 'echo' },
    [
      [1, true],
      [1, false],
      [0, false],
    ],
  ],
  [
    'ignores as its answer shows',
    { upsert: 'ignore' },
    [
      [1, false],
      [1, false],
      [0, false],
    ],
  ],
  [
    'refuses is tried alone',
    { upsert: 'refuse' },
    [
      [1, false],
      [0, false],
      [0, false],
    ],
  ],
])('each of two changes that a service %s', async (_, switches, expected) => {
  const bench = await pushed(companies('Acme', 'A', 'B'), switches);
  const next = companies('Acme', 'A', 'B').replace('com,Acme', 'com,Best').replace('Bna', 'Benna');
  const seen = [];
  for (const _push of expected) {
    const [before, began] = [bench.posts().length, bench.clock.now()];
    expect((await push(bench, next)).code).toBe(EXIT.rejected);
    seen.push([bench.posts().length - before, bench.clock.now() - began > MINUTE_MS / 2]);
  }
  expect(seen).toEqual(expected);
});

describe('what the list masks', () => {
  const rows = (company: string, phone = '+34600123456'): string =>
    visitors(
      `${NAMES},Mobile phone,Company`,
      `${guest('A')},${phone},${company}`,
      `${guest('B')},+34600123457,Acme`,
    );
  const masked = (text: unknown): string => `${String(text).slice(0, 3)}•••••`;

  /** Two guests, of whom the list masks e-mail and phone. */
  async function masking(): Promise<Bench> {
    const bench = await pushBench();
    bench.service.shown = (body, { method }) =>
      method === 'GET'
        ? withRecords(body, ({ fields, ...record }) => {
            const { email, phone } = fields as Record<string, unknown>;
            return {
              ...record,
              fields: { ...(fields as object), email: masked(email), phone: masked(phone) },
            };
          })
        : body;
    expect((await push(bench, rows('Acme'))).code).toBe(EXIT.done);
    await bench.clock.advance(MINUTE_MS);
    return bench;
  }

  test('does not keep others of a list back, nor what staff has written in the place of another value', async () => {
    const bench = await masking();
    expect((await push(bench, rows('Acme'))).summary).toMatchObject({ sent: 0, values_kept: 0 });
    edit(bench, 'B', { company: 'by staff' });
    const { summary } = await push(bench, rows('Acme'));
    expect([summary, find(bench, 'B').fields]).toMatchObject([{ values_kept: 1 }, { company: 'by staff' }]);
  });

  test('is told in a diff where it goes once more, and is changed by the file without a wait', async () => {
    const bench = await masking();
    expect(await diffOf(bench, rows('Best'))).toContain('phone: "+34•••••••••" as sent before');
    const began = bench.clock.now();
    const { code } = await push(bench, rows('Best', '+34600999999'));
    expect([code, bench.clock.now() - began < MINUTE_MS / 2]).toEqual([EXIT.done, true]);
    expect(find(bench, 'A').fields).toMatchObject({ company: 'Best', phone: '+34600999999' });
  });
});

test('a field that the service does not store holds no row back that changes another, though staff fill it in', async () => {
  const bench = await pushed(companies('Acme', 'A', 'B', 'C'), { misstored: 'dropped' });
  edit(bench, 'C', { company: 'by staff' });
  const ended = await push(bench, companies('Acme', 'A', 'B', 'C').replaceAll(/[AB]na,/g, 'Mia,'));
  expect([ended.code, ended.summary.updated]).toEqual([EXIT.done, 2]);
  expect(all(bench, 'first_name')).toEqual(['Mia', 'Mia', 'Cna']);
});

test.each(['double', 'refuse'] as const)(
  'where barcodes that are there %s, it is said how a change gets in',
  async (upsert) => {
    const bench = await pushed(companies('Acme', 'A', 'B'), { upsert });
    const old = find(bench, 'A').id;
    const told = textOf(await push(bench, companies('Best', 'A')));
    const added = bench.kept().find(({ barcode, id }) => barcode === 'A' && id !== old);
    if (added !== undefined)
      expect(told).toContain(`has added a registration, ${added.id}, instead of changing ${old}`);
    for (const text of [told, textOf(await push(bench, companies('Best', 'A', 'B')))])
      expect(text).toContain('make the change in the service');
  },
);

test('a value that the service computes for each does not hide who is new', async () => {
  const bench = await pushBench();
  bench.service.shown = (body) =>
    withRecords(body, (one) => ({ ...one, fields: { ...(one['fields'] as object), code: one['barcode'] } }));
  const list = companies('Acme', 'A', 'B');
  expect((await push(bench, list, '--yes')).summary).toMatchObject({ created: 2, not_proven_new: 0 });
});

test('a deletion is undone where the service shows no ids', async () => {
  const bench = await pushed(companies('Acme', 'A', 'B'), { idKey: 'none' });
  await bench.run(['delete', '--barcode', 'A', '--yes']);
  const { code } = await bench.run(['runs', 'undo', bench.runs()[0]?.id ?? '', '--yes']);
  expect([code, bench.kept().length]).toEqual([EXIT.done, 2]);
});

test.each([[[]], [['--no-audit']]])(
  'whoever is of a kind that no list shows is not called new %s',
  async (flags) => {
    const bench = await pushBench({ createStatus: '201-200', listTotal: 'hidden' });
    await registerByHand(bench, { barcode: 'V', fields: { first_name: 'Vic' } });
    await registerByHand(bench, { persona: 'exhibitor', barcode: 'A', fields: { first_name: 'Old' } });
    hide(bench, ({ persona }) => persona === 'exhibitor');
    const list = `persona,${NAMES}\n${['A', 'B'].map((one) => `exhibitor,${guest(one)}\n`).join('')}`;
    const { summary } = await push(bench, list, '--overwrite', '--yes', ...flags);
    expect([bench.kept().length, summary]).toMatchObject([3, { sent: 2, created: 0, not_proven_new: 2 }]);
  },
);

describe('a ticket to which an update gives another barcode', () => {
  const list = visitors('First name,Last name,E-mail,Company', 'Ana,Poole,a@example.com,Best');
  const open = async (): Promise<Bench> => {
    const bench = await pushBench({ ownBarcodes: 'reissued' });
    await registerByHand(bench, {
      fields: { first_name: 'Ana', last_name: 'Poole', email: 'a@example.com' },
    });
    return bench;
  };

  test('is told, also where nothing is read back', async () => {
    const ended = await push(await open(), list, '--yes', '--no-audit');
    expect([ended.code, ended.summary.problems[0]?.message]).toEqual([
      EXIT.rejected,
      expect.stringContaining('the service holds other values in: barcode'),
    ]);
  });

  test('is told by the next push where the first was broken off', async () => {
    const bench = await open();
    bench.service.fault = () => (bench.posts().length > 1 ? { answer: { status: 401 } } : undefined);
    await push(bench, list, '--yes');
    bench.service.fault = () => undefined;
    const ended = await push(bench, list, '--yes');
    expect([ended.code, textOf(ended)]).toEqual([
      EXIT.rejected,
      expect.stringContaining('guests.csv:2: the service holds other values in: barcode'),
    ]);
  });

  test.each([
    ['names it', 'wrapped' as const, 'the service holds other values in: barcode'],
    ['says nothing', 'empty' as const, 'the service said that it took it, but does not list it'],
  ])(
    'of a service without ids is not called deleted, nor undone, where the answer %s',
    async (_, createBody, told) => {
      const people = ['Ana,Poole,a@example.com,', 'Ben,Klein,b@example.com,'];
      const names = 'First name,Last name,E-mail,Company';
      const bench = await pushed(visitors(names, ...people), {
        ownBarcodes: 'reissued',
        idKey: 'none',
        createBody,
      });
      const ended = await push(bench, visitors(names, ...people.map((one) => `${one}Best`)), '--yes');
      expect(ended.summary.problems[0]?.message).toContain(told);
      const undone = await bench.run(['runs', 'undo', String(ended.summary.run), '--yes']);
      expect([undone.code, textOf(undone)]).toEqual([EXIT.rejected, expect.stringMatching(/barcode/)]);
    },
  );
});

describe('of a kind that no list shows', () => {
  const hiding = async (who: Parameters<typeof hide>[1]): Promise<Bench> => {
    const bench = await pushBench({ parentDelete: 'cascade', listTotal: 'hidden' });
    await registerByHand(bench, { barcode: 'V', fields: { first_name: 'Vic' } });
    hide(bench, who);
    return bench;
  };

  test('a member whose parent was deleted from here is not said to be there still', async () => {
    const bench = await hiding((record) => Boolean(record['parent_barcode']));
    const list = visitors(`parent_barcode,${NAMES}`, `,${guest('P')}`, `P,${guest('M')}`);
    await push(bench, list);
    await bench.run(['delete', '--barcode', 'P', '--yes']);
    expect(bench.kept().map(({ barcode }) => barcode)).toEqual(['V']);
    expect((await push(bench, list)).err).toContain('Send 1 row all the same?');
    await push(bench, list, '--yes');
    expect(bench.kept().map(({ barcode }) => barcode)).toEqual(['M', 'P', 'V']);
  });

  test.each([
    ['to a persona that is shown', 'persona', `exhibitor,,${guest('A')}`, `visitor,,${guest('A')}`],
    ['out of a group', 'parent_barcode', `visitor,V,${guest('A')}`, `visitor,,${guest('A')}`],
  ])('whoever moves %s is not called deleted', async (_, key, before, after) => {
    const bench = await hiding((record) => record[key] === 'exhibitor' || record[key] === 'V');
    const list = (row: string): string => `persona,parent_barcode,${NAMES}\n${row}\n`;
    await push(bench, list(before), '--yes');
    const ended = await push(bench, list(after), '--blank', 'clear');
    expect(textOf(ended)).not.toContain('deleted in the service');
    expect(ended.err).toContain('Send 1 row all the same?');
  });
});

describe('doubles without barcodes that the service has made', () => {
  test('are told as long as they are there', async () => {
    const list = visitors(
      'First name,Last name,E-mail',
      'Ana,Poole,a@example.com',
      'Bob,Poole,b@example.com',
    );
    const bench = await pushBench();
    after(bench, 1, () => bench.sandbox.put({ ...find(bench, 'Ana'), id: 'twin', barcode: 'QR-twin' }));
    for (let night = 0; night < 3; night += 1) {
      const ended = await push(bench, list);
      expect([ended.code, textOf(ended)]).toEqual([EXIT.rejected, expect.stringContaining('twin')]);
    }
  });
});

describe('a parent that goes leaves no member behind untold, where no parents are shown', () => {
  const AT_RISK = 'members of what is deleted may lose their parent';
  const open = async (): Promise<Bench> =>
    await pushBench({ recordParent: 'hidden', parentDelete: 'orphaned' });

  test('by delete', async () => {
    const bench = await open();
    await registerByHand(bench, { barcode: 'P', fields: { first_name: 'Pia' } });
    await registerByHand(bench, { barcode: 'M-1', parent_barcode: 'P', fields: { first_name: 'Max' } });
    const ended = await bench.run(['delete', '--barcode', 'P', '--yes', '--max-delete', '100%']);
    expect([find(bench, 'M-1').parentBarcode, ended.err]).toEqual([
      undefined,
      expect.stringContaining(AT_RISK),
    ]);
  });

  const without = visitors('barcode,First name', 'M-1,Max', 'X,Xa');
  const PRUNE = ['--prune', '--max-delete', '100%', '--yes'];

  test.each([
    ['push --prune', PRUNE, true],
    ['push', [], false],
  ])('by %s', async (_, flags, isGone) => {
    const bench = await open();
    await push(bench, visitors('barcode,First name', 'P,Pia', 'M-1,Max', 'X,Xa'));
    bench.sandbox.put({ ...find(bench, 'M-1'), parentBarcode: 'P' });
    const ended = await push(bench, without, ...flags);
    expect([bench.kept().length, ended.err.includes(AT_RISK)]).toEqual([isGone ? 2 : 3, isGone]);
  });

  test('by push --prune, which leaves it where this machine has sent the member', async () => {
    const bench = await open();
    await push(bench, visitors('barcode,parent_barcode,First name', 'P,,Pia', 'M-1,P,Max', 'X,,Xa'));
    const ended = await push(bench, without, ...PRUNE);
    expect([bench.kept().length, find(bench, 'M-1').parentBarcode]).toEqual([3, 'P']);
    expect(ended.err).toMatch(/its member, registration \S+, stays/);
  });

  test('by undo', async () => {
    const bench = await open();
    const { summary } = await push(bench, visitors('barcode,First name', 'P,Pia', 'X,Xa'));
    await registerByHand(bench, { barcode: 'M-1', parent_barcode: 'P', fields: { first_name: 'Max' } });
    const ended = await bench.run(['runs', 'undo', String(summary.run), '--yes', '--max-delete', '100%']);
    expect([bench.kept().length, ended.err]).toEqual([1, expect.stringContaining(AT_RISK)]);
  });
});

test('an undo calls nobody gone whom no list has ever shown', async () => {
  const bench = await pushBench({ listTotal: 'hidden' });
  hide(bench, ({ persona }) => persona === 'exhibitor');
  const list = 'persona,barcode,First name\nvisitor,A,Ana\nexhibitor,E,Eva\n';
  const { summary } = await push(bench, list);
  const ended = await bench.run(['runs', 'undo', String(summary.run), '--yes', '--max-delete', '100%']);
  const [left] = bench.kept();
  expect([bench.kept().length, left?.barcode, ended.code]).toEqual([1, 'E', EXIT.rejected]);
  expect(textOf(ended)).toContain('the list shows none of its kind');
});

test('a person whom no list shows is not registered once more under another barcode', async () => {
  const bench = await pushBench({ listTotal: 'hidden' });
  hide(bench, ({ persona }) => persona === 'exhibitor');
  const list = (barcode: string): string =>
    `persona,${NAMES}\nvisitor,${guest('A')}\nexhibitor,${barcode},Eva,Poole,e@example.com\n`;
  await push(bench, list('E-1'));
  const ended = await push(bench, list('E-2'));
  expect([ended.code, bench.kept().length]).toEqual([EXIT.rejected, 2]);
  expect(textOf(ended)).toContain('one that was sent before has its e-mail');
  const meant = await push(bench, list('E-2'), '--match', 'none');
  expect([meant.code, bench.kept().length]).toEqual([EXIT.done, 3]);
});

describe('somebody of a kind that no list shows, changed in the file since it was sent,', () => {
  const exhibitors = (company: string): string =>
    `persona,${NAMES},Company\nvisitor,${guest('A')},\nexhibitor,${guest('E')},${company}\n`;

  async function hiding(): Promise<Bench> {
    const bench = await pushBench({ listTotal: 'hidden' });
    hide(bench, ({ persona }) => persona === 'exhibitor');
    return bench;
  }

  test('is not sent over what nobody can see without a yes', async () => {
    const bench = await hiding();
    await push(bench, exhibitors('Acme'));
    edit(bench, 'E', { company: 'by staff' });
    const ended = await push(bench, exhibitors('Best'));
    expect([ended.code, find(bench, 'E').fields['company']]).toEqual([EXIT.guarded, 'by staff']);
    expect(ended.err).toContain('lists nobody of the kind of some rows that were sent before');
    expect((await push(bench, exhibitors('Best'), '--yes')).summary.sent).toBe(1);
  });

  test('is not said to be gone', async () => {
    const bench = await hiding();
    await push(bench, exhibitors('Acme'));
    const story = await why(bench, 'E');
    expect(story).toContain('it is not listed, and never was, so that it cannot be told whether it is there');
    expect(story).not.toContain('NOT in the service');
  });

  test('is a conflict while it is in doubt whether it is there', async () => {
    const bench = await hiding();
    const two = (company: string): string => `${exhibitors('Acme')}exhibitor,${guest('F')},${company}\n`;
    bench.service.fault = ({ method, body }) =>
      method === 'POST' && body.includes('"F"') ? { answer: 'cut', passOn: true } : undefined;
    expect((await push(bench, two('Acme'))).code).toBe(EXIT.uncertain);
    bench.service.fault = () => undefined;
    const ended = await push(bench, two('Best'), '--yes');
    expect([ended.code, bench.kept().length]).toEqual([EXIT.rejected, 3]);
    expect(textOf(ended)).toContain('it is not known whether the service has that: say so first with');
  });
});
