import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadNationalPhones } from '../../../src/commands/push/push-repairs.ts';
import type { ColumnMapping } from '../../../src/registration/model/columns.ts';
import { canonicalRegistration } from '../../../src/registration/model/registration.ts';
import { FIELD_KINDS } from '../../../src/registration/model/persona.ts';
import { readRow, type ReadRowOptions } from '../../../src/registration/reading/read-row.ts';
import { DEFAULT_REPAIRS } from '../../../src/registration/repairs/repair-options.ts';
import type { Cell, Reason } from '../../../src/registration/model/row.ts';
import { type Cells, event, field, mappingOf, persona, rowOf } from '../persona-fixture.ts';
import { sheetCell } from '../read-cells.ts';

const visitor = persona('visitor', [
  field('name', 'name'),
  field('email', 'email'),
  field('second_email', 'email'),
  field('phone', 'phone'),
  field('country', 'country'),
  field('site', 'website'),
  field('photo', 'upload'),
  field('born', 'date'),
  field('age', 'numeric'),
  field('size', 'choice', ['S', 'M']),
  field('days', 'choice', ['Mon', 'Tue'], true),
  field('note', 'text'),
  field('__proto__', 'text'),
]);
const speaker = persona('speaker', [field('name', 'name'), field('email', 'email'), field('topic', 'text')]);
const expo = event(visitor, speaker);
const options: ReadRowOptions = { event: expo, persona: undefined, blank: 'omit', repairs: DEFAULT_REPAIRS };

function read(cells: Cells, change: Partial<ReadRowOptions> = {}) {
  const row = rowOf(cells);
  return readRow(row, mappingOf(row.columns), { ...options, ...change });
}

/** The read row of cells that must be right; the persona is visitor unless given. */
function good(cells: Cells, change: Partial<ReadRowOptions> = {}) {
  const result = read(cells, { persona: 'visitor', ...change });
  if (!result.ok) throw new Error(JSON.stringify(result.reasons));
  return result.read;
}

/** The reasons against cells that must be wrong; the persona is visitor unless given. */
function bad(cells: Cells, change: Partial<ReadRowOptions> = {}): readonly Reason[] {
  const result = read(cells, { persona: 'visitor', ...change });
  if (result.ok) throw new Error('was taken');
  return result.reasons;
}

const problems = (reasons: readonly Reason[]) => reasons.map(({ column, problem }) => [column, problem]);

