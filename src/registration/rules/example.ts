import { valuesOf } from './choice-rule.ts';
import { EXAMPLE_BARCODE, EXAMPLE_EMAIL, EXAMPLE_PHONE } from '../model/own-names.ts';
import type { Field, FieldKind } from '../model/persona.ts';
import type { Registration } from '../model/registration.ts';

const EXAMPLES: Readonly<Record<Exclude<FieldKind, 'choice' | 'name'>, string>> = {
  email: EXAMPLE_EMAIL,
  phone: EXAMPLE_PHONE,
  country: 'ES',
  website: 'https://example.com',
  upload: 'https://example.com/files/photo.jpg',
  date: '2026-02-26',
  numeric: '42',
  text: 'Example',
};

/** A valid value of the field, as it is typed into a cell: for templates. */
export function exampleValue(field: Field): string {
  if (field.kind === 'choice') return exampleChoice(field);
  return field.kind === 'name' ? exampleName(field) : EXAMPLES[field.kind];
}

/** Whether a registration has something of the example of a template that is nobody's: a guest may be written over it. */
export function isOfExample({ barcode, fields }: Registration): boolean {
  return barcode === EXAMPLE_BARCODE || Object.values(fields).includes(EXAMPLE_EMAIL);
}

/** The first option, or the first two of a field that takes several. */
function exampleChoice(field: Field): string {
  const values = valuesOf(field.choices);
  const [first = EXAMPLES.text, second] = values;
  if (!field.multiple || second === undefined || values.some((value) => /^\[|[;|]/.test(value))) return first;
  return `${first}; ${second}`;
}

function exampleName(field: Field): string {
  const words = `${field.slug} ${field.label} ${field.type}`.toLowerCase();
  if (/first|given/.test(words)) return 'María';
  return /last|sur|family/.test(words) ? 'García' : 'María García';
}
