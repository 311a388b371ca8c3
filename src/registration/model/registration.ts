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

/** A registration as the service lists it. Everything but `raw` may be missing: the interface does not show records. */
export interface RegistrationRecord {
  id: string | undefined;
  persona: string | undefined;
  barcode: string | undefined;
  parentBarcode: string | undefined;
  enableComms: boolean | undefined;
  /** Undefined when the record does not show its fields. */
  fields: Readonly<Record<string, unknown>> | undefined;
  /** The record as it came, unknown keys included. */
  raw: Readonly<Record<string, unknown>>;
}

/** A registration as the journal keeps it: without what the service said beside it. */
export type RecordImage = Partial<Omit<RegistrationRecord, 'raw'>>;

/** What the journal keeps of a listed registration. */
export function imageOf(record: RegistrationRecord | RecordImage): RecordImage {
  const { id, persona, barcode, parentBarcode, enableComms, fields } = record;
  const image = { id, persona, barcode, parentBarcode, enableComms, fields };
  return Object.fromEntries(Object.entries(image).filter(([, value]) => value !== undefined));
}