describe('a good row', () => {
  it('keeps to itself what got into the wrong column', () => {
    const result = read({ persona: 'ada@example.com', country: '+34 600 111 222' });
    const shifted = read({ persona: 'visitor', name: 'Ada', country: 'ada@example.com' });
    const reasons = [result, shifted].flatMap((one) => (one.ok ? [] : one.reasons));
    expect(reasons.map(({ value, personal }) => [value, personal])).toEqual(
      expect.arrayContaining([
        ['ada@example.com', true],
        ['ada@example.com', true],
      ]),
    );
    expect(reasons.filter(({ value }) => value?.includes('@')).map(({ personal }) => personal)).not.toContain(
      false,
    );
  });

  it('becomes a registration', () => {
    const { registration, emails } = good({
      persona: 'visitor',
      name: '  Zoë  van Dam\u00A0',
      email: 'Zoe@Example.COM',
      second_email: 'z@other.example',
      country: 'es',
      age: 41,
      size: 's label',
      days: 'Mon; tue',
      barcode: ' 0012 ',
      parent_barcode: '0011',
      enable_comms: 'Yes',
      ignored: '\u0000',
    });
    expect(registration).toEqual({
      persona: 'visitor',
      fields: {
        name: 'Zoë  van Dam',
        email: 'Zoe@Example.COM',
        second_email: 'z@other.example',
        country: 'es',
        age: '41',
        size: 'S',
        days: ['Mon', 'Tue'],
      },
      barcode: '0012',
      parentBarcode: '0011',
      enableComms: true,
    });
    expect(emails).toEqual([
      { domain: 'example.com', column: 'email', field: 'email', value: 'Zoe@Example.COM' },
      { domain: 'other.example', column: 'second_email', field: 'second_email', value: 'z@other.example' },
    ]);
  });

  it('names each e-mail domain once, at its first place', () => {
    const { emails } = good({ email: 'a@x.example', second_email: 'b@X.EXAMPLE' });
    expect(emails.map(({ domain, column }) => [domain, column])).toEqual([['x.example', 'email']]);
  });

  it('keeps a field called __proto__ as a plain key', () => {
    const { registration } = good({ ['__proto__']: 'x' });
    expect(Object.entries(registration.fields)).toEqual([['__proto__', 'x']]);
    expect(Object.getPrototypeOf(registration.fields)).toBe(Object.prototype);
  });

  it.each<[Cell, unknown]>([
    [['Tue'], ['Tue']],
    [
      ['mon', ' Tue ', null],
      ['Mon', 'Tue'],
    ],
    ['Mon', ['Mon']],
  ])('sends several options as a list: %j', (cell, days) => {
    expect(good({ days: cell }).registration.fields).toEqual({ days });
  });

  it.each<[Cell, string]>([
    [0, '0'],
    [-0, '0'],
    [12.5, '12.5'],
    [9007199254740991, '9007199254740991'],
    [true, 'true'],
    [false, 'false'],
  ])('writes %j as text', (cell, note) => {
    expect(good({ note: cell }).registration.fields).toEqual({ note });
  });

  it.each<[Cell, boolean]>([
    ['TRUE', true],
    ['yes', true],
    [1, true],
    [true, true],
    ['no', false],
    ['0', false],
    [false, false],
    [sheetCell('boolean', '1'), true],
    [sheetCell('boolean', '0'), false],
    ['', false],
    [null, false],
  ])('reads enable_comms %j as %j', (cell, expected) => {
    expect(good({ enable_comms: cell }).registration.enableComms).toBe(expected);
  });
});

describe('a blank cell', () => {
  const cells: Cells = {
    name: null,
    email: '',
    note: ' \u00A0\t',
    days: [null, ' '],
    size: [],
    barcode: ' ',
    parent_barcode: null,
  };

  it('is left out', () => {
    expect(good(cells).registration).toEqual({
      persona: 'visitor',
      fields: {},
      barcode: undefined,
      parentBarcode: undefined,
      enableComms: false,
    });
  });

  it('empties its field with blank = clear, but never a barcode', () => {
    const { registration, emails } = good(cells, { blank: 'clear' });
    expect(registration.fields).toEqual({ name: '', email: '', note: '', days: [], size: '' });
    expect(registration.barcode).toBeUndefined();
    expect(emails).toEqual([]);
  });

  it('is what a short row has at its end', () => {
    const row = { ...rowOf({ name: 'Zoë' }), columns: ['name', 'note'] };
    const result = readRow(row, mappingOf(row.columns), { ...options, persona: 'visitor' });
    expect(result).toMatchObject({ ok: true, read: { registration: { fields: { name: 'Zoë' } } } });
  });

  it('does no harm in the column of another persona', () => {
    expect(good({ topic: ' ' }, { blank: 'clear' }).registration.fields).toEqual({});
  });

  it('does not clear what another column of the same field fills', () => {
    for (const cells of [
      { note: 'x', 'note#2': '' },
      { note: '', 'note#2': 'x' },
    ] as Cells[]) {
      expect(good(cells, { blank: 'clear' }).registration.fields).toEqual({ note: 'x' });
    }
  });
});

