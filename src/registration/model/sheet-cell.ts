/** What the number format of a workbook makes of a number. */
export interface NumberFormat {
  /** The code as the workbook has it: `General`, `dd/mm/yyyy`, `0000000`. */
  code: string;
  /** `time` is a time of day, `clock` one that is shown without its seconds, `span` may be more than a day. */
  kind: 'number' | 'date' | 'datetime' | 'time' | 'clock' | 'span' | 'text';
  /** Digits that the format fills up with zeros: 7 for `0000000`, else 0. */
  zeros: number;
}

/** A cell of a workbook that is no text. Texts are plain strings, blank cells are null. */
export class SheetCell {
  /** `missing` is a formula without a stored value. */
  readonly type: 'number' | 'boolean' | 'error' | 'date' | 'missing';
  /** What the file stores, character by character: `5.901234123457E12`, `1`, `#N/A`, an ISO date. */
  readonly stored: string;
  readonly format: NumberFormat;
  /** Whether the workbook counts days from 1904. */
  readonly date1904: boolean;

  constructor(type: SheetCell['type'], stored: string, format: NumberFormat, date1904: boolean) {
    this.type = type;
    this.stored = stored;
    this.format = format;
    this.date1904 = date1904;
  }
}

/** What a spreadsheet program can hold. */
export const MOST_ROWS = 1_048_576;
export const MOST_COLUMNS = 16_384;

/** The letters of a column: `A` for 0, `AA` for 26. */
export function columnLetters(column: number): string {
  const own = String.fromCharCode(65 + (column % 26));
  return column < 26 ? own : columnLetters(Math.floor(column / 26) - 1) + own;
}
