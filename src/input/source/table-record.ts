import type { Reject, SourceRow } from '../../registration/model/row.ts';

/** Stands between headings one above the other that name a column together: `Contact / E-mail`. */
export const HEADING_JOINT = ' / ';

/** One record of a table, the header and what stands above it included. */
export interface TableRecord extends Pick<SourceRow, 'cells' | 'aggregates' | 'isCaption'> {
  /** Physical line on which the record starts, or row of the sheet; counted from 1. */
  line: number;
}

/** The records of a CSV text or of a sheet, batch by batch, in the order of the file. */
export type TableRecords = AsyncGenerator<readonly TableRecord[]>;

/** Cells of a sheet that are merged into one. Rows count from 1, columns from 0. */
export interface MergedRange {
  /** `B4:B7` */
  name: string;
  row: number;
  column: number;
  lastRow: number;
  lastColumn: number;
}

/** Some rows of the input, in the order of the file. */
export interface InputBatch {
  rows: readonly SourceRow[];
  /** Records that could not be read, the file going on after them. */
  rejects: readonly Reject[];
}
