import type { ColumnMapping } from './columns.ts';
import type { EventInfo, Persona } from './persona.ts';
import { readPersona } from './read-persona.ts';
import type { Registration } from './registration.ts';
import { checkWhole, type EmailDomain, emptyDraft, readCell, type RowDraft } from './row-draft.ts';
import type { Reason, SourceRow } from './row.ts';

/** How rows are read. */
export interface ReadRowOptions {
  event: EventInfo;
  /** `--persona`: for rows that name none. */
  persona: string | undefined;
  /** A blank cell leaves its field out, or empties it in the service. */
  blank: 'omit' | 'clear';
}

/** A row that can be sent. */
export interface ReadRow {
  registration: Registration;
  /** Different e-mail domains of the row, still to be looked up in DNS. */
  emails: readonly EmailDomain[];
}

/**
 * Turns a row into a registration, or says everything that is wrong with it. Values are sent as they
 * stand but for white space at the ends; options of choice fields become the allowed value they mean.
 * Never throws on data.
 */
export function readRow(
  row: SourceRow,
  mapping: ColumnMapping,
  options: ReadRowOptions,
): { ok: true; read: ReadRow } | { ok: false; reasons: readonly Reason[] } {
  const column = mapping.columns[mapping.personaColumn];
  const cell = row.cells[mapping.personaColumn];
  const found = readPersona({ column, cell, fallback: options.persona }, options.event);
  if (!found.ok) {
    return { ok: false, reasons: [found.reason, ...reasonsOfAllPersonas(row, mapping, options)] };
  }
  const draft = readCells(row, mapping, found.persona, options.blank);
  if (draft.reasons.length > 0) return { ok: false, reasons: draft.reasons };
  const registration = registrationOf(draft, found.persona);
  return { ok: true, read: { registration, emails: [...draft.emails.values()] } };
}

function readCells(
  row: SourceRow,
  mapping: ColumnMapping,
  persona: Persona,
  blank: 'omit' | 'clear',
): RowDraft {
  const draft = emptyDraft();
  const targets = mapping.targetsFor(persona);
  for (const [index, target] of targets.entries()) {
    const at = { column: mapping.columns[index] ?? '', cell: row.cells[index] };
    readCell(draft, at, target, persona, blank);
  }
  checkWhole(draft);
  return draft;
}

/**
 * The row's persona is not known, but what is wrong whichever persona is meant can be told at once:
 * a bad barcode, or a bad value of a field that all personas share.
 */
function reasonsOfAllPersonas(
  row: SourceRow,
  mapping: ColumnMapping,
  options: ReadRowOptions,
): readonly Reason[] {
  const [first, ...others] = options.event.personas;
  if (first === undefined) return [];
  let common: readonly Reason[] = readCells(row, mapping, first, options.blank).reasons;
  for (const persona of others) {
    if (common.length === 0) break;
    const { reasons } = readCells(row, mapping, persona, options.blank);
    common = common.filter((reason) => reasons.some((other) => isSame(reason, other)));
  }
  return common;
}

function isSame(one: Reason, other: Reason): boolean {
  return (
    one.column === other.column &&
    one.field === other.field &&
    one.problem === other.problem &&
    one.personal === other.personal
  );
}

function registrationOf(draft: RowDraft, persona: Persona): Registration {
  return {
    persona: persona.slug,
    // fromEntries defines keys, so that a field called __proto__ is a key like any other.
    fields: Object.fromEntries(draft.fields),
    barcode: draft.barcode,
    parentBarcode: draft.parentBarcode,
    enableComms: draft.enableComms,
  };
}
