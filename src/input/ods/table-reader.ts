import type { InputError } from '../../errors.ts';
import type { Cell } from '../../registration/model/row.ts';
import {
  columnLetters,
  MOST_COLUMNS,
  type NumberFormat,
  SheetCell,
} from '../../registration/model/sheet-cell.ts';
import { isAggregate, LONGEST_FORMULA } from '../workbook/aggregate-formula.ts';
import { readFormatCode } from '../workbook/format-code.ts';
import { grow, LONGEST_TEXT, type SheetRows } from '../workbook/sheet-rows.ts';
import type { XmlAttributes, XmlReader } from '../workbook/xml-feed.ts';

const CELLS = ['table-cell', 'covered-table-cell'];
/** Their texts stand beside those of a paragraph. */
const UNREAD = ['annotation', 'frame', 'note', 'ruby-text'];
/** What a text says by an element. */
const MARKS = new Map([
  ['s', ' '],
  ['tab', '\t'],
  ['line-break', '\n'],
]);
const REPEAT = /^[1-9]\d{0,7}$/;

/** Reads one table of an OpenDocument spreadsheet. */
export class TableReader implements XmlReader {
  /** Whether the table has been read to its end. */
  done = false;
  readonly #sheet: SheetRows;
  readonly #formatOf: (style: string) => NumberFormat;
  /** How many tables come before it. */
  #before: number;
  #inTable = false;
  /** How deep the element lies that is passed over, and the cell that is read; 0 for none. */
  #unreadAt = 0;
  #cellAt = 0;
  readonly #columnStyles: (string | undefined)[] = [];
  #row: XmlAttributes = {};
  #cell: XmlAttributes = {};
  #column = 0;
  #text = '';
  #paragraphs = 0;
  #afterSpace = true;

  /** `number` is that of the table, from 0. */
  constructor(number: number, sheet: SheetRows, formatOf: (style: string) => NumberFormat) {
    this.#before = number;
    this.#sheet = sheet;
    this.#formatOf = formatOf;
  }

