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

/**
 * Whether a registration is of the example of a template: `as written` where it has no value of anybody else's, `in part`
 * where somebody may have written a guest over it.
 */
export function exampleIn(
  { barcode, fields }: Registration,
  fieldOf: (slug: string) => Field | undefined,
): 'as written' | 'in part' | undefined {
  const values = Object.entries(fields);
  const has = (own: string): boolean => barcode === own || values.some(([, value]) => value === own);
  const isPart = has(EXAMPLE_BARCODE) || has(EXAMPLE_EMAIL);
  // Of the phone number alone somebody may be the owner.
  if (!isPart && !has(EXAMPLE_PHONE)) return undefined;
  const isAsWritten = values.every(([slug, value]) => {
    const field = fieldOf(slug);
    const text = typeof value === 'string' ? value : value.join('; ');
    return text === '' || (field !== undefined && text === exampleValue(field));
  });
  if (isAsWritten) return 'as written';
  return isPart ? 'in part' : undefined;
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
