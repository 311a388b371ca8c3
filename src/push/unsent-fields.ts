import type { FieldsOf } from '../registration/field-change.ts';
import type { FieldValue, RecordImage, Registration } from '../registration/registration.ts';
import { plainValue } from '../registration/same-value.ts';

/** The values that a registration had in fields which a row does not send, by slug. */
export function unsentValues(
  { persona, fields }: Registration,
  before: RecordImage,
  fieldsOf: FieldsOf,
): Map<string, FieldValue> {
  const kept = new Map<string, FieldValue>();
  for (const { slug } of fieldsOf(persona)) {
    if (Object.hasOwn(fields, slug)) continue;
    const value = valueOf(before, slug);
    if (value !== undefined) kept.set(slug, value);
  }
  return kept;
}

/** Which of these values a record no longer has. */
export function lostValues(values: ReadonlyMap<string, FieldValue>, now: RecordImage): string[] {
  return [...values.keys()].filter((slug) => valueOf(now, slug) === undefined);
}

function valueOf({ fields = {} }: RecordImage, slug: string): FieldValue | undefined {
  return Object.hasOwn(fields, slug) ? plainValue(fields[slug]) : undefined;
}

/** The row with what its registration had besides: for services that empty what is not sent. */
export function completed(registration: Registration, values: ReadonlyMap<string, FieldValue>): Registration {
  // fromEntries defines keys, so that a field called __proto__ is a key like any other.
  return { ...registration, fields: Object.fromEntries([...Object.entries(registration.fields), ...values]) };
}
