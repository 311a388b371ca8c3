import type { ColumnMapping, FieldTarget } from '../model/columns.ts';
import type { EventInfo, Persona } from '../model/persona.ts';
import { readPersona } from './read-persona.ts';
import type { Registration } from '../model/registration.ts';
import { addReason, type EmailDomain, emptyDraft, registrationOf, type RowDraft } from './row-draft.ts';
import { findingOf, type Note, type Reason, type SourceRow } from '../model/row.ts';
import { isBlank, type NamedCell, sourceOf } from '../repairs/cell-text.ts';
import { madeOnce } from '../model/maps.ts';
import { type CompanionCell, companionNumber, readCompanions } from './companions.ts';
import { asMeant } from '../repairs/meanings.ts';
import { checkWhole, readCell } from './read-cell.ts';
import type { RepairOptions } from '../repairs/repair-options.ts';
import { saysOtherwise } from '../evidence/column-samples.ts';
import { repairsOfRow } from '../evidence/row-country.ts';

/** A registration that can be sent. */
interface ReadRow {
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
  source: SourceRow,
  mapping: ColumnMapping,
  options: ReadRowOptions,
): { ok: true; read: ReadRow; companions: readonly ReadRow[]; notes: readonly Note[] } | RefusedRow {
  const row = asMeant(source, options.repairs.values);
  const column = mapping.columns[mapping.personaColumn];
  const cell = row.cells[mapping.personaColumn];
  const found = readPersona(cell, options.event, column, options.persona);
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

const NONE: readonly never[] = [];

function readOf(draft: RowDraft, persona: Persona): ReadRow {
  const emails = draft.emails.size === 0 ? NONE : [...draft.emails.values()];
  return { registration: registrationOf(draft, persona), emails };
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

const isSame = (one: Reason, other: Reason): boolean =>
  (['column', 'field', 'problem', 'personal'] as const).every((key) => one[key] === other[key]);

/** A row that names itself as its parent keeps its barcode only. */
function barcodesOf(draft: RowDraft | undefined): Pick<RefusedRow, 'barcode' | 'parentBarcode'> {
  const { barcode, parentBarcode } = draft ?? { barcode: undefined, parentBarcode: undefined };
  return { barcode, parentBarcode: parentBarcode === barcode ? undefined : parentBarcode };
}

/** How rows are read. */
export interface ReadRowOptions {
  event: EventInfo;
  /** `--persona`: for rows that name none. */
  persona: string | undefined;
  /** A blank cell leaves its field out, or empties it in the service. */
  blank: 'omit' | 'clear';
  /** How values may be mended. */
  repairs: RepairOptions;
  /** Make barcodes for rows that have companions and none. */
  makesBarcodes?: boolean;
}

/** All cells of a row, read as those of one persona and of the people who come along. */
function readCells(
  row: SourceRow,
  mapping: ColumnMapping,
  persona: Persona,
  { event, blank, repairs: given, makesBarcodes = false }: ReadRowOptions,
) {
  const own = emptyDraft();
  const repairs = repairsOfRow(row, mapping, [persona], given);
  const options = { persona, blank, repairs };
  const groups = new Map<number, CompanionCell[]>();
  const targets = mapping.targetsFor(persona);
  for (let index = 0; index < targets.length; index += 1) {
    const target = targets[index] ?? { kind: 'ignored' };
    const cell = row.cells[index];
    const at = {
      column: mapping.columns[index] ?? '',
      cell,
      escaped: row.escaped?.get(index),
      written: row.written?.get(index),
    };
    if (target.kind === 'field' && target.among !== undefined) {
      if (!countsAmong(target.among, index, row)) {
        if (target.completes === true) refuseOtherwise(own, at, target, row);
        continue;
      }
      if (target.among[0]?.includes(index) === false) noteInstead(own, at, target, mapping);
    }
    // Most foreign columns are blank; those need no look at other personas.
    const skipped = target.kind === 'foreign' && blank === 'omit' && isBlank(cell);
    const number = skipped ? undefined : companionNumber(target, index, mapping, event);
    if (number === undefined) readCell(own, at, target, options);
    else madeOnce<number, CompanionCell[]>(groups, number, () => []).push({ ...at, index });
  }
  checkWhole(own);
  const repairsOf = (number: number): RepairOptions =>
    repairsOfRow(row, mapping, event.personas, given, number);
  const all = { persona, blank, repairs, makesBarcodes, repairsOf, event, mapping, row: own };
  const companions = readCompanions(groups, all);
  const reasons = [...own.reasons, ...companions.flatMap(({ draft }) => draft.reasons)];
  const notes = [...own.notes, ...companions.flatMap(({ draft }) => draft.notes)];
  return { own, companions, reasons, notes };
}

/** Of several columns of a field the first ones that are filled in the row count. */
function countsAmong(among: NonNullable<FieldTarget['among']>, index: number, { cells }: SourceRow): boolean {
  const filled = among.find((source) => source.some((at) => !isBlank(cells[at]))) ?? among[0];
  return filled?.includes(index) === true;
}

/** What says otherwise than the columns that it is to complete is a conflict of both: each is told, with what it says. */
function refuseOtherwise(
  own: RowDraft,
  at: NamedCell,
  { among = [] }: FieldTarget,
  { columns, cells }: SourceRow,
): void {
  const source = among.find((one) => one.some((index) => !isBlank(cells[index]))) ?? [];
  const said = source.map((index) => ({ column: columns[index] ?? '', cell: cells[index] }));
  const cellsSaid = said.map(({ cell }) => cell);
  if (!saysOtherwise(at.cell, cellsSaid)) return;
  for (const one of [...said.filter(({ cell }) => !isBlank(cell)), at]) {
    const others = one === at ? said.map(({ column }) => `"${column}"`).join(' and ') : `"${at.column}"`;
    const remedy = 'write the same in both, or say with --map which counts';
    const finding = findingOf('column-twice', `says otherwise than ${others}`, remedy);
    addReason(own, one, finding, { personal: true });
  }
}

/** That a value stands in the second column of its field is told as what is done to the blank cell of the first. */
function noteInstead(
  own: RowDraft,
  at: NamedCell,
  { slug, among }: FieldTarget,
  { columns }: ColumnMapping,
): void {
  const column = columns[among?.[0]?.[0] ?? -1] ?? at.column;
  if (isBlank(at.cell)) return;
  const repair = `taken from "${at.column}"`;
  own.notes.push({ column, field: slug, repair, before: '', after: sourceOf(at), personal: true });
}
