import { ERRORS_COLUMN, NOTES_COLUMN } from '../../registration/model/own-names.ts';
import type { Cell } from '../../registration/model/row.ts';

/** A rejected row as it stood in the user's file; `cells[i]` belongs to `columns[i]`. */
export interface RejectedRow {
  columns: readonly string[];
  cells: readonly Cell[];
  /** Every reason, as one text. */
  errors: string;
  /** What push changes in the row, as one text; empty when nothing. */
  notes: string;
  /** Columns with a wrong value, each with what is wrong and how to mend it. */
  wrong: readonly { column: string; problem: string }[];
}

/** Iterated twice for csv and xlsx: once to learn the columns, once to write. */
export type RejectedRows = () => Iterable<RejectedRow>;

/** Whether a column was written by an earlier push, and is written anew. */
export function isOwnColumn(column: string): boolean {
  return column === ERRORS_COLUMN || column === NOTES_COLUMN;
}

/** What people are told about a row, by column; in the order in which the columns stand, after all others. */
export function remarksOf({ notes, errors }: RejectedRow, withNotes: boolean): [string, string][] {
  const remarks: [string, string][] = [[ERRORS_COLUMN, errors]];
  return withNotes ? [[NOTES_COLUMN, notes], ...remarks] : remarks;
}
