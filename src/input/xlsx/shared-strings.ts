import type { InputError } from '../../errors.ts';
import { overlongText } from '../workbook/workbook-damage.ts';
import { LONGEST_TEXT } from '../workbook/sheet-rows.ts';
import { ItemText } from './xlsx-text.ts';
import type { XmlAttributes, XmlReader } from '../workbook/xml-feed.ts';

/** 200,000 rows of twenty values that are all different. */
const MOST_STRINGS = 4_000_000;
/** In characters. Rows of people share some dozens of megabytes at most. */
const MOST_TEXT = 128 * 1024 * 1024;
const ROOT = 1;
const ITEM = 2;

/** Reads the texts that the cells of a workbook share. */
export class StringsReader implements XmlReader {
  readonly strings: string[] = [];
  #length = 0;
  readonly #item = new ItemText();
  readonly #file: string;
  readonly #refuse: (what: string) => InputError;
  /** How many texts there are, as the list itself says. */
  #told: string | undefined;

  constructor(file: string, refuse: (what: string) => InputError) {
    this.#file = file;
    this.#refuse = refuse;
  }

  open(name: string, attributes: XmlAttributes, depth: number): void {
    if (depth === ROOT) this.#told = attributes['uniqueCount'];
    if (depth > ITEM) this.#item.open(name, attributes, depth - ITEM);
  }

  close(name: string, depth: number): void {
    if (depth > ITEM) this.#item.close(name);
    else if (depth === ITEM && name === 'si') this.#keep(this.#item.take());
    // Cells refer to texts by number: where some are missing, they may all be the wrong ones.
    else if (depth === ROOT && this.#told !== undefined && Number(this.#told) !== this.strings.length)
      throw this.#refuse('the texts of the cells are more or fewer than it says');
  }

  text(text: string): void {
    this.#item.add(text);
  }

  overlong(): InputError {
    return overlongText(this.#file, 'a cell');
  }

  /** Of a text that is too long enough is kept to show that: the cell that refers to it can be named. */
  #keep(whole: string): void {
    const text = whole.slice(0, LONGEST_TEXT + 1);
    this.#length += text.length;
    if (this.strings.length === MOST_STRINGS || this.#length > MOST_TEXT)
      throw this.#refuse('it holds too many texts');
    this.strings.push(text);
  }
}
