import { describe, expect, test } from 'vitest';
import type { Base } from '../../../src/sync/decide/base.ts';
import { base, type Given, image, plan, record, row, verdicts } from './plan-row-bench.ts';

describe('a ticket that the file gives to somebody else', () => {
  const ada = row({ name: 'Ada', email: 'ada@b.example' });
  const known = base(ada, image({ ...ada.fields, phone: '111', meal: 'fish' }));
  const bo = row({ name: 'Bo', email: 'bo@b.example' });
  const listed = { ...ada.fields, phone: '111', meal: 'fish' };

  test('is told by how many parts of name and e-mail, so that two are no correction', () => {
    const found = [record(listed)];
    expect(plan({ registration: bo, found, base: known })).toMatchObject({ action: 'update', toAnother: 2 });
    const mended = row({ name: 'Ada', email: 'ada@c.example' });
    expect(plan({ registration: mended, found, base: known }).toAnother).toBe(1);
  });

  test('is none where the person is the same, or was never known, or its registration has another barcode', () => {
    const same = row({ ...ada.fields, phone: '222' });
    expect(plan({ registration: same, found: [record(listed)], base: known }).toAnother).toBe(0);
    expect(plan({ registration: bo, found: [record(listed)] }).toAnother).toBe(0);
    const found = [record(listed, { barcode: 'Z' })];
    expect(plan({ registration: bo, found, base: known }).toAnother).toBe(0);
  });

  describe('of which a value was edited for the person before', () => {
    const said = row({ ...ada.fields, phone: '111' });
    const given: Given = {
      registration: row({ ...bo.fields, phone: '111' }),
      found: [record({ ...ada.fields, phone: '999' })],
      base: base(said),
    };

    test('asks, and knows from then on that nobody has seen it of this person', () => {
      expect(verdicts(given)).toEqual({ name: 'send', email: 'send', phone: 'conflict' });
      expect(plan(given).base?.pairs.get('phone')).toEqual({ said: '#111', seen: undefined });
    });

    test('sends it where the file wins, and knows of it what was known', () => {
      const won = { ...given, winner: 'file' } as const;
      expect(verdicts(won)).toEqual({ name: 'send', email: 'send', phone: 'send' });
      expect((plan(won).base ?? given.base)?.pairs.get('phone')).toEqual({ said: '#111', seen: '#111' });
    });

    test('keeps what was settled before', () => {
      const settled = base(said, image({ ...ada.fields, phone: '999' }));
      expect(verdicts({ ...given, base: settled })).toEqual({ name: 'send', email: 'send', phone: 'kept' });
    });
  });
});

describe('a row that found its registration under another barcode', () => {
  const found = [record({ name: 'Ada' }, { barcode: 'Z' })];
  const why =
    'its registration has barcode Z, which an update cannot change; write that into the file, or delete the registration and push it again';

  test('is left to people, whoever wins but the service', () => {
    for (const winner of ['ask', 'file'] as const) {
      expect(plan({ found, winner })).toMatchObject({
        action: 'conflict',
        why,
        changes: [{ field: 'barcode', before: 'Z', after: 'A' }],
      });
    }
    expect(plan({ found, winner: 'service' })).toMatchObject({ action: 'kept', why: undefined });
  });

  test('says so beside what both have changed', () => {
    const both = plan({
      registration: row({ name: 'Bo' }),
      found: [record({ name: 'Eve' }, { barcode: 'Z' })],
      base: base(row({ name: 'Ada' })),
    });
    expect(both.why).toBe(
      `the service holds other values than the file, and only you can tell which are right: name; --overwrite sends the file's, --keep leaves the service's; ${why}`,
    );
  });

  test.each([
    ['is written in another case', 'A', 'a'],
    ['is not shown', 'A', undefined],
    ['is not in the row', undefined, 'Z'],
  ])('is not, where the barcode %s', (_, barcode, shown) => {
    const registration = row({ name: 'Ada' }, { barcode });
    expect(plan({ registration, found: [record({ name: 'Ada' }, { barcode: shown })] })).toMatchObject({
      action: 'unchanged',
    });
  });

  test('knows it as settled afterwards, as long as it stays so', () => {
    const settled = plan({ found, winner: 'service' }).base;
    expect(plan({ found, base: settled })).toMatchObject({ action: 'kept' });
    const other = found.map((one) => ({ ...one, barcode: 'Y' }));
    expect(plan({ found: other, base: settled })).toMatchObject({ action: 'conflict' });
  });
});

