import type { MergedRange } from '../source/table-record.ts';
import type { MergedRows } from './merged-cells.ts';
import { formatPlace } from '../../registration/model/row.ts';
import { columnLetters } from '../../registration/model/sheet-cell.ts';

/** What the flags say about tables. Undefined is found out. */
export interface TableWishes {
  /** From `--set header-row`: its line, or row of the sheet; 0: there is none. */
  headerRow: number | undefined;
  /** For which of their rows merged cells of a sheet count; undefined: asked. */
  merged?: MergedRows | undefined;
  /** Whether a heading may be one of a column that is wanted: finds the header below other lines. */
  knows: (heading: string) => boolean;
  /** From `--set extra-cells`: blank cells behind the last heading are nothing, in however many rows. */
  extraCells?: 'blank' | undefined;
  /** What was said of the last file with these headings. */
  recallFile?: ((columns: readonly string[]) => Readonly<Record<string, unknown>>) | undefined;
}

/** How the rows of a table are to be read. */
export interface TableOptions extends TableWishes {
  file: string;
  /** Undefined for texts. They are strict: a row wider or narrower than the header refuses the file from there on. */
  sheet?: string | undefined;
  /** Of a sheet. */
  mergedCells?: readonly MergedRange[];
  /** Of a text, for messages: `";"`. */
  delimiter?: string | undefined;
}

/** What a record of the table is called. */
export function lineNoun({ sheet }: TableOptions): 'line' | 'row' {
  return sheet === undefined ? 'line' : 'row';
}

/** `file:line`, or `file:sheet:row`. */
export function placeOf({ file, sheet }: TableOptions, line: number): string {
  return formatPlace({ file, sheet, line });
}

/** `file`, or `file:sheet`. */
export function tableName({ file, sheet }: TableOptions): string {
  return sheet === undefined ? file : `${file}:${sheet}`;
}

/** A cell's column as the program that wrote the file calls it: a number, or the letters of a sheet. */
export function columnAt(index: number, { sheet }: TableOptions): string {
  return sheet === undefined ? String(index + 1) : columnLetters(index);
}
