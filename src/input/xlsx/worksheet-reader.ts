import type { InputError } from '../../errors.ts';
import { readRange } from '../workbook/sheet-findings.ts';
import type { SheetRows } from '../workbook/sheet-rows.ts';
import { isTrue, type XmlAttributes, type XmlReader } from '../workbook/xml-feed.ts';
import type { CellContext } from './xlsx-cell.ts';
import { RowsReader } from './xlsx-rows.ts';

/** Depths: `<worksheet>` is the root; its rows, columns and merged ranges are items of sections. */
const SECTION = 2;
const ITEM = 3;

/** Reads the XML of a worksheet: rows go to a reader of their own, the rest into the findings. */
export class WorksheetReader implements XmlReader {
  readonly #sheet: SheetRows;
  readonly #rows: RowsReader;
  #section = '';
  #inRow = false;

  constructor(sheet: SheetRows, context: CellContext) {
    this.#sheet = sheet;
    this.#rows = new RowsReader(sheet, context);
  }

  open(name: string, attributes: XmlAttributes, depth: number): void {
    if (this.#inRow) this.#rows.open(name, attributes, depth - ITEM);
    else if (depth === SECTION) this.#openSection(name, attributes);
    else if (depth === ITEM) this.#openItem(name, attributes);
  }

  close(name: string, depth: number): void {
    if (!this.#inRow) return;
    if (depth > ITEM) {
      this.#rows.close(name, depth - ITEM);
      return;
    }
    this.#inRow = false;
    this.#sheet.closeRow();
  }

  text(text: string): void {
    if (this.#inRow) this.#rows.text(text);
  }

  isFull(): boolean {
    return this.#sheet.isFull();
  }

  overlong(): InputError | undefined {
    return this.#inRow ? this.#rows.overlong() : undefined;
  }

  #openSection(name: string, attributes: XmlAttributes): void {
    this.#section = name;
    if (name === 'sheetPr') this.#sheet.findings.filtered ||= isTrue(attributes['filterMode']);
  }

  #openItem(name: string, attributes: XmlAttributes): void {
    if (name === 'row' && this.#section === 'sheetData') {
      this.#inRow = true;
      this.#rows.openRow(attributes);
    } else if (name === 'col' && this.#section === 'cols' && isTrue(attributes['hidden'])) {
      this.#sheet.hideColumns(Number(attributes['min']) - 1, Number(attributes['max']) - 1);
    } else if (name === 'mergeCell' && this.#section === 'mergeCells') {
      const range = readRange(attributes['ref'] ?? '');
      if (range !== undefined) this.#sheet.merge(range);
    } else if (name === 'filterColumn' && this.#section === 'autoFilter') {
      this.#sheet.findings.filtered = true;
    }
  }
}
