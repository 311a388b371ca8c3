import { describe, expect, test } from 'vitest';
import { type MappingOptions, mapColumns } from '../../src/input/header-mapping.ts';
import type { ColumnTarget } from '../../src/registration/columns.ts';
import type { Field, Persona } from '../../src/registration/persona.ts';

function field(slug: string, label = slug): Field {
  return {
    id: undefined,
    slug,
    label,
    type: 'text',
    kind: 'text',
    choices: [],
    multiple: false,
    known: true,
  };
}
function persona(slug: string, fields: readonly Field[]): Persona {
  return { id: undefined, slug, name: slug, fields };
}

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

/** Targets of a persona as short words. */
function targets(columns: readonly string[], options: Partial<MappingOptions> = {}, of = visitor): string[] {
  const result = run(columns, options);
  if ('problems' in result) throw new Error(result.problems.join('\n'));
  return result.mapping.targetsFor(of).map(short);
}
function short(target: ColumnTarget): string {
  return target.kind === 'field' ? `field ${target.slug}` : target.kind;
}
function problems(columns: readonly string[], options: Partial<MappingOptions> = {}): readonly string[] {
  const result = run(columns, options);
  return 'problems' in result ? result.problems : [];
}

describe('a column maps to', () => {
  test.each([
    ['email', 'field email'],
    ['E-Mail', 'field email'],
    ['e mail', 'field email'],
    ['Ｅmail', 'field email'],
    ['FULL NAME', 'field full_name'],
    ['name', 'field full_name'],
    ['PhoneNumber', 'field phone'],
    ['Persona', 'persona'],
    ['Barcode', 'barcode'],
    ['parent-barcode', 'parent_barcode'],
    ['Enable Comms', 'enable_comms'],
    ['registration_id', 'ignored'],
    ['Registratoin ID', 'ignored'],
    ['_errors', 'ignored'],
  ])('%j → %s', (column, target) => {
    expect(targets([column])).toEqual([target]);
  });

  test('a slug rather than another field’s label', () => {
    const both = persona('p', [field('name', 'Contact'), field('company', 'Name')]);
    expect(targets(['Name'], { personas: [both] }, both)).toEqual(['field name']);
  });

  test('an exact slug rather than one that is equal but for underscores', () => {
    const close = persona('p', [field('first_name'), field('firstname')]);
    expect(targets(['firstname', 'first_name'], { personas: [close] }, close)).toEqual([
      'field firstname',
      'field first_name',
    ]);
  });

  test('a reserved name rather than a field of that slug or label', () => {
    const odd = persona('p', [field('barcode'), field('badge', 'Persona')]);
    expect(targets(['Barcode', 'persona'], { personas: [odd] }, odd)).toEqual(['barcode', 'persona']);
  });

  test('different fields for different personas, and foreign where a persona lacks it', () => {
    const options = { personas: [visitor, exhibitor] };
    const columns = ['persona', 'E-mail', 'Name', 'Company'];
    expect(targets(columns, options)).toEqual(['persona', 'field email', 'field full_name', 'foreign']);
    expect(targets(columns, options, exhibitor)).toEqual([
      'persona',
      'field email',
      'field name',
      'field company',
    ]);
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

  test.each<[string, string[], Partial<MappingOptions>, string[]]>([
    [
      'an override of no column',
      ['email'],
      { overrides: new Map([['Emal', 'email']]) },
      ['--map "Emal=email" names no column; did you mean "email"?'],
    ],
    [
      'an ignored column that is not there',
      ['email'],
      { ignore: ['Zip'] },
      ['--ignore-column "Zip" names no column.'],
    ],
    [
      'an override to no field',
      ['Tel'],
      { overrides: new Map([['Tel', 'phne']]) },
      ['--map "Tel=phne": there is no field "phne"; did you mean "phone"?'],
    ],
    [
      'a name that may be two columns',
      ['E-mail', 'e mail'],
      { overrides: new Map([['e_mail', 'email']]), ignore: ['E-mail', 'e mail'] },
      ['--map "e_mail=email" may mean the column "E-mail" or "e mail"; write its name exactly.'],
    ],
    [
      'a column both mapped and dropped',
      ['Tel'],
      { overrides: new Map([['Tel', 'phone']]), ignore: ['Tel'] },
      ['--map "Tel=phone": the column is dropped by --ignore-column as well; keep one of the two.'],
    ],
    [
      'a column mapped twice',
      ['Tel'],
      {
        overrides: new Map([
          ['Tel', 'phone'],
          ['tel', 'email'],
        ]),
      },
      ['--map "tel=email": the column is mapped to phone already; keep one --map for "tel".'],
    ],
  ])('that make no sense are problems: %s', (_, columns, options, expected) => {
    expect(problems(columns, options)).toEqual(expected);
  });

  test('may name columns that this shape of rows leaves out', () => {
    const overrides = new Map([['Tel', 'phone']]);
    expect(targets(['email'], { overrides, ignore: ['Notes'], optionalColumns: true })).toEqual([
      'field email',
    ]);
  });
});

describe('problems', () => {
  test('propose the nearest field', () => {
    expect(problems(['Emial'])).toEqual([
      'column "Emial" matches no field of persona visitor; did you mean "E-mail" (--map "Emial=email")? Or drop it with --ignore-column "Emial".',
    ]);
  });

  test('propose reserved names, and fields of all personas', () => {
    expect(problems(['Barcod', 'Compnay'], { personas: [visitor, exhibitor] })).toEqual([
      'column "Barcod" matches no field of personas visitor and exhibitor; did you mean "barcode" (--map "Barcod=barcode")? Or drop it with --ignore-column "Barcod".',
      'column "Compnay" matches no field of personas visitor and exhibitor; did you mean "Company" (--map "Compnay=company")? Or drop it with --ignore-column "Compnay".',
    ]);
  });

  test('do not propose a field that has its column, and list the known columns once', () => {
    expect(problems(['email', 'Email 2', 'Zip'])).toEqual([
      'column "Email 2" matches no field of persona visitor; choose one with --map "Email 2=…", or drop it with --ignore-column "Email 2". Known columns: email ("E-mail"), full_name ("Name"), phone ("Phone number"), persona, barcode, parent_barcode, enable_comms.',
      'column "Zip" matches no field of persona visitor; choose one with --map "Zip=…", or drop it with --ignore-column "Zip".',
    ]);
  });

  test('name both columns that map to the same target', () => {
    expect(problems(['E-mail', 'email', 'Barcode', 'bar code'])).toEqual([
      'columns "Barcode" and "bar code" both map to barcode; drop one with --ignore-column "bar code".',
      'columns "E-mail" and "email" both map to email of persona visitor; drop one with --ignore-column "email".',
    ]);
  });

  test('name an ambiguous label', () => {
    const twins = persona('p', [field('a', 'Name'), field('b', 'Name')]);
    expect(problems(['name'], { personas: [twins] })).toEqual([
      'column "name" matches more than one field of persona p (a, b); choose one with --map "name=a".',
    ]);
  });

  test('never let a name run as a command when the flag is pasted into a shell', () => {
    expect(problems(["$(reboot)'s"])[0]).toContain("--ignore-column '$(reboot)'\\''s'.");
  });

  test.each(['', '-', '__proto__', 'constructor', 'Errors'])('name a column called %j', (column) => {
    const blank = persona('p', [field('email', ''), field('x', '-')]);
    expect(problems([column], { personas: [blank] })[0]).toContain(
      `column "${column}" matches no field of persona p;`,
    );
  });
});
