import { Tally } from './tally.ts';
import { MergedRanges } from './xlsx-merged.ts';

/** What reading the rows of a sheet has shown about it. */
export class SheetFindings {
  /** Rows that hold something though they are hidden. */
  readonly hiddenRows = new Tally();
  /** Columns that hold something though they are hidden, by number. */
  readonly hiddenColumns = new Set<number>();
  /** Whether rows are hidden by a filter. */
  filtered = false;
  readonly merged = new MergedRanges();
  /** Empty rows between others. */
  emptyBetween = 0;
  /** Number of the last row that holds something; 0 before any. */
  lastFilled = 0;
  /** Number of the last row there is, styled blanks included. */
  lastRow = 0;
  /** As the sheet itself says, `A1:L120`; read before the rows. */
  dimension: string | undefined;
}
