import type { ProblemCode } from '../../codes.ts';
import type { SheetCell } from './sheet-cell.ts';

/** Where a row stands in the user's own files. */
export interface Place {
  /** The path as the user gave it, or `-` for stdin. */
  file: string;
  /** Name of the sheet, in a workbook. */
  sheet?: string | undefined;
  /** Line on which the row begins, or row of the sheet, counted from 1. */
  line: number;
}

/** A cell as the file holds it: text from CSV, any JSON value from JSON, text or a SheetCell from a workbook. */
export type Cell =
  | SheetCell
  | string
  | number
  | boolean
  | null
  | readonly unknown[]
  | { readonly [key: string]: unknown };

/**
 * One record of the input. `columns` is shared by all rows of the same shape (same array object),
 * so that work on the header is done once; `cells[i]` belongs to `columns[i]`.
 */
export interface SourceRow {
  place: Place;
  columns: readonly string[];
  cells: readonly Cell[];
  /** What the file has, by index, in cells whose escape for spreadsheet programs is taken off: `'=1`, `="4711"`. */
  escaped?: ReadonlyMap<number, string>;
  /** What the file has in cells that stand here with what they mean, by index. */
  written?: ReadonlyMap<number, string>;
  /** Indexes of cells whose formula adds up or counts several rows. */
  aggregates?: readonly number[];
  /** One text across the columns is all that it holds: it stands over other rows, and is of nobody. */
  isCaption?: true;
}

/** A cell that is sent otherwise than the file has it. Nothing is changed without one. */
export interface Note {
  /** The column's name in the user's file. */
  column: string;
  /** Slug of the field, or the reserved name (`barcode`), that the column maps to. */
  field: string;
  /** What was done, as a clause that also heads a count: `spaces at the ends removed`. */
  repair: string;
  /** As it stands in the file, and as it is sent; unmasked. */
  before: string;
  after: string;
  /** True when the value may identify a person and is masked in messages. */
  personal: boolean;
}

/** Why a row cannot be sent. A row collects all of its reasons. */
export interface Reason {
  /** The column's name in the user's file; undefined when the row as a whole is wrong. */
  column?: string | undefined;
  /** Slug of the field the column maps to. */
  field?: string | undefined;
  /** The value as it stands in the file, unmasked. */
  value?: string | undefined;
  /** The same for programs; missing in what an earlier version has kept. */
  code: ProblemCode;
  /** What is wrong, as a clause without a full stop: `is not a valid e-mail address`. */
  problem: string;
  /** How to mend it, as a clause: `write it as name@example.com`. */
  remedy?: string | undefined;
  /** True when the value may identify a person and is masked in messages. */
  personal: boolean;
  /** The column that is to be filled in, which may not be there yet. */
  fills?: string;
}

/** A row that cannot be sent, with every reason. */
export interface Reject {
  place: Place;
  reasons: readonly Reason[];
}

/** `file:line`, as compilers and editors write it; `file:sheet:row` in a workbook. */
export function formatPlace({ file, sheet, line }: Place): string {
  return sheet === undefined ? `${file}:${line}` : `${file}:${sheet}:${line}`;
}

/** The same of a row that may stand for a registration alone, as one that an undo brings back: by id or barcode then. */
export const placeOr = (place: Place, name: string | undefined): string =>
  place.file === '' ? `registration ${name ?? 'without id'}` : formatPlace(place);

/** `E-mail: has no @`; values are left out. */
export function describeReason({ column, problem }: Reason): string {
  return column === undefined ? problem : `${column}: ${problem}`;
}

/** `E-mail: has no @; Country: is not …` */
export const describeReasons = (reasons: readonly Reason[]): string => reasons.map(describeReason).join('; ');

/** `Country: country name written as its code; …`; values are left out. */
export const describeNotes = (notes: readonly Note[]): string =>
  notes.map(({ column, repair }) => `${column}: ${repair}`).join('; ');

/** What a rule has against a value. Holds nothing of the value when the kind is personal (see `Trait`). */
export interface Finding {
  code: ProblemCode;
  /** What is wrong, as a clause without a full stop. */
  problem: string;
  /** How to mend it, as a clause. */
  remedy: string | undefined;
}

/** What is wrong, as a clause, and how to mend it. */
export const findingOf = (code: ProblemCode, problem: string, remedy?: string): Finding => ({
  code,
  problem,
  remedy,
});

/** What is wrong with texts of a form, as a clause, and how to mend it. */
export type Faults = readonly (readonly [form: RegExp, problem: string, remedy: string])[];

/** The first fault that a text has. */
export function faultOf(text: string, faults: Faults, code: ProblemCode): Finding | undefined {
  const found = faults.find(([form]) => form.test(text));
  return found && findingOf(code, found[1], found[2]);
}

/** A value as it is to be sent, or what is wrong with it. */
export type Checked<Value> = { ok: true; value: Value } | { ok: false; finding: Finding };

/** The finding as a negative result. */
export function refuse(code: ProblemCode, problem: string, remedy?: string): { ok: false; finding: Finding } {
  return { ok: false, finding: findingOf(code, problem, remedy) };
}
