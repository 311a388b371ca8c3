import { checkBarcode, readFlag } from '../rules/text-rule.ts';
import { cellSource, cellText, isBlank, type NamedCell, textOf } from '../repairs/cell-text.ts';
import type { ColumnTarget, FieldTarget } from '../model/columns.ts';
import { readTime } from '../rules/date-forms.ts';
import { checkYear, isBirthDate } from '../rules/date-rule.ts';
import { emailDomain } from '../rules/email-rule.ts';
import { type Cell, type Checked, findingOf, refuse } from '../model/row.ts';
import { type Field, hasTrait, type Persona } from '../model/persona.ts';
import { LEFT_OUT, type RepairOptions } from '../repairs/repair-options.ts';
import { addNote, addReason, fillOnce, type RowDraft } from './row-draft.ts';
import { takenAs } from '../repairs/meanings.ts';
import { checkValue } from '../rules/rules.ts';
import { SheetCell } from '../model/sheet-cell.ts';
import { checkSheetCell } from '../repairs/sheet-value.ts';
import { readChoiceCell } from './choice-cell.ts';
import { mendCell } from '../repairs/mend-value.ts';
import { type Mended, unchanged } from '../repairs/clean-text.ts';
import type { FieldValue } from '../model/registration.ts';
import { madeOnce, Repeats } from '../model/maps.ts';
import { splitName } from '../repairs/split-name.ts';

const SPLIT = 'split into first and last name';

/** How the cells of one registration are read. */
export interface CellOptions {
  persona: Persona;
  /** A blank cell leaves its field out, or empties it in the service. */
  blank: 'omit' | 'clear';
  repairs: RepairOptions;
}

/** Reads one cell into the draft, as its column's target says; what is wrong becomes a reason. */
export function readCell(draft: RowDraft, at: NamedCell, target: ColumnTarget, options: CellOptions): void {
  if (target.kind === 'persona') return noteMeaning(draft, at, target.kind);
  if (target.kind === 'ignored' || target.kind === 'companion') return;
  if (target.kind === 'field' && target.last !== undefined) {
    return readFullName(draft, at, { ...target, last: target.last }, options);
  }
  const { persona } = options;
  const field = target.kind === 'field' ? persona.fields.find(({ slug }) => slug === target.slug) : undefined;
  if (field !== undefined && target.kind === 'field' && target.beside !== undefined) {
    if (isBlank(at.cell)) return;
    const read =
      target.beside === 'before' ? readFieldValue(at, field, options.repairs) : readTimeOfDay(at.cell);
    if (read.ok) draft.beside.set(field.slug, String(read.value.value));
    else
      addReason(draft, at, read.finding, { field: field.slug, personal: hasTrait(field.kind, 'personal') });
    return;
  }
  if (isBlank(at.cell)) {
    noteMeaning(draft, at, field ?? target.kind);
    if (options.blank !== 'clear') return;
    // Unless another column fills the field. Several options are emptied by an empty list.
    if (field !== undefined && !draft.fields.has(field.slug))
      draft.fields.set(field.slug, field.multiple ? [] : '');
    if (target.kind === 'parent_barcode') draft.leavesGroup = true;
  } else if (field !== undefined) {
    readField(draft, at, field, options.repairs);
  } else if (target.kind === 'foreign' || target.kind === 'field') {
    readForeign(draft, at, persona, options.repairs);
  } else if (target.kind === 'enable_comms') {
    readEnableComms(draft, at);
  } else {
    readCode(draft, at, target.kind, options.repairs);
  }
}

/** A cell with a first and a last name, each read as if it stood in a column of its own. */
function readFullName(
  draft: RowDraft,
  at: NamedCell,
  { slug, last, isLastFirst }: FieldTarget & { last: string },
  options: CellOptions,
): void {
  const about = { field: `${slug}+${last}`, personal: true };
  const read = (field: string, cell: Cell | undefined): void =>
    readCell(draft, { column: at.column, cell }, { kind: 'field', slug: field }, options);
  if (isBlank(at.cell)) {
    noteMeaning(draft, at, { slug: about.field, kind: 'name' });
    read(slug, '');
    return read(last, '');
  }
  const text = cellText(at.cell);
  const split = text.ok ? splitName(text.value, isLastFirst) : text;
  if (!split.ok) return addReason(draft, at, split.finding, about);
  const { value } = split;
  addNote(draft, at, { value: `${value.first} | ${value.last}`, done: [SPLIT] }, about);
  read(slug, value.first);
  read(last, value.last);
}

