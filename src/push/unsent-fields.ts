import { PARENT } from '../registration/aspect.ts';
import type { FieldsOf } from '../registration/field-change.ts';
import type { FieldValue, RecordImage, Registration } from '../registration/registration.ts';
import { plainValue } from '../registration/same-value.ts';

/** What a registration held that a row does not send. */
export interface Unsent {
  /** Values by slug. */
  fields: ReadonlyMap<string, FieldValue>;
  /** The group that it is a member of. */
  parentBarcode: string | undefined;
}

/** What a registration held that a row does not send, as far as it showed it. */
export function unsentValues(
  { persona, fields, parentBarcode }: Registration,
  before: RecordImage,
  fieldsOf: FieldsOf,
): Unsent {
  const kept = new Map<string, FieldValue>();
  for (const { slug } of fieldsOf(persona)) {
    if (Object.hasOwn(fields, slug)) continue;
    const value = valueOf(before, slug);
    if (value !== undefined) kept.set(slug, value);
  }
  return { fields: kept, parentBarcode: parentBarcode === undefined ? before.parentBarcode : undefined };
}

/** Whether there is anything that is not sent. */
export function holdsAny({ fields, parentBarcode }: Unsent): boolean {
  return fields.size > 0 || parentBarcode !== undefined;
}

/** What of it a record no longer has: slugs, `parent_barcode`. */
export function lostValues({ fields, parentBarcode }: Unsent, now: RecordImage): string[] {
  const lost = [...fields.keys()].filter((slug) => valueOf(now, slug) === undefined);
  const left = parentBarcode !== undefined && now.parentBarcode === undefined;
  return left ? [PARENT.field, ...lost] : lost;
}

function valueOf({ fields = {} }: RecordImage, slug: string): FieldValue | undefined {
  return Object.hasOwn(fields, slug) ? plainValue(fields[slug]) : undefined;
}

/** The row with what its registration had besides: for services that empty what is not sent. */
export function completed(registration: Registration, unsent: Unsent): Registration {
  return {
    ...registration,
    parentBarcode: registration.parentBarcode ?? unsent.parentBarcode,
    // fromEntries defines keys, so that a field called __proto__ is a key like any other.
    fields: Object.fromEntries([...Object.entries(registration.fields), ...unsent.fields]),
  };
}
