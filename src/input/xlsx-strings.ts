import type { InputError } from '../errors.ts';
import { StringStore } from './string-store.ts';
import { ItemText, LONGEST_TEXT } from './xlsx-text.ts';
import type { XmlAttributes, XmlReader } from './xlsx-xml.ts';

const MOST_STRINGS = 20_000_000;
const MOST_BYTES = 640 * 1024 * 1024;
const ITEM = 2;

/** Reads the texts that the cells of a workbook share. */
export class StringsReader implements XmlReader {
  readonly strings = new StringStore();
  readonly #item = new ItemText();
  readonly #refuse: (what: string) => InputError;

  constructor(refuse: (what: string) => InputError) {
    this.#refuse = refuse;
  }

  open(name: string, attributes: XmlAttributes, depth: number): void {
    if (depth > ITEM) this.#item.open(name, attributes, depth - ITEM);
  }

  close(name: string, depth: number): void {
    if (depth > ITEM) this.#item.close(name);
    else if (depth === ITEM && name === 'si') this.#keep(this.#item.take());
  }

  text(text: string): void {
    this.#item.add(text);
  }

  #keep(text: string): void {
    if (text.length > LONGEST_TEXT) throw this.#refuse('it holds a text of more than 1 MB');
    const full = this.strings.count === MOST_STRINGS || this.strings.bytes > MOST_BYTES;
    if (full || !this.strings.add(text)) throw this.#refuse('it holds too many texts');
  }
}
