import { describe, expect, test } from 'vitest';
import type { MappingOptions } from '../../../src/input/columns/column-wishes.ts';
import { mapColumns } from '../../../src/input/columns/header-mapping.ts';
import { looseName } from '../../../src/input/columns/alias-index.ts';
import { normaliseName } from '../../../src/input/source/nearest-name.ts';
import type { ColumnTarget } from '../../../src/registration/model/columns.ts';
import { field, persona } from '../persona-of-labels.ts';
import { listed, paired } from '../../support/tables.ts';
import * as fc from 'fast-check';

const visitor = persona('visitor', [
  field('email', 'E-mail'),
  field('full_name', 'Name'),
  field('phone', 'Phone number'),
]);
const exhibitor = persona('exhibitor', [
  field('email', 'E-mail'),
  field('company', 'Company'),
  field('name', 'Stand'),
]);

function run(
  columns: readonly string[],
  options: Partial<MappingOptions> = {},
): ReturnType<typeof mapColumns> {
  return mapColumns(columns, { overrides: new Map(), ignore: [], personas: [visitor], ...options });
}

/** Fields by slug, with their labels where they have one. */
function personaOf(fields: Readonly<Record<string, string>>) {
  return persona(
    'p',
    Object.entries(fields).map(([slug, label]) => field(slug, label === '' ? slug : label)),
  );
}

/** Targets of a persona as short words. */
function targets(columns: readonly string[], options: Partial<MappingOptions> = {}, of = visitor): string[] {
  const result = run(columns, options);
  if ('problems' in result) throw new Error(result.problems.join('\n'));
  return result.mapping.targetsFor(of).map(short);
}

function short(target: ColumnTarget): string {
  if (target.kind === 'companion') return `${target.number}: ${short(target.target)}`;
  return target.kind === 'field' ? `field ${target.slug}` : target.kind;
}

function problems(columns: readonly string[], options: Partial<MappingOptions> = {}): readonly string[] {
  const result = run(columns, options);
  return 'problems' in result ? result.problems : [];
}

describe('a column maps to', () => {
  test.each(
    paired(`
      email → field email | E-Mail → field email | e mail → field email | Ｅmail → field email |
      FULL NAME → field full_name | name → field full_name | PhoneNumber → field phone | Persona → persona |
      Barcode → barcode | parent-barcode → parent_barcode | Enable Comms → enable_comms |
      registration_id → ignored | Registratoin ID → ignored | _errors → ignored | _Notes → ignored
    `),
  )('%j → %s', (column, target) => {
    expect(targets([column])).toEqual([target]);
  });

  test('different fields for different personas, and foreign where a persona lacks it', () => {
    const options = { personas: [visitor, exhibitor] };
    const columns = ['persona', 'E-mail', 'Name', 'Company'];
    expect(targets(columns, options)).toEqual(['persona', 'field email', 'field full_name', 'foreign']);
    expect(targets(columns, options, exhibitor)).toEqual(
      listed('persona | field email | field name | field company'),
    );
  });
});

test('The mapping knows the persona column and gives the same targets for the same persona', () => {
  const result = run(['email', 'Persona']);
  if (!('mapping' in result)) throw new Error('problems');
  expect(result.mapping.personaColumn).toBe(1);
  expect(result.mapping.targetsFor(visitor)).toBe(result.mapping.targetsFor({ ...visitor }));
  expect(result.mapping.targetsFor(persona('other', [])).map(short)).toEqual(['foreign', 'persona']);
  const without = run(['email']);
  expect('mapping' in without && without.mapping.personaColumn).toBe(-1);
});

