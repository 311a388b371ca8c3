import type { InputError } from '../../errors.ts';
import { isAggregate, LONGEST_FORMULA } from '../workbook/aggregate-formula.ts';
import { readRange, readReference, readRowNumber } from '../workbook/sheet-findings.ts';
import { grow, LONGEST_TEXT, type SheetRows } from '../workbook/sheet-rows.ts';
import { isTrue, type XmlAttributes, type XmlReader } from '../workbook/xml-feed.ts';
import { type CellContext, type RawCell, readCell } from './xlsx-cell.ts';
import { ItemText } from './xlsx-text.ts';

/** Depths: `<worksheet>` is the root; its rows, columns and merged ranges are items of sections. */
const SECTION = 2;
const ITEM = 3;
const CELL = 4;
const CONTENT = 5;

/** Reads the XML of a worksheet. */
export class WorksheetReader implements XmlReader {
  readonly #sheet: SheetRows;
  readonly #context: CellContext;
  readonly #item = new ItemText();
  readonly #damaged = (what: string): InputError => this.#sheet.damaged(what);
  #section = '';
  #inRow = false;
  #raw: RawCell | undefined;
  #value: string | undefined;
  #formula: string | undefined;

  constructor(sheet: SheetRows, context: CellContext) {
    this.#sheet = sheet;
    this.#context = context;
  }

  open(name: string, attributes: XmlAttributes, depth: number): void {
    if (depth === SECTION) this.#section = name;
    if (name === 'sheetPr') this.#sheet.findings.filtered ||= isTrue(attributes['filterMode']);
    if (depth === ITEM) this.#openItem(name, attributes);
    else if (depth === CELL && this.#inRow && name === 'c') this.#openCell(attributes);
    else if (this.#raw === undefined) return;
    else if (depth === CONTENT) this.#openContent(this.#raw, name, attributes);
    else this.#item.open(name, attributes, depth - CONTENT);
  }

  close(name: string, depth: number): void {
    if (depth === ITEM && this.#inRow) {
      this.#inRow = false;
      this.#sheet.closeRow();
    }
    if (this.#raw === undefined) return;
    if (depth > CONTENT) this.#item.close(name);
    else if (depth === CONTENT) this.#closeContent(this.#raw, name);
    else this.#closeCell(this.#raw);
  }

  text(text: string): void {
    if (this.#formula !== undefined) this.#formula = (this.#formula + text).slice(0, LONGEST_FORMULA);
    else if (this.#value === undefined) this.#item.add(text);
    else this.#value = grow(this.#value, text);
  }

  isFull(): boolean {
    return this.#sheet.isFull();
  }

  overlong(): InputError | undefined {
    return this.#raw === undefined ? undefined : this.#sheet.overlong();
  }

  #openItem(name: string, attributes: XmlAttributes): void {
    const sheet = this.#sheet;
    if (name === 'row' && this.#section === 'sheetData') {
      const { r, hidden } = attributes;
      sheet.openRow(r === undefined ? sheet.row + 1 : readRowNumber(r), isTrue(hidden));
      this.#inRow = true;
    } else if (name === 'col' && this.#section === 'cols' && isTrue(attributes['hidden'])) {
      sheet.hideColumns(Number(attributes['min']) - 1, Number(attributes['max']) - 1);
    } else if (name === 'mergeCell' && this.#section === 'mergeCells') {
      const range = readRange(attributes['ref'] ?? '');
      if (range !== undefined) sheet.merge(range);
    } else if (name === 'filterColumn' && this.#section === 'autoFilter') {
      sheet.findings.filtered = true;
    }
  }

  #openCell({ r, t, s }: XmlAttributes): void {
    const sheet = this.#sheet;
    const place = r === undefined ? { column: sheet.column + 1, row: sheet.row } : readReference(r);
    sheet.goTo(place?.row === sheet.row ? place.column : undefined);
    this.#raw = {
      type: t,
      style: s,
      formula: false,
      aggregate: false,
      value: undefined,
      preserve: false,
      inline: '',
    };
  }

  #openContent(raw: RawCell, name: string, attributes: XmlAttributes): void {
    if (name === 'f') {
      raw.formula = true;
      this.#formula = '';
    }
    if (name !== 'v') return;
    if (raw.value !== undefined) throw this.#damaged('a cell has two values');
    raw.preserve = attributes['xml:space'] === 'preserve';
    this.#value = '';
  }

  #closeContent(raw: RawCell, name: string): void {
    if (name === 'is') raw.inline = grow(raw.inline, this.#item.take());
    if (name === 'f') raw.aggregate = isAggregate(this.#formula ?? '');
    this.#formula = undefined;
    if (this.#value === undefined) return;
    // What is too long was not kept whole, and must not pass for what is left without white space.
    if (this.#value.length > LONGEST_TEXT) throw this.#sheet.overlong();
    raw.value = this.#value;
    this.#value = undefined;
  }

  #closeCell(raw: RawCell): void {
    this.#raw = undefined;
    this.#sheet.add(readCell(raw, this.#context, this.#damaged), raw.aggregate);
  }
}