/** Joins and looks at what no single cell shows: a registration cannot be its own parent. Called after the last cell. */
export function checkWhole(draft: RowDraft): void {
  for (const [slug, text] of draft.beside) {
    const value = draft.fields.get(slug);
    const isTime = readTime(text) !== undefined;
    // A day that has a time of its own keeps it.
    if (typeof value !== 'string' || value === '' || (isTime && value.includes(' '))) continue;
    const [first, last] = isTime ? [value, text] : [text, value];
    draft.fields.set(slug, first + (/['’]$/.test(text) ? '' : ' ') + last);
  }
  const parent = draft.filledBy.get('parent_barcode');
  if (parent === undefined || draft.parentBarcode === undefined) return;
  if (draft.parentBarcode !== draft.barcode) return;
  const problem = "is the row's own barcode, and no registration is its own parent";
  addReason(draft, parent, findingOf('barcode-invalid', problem, 'write the barcode of the parent'), {
    personal: false,
  });
}

/** A time of day, as a date has it behind it. */
function readTimeOfDay(cell: Cell | undefined): Checked<Mended> {
  const time = readTime(textOf(cell));
  return time === undefined
    ? refuse('date-invalid', 'is not a time of day', 'write it as 14:30')
    : { ok: true, value: unchanged(time) };
}

/** A cell that is read rather than sent, or counts as blank, and has what the mapping says that it means. */
export function noteMeaning(
  draft: RowDraft,
  at: NamedCell,
  what: Pick<Field, 'slug' | 'kind'> | string,
): void {
  if (at.written === undefined) return;
  const personal = typeof what !== 'string' && hasTrait(what.kind, 'personal');
  const value = typeof at.cell === 'string' ? at.cell : '';
  const field = typeof what === 'string' ? what : what.slug;
  addNote(draft, at, { value, done: [takenAs(value, personal)] }, { field, personal });
}

function readField(draft: RowDraft, at: NamedCell, field: Field, repairs: RepairOptions): void {
  const about = { field: field.slug, personal: hasTrait(field.kind, 'personal') };
  const read = fillOnce(draft, field, at) ?? readFieldValue(at, field, repairs);
  if (!read.ok) return addReason(draft, at, read.finding, about);
  const { value } = read.value;
  // What is left blank changes nothing in the service.
  if (value !== '') draft.fields.set(field.slug, value);
  addNote(draft, at, read.value, about);
  if (field.kind !== 'email' || typeof value !== 'string') return;
  const domain = emailDomain(value);
  const found = { domain, column: at.column, field: field.slug, value: cellSource(at.cell) };
  if (!draft.emails.has(domain)) draft.emails.set(domain, found);
}

function readCode(
  draft: RowDraft,
  at: NamedCell,
  kind: 'barcode' | 'parent_barcode',
  repairs: RepairOptions,
): void {
  const read = fillOnce(draft, kind, at) ?? readBarcode(at, kind, repairs);
  if (!read.ok) return addReason(draft, at, read.finding, { personal: false });
  if (kind === 'barcode') draft.barcode = read.value.value;
  else draft.parentBarcode = read.value.value;
  addNote(draft, at, read.value, { field: kind, personal: false });
}

/** A switch is read, not sent as text: what its cell says in other words needs no note, unless the mapping says it. */
function readEnableComms(draft: RowDraft, at: NamedCell): void {
  const text = fillOnce(draft, 'enable_comms', at) ?? cellText(at.cell);
  const read = text.ok ? readFlag(text.value) : text;
  if (!read.ok) return addReason(draft, at, read.finding, { personal: false });
  draft.enableComms = read.value;
  noteMeaning(draft, at, 'enable_comms');
}

/** A value that the persona has no field for is refused, unless its column is said to be left out then. */
function readForeign(draft: RowDraft, at: NamedCell, { slug }: Persona, { leaveOut }: RepairOptions): void {
  const error = at.cell instanceof SheetCell ? checkSheetCell(at.cell) : undefined;
  if (error === undefined && leaveOut.get(at.column) === true) {
    return addNote(draft, at, { value: '', done: [LEFT_OUT] }, { field: 'no field', personal: true });
  }
  const problem = `stands in a column that persona ${slug} has no field for`;
  const setting = `--set leave-out=${JSON.stringify(at.column)}`;
  const remedy = `empty the cell, correct the persona of the row, or leave such values out with ${setting}`;
  addReason(draft, at, error ?? findingOf('field-foreign', problem, remedy), { personal: true });
}

type ReadValue = Checked<Mended<FieldValue>>;

/** What texts of a column were read as for a field. */
const READ = new WeakMap<RepairOptions, Map<Field, Map<string, Repeats<ReadValue>>>>();

/** The value that a cell means for a field, mended and checked. */
function readFieldValue(at: NamedCell, field: Field, repairs: RepairOptions): ReadValue {
  const { column, cell, escaped, written } = at;
  if (typeof cell !== 'string' || (escaped ?? written) !== undefined) return readAnew(at, field, repairs);
  const ofFields = madeOnce(READ, repairs, () => new Map<Field, Map<string, Repeats<ReadValue>>>());
  const ofColumns = madeOnce(ofFields, field, () => new Map<string, Repeats<ReadValue>>());
  const texts = madeOnce(ofColumns, column, () => new Repeats<ReadValue>());
  return texts.of(cell, () => readAnew(at, field, repairs));
}

function readAnew(at: NamedCell, field: Field, repairs: RepairOptions): ReadValue {
  if (field.kind === 'choice') return readChoiceCell(at, field, repairs);
  const { kind, slug: name } = field;
  const text = mendCell(at, { kind, name, isBirth: kind === 'date' && isBirthDate(field) }, repairs);
  if (!text.ok) return text;
  const { value } = text.value;
  if (value === '') return text;
  const finding =
    checkValue(value, field) ?? (kind === 'date' ? checkYear(value, field, repairs.lastBirth) : undefined);
  return finding === undefined ? text : { ok: false, finding };
}

/** The barcode that a cell means, mended and checked. */
export function readBarcode(
  at: NamedCell,
  name: 'barcode' | 'parent_barcode',
  repairs: RepairOptions,
): Checked<Mended> {
  const text = mendCell(at, { kind: 'barcode', name }, repairs);
  if (!text.ok) return text;
  const finding = checkBarcode(text.value.value);
  return finding === undefined ? text : { ok: false, finding };
}