describe('flags', () => {
  test.each([
    ['Tel', 'phone', 'field phone'],
    ['Tel', 'Phone number', 'field phone'],
    ['TEL', 'phone', 'field phone'],
    ['Tel', 'Barcode', 'barcode'],
    ['Tel', '_errors', 'ignored'],
  ])('--map %s=%s maps the column', (header, target, expected) => {
    expect(targets(['Tel'], { overrides: new Map([[header, target]]) })).toEqual([expected]);
  });

  test('--map names the exact column first', () => {
    const overrides = new Map([
      ['e-mail', 'phone'],
      ['email', 'email'],
    ]);
    expect(targets(['e-mail', 'email'], { overrides })).toEqual(['field phone', 'field email']);
  });

  test('--ignore-column drops a column, also one that would map', () => {
    expect(targets(['Notes', 'email'], { ignore: ['notes', 'E-mail'] })).toEqual(['ignored', 'ignored']);
  });

  const both = 'the column is dropped by --ignore-column as well; keep one of the two.';
  const twice = 'the column is mapped to phone already; keep one --map for "tel".';
  const which = 'may mean the column "E-mail" or "e mail"; write its name exactly.';
  test.each<[columns: string, map: Record<string, string>, ignore: string[], problem: string]>([
    ['email', { Emal: 'email' }, [], '--map "Emal=email" names no column; did you mean "email"?'],
    ['email', {}, ['Zip'], '--ignore-column "Zip" names no column.'],
    ['Tel', { Tel: 'phne' }, [], '--map "Tel=phne": there is no field "phne"; did you mean "phone"?'],
    ['E-mail | e mail', { e_mail: 'email' }, ['E-mail', 'e mail'], `--map "e_mail=email" ${which}`],
    ['Tel', { Tel: 'phone' }, ['Tel'], `--map "Tel=phone": ${both}`],
    ['Tel', { Tel: 'phone', tel: 'email' }, [], `--map "tel=email": ${twice}`],
  ])('that make no sense are problems: of %s %j, %j', (columns, map, ignore, problem) => {
    const overrides = new Map(Object.entries(map));
    expect(problems(listed(columns), { overrides, ignore })).toEqual([problem]);
  });

  test('may name columns that this shape of rows leaves out', () => {
    const overrides = new Map([['Tel', 'phone']]);
    expect(targets(['email'], { overrides, ignore: ['Notes'], optionalColumns: true })).toEqual([
      'field email',
    ]);
  });
});

describe('of fields by slug and label', () => {
  test.each<[what: string, fields: Readonly<Record<string, string>>, columns: string, targets: string]>([
    ['a slug goes before a label', { name: 'Contact', company: 'Name' }, 'Name', 'name'],
    [
      'underscores count',
      { first_name: '', firstname: '' },
      'firstname | first_name',
      'firstname | first_name',
    ],
    ['marks count', { label: 'Foo. Bar', 'foo.bar': 'Other' }, 'Foo, bar', 'foo.bar'],
    [
      'labels count',
      { f1: 'Prénom', f2: 'Nom', f3: 'Société' },
      'Given name | Surname | Firma',
      'f1 | f2 | f3',
    ],
    ['two meanings agree', { name: 'First name', surname: 'Name' }, 'Vorname | Nachname', 'name | surname'],
    ['names go before kinds', { phone: 'Phone', mobile: 'Mobile' }, 'Tel. | Handy', 'phone | mobile'],
    ['accents count', { a: 'Año', b: 'Ano' }, 'Año | Ano', 'a | b'],
    ['any language counts', { given: 'First name', other: 'Ime' }, 'first name | Ime:', 'given | other'],
  ])('%s: %j', (_, fields, columns, expected) => {
    const one = personaOf(fields);
    expect(targets(listed(columns), { personas: [one] }, one)).toEqual(
      listed(expected).map((slug) => `field ${slug}`),
    );
  });

  test.each([
    [
      'a reserved name goes before a slug or label',
      { barcode: '', badge: 'Persona' },
      'Barcode | persona',
      'barcode | persona',
    ],
    [
      'a label that is no reserved name is one',
      { barcode: 'Badge text' },
      'Badge text | QR code',
      'field barcode | barcode',
    ],
    [
      'a companion is none that a field is called',
      { guest_1_name: 'Guest 1 name', name: '' },
      'Guest 1 Name | Guest 2 Name',
      'field guest_1_name | 2: field name',
    ],
  ])('%s', (_, fields, columns, expected) => {
    const one = personaOf(fields);
    expect(targets(listed(columns), { personas: [one] }, one)).toEqual(listed(expected));
  });

  test('a label in another language is one, too', () => {
    const one = persona('visitor', [{ ...field('given', 'First name'), otherLabels: ['Όνομα'] }]);
    expect(targets(['όνομα'], { personas: [one] }, one)).toEqual(['field given']);
  });

  test.each([
    ['a nationality is no country', [field('nationality', 'Nationality', 'country')], 'Land'],
    ['one of two e-mails is not the e-mail', [field('a', 'A', 'email'), field('b', 'B', 'email')], 'Mail'],
    ['its parts are no full name', [field('first_name'), field('last_name')], 'Full name'],
    ['a label of something else is none', [field('city', 'Company')], 'Firma'],
  ])('%s', (_, fields, column) => {
    expect(problems([column], { personas: [persona('p', fields)] })[0]).toContain('matches nothing');
  });
});

