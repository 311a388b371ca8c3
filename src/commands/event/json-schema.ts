import { valuesOf } from '../../registration/rules/choice-rule.ts';
import type { Field, FieldKind, Persona } from '../../registration/model/persona.ts';

/** An @ before the path would be a user name. */
const URL_PATTERN = '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@\\s\\\\]+([/?#][^\\s\\\\]*)?$';

/** What JSON Schema can say of each kind's rule. Patterns use plain syntax that every engine reads. */
const KIND_SCHEMAS: Readonly<Record<Exclude<FieldKind, 'choice'>, object>> = {
  name: { type: 'string' },
  email: { type: 'string', format: 'email', maxLength: 254 },
  phone: {
    type: 'string',
    minLength: 5,
    pattern: '^([0-9]{5,}|([+]|00)[ ()./-]*[0-9][0-9 ()./-]*)$',
  },
  country: { type: 'string', pattern: '^[A-Za-z]{2,3}$' },
  website: { type: 'string', format: 'uri', pattern: URL_PATTERN },
  upload: { type: 'string', format: 'uri', pattern: URL_PATTERN },
  date: {
    type: 'string',
    pattern:
      '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])( ([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9])?$',
  },
  numeric: { type: 'string', pattern: '^[0-9]+$' },
  text: { type: 'string' },
};

/** JSON Schema 2020-12 of a registration of this persona, as it is sent to the service. */
export function personaJsonSchema(persona: Persona): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: persona.name,
    type: 'object',
    properties: {
      persona: { const: persona.slug },
      fields: {
        type: 'object',
        properties: Object.fromEntries(persona.fields.map((field) => [field.slug, fieldSchema(field)])),
        additionalProperties: false,
      },
      barcode: { type: 'string', minLength: 1, maxLength: 255 },
      parent_barcode: { type: 'string', minLength: 1, maxLength: 255 },
      enable_comms: { type: 'boolean', default: false },
    },
    required: ['persona', 'fields'],
    additionalProperties: false,
  };
}

function fieldSchema(field: Field): object {
  const title = field.label;
  if (field.kind !== 'choice') return { title, ...KIND_SCHEMAS[field.kind] };
  const values = valuesOf(field.choices);
  // An empty enum is no valid schema.
  const option = values.length === 0 ? { type: 'string' } : { type: 'string', enum: values };
  return field.multiple ? { title, type: 'array', items: option, uniqueItems: true } : { title, ...option };
}
