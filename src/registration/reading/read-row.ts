import type { ColumnMapping } from '../model/columns.ts';
import type { Persona } from '../model/persona.ts';
import { readPersona } from './read-persona.ts';
import type { Registration } from '../model/registration.ts';
import { type EmailDomain, registrationOf, type RowDraft } from './row-draft.ts';
import { readCells, type ReadRowOptions } from './row-reading.ts';
import type { Note, Reason, SourceRow } from '../model/row.ts';

export type { ReadRowOptions };

/** A registration that can be sent. */
export interface ReadRow {
  registration: Registration;
  /** Different e-mail domains of the row, still to be looked up in DNS. */
  emails: readonly EmailDomain[];
}

/** A row that cannot be sent, with every reason. */
interface RefusedRow {
  ok: false;
  reasons: readonly Reason[];
  notes: readonly Note[];
  /** Of the row itself, when nothing is wrong with them: others may name it as their parent. */
  barcode: string | undefined;
  parentBarcode: string | undefined;
}

/**
 * Turns a row into a registration, and one more for each person who comes along, or says everything
 * that is wrong with it. What is certain is mended, with a note a cell; what is damaged is refused.
 * Never throws on data.
 */
export function readRow(
  row: SourceRow,
  mapping: ColumnMapping,
  options: ReadRowOptions,
): { ok: true; read: ReadRow; companions: readonly ReadRow[]; notes: readonly Note[] } | RefusedRow {
  const column = mapping.columns[mapping.personaColumn];
  const cell = row.cells[mapping.personaColumn];
  const found = readPersona({ column, cell, fallback: options.persona }, options.event);
  if (!found.ok) return refuseAsAnyPersona(found.reason, row, mapping, options);
  const { own, companions, reasons, notes } = readCells(row, mapping, found.persona, options);
  if (reasons.length > 0) return { ok: false, reasons, notes, ...barcodesOf(own) };
  const read = readOf(own, found.persona);
  return {
    ok: true,
    read,
    companions: companions.map(({ draft, persona }) => readOf(draft, persona)),
    notes,
  };
}

function readOf(draft: RowDraft, persona: Persona): ReadRow {
  return { registration: registrationOf(draft, persona), emails: [...draft.emails.values()] };
}

/**
 * The row's persona is not known, but what is wrong whichever persona is meant can be told at once:
 * a bad barcode, or a bad value of a field that all personas share.
 */
function refuseAsAnyPersona(
  reason: Reason,
  row: SourceRow,
  mapping: ColumnMapping,
  options: ReadRowOptions,
): RefusedRow {
  const [first, ...others] = options.event.personas;
  const reading = first === undefined ? undefined : readCells(row, mapping, first, options);
  let common = reading?.reasons ?? [];
  for (const persona of others) {
    if (common.length === 0) break;
    const { reasons } = readCells(row, mapping, persona, options);
    common = common.filter((reason) => reasons.some((other) => isSame(reason, other)));
  }
  // Barcodes mean the same to every persona; notes would be those of one persona only.
  return { ok: false, reasons: [reason, ...common], notes: [], ...barcodesOf(reading?.own) };
}

function isSame(one: Reason, other: Reason): boolean {
  return (
    one.column === other.column &&
    one.field === other.field &&
    one.problem === other.problem &&
    one.personal === other.personal
  );
}

/** A row that names itself as its parent keeps its barcode only. */
function barcodesOf(draft: RowDraft | undefined): Pick<RefusedRow, 'barcode' | 'parentBarcode'> {
  const { barcode, parentBarcode } = draft ?? { barcode: undefined, parentBarcode: undefined };
  return { barcode, parentBarcode: parentBarcode === barcode ? undefined : parentBarcode };
}