describe('problems', () => {
  test('name every column that matches nothing, whatever the persona, and the flags that say what it is', () => {
    expect(problems(['email', 'Emial', 'Zip'], { personas: [visitor, exhibitor] })).toEqual([
      'column "Emial" matches nothing; say what it is with --map "Emial=…", or drop it with --ignore-column "Emial".',
      'column "Zip" matches nothing; say what it is with --map "Zip=…", or drop it with --ignore-column "Zip".',
    ]);
  });

  test('name both columns that map to the same target', () => {
    expect(problems(['E-mail', 'email', 'Barcode', 'bar code'])).toEqual([
      'column "bar code" is barcode, as is "Barcode"; say what it is with --map "bar code=…", or drop it with --ignore-column "bar code".',
      'column "email" is email of persona visitor, as is "E-mail"; say what it is with --map "email=…", or drop it with --ignore-column "email".',
    ]);
  });

  test('name an ambiguous label', () => {
    const twins = persona('p', [field('a', 'Name'), field('b', 'Name')]);
    expect(problems(['name'], { personas: [twins] })).toEqual([
      'column "name" may be a or b of persona p; say what it is with --map "name=a", or drop it with --ignore-column "name".',
    ]);
  });

  test('never let a name run as a command when the flag is pasted into a shell', () => {
    expect(problems(["$(reboot)'s"])[0]).toContain("--ignore-column '$(reboot)'\\''s'.");
  });

  test.each(['', '-', '__proto__', 'constructor', 'Errors'])('name a column called %j', (column) => {
    const blank = persona('p', [field('email', ''), field('x', '-')]);
    expect(problems([column], { personas: [blank] })[0]).toContain(`column "${column}" matches nothing;`);
  });
});

/** Fields as services have them. */
const guest = persona('guest', [
  field('first_name', 'First name', 'name'),
  field('last_name', 'Last name', 'name'),
  field('contact', 'How to write to you', 'email'),
  field('phone', 'Phone', 'phone'),
  field('origin', 'Where from', 'country'),
  field('employer', 'Firm'),
]);
const asGuest = { personas: [guest] };

