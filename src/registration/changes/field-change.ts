import { type Aspect, aspectsOf, differs, type FieldsOf, MESSAGES } from './aspect.ts';
import { madeOnce } from '../model/maps.ts';
import type { EventInfo, Field } from '../model/persona.ts';
import type { FieldValue, RecordImage, Registration, RegistrationRecord } from '../model/registration.ts';
import { plainValue } from './same-value.ts';

/** What sending a row would change in the service. */
export interface FieldChange {
  /** Slug of the field, or `persona`, `parent_barcode`, `enable_comms`. */
  field: string;
  /** As the service lists it; undefined when it lists nothing there. */
  before: FieldValue | undefined;
  /** As the row has it; undefined when the row empties it. */
  after: FieldValue | undefined;
  /** Set when it is not sent: only the service has changed it, or both have. */
  left?: 'kept' | 'conflict';
  /** It is sent as it was before, and the list does not show what is there. */
  isUnseen?: true;
}

const fieldsOfPersonas = new WeakMap<EventInfo['personas'], FieldsOf>();

/** The fields of the personas of an event. */
export function fieldsOf({ personas }: Pick<EventInfo, 'personas'>): FieldsOf {
  return madeOnce(fieldsOfPersonas, personas, () => {
    const bySlug = new Map(personas.map(({ slug, fields }) => [slug, fields]));
    return (persona) => bySlug.get(persona) ?? NONE;
  });
}

const NONE: readonly Field[] = [];

/**
 * What sending the registration would change of a listed record: persona, parent and messages first, then
 * the fields in their order. Values that differ only in how the service writes them are equal. What is not
 * sent does not count. Undefined: the record does not show its fields.
 */
export function changesTo(
  registration: Registration,
  record: RegistrationRecord | RecordImage,
  fields: FieldsOf,
): FieldChange[] | undefined {
  if (record.fields === undefined) return undefined;
  return aspectsOf(registration, fields)
    .filter((aspect) => differs(aspect, registration, record))
    .map((aspect) => toChange(aspect, registration, record));
}

/** The same without messages: that they are wanted need not be kept. */
export function changesButMessages(
  registration: Registration,
  record: RegistrationRecord | RecordImage,
  fields: FieldsOf,
): FieldChange[] | undefined {
  return changesTo(registration, record, fields)?.filter(({ field }) => field !== MESSAGES.field);
}

/** Whether a registration shows all that is asked for, but for messages, whatever else it holds. */
export const holdsAll = (...sides: Parameters<typeof changesButMessages>): boolean =>
  changesButMessages(...sides)?.length === 0;

/** What goes with a registration that is deleted. */
export const goingWith = ({ fields = {} }: RecordImage): FieldChange[] =>
  Object.entries(fields).map(([field, shown]) => ({ field, before: plainValue(shown), after: undefined }));

/** The change of one thing, as it is shown. */
export function toChange(
  { field, of }: Aspect,
  registration: Registration,
  record: RecordImage | undefined,
): FieldChange {
  const before = record === undefined ? undefined : plainValue(of(record));
  return { field, before, after: plainValue(of(registration)) };
}