describe('a row with mistakes', () => {
  it('gives every reason, with column, field and value', () => {
    const reasons = bad({
      name: 'M\uFFFDller',
      email: ' nobody ',
      phone: '600 000 000',
      country: 'Spane',
      site: 'example.com',
      photo: 'C:\\a.jpg',
      born: '26/02/2026',
      age: 12.5,
      size: 'L',
      days: ['Mon', 'Fri'],
      note: { a: 1 },
      topic: 'Bees',
      barcode: '5,90123E+12',
      parent_barcode: 'a\u0007b',
      enable_comms: 'maybe',
    });
    expect(
      reasons.map((reason) => [reason.column, reason.field, reason.value, reason.problem, reason.personal]),
    ).toEqual([
      ['name', 'name', 'M\uFFFDller', 'contains a damaged character (U+FFFD)', true],
      ['email', 'email', ' nobody ', 'has no @', true],
      ['phone', 'phone', '600 000 000', 'is a phone number in local format, without + or 00', true],
      ['country', 'country', 'Spane', 'is not an ISO 3166 country code of 2 or 3 letters', false],
      ['site', 'site', 'example.com', 'has no https:// in front', true],
      ['photo', 'photo', 'C:\\a.jpg', 'is the path of a file on a computer', true],
      ['born', 'born', '26/02/2026', 'is not in the format yyyy-mm-dd', false],
      ['age', 'age', '12.5', 'is not a whole number', false],
      ['size', 'size', 'L', 'is not one of the allowed values "S", "M"', false],
      [
        'days',
        'days',
        '["Mon","Fri"]',
        'holds "Fri", which is not among the allowed values "Mon", "Tue"',
        false,
      ],
      ['note', 'note', '{"a":1}', 'is not text, a number or a boolean', true],
      ['topic', undefined, 'Bees', 'stands in a column that persona visitor has no field for', true],
      [
        'barcode',
        undefined,
        '5,90123E+12',
        'is a number in scientific notation, so its last digits are lost',
        false,
      ],
      ['parent_barcode', undefined, 'a\u0007b', 'contains the control character U+0007', false],
      ['enable_comms', undefined, 'maybe', 'is neither true nor false', false],
    ]);
  });

  it.each<[string, Cell, string]>([
    ['note', 1e21, 'is a number too long to be read exactly'],
    ['note', 1e-7, 'is a number too long to be read exactly'],
    ['barcode', 2 ** 63, 'is a number too long to be read exactly'],
    ['note', Number.NaN, 'is a number too long to be read exactly'],
    ['note', ['a'], 'is a list, and one value is expected'],
    ['size', ['S'], 'is a list, and one value is expected'],
    ['barcode', ['1'], 'is a list, and one value is expected'],
    ['days', [['Mon']], 'holds something that is not text'],
    ['days', {}, 'is not text, a number or a boolean'],
    ['enable_comms', 2, 'is neither true nor false'],
    ['barcode', '5.90123E+12', 'is a number in scientific notation, so its last digits are lost'],
    ['barcode', '5E+12', 'is a number in scientific notation, so its last digits are lost'],
    ['barcode', 'a\nb', 'contains the control character U+000A'],
    ['barcode', 'a\uFFFD', 'contains a damaged character (U+FFFD)'],
    ['barcode', 'x'.repeat(256), 'is longer than 255 characters'],
  ])('in %s refuses %j', (column, cell, problem) => {
    expect(problems(bad({ [column]: cell }))).toEqual([[column, problem]]);
  });

  it.each(['12E4', '9E12', 'x'.repeat(255), '123E-45', 'A B'])('but takes the barcode %s', (barcode) => {
    expect(good({ barcode }).registration.barcode).toBe(barcode);
  });

  it('cannot be its own parent', () => {
    for (const cells of [
      { barcode: '7 ', parent_barcode: '7' },
      { parent_barcode: '7', barcode: 7 },
    ] as Cells[]) {
      expect(problems(bad(cells))).toEqual([
        ['parent_barcode', "is the row's own barcode, and no registration is its own parent"],
      ]);
    }
  });

  it('keeps the barcodes with which nothing is wrong', () => {
    const refused = (cells: Cells) => read({ ...cells, email: 'nobody' }, { persona: 'visitor' });
    const barcodes: Cells = { barcode: ' 7', parent_barcode: '8' };
    expect(refused(barcodes)).toMatchObject({ ok: false, barcode: '7', parentBarcode: '8' });
    expect(refused({ persona: 'guest', ...barcodes })).toMatchObject({ barcode: '7', parentBarcode: '8' });
    expect(refused({ barcode: '1E+9' })).toMatchObject({ barcode: undefined, parentBarcode: undefined });
    const own: Cells = { barcode: '7', parent_barcode: '7' };
    expect(refused(own)).toMatchObject({ barcode: '7', parentBarcode: undefined });
  });

  it('has a note for every cell that is sent otherwise, with what stands in the file', () => {
    const cells: Cells = {
      name: ' Zoë',
      days: ['mon', 'Tue'],
      country: 'Spain',
      age: 7,
      barcode: '7 ',
      enable_comms: ' yes ',
      persona: ' visitor ',
    };
    const result = read(cells);
    expect(result.ok).toBe(true);
    const note = (column: string, repair: string, before: string, after: string, personal: boolean) => ({
      column,
      field: column,
      repair,
      before,
      after,
      personal,
    });
    expect(result.notes).toEqual([
      note('name', 'spaces at the ends removed', ' Zoë', 'Zoë', true),
      note('days', 'written as the allowed value is', '["mon","Tue"]', 'Mon; Tue', false),
      note('country', 'country name written as its code', 'Spain', 'ES', false),
      note('barcode', 'spaces at the ends removed', '7 ', '7', false),
    ]);
    expect(read({ ...cells, email: 'x' }).notes).toEqual(result.notes);
  });

  it('has zeros put in front in the column that --set pad names', () => {
    const repairs = { ...DEFAULT_REPAIRS, pad: new Map([['note#2', 5]]) };
    expect(good({ 'note#2': '8001' }, { repairs }).registration.fields).toEqual({ note: '08001' });
    expect(good({ note: '8001' }, { repairs }).registration.fields).toEqual({ note: '8001' });
  });

  it('shows the escape that stands in the file', () => {
    const row = {
      ...rowOf({ phone: '+34600000000', email: '@x' }),
      escaped: new Map([
        [0, '="+34600000000"'],
        [1, "'@x"],
      ]),
    };
    const result = readRow(row, mappingOf(row.columns), { ...options, persona: 'visitor' });
    expect(result.notes).toMatchObject([{ before: '="+34600000000"', after: '+34600000000' }]);
    expect(result).toMatchObject({ ok: false, reasons: [{ value: "'@x" }] });
  });

  it('is refused for an error of a workbook in any column that is not ignored', () => {
    const broken = sheetCell('error', '#REF!');
    expect(problems(bad({ topic: broken, enable_comms: broken, ignored: broken }))).toEqual([
      ['topic', 'holds the error #REF!'],
      ['enable_comms', 'holds the error #REF!'],
    ]);
    expect(problems(bad({ persona: broken }))).toEqual([['persona', 'holds the error #REF!']]);
  });

  it('cannot fill a field from two columns', () => {
    const twice = (column: string) => `stands beside a value in column ${column}, which fills the same field`;
    expect(problems(bad({ note: 'a', 'note#2': 'a', barcode: '1', 'barcode#2': '2' }))).toEqual([
      ['note#2', twice('note')],
      ['barcode#2', twice('barcode')],
    ]);
  });
});

