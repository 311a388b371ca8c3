import { hash } from 'node:crypto';

/** A value inside `fields`: text, or several options of a choice field that takes several. */
export type FieldValue = string | readonly string[];

/** What a row becomes, and what is sent to the service. */
export interface Registration {
  persona: string;
  fields: Readonly<Record<string, FieldValue>>;
  barcode: string | undefined;
  parentBarcode: string | undefined;
  /** The file says that it has no parent, where blank cells empty: not only that nothing is known of one. */
  leavesGroup?: boolean;
  enableComms: boolean;
}

/** A registration as the service lists it. Everything may be missing: the interface does not show records. */
export interface RegistrationRecord {
  id: string | undefined;
  persona: string | undefined;
  barcode: string | undefined;
  parentBarcode: string | undefined;
  /** Of its parent, where that is shown by its id alone. */
  parentId?: string | undefined;
  enableComms: boolean | undefined;
  /** Undefined when the record does not show its fields. */
  fields: Readonly<Record<string, unknown>> | undefined;
}

/** A registration as it was just read. */
export interface RawRecord extends RegistrationRecord {
  /** The record as it came, unknown keys included. */
  raw: Readonly<Record<string, unknown>>;
}

/** A registration as the journal keeps it: without what the service said beside it. */
export type RecordImage = Partial<RegistrationRecord>;

/** What the journal keeps of a listed registration. */
export function imageOf(record: RegistrationRecord | RecordImage): RecordImage {
  const { id, persona, barcode, parentBarcode, parentId, enableComms, fields } = record;
  const image = { id, persona, barcode, parentBarcode, parentId, enableComms, fields };
  return Object.fromEntries(Object.entries(image).filter(([, value]) => value !== undefined));
}

/** What tells registrations apart: equal ones have the same. */
export const hashOf = (registration: Registration): string =>
  hash('sha256', canonicalRegistration(registration), 'base64url');

/**
 * The registration as canonical JSON: keys in code unit order, no white space, absent barcodes left
 * out, texts as they are (no Unicode normalisation). Equal registrations give equal strings, whatever
 * file and order of columns they come from; the string serves as content identity, for example hashed.
 */
export function canonicalRegistration(registration: Registration): string {
  const { persona, fields, barcode, parentBarcode, leavesGroup, enableComms } = registration;
  // Written as text, because objects order keys like `10` first.
  const members = [`"enable_comms":${enableComms}`, `"fields":{${canonicalFields(fields)}}`];
  if (barcode !== undefined) members.unshift(`"barcode":${JSON.stringify(barcode)}`);
  if (parentBarcode !== undefined) members.push(`"parent_barcode":${JSON.stringify(parentBarcode)}`);
  if (leavesGroup === true) members.push('"parent_barcode":null');
  return `{${members.join(',')},"persona":${JSON.stringify(persona)}}`;
}

function canonicalFields(fields: Registration['fields']): string {
  // By code units, unless told otherwise.
  const slugs = Object.keys(fields).sort();
  return slugs.map((slug) => `${JSON.stringify(slug)}:${JSON.stringify(fields[slug])}`).join(',');
}

/** Where a registration is not as it was to be left. */
export interface Difference {
  /** Slug of the field, or `persona`, `parent_barcode`, `enable_comms`; `id` where it is another registration now. */
  field: string;
  /**
   * `stored`: listed otherwise than sent. `refused`: twice so, right after it was sent. `changed`: it was not
   * sent, and is not as it was before; whether the service or somebody else has changed it cannot be told. `disputed`:
   * it was not sent, because nothing tells which side is right.
   */
  kind: 'stored' | 'refused' | 'changed' | 'disputed';
  /** As sent, as it was before, or as the file has it; undefined for nothing. */
  expected: FieldValue | undefined;
  /** As it is listed. */
  found: FieldValue | undefined;
}
