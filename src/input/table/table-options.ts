import { formatPlace } from '../../registration/model/row.ts';

/** How the rows of a table are to be read. */
export interface TableOptions {
  file: string;
  sheet?: string;
  /** From `--set header-row`: its line, or row of the sheet. */
  headerRow: number | undefined;
  /** Whether a heading may be one of a column that is wanted: finds the header below other lines. */
  knows(name: string): boolean;
  /** Text tables are strict: a row wider or narrower than the header refuses the file from there on. Sheets leave cells out. */
  ragged: 'refuse' | 'blank';
  /** From `--set extra-cells`: blank cells behind the last heading are nothing, in however many rows. */
  extraCells?: 'blank' | undefined;
  /** What was said of the last file with these headings. */
  recallFile?: ((columns: readonly string[]) => Readonly<Record<string, unknown>>) | undefined;
  /** For messages: `";"`. */
  delimiter: string | undefined;
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