describe('the persona of a row', () => {
  it.each([
    ['speaker', 'speaker'],
    [' SPEAKER ', 'speaker'],
    ['the Speaker', 'speaker'],
  ])('is read from %j', (cell, slug) => {
    expect(good({ persona: cell }).registration.persona).toBe(slug);
  });

  it('is that of --persona when the row names none', () => {
    expect(good({ persona: ' ' }, { persona: 'Speaker' }).registration.persona).toBe('speaker');
    expect(good({ name: 'x' }, { persona: 'speaker' }).registration.persona).toBe('speaker');
  });

  const about = { column: 'persona', field: undefined, code: 'persona-unknown', personal: false } as const;
  const list = { ...about, code: 'cell-type' } as const;
  const unknown = 'is not a persona of the event, which has';
  const fill = 'fill in the persona of the row, or give --persona';
  it.each<[Cell, string | undefined, Partial<Reason>, string | undefined, problem: string, remedy: string]>([
    ['speeker', undefined, about, 'speeker', `${unknown} speaker, visitor`, 'write speaker'],
    [7, 'visitor', about, '7', `${unknown} visitor, speaker`, 'write one of these'],
    [
      '',
      'guest',
      { ...about, column: undefined },
      'guest',
      `${unknown} visitor, speaker`,
      'write one of these',
    ],
    ['', undefined, about, undefined, 'names no persona', fill],
    [['visitor'], undefined, list, '["visitor"]', 'is a list, and one value is expected', 'write one value'],
  ])('is a reason where it is %j, and --persona %s', (cell, fallback, facts, value, problem, remedy) => {
    expect(bad({ persona: cell }, { persona: fallback })).toEqual([{ ...facts, value, problem, remedy }]);
  });

  it('is never guessed between two that look alike', () => {
    const twins = event(persona('VIP', []), persona('vip', []));
    expect(good({ persona: 'vip' }, { event: twins }).registration.persona).toBe('vip');
    expect(bad({ persona: 'Vip' }, { event: twins })[0]?.problem).toBe('fits several personas: VIP, vip');
  });

  it('when not known leaves the reasons that hold for every persona', () => {
    const reasons = bad({ persona: 'guest', email: 'nobody', phone: 'x', topic: 'Bees', barcode: '1E+9' });
    expect(reasons.map(({ column }) => column)).toEqual(['persona', 'email', 'barcode']);
  });

  it('is a reason too when the event has none', () => {
    expect(bad({ persona: 'x' }, { event: event() })[0]?.problem).toBe(
      'is not a persona of the event, which has none',
    );
  });
});

