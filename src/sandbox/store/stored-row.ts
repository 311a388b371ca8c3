/** A registration as its table has it. */
export type StoredRow = ReturnType<typeof toRow>;

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
export function toRow(registration: SandboxRegistration, seq: number) {
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

/** A registration as it is kept, whatever shape the answers have. */
export interface SandboxRegistration {
  id: string;
  persona: string;
  barcode: string;
  /** True when the request named no barcode and the sandbox made one up. */
  barcodeGenerated: boolean;
  parentBarcode: string | undefined;
  enableComms: boolean;
  fields: Readonly<Record<string, FieldValue>>;
  /** Milliseconds since 1970. */
  createdAt: number;
  updatedAt: number;
}

export type FieldValue = string | readonly string[];

/**
 * A checked request. An empty text or list clears a field, an empty parent takes the registration out of its
 * group; what becomes of the rest on update is for the switches to say.
 */
export interface RegistrationInput extends Pick<SandboxRegistration, 'persona' | 'fields' | 'parentBarcode'> {
  barcode: string | undefined;
  enableComms: boolean | undefined;
}