describe('a member that is to leave its group', () => {
  const alone = row({ name: 'Ada' }, { leavesGroup: true });
  const member = base(row({ name: 'Ada' }, { parentBarcode: 'P' }));
  const found = [record({ name: 'Ada' }, { parentBarcode: 'P' })];
  const given: Given = { registration: alone, found, base: member };
  const cannot =
    'the service is not known to take a member out of its group (parent_barcode); delete it and push it again';

  test('is in conflict, as an update cannot take it out, whoever wins but the service', () => {
    expect(plan(given)).toMatchObject({ action: 'conflict', why: cannot });
    expect(plan({ ...given, winner: 'file' })).toMatchObject({ action: 'conflict', why: cannot });
  });

  test('stays in it where the service wins, and is asked about no more', () => {
    const kept = plan({ ...given, winner: 'service' });
    expect(kept).toMatchObject({ action: 'kept', why: undefined });
    expect(plan({ ...given, base: kept.base })).toMatchObject({ action: 'kept', why: undefined });
  });

  test('is sent to a service that is seen to take members out', () => {
    const sent = plan({ ...given, leavingGroups: true });
    expect(sent).toMatchObject({ action: 'update', why: undefined });
    expect(plan({ ...given, base: undefined, leavingGroups: true })).toMatchObject({ action: 'update' });
  });

  test('says beside it what both have changed', () => {
    const both = {
      ...given,
      registration: row({ name: 'Bo' }, { leavesGroup: true }),
      found: [record({ name: 'Eve' }, { parentBarcode: 'P' })],
    };
    expect(plan(both).why).toBe(
      `${cannot}; the service holds other values than the file, and only you can tell which are right: name; --overwrite sends the file's, --keep leaves the service's`,
    );
    expect(plan({ ...both, found: [record({ name: 'Eve' })] }).why).not.toContain('group');
  });

  test('has left where it is in none', () => {
    expect(plan({ ...given, found: [record({ name: 'Ada' })] })).toMatchObject({ action: 'unchanged' });
    const hidden = { registration: alone, found: [record({ name: 'Ada' })], parentsShown: false };
    const left = base(alone, image({ name: 'Ada' }));
    expect(plan({ ...hidden, base: left })).toMatchObject({ action: 'unchanged' });
    expect(plan({ ...hidden, base: member })).toMatchObject({ action: 'conflict', why: cannot });
  });

  test('stays in it once somebody has settled that, or has put it there since', () => {
    const unbased = { ...given, base: undefined };
    expect(plan(unbased)).toMatchObject({ action: 'conflict' });
    const settled = plan({ ...unbased, winner: 'service' });
    expect(settled.action).toBe('kept');
    expect(plan({ ...given, base: settled.base })).toMatchObject({ action: 'kept' });
    expect(plan({ ...given, base: base(alone, image({ name: 'Ada' })) })).toMatchObject({ action: 'kept' });
  });

  test('asks for the rest without it, and keeps the wish where it may be sent', () => {
    const more = { ...given, registration: row({ name: 'Bo' }, { leavesGroup: true }) };
    expect(plan(more)).toMatchObject({ action: 'update', ask: { fields: { name: 'Bo' } } });
    expect(plan(more).ask).not.toHaveProperty('leavesGroup');
    const found = [record({ name: 'Ada', email: 'new@b.example' }, { parentBarcode: 'P' })];
    const registration = row({ name: 'Bo', email: 'ada@b.example' }, { leavesGroup: true });
    const known = base(row({ name: 'Ada', email: 'ada@b.example' }, { parentBarcode: 'P' }));
    const beside = plan({ registration, found, base: known, leavingGroups: true });
    expect(beside.ask).toMatchObject({ leavesGroup: true, parentBarcode: undefined });
    const stays = { ...registration, leavesGroup: undefined } as unknown as typeof registration;
    expect(plan({ registration: stays, found, base: known }).ask).not.toHaveProperty('leavesGroup');
  });
});

