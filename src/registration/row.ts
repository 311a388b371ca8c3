/** Where a row stands in the user's own files. */
export interface Place {
  /** The path as the user gave it, or `-` for stdin. */
  file: string;
  /** Line on which the row begins, counted from 1. */
  line: number;
}

/** A cell as the file holds it: text from CSV, any JSON value from JSON. */
export type Cell =
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
}

/** Why a row cannot be sent. A row collects all of its reasons. */
export interface Reason {
  /** The column's name in the user's file; undefined when the row as a whole is wrong. */
  column: string | undefined;
  /** Slug of the field the column maps to. */
  field: string | undefined;
  /** The value as it stands in the file, unmasked. */
  value: string | undefined;
  /** What is wrong, as a clause without a full stop: `is not a valid e-mail address`. */
  problem: string;
  /** How to mend it, as a clause: `write it as name@example.com`. */
  remedy: string | undefined;
  /** True when the value may identify a person and is masked in messages. */
  personal: boolean;
}

/** A row that cannot be sent, with every reason. */
export interface Reject {
  place: Place;
  reasons: readonly Reason[];
}

/** `file:line`, as compilers and editors write it. */
export function formatPlace(place: Place): string {
  return `${place.file}:${place.line}`;
}