describe('usual headings', () => {
  test.each(
    paired(`
      Vorname → field first_name | Fornavn → field first_name | Efternamn → field last_name |
      E-post → field contact | Apellido(s) → field last_name | FIRST NAME * → field first_name |
      Last name (required): → field last_name | Correo electrónico → field contact | Móvil → field phone |
      Teléfono → field phone | Pays → field origin | Azienda → field employer |
      How to write to you? → field contact | Código de barras → barcode |
      Host barcode → parent_barcode | Send e-mails → enable_comms
    `),
  )('%j → %s', (column, target) => {
    expect(targets([column], asGuest, guest)).toEqual([target]);
  });

  test.each([
    ['Nombre', 'Apellidos', 'field first_name', ''],
    ['Nome', 'Cognome', 'field first_name', ''],
    ['Nom', 'Prénom', 'field last_name', ''],
    ['Acompañante nombre', 'Acompañante apellidos', '1: field first_name', 'companion 1 '],
  ])('of part of a name or all of it: %s is a part beside %s only', (column, rest, target, whose) => {
    expect(targets([column, rest], asGuest, guest)[0]).toBe(target);
    const either = ` or ${whose}first_name+last_name of persona guest`;
    expect(problems([column], asGuest)).toEqual([expect.stringContaining(either)]);
  });

  test('that may be several fields are ambiguous', () => {
    const all = persona('p', [field('first_name'), field('last_name'), field('full_name')]);
    expect(problems(['Nombre', 'Nom'], { personas: [all] })).toEqual([
      expect.stringContaining('column "Nombre" may be first_name or full_name of persona p;'),
      expect.stringContaining('column "Nom" may be last_name or full_name of persona p;'),
    ]);
    const accents = persona('p', [field('a', 'Año'), field('b', 'Ano')]);
    expect(problems(['ano:'], { personas: [accents] })[0]).toContain('may be a or b');
  });

  test('give way to names and labels', () => {
    const overrides = new Map([['Tel', 'phone']]);
    for (const [columns, options, open] of [
      [['Mobile', 'Phone'], asGuest, 'Mobile'],
      [['QR code', 'barcode'], asGuest, 'QR code'],
      [['Mail', 'how to write to you!'], asGuest, 'Mail'],
      [['Tel', 'Handy'], { ...asGuest, overrides }, 'Handy'],
    ] as const) {
      expect(problems(columns, options)).toEqual([
        expect.stringContaining(`column "${open}" matches nothing`),
      ]);
    }
    expect(targets(['Mobile', 'Phone'], { ...asGuest, ignore: ['Phone'] }, guest)).toEqual([
      'field phone',
      'ignored',
    ]);
  });

  test('that are equally good clash', () => {
    expect(problems(['Mobile', 'Handy'], asGuest)).toEqual([
      expect.stringContaining('column "Handy" is phone of persona guest, as is "Mobile";'),
    ]);
  });

  test('of reserved columns give way to fields', () => {
    const own = persona('p', [field('ticket_code')]);
    expect(targets(['Ticket code'], { personas: [own, guest] }, own)).toEqual(['field ticket_code']);
    expect(targets(['Ticket code'], { personas: [own, guest] }, guest)).toEqual(['foreign']);
  });

  test('that are another persona’s own names never stand in the way', () => {
    const other = persona('other', [field('tel'), field('handy'), field('email', 'Mail', 'email')]);
    const options = { personas: [guest, other] };
    expect(targets(['tel', 'Mail'], options, guest)).toEqual(['field phone', 'field contact']);
    expect(targets(['tel', 'handy'], options, guest)).toEqual(['foreign', 'foreign']);
    expect(targets(['tel', 'Cell phone'], options, guest)).toEqual(['foreign', 'field phone']);
    const torn = persona('torn', [field('first_name'), field('full_name')]);
    const spanish = persona('spanish', [field('nombre')]);
    expect(targets(['Nombre'], { personas: [torn, spanish] }, torn)).toEqual(['foreign']);
  });

  test('are none that a flag may name', () => {
    const overrides = new Map([['x', 'Vorname']]);
    expect(problems(['x'], { ...asGuest, overrides })).toEqual([
      '--map "x=Vorname": there is no field "Vorname".',
    ]);
  });
});

describe('columns of companions', () => {
  test.each(
    paired(`
      Companion 1 First name → 1: field first_name | Guest 2 E-mail → 2: field contact |
      Begleitperson 3 Vorname → 3: field first_name | Guest 2 barcode → 2: barcode |
      Guest 2 QR code → 2: barcode | Guest 2 persona → 2: persona | Guest 2 enable_comms → 2: enable_comms |
      Guest 2 registration_id → ignored | Phone (companion 1) → 1: field phone
    `),
  )('%j → %s', (column, target) => {
    expect(targets([column], asGuest, guest)).toEqual([target]);
  });

  test('may be meant for the persona of the companion alone', () => {
    const kid = persona('kid', [field('age', 'Age')]);
    expect(targets(['Guest 1 Age'], { personas: [guest, kid] }, guest)).toEqual(['1: field age']);
  });

  test('may be named by a flag', () => {
    const overrides = new Map([['Frau', 'companion 1 first_name']]);
    expect(targets(['Frau'], { ...asGuest, overrides }, guest)).toEqual(['1: field first_name']);
    const alias = new Map([['Frau', 'companion 1 Vorname']]);
    expect(problems(['Frau'], { ...asGuest, overrides: alias })).toHaveLength(1);
    expect(
      problems(['Frau'], { ...asGuest, overrides: new Map([['Frau', 'companion 1 name']]) })[0],
    ).toContain('there is no field "companion 1 name"');
  });

  test('clash by number', () => {
    expect(problems(['Guest 1 Phone', 'Companion 1 Phone', 'Guest 2 Phone', 'Phone'], asGuest)).toEqual([
      expect.stringContaining(
        'column "Companion 1 Phone" is companion 1 phone of persona guest, as is "Guest 1 Phone";',
      ),
    ]);
    expect(problems(['Guest 1 barcode', 'Companion 1 barcode'], asGuest)[0]).toContain(
      'is companion 1 barcode',
    );
  });

  test('have no parent of their own', () => {
    expect(problems(['Guest 1 parent_barcode'], asGuest)).toEqual([
      'column "Guest 1 parent_barcode": a companion’s parent is its row; drop the column with --ignore-column "Guest 1 parent_barcode".',
    ]);
  });
});

