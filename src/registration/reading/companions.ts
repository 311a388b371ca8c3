import { hash } from 'node:crypto';
import { type ColumnMapping, type ColumnTarget, tellsOfCompanion } from '../model/columns.ts';
import type { EventInfo, Field, Persona } from '../model/persona.ts';
import type { FieldValue } from '../model/registration.ts';
import { findingOf } from '../model/row.ts';
import { isBlank, type NamedCell } from '../repairs/cell-text.ts';
import type { RepairOptions } from '../repairs/repair-options.ts';
import { type CellOptions, noteMeaning, readCell } from './read-cell.ts';
import { readPersona } from './read-persona.ts';
import { addNote, addReason, emptyDraft, type RowDraft } from './row-draft.ts';

/** A cell that belongs to somebody who comes along, with its column's index. */
export interface CompanionCell extends NamedCell {
  index: number;
}

/** A companion as it is read: a registration of its own once its draft has no reasons. */
export interface Companion {
  persona: Persona;
  draft: RowDraft;
}

/** What the companions of a row depend on. */
interface CompanionOptions extends CellOptions {
  event: EventInfo;
  mapping: ColumnMapping;
  /** How values of a companion are mended, by its number. */
  repairsOf(number: number): RepairOptions;
  /** The row's own draft, read to its end: companions belong to its barcode. */
  row: RowDraft;
  /** Make a barcode for a row that has none. */
  makesBarcodes: boolean;
}

/**
 * The number of the companion a column belongs to; undefined for columns of the row itself. A field that
 * the row's persona lacks is foreign to it, and may still be one of a companion of another persona.
 */
export function companionNumber(
  target: ColumnTarget,
  index: number,
  mapping: ColumnMapping,
  event: EventInfo,
): number | undefined {
  if (target.kind === 'companion') return target.number;
  if (target.kind !== 'foreign') return undefined;
  for (const persona of event.personas) {
    const other = mapping.targetsFor(persona)[index];
    if (other?.kind === 'companion') return other.number;
  }
  return undefined;
}

/**
 * Reads the people who come along in a row, by their numbers; a wrong persona is a reason of the row. Without a field or a
 * barcode there is nobody: lists are often filled in with personas and switches beforehand.
 */
export function readCompanions(
  groups: ReadonlyMap<number, readonly CompanionCell[]>,
  options: CompanionOptions,
): Companion[] {
  const companions: Companion[] = [];
  const targets = options.mapping.targetsFor(options.persona);
  for (const [number, cells] of groups) {
    // One that is foreign to the row's persona may be a field of another.
    const first = cells.find(({ cell, index }) => {
      const { [index]: target } = targets;
      return !isBlank(cell) && (target?.kind !== 'companion' || tellsOfCompanion(target));
    });
    if (first === undefined) {
      for (const at of cells) noteMeaning(options.row, at, 'companion');
      continue;
    }
    checkParent(first, options);
    const companion = readCompanion(cells, { ...options, repairs: options.repairsOf(number) });
    if (companion !== undefined) companions.push(companion);
  }
  return companions;
}

/** A barcode that is wrong has its own reason already. */
function checkParent(first: CompanionCell, options: CompanionOptions): void {
  const { row, persona, mapping, makesBarcodes } = options;
  if (row.filledBy.has('barcode') || row.barcode !== undefined) return;
  const made = makesBarcodes ? makeBarcode(row.fields, persona.fields) : undefined;
  if (made !== undefined) {
    row.barcode = made.barcode;
    const done = [`barcode made from the ${made.from}, for the companions`];
    const about = { field: 'barcode', personal: false };
    addNote(row, { column: 'barcode', cell: '' }, { value: made.barcode, done }, about);
    return;
  }
  const neither = makesBarcodes ? ', nor an e-mail or a name to make one from' : '';
  const problem = `belongs to a companion, and the row has no barcode to which it could be tied${neither}`;
  const remedy = makesBarcodes
    ? 'give the row a barcode, or write the companion in a row of its own'
    : 'give the row a barcode, let one be made with --set make-barcodes=true, or write the companion in a row of its own';
  const at = mapping.targetsFor(persona).findIndex(({ kind }) => kind === 'barcode');
  const fills = mapping.columns[at] ?? 'barcode';
  addReason(row, first, findingOf('companion-untied', problem, remedy), { personal: true, fills });
}