  open(name: string, attributes: XmlAttributes, depth: number): void {
    if (this.#unreadAt > 0) return;
    if (this.#cellAt > 0) this.#openText(name, attributes, depth);
    else if (name === 'table' && this.#before-- !== 0) this.#unreadAt = depth;
    else if (name === 'table') this.#inTable = true;
    else if (!this.#inTable) return;
    else if (name === 'table-column') this.#openColumn(attributes);
    else if (name === 'table-row') this.#openRow(attributes);
    else if (CELLS.includes(name)) this.#openCell(attributes, depth);
  }

  text(text: string): void {
    if (this.#unreadAt > 0 || this.#paragraphs === 0) return;
    // Blanks at the beginning of a paragraph, and those behind another one, only lay out the XML.
    const blanks = text.replaceAll(/[ \t\r\n]+/g, ' ');
    this.#text = grow(this.#text, this.#afterSpace ? blanks.replace(/^ /, '') : blanks);
    if (blanks !== '') this.#afterSpace = blanks.endsWith(' ');
  }

  close(name: string, depth: number): void {
    if (this.#unreadAt > 0) this.#unreadAt = depth === this.#unreadAt ? 0 : this.#unreadAt;
    else if (depth === this.#cellAt) this.#closeCell();
    else if (this.#cellAt > 0 || !this.#inTable) return;
    else if (name === 'table-row') this.#closeRow();
    else if (name === 'table') this.done = true;
  }

  isFull(): boolean {
    return this.#sheet.isFull();
  }

  overlong(): InputError | undefined {
    return this.#cellAt > 0 ? this.#sheet.overlong() : undefined;
  }

  #openColumn(attributes: XmlAttributes): void {
    const styles = this.#columnStyles;
    const first = styles.length;
    const end = first + this.#count(attributes['table:number-columns-repeated']);
    if (isHidden(attributes)) this.#sheet.hideColumns(first, end - 1);
    while (styles.length < Math.min(end, MOST_COLUMNS))
      styles.push(attributes['table:default-cell-style-name']);
  }

  #openRow(attributes: XmlAttributes): void {
    this.#sheet.openRow(this.#sheet.row + 1, isHidden(attributes));
    this.#sheet.findings.filtered ||= attributes['table:visibility'] === 'filter';
    this.#row = attributes;
    this.#column = 0;
  }

  #closeRow(): void {
    const { findings } = this.#sheet;
    this.#sheet.closeRow(this.#count(this.#row['table:number-rows-repeated']));
    // Rows are told to the end of the sheet, though nobody has made them.
    findings.lastRow = findings.lastFilled;
  }

  #openCell(attributes: XmlAttributes, depth: number): void {
    this.#cell = attributes;
    this.#cellAt = depth;
    this.#text = '';
    this.#paragraphs = 0;
    const { row } = this.#sheet;
    const column = this.#column;
    const lastColumn = column + this.#count(attributes['table:number-columns-spanned']) - 1;
    const lastRow = row + this.#count(attributes['table:number-rows-spanned']) - 1;
    if (lastColumn === column && lastRow === row) return;
    const name = `${columnLetters(column)}${row}:${columnLetters(lastColumn)}${lastRow}`;
    this.#sheet.merge({ name, row, column, lastRow, lastColumn });
  }

  /** Paragraphs are read; remarks, pictures and what else belongs to a cell is not in it. */
  #openText(name: string, attributes: XmlAttributes, depth: number): void {
    const isParagraph = depth === this.#cellAt + 1;
    if (isParagraph ? name !== 'p' : UNREAD.includes(name)) this.#unreadAt = depth;
    else if (isParagraph) {
      if (this.#paragraphs > 0) this.#text = grow(this.#text, '\n');
      this.#paragraphs += 1;
      this.#afterSpace = true;
    } else {
      const times = Math.min(this.#count(attributes['text:c']), LONGEST_TEXT + 1);
      this.#text = grow(this.#text, (MARKS.get(name) ?? '').repeat(times));
    }
  }

  #closeCell(): void {
    const { 'table:style-name': own, 'table:formula': formula = '' } = this.#cell;
    this.#cellAt = 0;
    const style = own ?? this.#row['table:default-cell-style-name'] ?? this.#columnStyles[this.#column];
    const text = this.#paragraphs === 0 ? undefined : this.#text;
    const cell = readCell(this.#cell, text, this.#formatOf(style ?? ''));
    // `[.D2:.D120]` is `D2:D120` in other workbooks.
    const aggregate = isAggregate(formula.slice(0, LONGEST_FORMULA).replaceAll(/[[\].]/g, ''));
    const end = this.#column + this.#count(this.#cell['table:number-columns-repeated']);
    const filled = cell === null ? this.#column : end;
    for (; this.#column < filled; this.#column++) {
      this.#sheet.goTo(this.#column);
      this.#sheet.add(cell, aggregate);
    }
    this.#column = end;
  }

  #count(text: string | undefined): number {
    if (text === undefined) return 1;
    if (!REPEAT.test(text)) throw this.#sheet.damaged('something repeats an impossible number of times');
    return Number(text);
  }
}

function isHidden({ 'table:visibility': visibility = 'visible' }: XmlAttributes): boolean {
  return visibility !== 'visible';
}

const NUMBER = { type: 'number', attribute: 'office:value' } as const;
/** What a value is, and where it stands, by the type that a cell names. */
const STORED: Readonly<Record<string, { type: 'number' | 'boolean' | 'date'; attribute: string }>> = {
  float: NUMBER,
  percentage: NUMBER,
  currency: NUMBER,
  boolean: { type: 'boolean', attribute: 'office:boolean-value' },
  date: { type: 'date', attribute: 'office:date-value' },
  time: { type: 'number', attribute: 'office:time-value' },
};
const DATES: readonly NumberFormat['kind'][] = ['date', 'datetime'];
const TIMES: readonly NumberFormat['kind'][] = ['time', 'clock', 'span'];
const TRUTH = /^(?:true|false)$/;
const DURATION = /^(-?)P(?:(\d{1,6})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:[.,]\d{1,12})?)S)?)?$/;

/** The value of a cell that shows this text, undefined for none at all; null when it is blank. */
function readCell(attributes: XmlAttributes, text: string | undefined, format: NumberFormat): Cell {
  if (attributes['calcext:value-type'] === 'error') return new SheetCell('error', text ?? '', format, false);
  const valueType = attributes['office:value-type'];
  const { type, attribute = '' } = STORED[valueType ?? ''] ?? {};
  const stored = attributes[attribute];
  if (type === undefined || stored === undefined) {
    const told = attributes['office:string-value'] ?? text;
    // What comes to nothing shows an empty text.
    const isMissing = told === undefined && attributes['table:formula'] !== undefined;
    return isMissing ? new SheetCell('missing', '', format, false) : told || null;
  }
  if (type === 'date') {
    // Programs other than spreadsheets leave the format out.
    const whole = readFormatCode(stored.includes('T') ? 'yyyy-mm-dd hh:mm:ss' : 'yyyy-mm-dd');
    return new SheetCell(type, stored, DATES.includes(format.kind) ? format : whole, false);
  }
  if (valueType === 'time') return timeCell(stored, format);
  // Nothing else may pass for `false`.
  const isOdd = type === 'boolean' ? !TRUTH.test(stored) : !Number.isFinite(Number(stored));
  return new SheetCell(isOdd ? 'error' : type, stored, format, false);
}

/** `PT26H30M00S` as the days that other workbooks store. */
function timeCell(stored: string, format: NumberFormat): SheetCell {
  const shown = TIMES.includes(format.kind) ? format : readFormatCode('[hh]:mm:ss');
  const parts = DURATION.exec(stored);
  if (parts === null) return new SheetCell('error', stored, shown, false);
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts
    .slice(2)
    .map((part) => Number(part?.replace(',', '.') ?? 0));
  const serial = (days * 86_400 + hours * 3600 + minutes * 60 + seconds) / 86_400;
  return new SheetCell('number', `${parts[1] ?? ''}${serial}`, shown, false);
}