describe('whatever the columns and fields are called', () => {
  const part = fc.constantFrom(
    'first',
    'name',
    'Name',
    'é',
    'e',
    '_',
    '-',
    ' ',
    '*',
    '(required)',
    'guest 1',
    'Nombre',
    'mail',
    'x',
  );
  const name = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.array(part, { maxLength: 4 }).map((parts) => parts.join('')),
  );
  const kind = fc.constantFrom('text', 'email', 'phone', 'country', 'website');
  const anyField = fc.tuple(name, name, kind).map(([slug, label, of]) => field(slug, label, of));
  const anyPersona = fc.array(anyField, { maxLength: 6 });
  const names = fc.uniqueArray(name, { maxLength: 8 });

  test('the mapping never throws, and gives one target a column or explains why not', () => {
    fc.assert(
      fc.property(names, anyPersona, anyPersona, (columns, some, others) => {
        const personas = [persona('p', some), persona('q', others)];
        const result = run(columns, { personas });
        if ('problems' in result) {
          expect(result.problems.length).toBeGreaterThan(0);
          return;
        }
        for (const one of personas) expect(result.mapping.targetsFor(one)).toHaveLength(columns.length);
      }),
    );
  });

  test('no two columns fill one field, and a slug means its own field', () => {
    fc.assert(
      fc.property(names, anyPersona, (columns, fields) => {
        const one = persona('p', fields);
        const result = run(columns, { personas: [one] });
        if ('problems' in result) return;
        const filled = result.mapping
          .targetsFor(one)
          .map(short)
          .filter((target) => target !== 'ignored');
        expect(new Set(filled).size).toBe(filled.length);
        for (const [at, column] of columns.entries()) {
          const target = result.mapping.targetsFor(one)[at]!;
          const reserved = target.kind !== 'field' && target.kind !== 'companion';
          if (fields.some(({ slug }) => slug === column) && !reserved)
            expect(short(target)).toBe(`field ${column}`);
        }
      }),
    );
  });

  test('fields that only marks and accents tell apart are never taken for each other silently', () => {
    fc.assert(
      fc.property(
        name,
        fc.uniqueArray(name, { minLength: 2, maxLength: 2 }),
        (column, [one = '', two = '']) => {
          const both = persona('p', [field(one), field(two)]);
          const alone = [one, two].map((slug) => run([column], { personas: [persona('p', [field(slug)])] }));
          const result = run([column], { personas: [both] });
          if (!('mapping' in result)) return;
          const [target] = result.mapping.targetsFor(both);
          if (target?.kind !== 'field') return;
          // The other field would have fitted as well: then this one must fit better, by its very name.
          const other = target.slug === one ? two : one;
          const mapped = alone[target.slug === one ? 1 : 0];
          if (mapped === undefined || !('mapping' in mapped)) return;
          const same = looseName(other) === looseName(column) ? normaliseName : looseName;
          expect(same(target.slug)).toBe(same(column));
        },
      ),
    );
  });
});

test('A thousand columns of odd names are mapped in one go', () => {
  const columns = Array.from({ length: 1000 }, (_, at) => `Guest ${at + 1} odd heading ${at}`);
  const result = run(columns, asGuest);
  expect('states' in result && result.states).toHaveLength(1000);
});
