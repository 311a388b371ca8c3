/** What is true of the values of a kind; its rule, how it is repaired and how it is compared are by kind in other tables. */
export type Trait =
  /** They may identify a person: they are masked in messages, and findings never quote them. */
  | 'personal'
  /** Joiners, marks of direction and wide letters are part of what is said. */
  | 'free'
  /** They are digits, whatever number they make. */
  | 'digits'
  /** Zeros in front count, and a cell's format may show more of them. */
  | 'zeros'
  /** Zeros in front may be filled up, and decimals that are none go. */
  | 'padded'
  /** Only digits and ASCII letters are sent, so that nothing in them is a decoding error. */
  | 'ascii'
  /** They are few, and of many people. */
  | 'listed'
  /** Every form but one means the same to the service. */
  | 'formed'
  /** They alone do not show which field a column is: numbers and links may be of anything. */
  | 'common';

const TRAITS = {
  name: ['personal', 'free', 'zeros'],
  email: ['personal'],
  phone: ['personal', 'digits', 'zeros', 'padded', 'ascii'],
  country: ['listed', 'formed'],
  website: ['personal', 'common'],
  upload: ['personal', 'common'],
  date: ['ascii', 'formed'],
  numeric: ['digits', 'padded', 'ascii', 'formed', 'common'],
  choice: ['listed'],
  text: ['personal', 'free', 'zeros', 'padded'],
  barcode: ['digits', 'zeros', 'padded', 'ascii', 'listed'],
} as const satisfies Readonly<Record<string, readonly Trait[]>>;

/** Those of fields, and the one of barcodes. */
export type ValueKind = keyof typeof TRAITS;
/** How the values of a field are checked. `text` takes anything. */
export type FieldKind = Exclude<ValueKind, 'barcode'>;

export const FIELD_KINDS = Object.keys(TRAITS).filter((kind): kind is FieldKind => kind !== 'barcode');

export const hasTrait = (kind: ValueKind, trait: Trait): boolean =>
  (TRAITS[kind] as readonly Trait[]).includes(trait);

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
