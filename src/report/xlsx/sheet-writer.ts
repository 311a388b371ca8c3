import { escapeQuotes, xmlAttribute, xmlText } from './xlsx-escape.ts';
import { columnLetters, MOST_ROWS, MOST_COLUMNS } from '../../registration/model/sheet-cell.ts';
import type { ZipPart } from './zip-writer.ts';
import { displayWidth } from '../words/display-width.ts';
import { UsageError } from '../../errors.ts';
import { OWN_SHEETS } from '../../registration/model/own-names.ts';

/** A cell as the workbook stores it. `blank` is a style without a value. */
export interface WorkbookCell {
  type: 'text' | 'number' | 'boolean' | 'error' | 'date' | 'blank';
  stored: string;
  /** From the style sheet of the workbook. */
  style: number;
  comment: string | undefined;
}

/** A value as a cell that holds text; undefined when there is nothing to hold. */
export function textCell(value: string, style: number): WorkbookCell | undefined {
  return value === '' ? undefined : { type: 'text', stored: escapeQuotes(value), style, comment: undefined };
}

interface SheetColumn {
  heading: string;
  /** In characters. */
  width: number;
  /** Of the cells that have nothing in them yet. */
  style: number;
}

/** What a column takes below its header: from a list, or anything, with a message while a cell is chosen. */
export interface ColumnHint {
  /** Counted from 0. */
  column: number;
  title: string;
  message: string;
  /** A range that holds what may be chosen: `_lists!$A$1:$A$3`. */
  list: string | undefined;
}

export interface SheetLayout {
  columns: readonly SheetColumn[];
  hints?: readonly ColumnHint[];
}

const NAMESPACES =
  'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"' +
  ' xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const FROZEN_HEADER =
  '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft"/>';
const TYPES = { number: '', boolean: ' t="b"', error: ' t="e"', date: ' t="d"' } as const;
/** In spreadsheet programs, of titles and of messages. */
const LONGEST_TITLE = 32;
const LONGEST_MESSAGE = 255;
/** More make spreadsheet programs slow: a hundred thousand keep one busy for ten minutes. */
const MOST_COMMENTS = 1_000;
/** Of columns, in characters, and the room beside a text. */
const NARROWEST = 10;
const WIDEST = 50;
const ROOM = 2;

/** Writes the rows of a sheet, the first of which is a header that stays in sight. */
export class SheetWriter {
  readonly #part: ZipPart;
  readonly #layout: SheetLayout;
  readonly commented: boolean;
  readonly #letters: readonly string[];
  #rows = 0;
  /** In the order of the cells; the first 1,000 only. */
  readonly comments: CellComment[] = [];

  constructor(part: ZipPart, layout: SheetLayout, commented: boolean) {
    this.#part = part;
    this.#layout = layout;
    this.commented = commented;
    this.#letters = layout.columns.map((_, at) => columnLetters(at));
  }