describe('any row', () => {
  const columns = [
    'persona',
    'barcode',
    'parent_barcode',
    'enable_comms',
    'topic',
    ...visitor.fields.map(({ slug }) => slug),
  ];
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('visitor', 'S', 'Mon;Tue', '+34600000000', '2026-02-26', 'ES', 'a@b.co', '1', null, ''),
    fc.anything({ withBigInt: true, withNullPrototype: true, withDate: true, withMap: true }),
  );
  const cells = fc.uniqueArray(fc.tuple(fc.constantFrom(...columns), hostile), {
    selector: ([column]) => column,
  });

  it('is read without throwing, and what is read passes again unchanged', () => {
    fc.assert(
      fc.property(cells, fc.constantFrom<'omit' | 'clear'>('omit', 'clear'), (list, blank) => {
        const result = read(Object.fromEntries(list) as Cells, { persona: 'visitor', blank });
        if (!result.ok) return result.reasons.length > 0;
        const { persona, fields, barcode, parentBarcode, leavesGroup, enableComms } =
          result.read.registration;
        const hasParent = parentBarcode !== undefined || leavesGroup === true;
        const again = good(
          {
            persona,
            ...(fields as Cells),
            barcode: barcode ?? null,
            ...(hasParent ? { parent_barcode: parentBarcode ?? null } : {}),
            enable_comms: enableComms,
          },
          { blank },
        );
        return canonicalRegistration(again.registration) === canonicalRegistration(result.read.registration);
      }),
      { numRuns: 2000 },
    );
  });

  it('is read without throwing when a list is very deep', () => {
    let deep: unknown[] = [];
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
    expect(bad({ days: deep, note: deep })).toHaveLength(2);
  });

  it.each(FIELD_KINDS)('is the same from CSV text and from JSON values (%s)', (kind) => {
    const event1 = event(persona('p', [field('f', kind, kind === 'choice' ? ['1', '2'] : [])]));
    const fromText = read({ f: '1', enable_comms: 'true' }, { event: event1, persona: 'p' });
    const fromJson = read({ enable_comms: true, f: 1 }, { event: event1, persona: 'p' });
    const identity = ({ ok, ...rest }: typeof fromText) =>
      ok && 'read' in rest ? canonicalRegistration(rest.read.registration) : 'refused';
    expect(identity(fromJson)).toBe(identity(fromText));
  });
});

