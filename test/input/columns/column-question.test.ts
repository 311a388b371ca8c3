import { describe, expect, test } from 'vitest';
import { columnsQuestion } from '../../../src/input/columns/column-question.ts';
import { mapColumns } from '../../../src/input/columns/header-mapping.ts';
import type { MappingOptions } from '../../../src/input/columns/column-wishes.ts';
import type { Persona } from '../../../src/registration/model/persona.ts';
import { listed } from '../../support/tables.ts';
import { field } from '../persona-of-labels.ts';

const guest: Persona = {
  id: undefined,
  slug: 'guest',
  name: 'Guest',
  fields: [field('first_name', 'First name'), field('phone', 'Phone'), field('email', 'E-mail')],
};

function ask(
  columns: readonly string[],
  options: Partial<MappingOptions> = {},
  proposed = '',
  persona: Persona = guest,
) {
  const result = mapColumns(columns, { overrides: new Map(), ignore: [], personas: [persona], ...options });
  if (!('problems' in result)) throw new Error('mapped');
  const proposal = proposed === '' ? undefined : { target: proposed, why: 'values fit' };
  const samples = {
    of: () => ({ values: new Map([['Jan van der Berg', 1]]), filled: 1 }),
    show: (column: string): string => `of ${column}`,
  };
  return columnsQuestion(['a.csv'], result.states, [persona], samples, { get: () => proposal });
}

const shown = (question: ReturnType<typeof ask>) =>
  question.rows.map(({ label, chosen, certain, answers }) => [
    label,
    chosen === undefined ? undefined : answers[chosen]?.label,
    certain,
  ]);

describe('the table of columns', () => {
  test('shows what is certain, and leaves open what matches nothing', () => {
    const question = ask(['First name', 'Phnoe', 'registration_id']);
    expect(question.text).toBe('2 columns of a.csv: 1 open');
    expect(shown(question)).toEqual([
      ['First name', 'First name', true],
      ['Phnoe', undefined, false],
    ]);
    expect(question.rows[1]).toMatchObject({ sample: 'of Phnoe', why: 'matches nothing' });
    expect(question.others).toContain('a column is: phone, email, persona, barcode');
  });

  test('offers to leave it out, the nearest, what is free, and last what others have', () => {
    const [, row] = ask(['First name', 'Phnoe']).rows;
    expect(row?.answers.map(({ label }) => label)).toEqual(
      listed(`
        left out | Phone | E-mail | kind of guest | barcode | parent_barcode | enable_comms | First name
      `),
    );
    expect(row?.answers.slice(0, 2)).toEqual([
      { label: 'left out', flag: '--ignore-column "Phnoe"', option: 'ignoreColumn', value: 'Phnoe' },
      { label: 'Phone', flag: '--map "Phnoe=phone"', option: 'map', value: 'Phnoe=phone' },
    ]);
  });

  test('proposes what the values show, which is not certain', () => {
    const question = ask(['First name', 'Contact'], {}, 'email');
    expect(shown(question)[1]).toEqual(['Contact', 'E-mail', false]);
    expect(question.rows[1]?.why).toBe('values fit');
  });

  test('gives a field that two columns may be to the first, or to the one of which it is said', () => {
    expect(shown(ask(['Phone', 'phone']))).toEqual([
      ['Phone', 'Phone', false],
      ['phone', undefined, false],
    ]);
    expect(shown(ask(['Phone', 'Rufnummer'], { overrides: new Map([['Rufnummer', 'phone']]) }))).toEqual([
      ['Phone', undefined, false],
      ['Rufnummer', 'Phone', true],
    ]);
  });

  test('shows at the answer how names would be split, also where that is not proposed', () => {
    const named = { ...guest, fields: [...guest.fields, field('last_name', 'Last name')] };
    const [row] = ask(['Zzyzx'], {}, '', named).rows;
    const hints = row?.answers.flatMap(({ label, hint }) =>
      hint === undefined ? [] : [`${label}: ${hint}`],
    );
    expect(hints).toEqual(['First name + Last name: "Jan van der Berg" → "Jan" | "van der Berg"']);
  });

  test('offers a companion’s column what companions have', () => {
    const [row] = ask(['Guest 2 Phnoe']).rows;
    const values = row?.answers.map(({ value }) => String(value)) ?? [];
    expect(values).toContain('Guest 2 Phnoe=companion 2 phone');
    expect(values.join()).not.toContain('parent_barcode');
  });
});

describe('--ignore-column *', () => {
  test('leaves out what matches nothing, and nothing else', () => {
    const result = mapColumns(['First name', 'Phnoe', 'Notes'], {
      overrides: new Map(),
      ignore: ['*'],
      personas: [guest],
    });
    expect('mapping' in result && result.mapping.targetsFor(guest)).toEqual([
      { kind: 'field', slug: 'first_name' },
      { kind: 'ignored' },
      { kind: 'ignored' },
    ]);
  });

  test('decides nothing between two columns for one field', () => {
    const result = mapColumns(['Phone', 'phone', 'x'], {
      overrides: new Map(),
      ignore: ['*'],
      personas: [guest],
    });
    expect('problems' in result && result.problems).toHaveLength(1);
  });
});
