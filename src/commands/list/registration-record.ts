import type { RawRecord } from '../../registration/model/registration.ts';
import { asWritten } from '../../service/contracts/json.ts';
import { ID_KEYS } from '../../service/contracts/read-records.ts';

/** The keys that every listed registration has, in the order of tables, CSV and workbooks. */
export const RECORD_COLUMNS = [
  'registration_id',
  'persona',
  'barcode',
  'parent_barcode',
  'enable_comms',
] as const;

/** A registration as programs get it, and as push takes it: fields by slug, absent keys left out. */
export function nestedRecord(record: RawRecord): Record<string, unknown> {
  const registration_id = asWritten(record.id, record.raw, ID_KEYS);
  return withoutAbsent({ ...headOf(record), registration_id, fields: record.fields });
}

/** The same in one level, for tables, CSV and workbooks: a column a field. */
export function flatRecord(record: RawRecord): Record<string, unknown> {
  return { ...withoutAbsent(record.fields ?? {}), ...withoutAbsent(headOf(record)) };
}

function headOf(record: RawRecord): Record<(typeof RECORD_COLUMNS)[number], unknown> {
  return {
    registration_id: record.id,
    persona: record.persona,
    barcode: record.barcode,
    parent_barcode: record.parentBarcode,
    enable_comms: record.enableComms,
  };
}

function withoutAbsent(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== undefined && value !== null),
  );
}