describe('what is asked for beside what is kept', () => {
  const known = base(row({ name: 'Ada', phone: '111' }, { parentBarcode: 'P', enableComms: true }));
  const registration = row({ name: 'Bo', phone: '111' }, { parentBarcode: 'P', enableComms: true });
  const found = (more: object, phone = '111') => [
    record({ name: 'Ada', phone }, { parentBarcode: 'P', enableComms: true, ...more }),
  ];

  test('is the row without it, and all else as it is', () => {
    expect(plan({ registration, found: found({}, '999'), base: known }).ask).toEqual({
      persona: 'visitor',
      fields: { name: 'Bo' },
      barcode: 'A',
      parentBarcode: 'P',
      enableComms: true,
    });
  });

  test('is without the parent or the messages that only the service has changed', () => {
    const moved = plan({ registration, found: found({ parentBarcode: 'Q' }), base: known }).ask;
    expect(moved).toMatchObject({ parentBarcode: undefined, enableComms: true });
    const quiet = plan({ registration, found: found({ enableComms: false }), base: known }).ask;
    expect(quiet).toMatchObject({ parentBarcode: 'P', enableComms: false });
  });
});

describe('a registration that was moved to another persona', () => {
  const found = [record({ name: 'Ada' }, { persona: 'speaker' })];

  test('is kept, with fields that nobody has changed', () => {
    const given = { registration: row({ name: 'Ada' }), found, base: base(row({ name: 'Ada' })) };
    expect(plan(given)).toMatchObject({ action: 'kept', changes: [{ field: 'persona' }] });
  });

  test('leaves alone what is kept beside what people have to judge', () => {
    const registration = row({ name: 'Bo', phone: '111' });
    const moved = [record({ name: 'Ada', phone: '999' }, { persona: 'speaker' })];
    const given = { registration, found: moved, base: base(row({ name: 'Ada', phone: '111' })) };
    expect(verdicts(given)).toMatchObject({ ':persona': 'conflict', name: 'conflict' });
  });

  test('is sent to the persona of the file where that wins', () => {
    const given = { registration: row({ name: 'Bo' }), found, base: base(row({ name: 'Ada' })) };
    expect(verdicts({ ...given, winner: 'file' })).toEqual({ ':persona': 'send', name: 'send' });
  });
});

describe('a value that the service has twice stored otherwise', () => {
  const refusedBefore = (): Base => {
    const known = base(row({ name: 'Ada' }), image({ name: 'ADA L' }));
    const pair = known.pairs.get('name');
    if (pair === undefined) throw new Error('there is one');
    return { ...known, pairs: new Map([...known.pairs, ['name', { ...pair, refused: true }]]) };
  };

  test('is only counted while nothing has changed', () => {
    expect(plan({ found: [record({ name: 'ADA L' })], base: refusedBefore() })).toMatchObject({
      action: 'unchanged',
      changes: [],
      verdicts: new Map([['name', 'refused']]),
    });
  });

  test('is sent again where the file says something new', () => {
    const given = { registration: row({ name: 'Bo' }), found: [record({ name: 'ADA L' })] };
    expect(verdicts({ ...given, base: refusedBefore() })).toEqual({ name: 'send' });
  });
});

describe('what is known of a registration', () => {
  const registration = row({ name: 'Ada' });
  const found = [record({ name: 'Ada', phone: '111' })];
  const known = plan({ registration, found }).base as Base;

  test('is not written again while it is as it was', () => {
    expect(plan({ registration, found, base: known })).toMatchObject({
      action: 'unchanged',
      base: undefined,
    });
    expect(plan({ registration: row({ name: 'Bo' }), found, base: known }).base).toBeUndefined();
  });

  const without = (key: string) => new Map([...known.pairs].filter(([one]) => one !== key));
  test.each<[string, Base]>([
    ['is there again', { ...known, gone: true }],
    [
      'was said otherwise',
      { ...known, pairs: new Map([...known.pairs, ['name', { said: '#Bo', seen: '#Ada' }]]) },
    ],
    [
      'was seen otherwise',
      { ...known, pairs: new Map([...known.pairs, ['name', { said: '#Ada', seen: '#Bo' }]]) },
    ],
    [
      'was refused',
      { ...known, pairs: new Map([...known.pairs, ['name', { said: '#Ada', seen: '#Ada', refused: true }]]) },
    ],
    ['was not seen before', { ...known, pairs: without('phone') }],
  ])('is written where it %s', (_, base) => {
    expect(plan({ registration, found, base }).base).toEqual(known);
  });

  test('is of the persona that it is listed with', () => {
    const moved = [record({ name: 'Ada' }, { persona: 'speaker' })];
    expect(plan({ registration, found: moved }).base?.pairs.has('phone')).toBe(false);
    expect(plan({ registration, found: [record({}, { persona: undefined })] }).base?.pairs.has('phone')).toBe(
      true,
    );
  });
});
