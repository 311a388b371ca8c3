import type { FieldValue, SandboxRegistration } from './store.ts';

/** A registration as its table has it. */
export interface StoredRow {
  seq: number;
  id: string;
  persona: string;
  barcode: string;
  barcode_generated: number;
  parent_barcode: string | null;
  enable_comms: number;
  fields: string;
  created_at: number;
  updated_at: number;
}

/** The registration that the row holds. */
export function toRegistration(row: StoredRow): SandboxRegistration {
  return {
    id: row.id,
    persona: row.persona,
    barcode: row.barcode,
    barcodeGenerated: row.barcode_generated === 1,
    parentBarcode: row.parent_barcode ?? undefined,
    enableComms: row.enable_comms === 1,
    fields: JSON.parse(row.fields) as Record<string, FieldValue>,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** The row that holds the registration under the number. */
export function toRow(registration: SandboxRegistration, seq: number): StoredRow {
  return {
    seq,
    id: registration.id,
    persona: registration.persona,
    barcode: registration.barcode,
    barcode_generated: Number(registration.barcodeGenerated),
    parent_barcode: registration.parentBarcode ?? null,
    enable_comms: Number(registration.enableComms),
    fields: JSON.stringify(registration.fields),
    created_at: registration.createdAt,
    updated_at: registration.updatedAt,
  };
}
