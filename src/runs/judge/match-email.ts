import type { FieldsOf } from '../../registration/changes/aspect.ts';
import type { RecordImage, Registration } from '../../registration/model/registration.ts';
import { canonicalValue } from '../../registration/changes/same-value.ts';

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

/** Whether a registration has all the names that a row has, in whatever case. */
export function hasName(registration: Registration, record: RecordImage, fieldsOf: FieldsOf): boolean {
  return sameNames(registration, record, fieldsOf).every((isSame) => isSame);
}

/** Whether a row has names, and a registration none of them, in whatever case. */
export function hasOtherName(registration: Registration, record: RecordImage, fieldsOf: FieldsOf): boolean {
  const names = sameNames(registration, record, fieldsOf);
  return names.length > 0 && !names.some((isSame) => isSame);
}

/** Of each name that a row has, whether a registration has it. A blank says nothing of who it is. */
function sameNames(
  { persona, fields }: Registration,
  record: RecordImage,
  fieldsOf: FieldsOf,
): readonly boolean[] {
  return fieldsOf(persona)
    .filter(({ kind }) => kind === 'name')
    .flatMap((field) => {
      const nameIn = (values: Values): string =>
        Object.hasOwn(values, field.slug) ? canonicalValue(field, values[field.slug]).toLowerCase() : '';
      const own = nameIn(fields);
      return own === '' ? [] : [own === nameIn(record.fields ?? {})];
    });
}

/** All names of a registration as they are compared, as one text; undefined when it has none. */
export function nameOf({ persona, fields }: Registration, fieldsOf: FieldsOf): string | undefined {
  const names = fieldsOf(persona)
    .filter(({ kind, slug }) => kind === 'name' && Object.hasOwn(fields, slug))
    .map((field) => canonicalValue(field, fields[field.slug]).toLowerCase());
  return names.join(' ').trim() || undefined;
}
