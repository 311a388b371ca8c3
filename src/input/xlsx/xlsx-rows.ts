import type { InputError } from '../../errors.ts';
import { isAggregate, LONGEST_FORMULA } from '../workbook/aggregate-formula.ts';
import { readReference, readRowNumber } from '../workbook/sheet-findings.ts';
import type { SheetRows } from '../workbook/sheet-rows.ts';
import { grow, LONGEST_TEXT } from '../workbook/sheet-volume.ts';
import { isTrue, type XmlAttributes } from '../workbook/xml-feed.ts';
import { type CellContext, type RawCell, readCell } from './xlsx-cell.ts';
import { ItemText } from './xlsx-text.ts';

/** Depths inside the XML of a row, which itself is at 0. */
const CELL = 1;
const CONTENT = 2;

/** Reads the `<row>` elements of a worksheet. */
export class RowsReader {
  readonly #sheet: SheetRows;
  readonly #context: CellContext;
  readonly #item = new ItemText();
  #raw: RawCell | undefined;
  #value: string | undefined;
  #formula: string | undefined;
  readonly #damaged = (what: string): InputError => this.#sheet.damaged(what);

  constructor(sheet: SheetRows, context: CellContext) {
    this.#sheet = sheet;
    this.#context = context;
  }

  openRow({ r, hidden }: XmlAttributes): void {
    this.#sheet.openRow(r === undefined ? this.#sheet.row + 1 : readRowNumber(r), isTrue(hidden));
  }

  /** `level` counts from the row. */
  open(name: string, attributes: XmlAttributes, level: number): void {
    if (level === CELL) {
      if (name === 'c') this.#openCell(attributes);
    } else if (this.#raw === undefined) {
      return;
    } else if (level === CONTENT) {
      this.#openContent(this.#raw, name, attributes);
    } else {
      this.#item.open(name, attributes, level - CONTENT);
    }
  }

  text(text: string): void {
    if (this.#formula !== undefined) this.#formula = (this.#formula + text).slice(0, LONGEST_FORMULA);
    else if (this.#value === undefined) this.#item.add(text);
    else this.#value = grow(this.#value, text);
  }

  close(name: string, level: number): void {
    const raw = this.#raw;
    if (raw === undefined) return;
    if (level > CONTENT) this.#item.close(name);
    else if (level === CONTENT) this.#closeContent(raw, name);
    else this.#closeCell(raw);
  }

  /** The error for a text without end. */
  overlong(): InputError | undefined {
    return this.#raw === undefined ? undefined : this.#sheet.overlong();
  }

  #openCell({ r, t, s }: XmlAttributes): void {
    const place =
      r === undefined ? { column: this.#sheet.column + 1, row: this.#sheet.row } : readReference(r);
    this.#sheet.goTo(place?.row === this.#sheet.row ? place.column : undefined);
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
