import { cellSource, cellText, isBlank, listTexts } from './cell-text.ts';
import { checkBarcode } from './barcode-rule.ts';
import { readChoice, readChoices, readEach } from './choice-rule.ts';
import type { ColumnTarget } from './columns.ts';
import { emailDomain } from './email-rule.ts';
import type { Checked, Finding } from './finding.ts';
import { readFlag } from './flag-rule.ts';
import type { Field, Persona } from './persona.ts';
import type { FieldValue } from './registration.ts';
import type { Cell, Reason } from './row.ts';
import { checkValue, isPersonal } from './rules.ts';

/** An e-mail domain to look up in DNS, and the first place in the row where it stands. */
export interface EmailDomain {
  /** Lower case. */
  domain: string;
  column: string;
  /** Slug of the field. */
  field: string;
  /** The cell's own text. */
  value: string;
}

/** A row under way: what is read so far, and everything against it. */
export interface RowDraft {
  fields: Map<string, FieldValue>;
  barcode: string | undefined;
  parentBarcode: string | undefined;
  enableComms: boolean;
  /** By domain. */
  emails: Map<string, EmailDomain>;
  reasons: Reason[];
  /** Columns that are not blank, by what they fill: a second one for the same is a mistake. */
  filledBy: Map<string, NamedCell>;
}

/** One cell with its column's name. */
export interface NamedCell {
  column: string;
  cell: Cell | undefined;
}

/** A draft of a row of which nothing is read yet. */
export function emptyDraft(): RowDraft {
  return {
    fields: new Map(),
    barcode: undefined,
    parentBarcode: undefined,
    enableComms: false,
    emails: new Map(),
    reasons: [],
    filledBy: new Map(),
  };
}

/** Reads one cell into the draft, as its column's target says; what is wrong becomes a reason. */
export function readCell(
  draft: RowDraft,
  at: NamedCell,
  target: ColumnTarget,
  persona: Persona,
  blank: 'omit' | 'clear',
): void {
  if (target.kind === 'persona' || target.kind === 'ignored' || target.kind === 'companion') return;
  const field = target.kind === 'field' ? persona.fields.find(({ slug }) => slug === target.slug) : undefined;
  if (isBlank(at.cell)) {
    if (field !== undefined && blank === 'clear') clear(draft, field);
  } else if (field !== undefined) {
    readField(draft, at, field);
  } else if (target.kind === 'foreign' || target.kind === 'field') {
    addReason(draft, at, foreign(persona), { personal: true });
  } else {
    readOwn(draft, at, target.kind);
  }
}

/** Looks at what no single cell shows: a registration cannot be its own parent. Called after the last cell. */
export function checkWhole(draft: RowDraft): void {
  const parent = draft.filledBy.get('parent_barcode');
  if (parent === undefined || draft.parentBarcode === undefined) return;
  if (draft.parentBarcode !== draft.barcode) return;
  const problem = "is the row's own barcode, and no registration is its own parent";
  addReason(draft, parent, { problem, remedy: 'write the barcode of the parent' }, { personal: false });
}

/** Keeps a finding as a reason at the cell. */
function addReason(
  draft: RowDraft,
  { column, cell }: NamedCell,
  finding: Finding,
  about: { field?: string; personal: boolean },
): void {
  const { problem, remedy } = finding;
  const { field, personal } = about;
  draft.reasons.push({ column, field, value: cellSource(cell), problem, remedy, personal });
}

/** An empty value, unless another column fills the field. Several options are emptied by an empty list. */
function clear(draft: RowDraft, field: Field): void {
  if (!draft.fields.has(field.slug)) draft.fields.set(field.slug, field.multiple ? [] : '');
}

function readField(draft: RowDraft, at: NamedCell, field: Field): void {
  const about = { field: field.slug, personal: isPersonal(field.kind) };
  const twice = fillOnce(draft, `field ${field.slug}`, at);
  const value = twice ?? readFieldValue(at.cell, field);
  if (!value.ok) return addReason(draft, at, value.finding, about);
  draft.fields.set(field.slug, value.value);
  if (field.kind === 'email' && typeof value.value === 'string')
    addDomain(draft, at, field.slug, value.value);
}

function readFieldValue(cell: Cell | undefined, field: Field): Checked<FieldValue> {
  if (field.kind === 'choice' && field.multiple && Array.isArray(cell)) {
    const texts = listTexts(cell);
    return texts.ok ? readEach(texts.value, field.choices) : texts;
  }
  const text = cellText(cell);
  if (!text.ok) return text;
  if (field.kind === 'choice') {
    return field.multiple ? readChoices(text.value, field.choices) : readChoice(text.value, field.choices);
  }
  const finding = checkValue(text.value, field);
  return finding === undefined ? text : { ok: false, finding };
}

function addDomain(draft: RowDraft, { column, cell }: NamedCell, field: string, address: string): void {
  const domain = emailDomain(address);
  if (draft.emails.has(domain)) return;
  draft.emails.set(domain, { domain, column, field, value: cellSource(cell) });
}

/** Reads what every registration has beside its fields. */
function readOwn(draft: RowDraft, at: NamedCell, kind: 'barcode' | 'parent_barcode' | 'enable_comms'): void {
  const value = fillOnce(draft, kind, at) ?? readOwnValue(at.cell, kind);
  if (!value.ok) return addReason(draft, at, value.finding, { personal: false });
  if (typeof value.value === 'boolean') draft.enableComms = value.value;
  else if (kind === 'barcode') draft.barcode = value.value;
  else draft.parentBarcode = value.value;
}

function readOwnValue(
  cell: Cell | undefined,
  kind: 'barcode' | 'parent_barcode' | 'enable_comms',
): Checked<string | boolean> {
  const text = cellText(cell);
  if (!text.ok) return text;
  if (kind === 'enable_comms') return readFlag(text.value);
  const finding = checkBarcode(text.value);
  return finding === undefined ? text : { ok: false, finding };
}

/** Notes that a column fills `what`; the finding when another one does so already. */
function fillOnce(draft: RowDraft, what: string, at: NamedCell): { ok: false; finding: Finding } | undefined {
  const other = draft.filledBy.get(what);
  if (other === undefined) {
    draft.filledBy.set(what, at);
    return undefined;
  }
  const problem = `stands beside a value in column ${other.column}, which fills the same field`;
  return { ok: false, finding: { problem, remedy: 'keep one of the two' } };
}

function foreign(persona: Persona): Finding {
  return {
    problem: `persona ${persona.slug} has no field for this column`,
    remedy: 'empty the cell, or correct the persona of the row',
  };
}
