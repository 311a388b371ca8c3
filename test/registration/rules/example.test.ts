import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exampleValue } from '../../../src/registration/rules/example.ts';
import { FIELD_KINDS } from '../../../src/registration/model/persona.ts';
import { readRow } from '../../../src/registration/reading/read-row.ts';
import { DEFAULT_REPAIRS } from '../../../src/registration/repairs/repair-options.ts';
import { checkValue } from '../../../src/registration/rules/rules.ts';
import { event, field, mappingOf, persona, rowOf } from '../persona-fixture.ts';
import { paired } from '../../support/tables.ts';

describe('the example of a field', () => {
  it.each(FIELD_KINDS)('of kind %s passes its own rule', (kind) => {
    const one = field('f', kind, kind === 'choice' ? ['Red', 'Blue'] : []);
    expect(checkValue(exampleValue(one), one)).toBeUndefined();
  });

  it('is an allowed option, whatever the options are', () => {
    const value = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.constantFrom('a;b', '["x"]', 'a|b', ' a', 'A', 'a'),
    );
    const visible = value.filter((text) => text.trim() !== '');
    fc.assert(
      fc.property(fc.uniqueArray(visible, { minLength: 1 }), fc.boolean(), (values, multiple) => {
        const one = field('f', 'choice', values, multiple);
        const row = rowOf({ f: exampleValue(one) });
        const expo = event(persona('p', [one]));
        const options = { event: expo, persona: 'p', blank: 'omit' as const, repairs: DEFAULT_REPAIRS };
        const result = readRow(row, mappingOf(row.columns), options);
        expect(result.ok).toBe(true);
      }),
    );
  });

  it('shows how several options are written', () => {
    expect(exampleValue(field('f', 'choice', ['Red', 'Blue', 'Green'], true))).toBe('Red; Blue');
    expect(exampleValue(field('f', 'choice', ['Red;', 'Blue'], true))).toBe('Red;');
    expect(exampleValue(field('f', 'choice', ['Red'], true))).toBe('Red');
  });

  it.each(paired('first_name → María | last_name → García | surname → García | name → María García'))(
    'of %s is %s',
    (slug, name) => {
      expect(exampleValue(field(slug, 'name'))).toBe(name);
    },
  );
});
