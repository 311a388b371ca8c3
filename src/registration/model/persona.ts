/** How the values of a field are checked. `text` takes anything. */
export const FIELD_KINDS = [
  'name',
  'email',
  'phone',
  'country',
  'website',
  'upload',
  'date',
  'numeric',
  'choice',
  'text',
] as const;
export type FieldKind = (typeof FIELD_KINDS)[number];

/** One allowed option of a choice field; once for each of its labels. */
export interface Choice {
  /** What is sent. */
  value: string;
  /** What people see; equal to `value` when the service gives no other. */
  label: string;
}

/** A registration field of a persona, as the live event defines it. */
export interface Field {
  /** As the service writes it. */
  id: string | number | undefined;
  /** Key inside the `fields` object of a registration. */
  slug: string;
  label: string;
  /** Its label in further languages, where the service has some. */
  otherLabels?: readonly string[];
  /** The service's own name of the type, for example "Phone number". */
  type: string;
  kind: FieldKind;
  /** Empty unless `kind` is `choice`. */
  choices: readonly Choice[];
  /** A choice field that takes several options at once. */
  multiple: boolean;
  /** False when the type name is not one we know: its values pass as text, unchecked. */
  known: boolean;
}

/** A kind of registrant, such as visitor or exhibitor. */
export interface Persona {
  id: string | number | undefined;
  slug: string;
  name: string;
  fields: readonly Field[];
}

/** Metadata of the active event. Dates are the service's own ISO 8601 strings. */
export interface EventInfo {
  eventId: string;
  /** Where the service writes the id as one. */
  eventNumber?: number;
  slug: string;
  name: string;
  timezone: string | undefined;
  startDate: string | undefined;
  endDate: string | undefined;
  personas: readonly Persona[];
}