  async start(isFirst: boolean, headerStyle: number): Promise<void> {
    const columns = this.#layout.columns.map(
      ({ width, style }, at) =>
        `<col min="${at + 1}" max="${at + 1}" width="${width}" style="${style}" customWidth="1"/>`,
    );
    const view = `<sheetView ${isFirst ? 'tabSelected="1" ' : ''}workbookViewId="0">${FROZEN_HEADER}</sheetView>`;
    const cols = columns.length === 0 ? '' : `<cols>${columns.join('')}</cols>`;
    await this.#part.write(
      `<worksheet ${NAMESPACES}><sheetViews>${view}</sheetViews><sheetFormatPr defaultRowHeight="15"/>${cols}<sheetData>`,
    );
    await this.row(this.#layout.columns.map(({ heading }) => textCell(heading, headerStyle)));
  }

  /** Cells by column; undefined where there is nothing. Throws when the sheet is full. */
  async row(cells: readonly (WorkbookCell | undefined)[]): Promise<void> {
    if (this.#rows === MOST_ROWS) throw rowLimitError();
    this.#rows += 1;
    let xml = `<row r="${this.#rows}">`;
    for (const [at, cell] of cells.entries()) {
      if (cell === undefined) continue;
      const reference = `${this.#letters[at] ?? columnLetters(at)}${this.#rows}`;
      xml += cellXml(reference, cell, this.#layout.columns[at]?.style ?? 0);
      if (this.commented && cell.comment !== undefined && this.comments.length < MOST_COMMENTS) {
        this.comments.push({ row: this.#rows - 1, column: at, reference, text: cell.comment });
      }
    }
    await this.#part.write(`${xml}</row>`);
  }

  async end(): Promise<void> {
    const { columns, hints = [] } = this.#layout;
    const last = columnLetters(Math.max(0, columns.length - 1));
    const drawn = this.commented ? '<legacyDrawing r:id="rId1"/>' : '';
    const hinted = `<dataValidations count="${hints.length}">${hints.map(hintXml).join('')}</dataValidations>`;
    const validations = hints.length === 0 ? '' : hinted;
    await this.#part.write(
      `</sheetData>${validations}<ignoredErrors><ignoredError sqref="A1:${last}${MOST_ROWS}"` +
        ` numberStoredAsText="1"/></ignoredErrors>${drawn}</worksheet>`,
    );
    await this.#part.close();
  }
}

/** LibreOffice gives a cell that names no style that of its column, and not style 0. */
function cellXml(reference: string, { type, stored, style }: WorkbookCell, columnStyle: number): string {
  const head = `<c r="${reference}"${style === 0 && columnStyle === 0 ? '' : ` s="${style}"`}`;
  if (type === 'blank') return `${head}/>`;
  if (type === 'text') return `${head} t="inlineStr"><is>${textXml(stored)}</is></c>`;
  return `${head}${TYPES[type]}><v>${stored}</v></c>`;
}

function textXml(text: string): string {
  return `<t${/^\s|\s$|\n/u.test(text) ? ' xml:space="preserve"' : ''}>${xmlText(text)}</t>`;
}

function hintXml({ column, title, message, list }: ColumnHint): string {
  const letters = columnLetters(column);
  const shown =
    `promptTitle="${limited(title, LONGEST_TITLE)}" prompt="${limited(message, LONGEST_MESSAGE)}"` +
    ` sqref="${letters}2:${letters}${MOST_ROWS}"`;
  if (list === undefined) return `<dataValidation allowBlank="1" showInputMessage="1" ${shown}/>`;
  return (
    '<dataValidation type="list" errorStyle="warning" allowBlank="1" showInputMessage="1" showErrorMessage="1"' +
    ` errorTitle="${limited(title, LONGEST_TITLE)}" error="This is none of the values in the list." ${shown}>` +
    `<formula1>${xmlText(list)}</formula1></dataValidation>`
  );
}

/** Counted in code units, as spreadsheet programs do. */
function limited(text: string, most: number): string {
  return xmlAttribute(text.length <= most ? text : `${text.slice(0, most - 1)}…`);
}

/** How wide a column is that shows these texts, in characters: neither too narrow to type in nor endless. */
export function columnWidth(texts: readonly string[]): number {
  // A character takes a column at least, or nothing: what is cut off of a long text is not needed.
  const widths = texts.map((text) => displayWidth(text.slice(0, WIDEST)) + ROOM);
  const widest = widths.reduce((most, width) => Math.max(most, width), NARROWEST);
  return Math.min(WIDEST, widest);
}

/** A comment on a cell, whose row and column are counted from 0. */
interface CellComment {
  row: number;
  column: number;
  /** As formulas name the cell: `B7`. */
  reference: string;
  text: string;
}

const AUTHOR = 'eventreg';
const CHARACTERS_A_LINE = 40;
const MOST_LINES = 12;

/** The part that holds the texts of the comments. */
export function commentsXml(comments: readonly CellComment[]): string {
  const list = comments.map(
    ({ reference, text }) =>
      `<comment ref="${reference}" authorId="0"><text><r><t xml:space="preserve">${xmlText(text)}</t></r></text></comment>`,
  );
  return (
    '<comments xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
    `<authors><author>${AUTHOR}</author></authors><commentList>${list.join('')}</commentList></comments>`
  );
}

/** The part that draws their boxes: without it spreadsheet programs call the file damaged. */
export function commentShapesXml(comments: readonly CellComment[]): string {
  return (
    '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"' +
    ' xmlns:x="urn:schemas-microsoft-com:office:excel">' +
    '<o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="1"/></o:shapelayout>' +
    '<v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe">' +
    '<v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>' +
    `${comments.map(shapeXml).join('')}</xml>`
  );
}

function shapeXml({ row, column, text }: CellComment, at: number): string {
  const lines = Math.min(MOST_LINES, 2 + Math.ceil(text.length / CHARACTERS_A_LINE));
  const anchor = [column + 1, 15, row, 2, column + 4, 15, row + lines, 4].join(', ');
  return (
    `<v:shape id="_x0000_s${1025 + at}" type="#_x0000_t202" style="position:absolute;visibility:hidden"` +
    ' fillcolor="#ffffe1" o:insetmode="auto"><v:fill color2="#ffffe1"/>' +
    '<v:shadow on="t" color="black" obscured="t"/><v:path o:connecttype="none"/>' +
    '<v:textbox style="mso-direction-alt:auto"><div style="text-align:left"></div></v:textbox>' +
    `<x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/><x:Anchor>${anchor}</x:Anchor>` +
    `<x:AutoFill>False</x:AutoFill><x:Row>${row}</x:Row><x:Column>${column}</x:Column></x:ClientData></v:shape>`
  );
}

const LONGEST_NAME = 31;

function rowLimitError(): UsageError {
  return new UsageError('There are more rows than a sheet can hold, which is 1,048,576 with the header.', {
    hint: 'Use csv.',
  });
}

/** Throws when there are more columns than a sheet can hold. */
export function checkColumns(columns: readonly string[]): void {
  if (columns.length <= MOST_COLUMNS) return;
  throw new UsageError('There are more columns than a sheet can hold, which is 16,384.', {
    hint: 'Use json.',
  });
}

/** A text as the name of a sheet for rows: what spreadsheet programs refuse is replaced or left out. */
export function legalSheetName(text: string): string {
  const allowed = text
    .replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\uFFFE\uFFFF]/gu, '')
    .replaceAll(/[[\]:*?/\\]/g, '_')
    .trim();
  // Never half a surrogate pair.
  const short = allowed
    .replace(/^'+/, '')
    .slice(0, LONGEST_NAME)
    .replace(/[\uD800-\uDBFF]$/, '')
    .replace(/'+$/, '')
    .trim();
  const taken = ['history', ...OWN_SHEETS].includes(short.toLowerCase());
  return short === '' || taken ? 'Registrations' : short;
}
