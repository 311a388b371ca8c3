import type { Mended } from '../repairs/clean-text.ts';
import { type Finding, type Note, type Reason, findingOf } from '../model/row.ts';
import { cellSource, type NamedCell, sourceOf } from '../repairs/cell-text.ts';
import type { Field, Persona } from '../model/persona.ts';
import type { FieldValue, Registration } from '../model/registration.ts';
import { looksPersonal } from '../rules/contacts.ts';
import { recordOf } from '../model/maps.ts';
import { SheetCell } from '../model/sheet-cell.ts';

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

/** What a column fills besides fields. */
type Code = 'barcode' | 'parent_barcode' | 'enable_comms';

/** A registration under way: what is read so far, what was changed, and everything against it. */
export interface RowDraft {
  fields: Map<string, FieldValue>;
  /** What stands before the values of fields, or behind them, by slug. */
  beside: Map<string, string>;
  barcode: string | undefined;
  parentBarcode: string | undefined;
  leavesGroup: boolean;
  enableComms: boolean;
  /** By domain. */
  emails: Map<string, EmailDomain>;
  reasons: Reason[];
  notes: Note[];
  /** Columns that are not blank, by what they fill: a second one for the same is a mistake. */
  filledBy: Map<Field | Code, NamedCell>;
}

/** A draft of a row of which nothing is read yet. */
export function emptyDraft(): RowDraft {
  return {
    fields: new Map(),
    beside: new Map(),
    barcode: undefined,
    parentBarcode: undefined,
    leavesGroup: false,
    enableComms: false,
    emails: new Map(),
    reasons: [],
    notes: [],
    filledBy: new Map(),
  };
}

/** Keeps a finding as a reason at the cell. */
export function addReason(
  draft: RowDraft,
  at: NamedCell,
  { code, problem, remedy }: Finding,
  { field, personal: isOwn, ...more }: Pick<Reason, 'personal' | 'fills'> & { field?: string },
): void {
  const { cell } = at;
  // Of a formula that failed, the finding says all that the file stores.
  const isFailed = cell instanceof SheetCell && (cell.type === 'error' || cell.type === 'missing');
  const value = isFailed ? undefined : sourceOf(at);
  const personal = isOwn || (value !== undefined && looksPersonal(value));
  const means = personal ? 'has a meaning in the mapping' : `means "${cellSource(cell)}" by the mapping`;
  const found = at.written === undefined ? problem : `${means}, which ${problem}`;
  draft.reasons.push({ column: at.column, field, value, code, problem: found, remedy, personal, ...more });
}

/** Keeps what was done to the cell, unless it is sent as it stands: one repair may undo another. */
export function addNote(
  draft: RowDraft,
  at: NamedCell,
  { value, done }: Mended<FieldValue>,
  { field, personal }: { field: string; personal: boolean },
): void {
  if (done.length === 0) return;
  const before = sourceOf(at);
  const after = typeof value === 'string' ? value : value.join('; ');
  if (after === before) return;
  draft.notes.push({ column: at.column, field, repair: done.join(', '), before, after, personal });
}

/** Remembers that a column fills `what`; the finding when another one does so already. */
export function fillOnce(
  draft: RowDraft,
  what: Field | Code,
  at: NamedCell,
): { ok: false; finding: Finding } | undefined {
  const other = draft.filledBy.get(what);
  if (other === undefined) {
    draft.filledBy.set(what, at);
    return undefined;
  }
  const problem = `stands beside a value in column ${other.column}, which fills the same field`;
  return { ok: false, finding: findingOf('column-twice', problem, 'keep one of the two') };
}

/** What a draft without reasons becomes. */
export function registrationOf(draft: RowDraft, persona: Persona): Registration {
  const { fields, barcode, parentBarcode, leavesGroup, enableComms } = draft;
  const registration: Registration = {
    persona: persona.slug,
    fields: recordOf(fields),
    barcode,
    parentBarcode,
    enableComms,
  };
  if (leavesGroup && parentBarcode === undefined) registration.leavesGroup = true;
  return registration;
}
