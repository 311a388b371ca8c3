import type { FieldsOf } from './aspect.ts';
import { canonicalValue } from './same-value.ts';

type Values = Readonly<Record<string, unknown>>;

/** The address in the persona's first e-mail field as it is compared; undefined when there is none. */
export function emailOf(
  { persona, fields }: { persona: string; fields: Values },
  fieldsOf: FieldsOf,
): string | undefined {
  const field = fieldsOf(persona).find(({ kind }) => kind === 'email');
  if (field === undefined || !Object.hasOwn(fields, field.slug)) return undefined;
  return canonicalValue(field, fields[field.slug]) || undefined;
}

/** What people without barcode and e-mail are told apart by: persona and names; undefined for one without any. */
export function nameKeyOf(one: { persona: string; fields: Values }, fieldsOf: FieldsOf): string | undefined {
  const name = nameOf(one, fieldsOf);
  return name && `${one.persona}\n${name}`;
}

/** All names of a registration as they are compared, as one text; undefined when it has none. */
export function nameOf(
  { persona, fields }: { persona: string; fields: Values },
  fieldsOf: FieldsOf,
): string | undefined {
  const names = fieldsOf(persona)
    .filter(({ kind, slug }) => kind === 'name' && Object.hasOwn(fields, slug))
    .map((field) => canonicalValue(field, fields[field.slug]).toLowerCase());
  return names.join(' ').trim() || undefined;
}
