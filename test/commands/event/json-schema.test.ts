import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { personaJsonSchema } from '../../../src/commands/event/json-schema.ts';
import type { FieldKind } from '../../../src/registration/model/persona.ts';
import { checkValue } from '../../../src/registration/rules/rules.ts';
import { field, persona } from '../../registration/persona-fixture.ts';

interface PropertySchema {
  type: string;
  pattern?: string;
  minLength?: number;
}

function schemaOf(kind: FieldKind): PropertySchema {
  const schema = personaJsonSchema(persona('p', [field('f', kind)])) as {
    properties: { fields: { properties: { f: PropertySchema } } };
  };
  return schema.properties.fields.properties.f;
}

function fits(text: string, { pattern, minLength }: PropertySchema): boolean {
  return new RegExp(pattern ?? '', 'u').test(text) && text.length >= (minLength ?? 0);
}

describe('the JSON schema of a persona', () => {
  it('names every field with its label and kind', () => {
    const visitor = persona('visitor', [
      field('name', 'name'),
      field('email', 'email'),
      field('size', 'choice', ['S', 'M', 'S']),
      field('days', 'choice', ['Mon', 'Tue'], true),
      field('odd', 'choice'),
    ]);
    expect(personaJsonSchema(visitor)).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'The visitor',
      type: 'object',
      properties: {
        persona: { const: 'visitor' },
        fields: {
          type: 'object',
          properties: {
            name: { title: 'Label of name', type: 'string' },
            email: { title: 'Label of email', type: 'string', format: 'email', maxLength: 254 },
            size: { title: 'Label of size', type: 'string', enum: ['S', 'M'] },
            days: {
              title: 'Label of days',
              type: 'array',
              items: { type: 'string', enum: ['Mon', 'Tue'] },
              uniqueItems: true,
            },
            odd: { title: 'Label of odd', type: 'string' },
          },
          additionalProperties: false,
        },
        barcode: { type: 'string', minLength: 1, maxLength: 255 },
        parent_barcode: { type: 'string', minLength: 1, maxLength: 255 },
        enable_comms: { type: 'boolean', default: false },
      },
      required: ['persona', 'fields'],
      additionalProperties: false,
    });
  });

  it('keeps a field called __proto__ as a plain key', () => {
    const text = JSON.stringify(personaJsonSchema(persona('p', [field('__proto__', 'text')])));
    expect(text).toContain('"properties":{"__proto__":{"title":"Label of __proto__","type":"string"}}');
  });

  const phone = fc.string({ unit: fc.constantFrom(...Array.from('0012345+ ()-./x')), maxLength: 12 });
  it('takes exactly the phone numbers that the rule takes', () => {
    const schema = schemaOf('phone');
    fc.assert(
      fc.property(phone, (text) => {
        const accepted = checkValue(text, field('f', 'phone')) === undefined;
        expect(fits(text, schema)).toBe(accepted);
      }),
      { numRuns: 3000 },
    );
  });

  it.each<[FieldKind, readonly string[]]>([
    ['website', ['https://example.com', 'http://localhost:80/@me?x#y', 'HTTPS://exämple.com']],
    ['upload', ['https://example.com/a.jpg']],
    ['date', ['2026-02-26', '2024-02-29 23:59:59']],
    ['numeric', ['007']],
    ['country', ['ES', 'esp']],
  ])('refuses no %s that the rule takes', (kind, texts) => {
    for (const text of texts) {
      expect(checkValue(text, field('f', kind))).toBeUndefined();
      expect(fits(text, schemaOf(kind))).toBe(true);
    }
  });

  it.each<[FieldKind, readonly string[]]>([
    ['website', ['ftp://example.com', 'https://u:p@example.com', 'https://a b.com', 'example.com']],
    ['date', ['2026-13-01', '2026-02-26T10:00:00', '2026-02-26 24:00:00', '26/02/2026']],
    ['numeric', ['-1', '1.0', '']],
    ['country', ['Spain', 'E']],
  ])('refuses a %s as the rule does', (kind, texts) => {
    for (const text of texts) {
      expect(checkValue(text, field('f', kind))).toBeDefined();
      expect(fits(text, schemaOf(kind))).toBe(false);
    }
  });
});