function readCompanion(cells: readonly CompanionCell[], options: CompanionOptions): Companion | undefined {
  const { row, mapping } = options;
  const found = companionPersona(cells, options);
  if (found === undefined) return undefined;
  const draft = emptyDraft();
  const targets = mapping.targetsFor(found);
  for (const at of cells) {
    const target = targets[at.index];
    const own = target?.kind === 'companion' ? target.target : { kind: 'foreign' as const };
    readCell(draft, at, own, { ...options, persona: found });
  }
  draft.parentBarcode = row.barcode;
  checkBarcode(draft, row);
  return { persona: found, draft };
}

/** The companion's own persona, else the row's. */
function companionPersona(cells: readonly CompanionCell[], options: CompanionOptions): Persona | undefined {
  const { event, mapping, persona, row } = options;
  const targets = mapping.targetsFor(persona);
  const at = cells.find(({ index }) => {
    const target = targets[index];
    return target?.kind === 'companion' && target.target.kind === 'persona';
  });
  if (at === undefined || isBlank(at.cell)) return persona;
  const found = readPersona(at.cell, event, at.column);
  if (found.ok) return found.persona;
  row.reasons.push(found.reason);
  return undefined;
}

function checkBarcode(draft: RowDraft, row: RowDraft): void {
  const at = draft.filledBy.get('barcode');
  if (at === undefined || draft.barcode === undefined || draft.barcode !== row.barcode) return;
  const problem = "is the row's own barcode, and a companion needs one of its own";
  const remedy = "write the companion's barcode, or empty the cell";
  addReason(draft, at, findingOf('barcode-twice', problem, remedy), { personal: false });
}

/** Letters and digits that nobody takes for each other, as Crockford's Base32 has them. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LETTERS = 12;
const MADE = /^GUEST-.{4}-.{4}-.{4}$/;

/** Whether a barcode looks like one that was made. */
export const isMade = (barcode: string): boolean => MADE.test(barcode);

/** The barcode that a row was given, and that was not made for it. */
export const givenBarcode = ({ barcode }: { barcode?: string | undefined }): string | undefined =>
  barcode === undefined || isMade(barcode) ? undefined : barcode;

/**
 * The barcode of a person who has none: made from the e-mail address, else from the name, and from nothing else, so
 * that the same person has the same one in any order of the rows, in any file, and whatever else is mended.
 * Undefined for somebody who has neither.
 */
export function makeBarcode(
  values: ReadonlyMap<string, FieldValue>,
  fields: readonly Field[],
): { barcode: string; from: 'e-mail' | 'name' } | undefined {
  const [email] = textsOf('email', values, fields);
  const name = textsOf('name', values, fields).join(' ');
  if (email === undefined && name === '') return undefined;
  const from = email === undefined ? 'name' : 'e-mail';
  const bytes = hash('sha256', `barcode of ${from} ${email ?? name}`, 'buffer').subarray(0, LETTERS);
  const letters = Array.from(bytes, (byte) => ALPHABET[byte % 32]).join('');
  return { barcode: letters.replace(/^(.{4})(.{4})/, 'GUEST-$1-$2-'), from };
}

/** Values of a kind as they are compared, in the order of the fields. */
function textsOf(
  kind: 'email' | 'name',
  values: ReadonlyMap<string, FieldValue>,
  fields: readonly Field[],
): string[] {
  return fields.flatMap((field) => {
    const value = field.kind === kind ? values.get(field.slug) : undefined;
    const text =
      typeof value === 'string' ? value.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim() : '';
    return text === '' ? [] : [text];
  });
}