describe('a national phone number of a row that names a country', () => {
  const phoneOf = async (cells: Cells): Promise<unknown> => {
    const repairs = { ...DEFAULT_REPAIRS, phones: await loadNationalPhones('ES') };
    return good(cells, { repairs }).registration.fields['phone'];
  };

  it.each([
    ['FR', '+33612345678'],
    ['fra', '+33612345678'],
    [' France ', '+33612345678'],
    ['ES', '+34612345678'],
    ['', '+34612345678'],
  ])('is of that country, else of the one of the flag: %s', async (country, phone) => {
    expect(await phoneOf({ country, phone: '612345678' })).toBe(phone);
    expect(await phoneOf({ phone: '612345678', country })).toBe(phone);
  });

  it('is refused where it is none of that country, whatever other it would fit', async () => {
    const repairs = { ...DEFAULT_REPAIRS, phones: await loadNationalPhones('ES') };
    for (const phone of ['600000000', '600 000 000']) {
      const cells: Cells = { country: 'NO', phone };
      expect(problems(bad(cells, { repairs }))).toEqual([['phone', 'is too long for Norway']]);
    }
  });

  it.each<readonly [Cells, string]>([
    [{ country: 'FR' }, '+33612345678'],
    [{ residence_country: 'Francia' }, '+33612345678'],
    [{ land: 'Frankreich' }, '+33612345678'],
    [{ nationality: 'FR' }, '+34612345678'],
    [{ birth_country: 'FR' }, '+34612345678'],
    [{ billing_country: 'FR' }, '+34612345678'],
    [{ country: 'ES', nationality: 'FR' }, '+34612345678'],
    [{ country: 'NO', residence_country: 'FR' }, '+33612345678'],
    [{ country: 'ES', residence_country: 'FR' }, 'fits several countries that the row names'],
  ])('is of where its person is, not of a passport, a birth or an invoice: %j', async (named, expected) => {
    const other = ['country', 'nationality', 'birth_country', 'billing_country'] as const;
    const fields = [...other.map((slug) => field(slug, 'country')), field('residence_country', 'text')];
    const land = field('land', 'choice', ['Frankreich', 'Spanien']);
    const guest = event(persona('guest', [...fields, land, field('phone', 'phone')]));
    const repairs = { ...DEFAULT_REPAIRS, phones: await loadNationalPhones('ES') };
    const cells: Cells = { ...named, phone: '612345678' };
    const result = read(cells, { event: guest, persona: 'guest', repairs });
    expect(result.ok ? result.read.registration.fields['phone'] : result.reasons[0]?.problem).toBe(expected);
  });

  it("of one who comes along is of that one's own country, else of the row's", async () => {
    const guest = persona('guest', [field('phone', 'phone'), field('country', 'country')]);
    const row = rowOf({
      barcode: 'A1',
      country: 'FR',
      phone: '612345678',
      'phone#1': '600000000',
      'country#1': 'ES',
      'phone#2': '612345679',
    });
    const mapping: ColumnMapping = {
      columns: row.columns,
      personaColumn: -1,
      targetsFor: () =>
        row.columns.map((column) => {
          const [slug = '', number] = column.split('#');
          if (slug === 'barcode') return { kind: slug };
          const target = { kind: 'field', slug } as const;
          return number === undefined ? target : { kind: 'companion', number: Number(number), target };
        }),
    };
    const repairs = { ...DEFAULT_REPAIRS, phones: await loadNationalPhones('DE') };
    const result = readRow(row, mapping, { ...options, event: event(guest), persona: 'guest', repairs });
    if (!result.ok) throw new Error(JSON.stringify(result.reasons));
    const all = [result.read, ...result.companions].map(({ registration }) => registration.fields['phone']);
    expect(all).toEqual(['+33612345678', '+34600000000', '+33612345679']);
  });
});
