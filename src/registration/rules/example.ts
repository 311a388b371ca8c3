import { valuesOf } from './choice-rule.ts';
import { EXAMPLE_EMAIL } from '../model/own-names.ts';
import type { Field, FieldKind } from '../model/persona.ts';

const EXAMPLES: Readonly<Record<Exclude<FieldKind, 'choice' | 'name'>, string>> = {
  email: EXAMPLE_EMAIL,
  phone: '+34600000000',
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
