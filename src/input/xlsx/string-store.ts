import type { InputError } from '../../errors.ts';
import { overlongText } from './xlsx-damage.ts';
import { ItemText, LONGEST_TEXT } from './xlsx-text.ts';
import type { XmlAttributes, XmlReader } from './xlsx-xml.ts';

const PAGE_BYTES = 4 * 1024 * 1024;
/** Most workbooks are small. */
const FIRST_PAGE_BYTES = 64 * 1024;
/** So that places fit 32 bits. */
const MOST_PAGES = 1024;
const FIRST_CAPACITY = 1024;

/**
 * Keeps many texts, each of about 1 Mi characters at most, outside the heap of the language: a workbook may
 * share millions of them, which as objects would cost several times their length.
 */
export class StringStore {
  readonly #pages: Buffer[] = [];
  readonly #used: number[] = [];
  #starts = new Uint32Array(FIRST_CAPACITY);
  #count = 0;
  #last: { index: number; text: string } | undefined;

  get count(): number {
    return this.#count;
  }

  /** Bytes taken so far. */
  get bytes(): number {
    return this.#pages.length * PAGE_BYTES;
  }

  /** Keeps a text under the next number, counting from 0. Returns false when there is no more room. */
  add(text: string): boolean {
    const length = Buffer.byteLength(text);
    let last = this.#pages.length - 1;
    // A page never fills to its end, where the place of an empty text would be that of the next page.
    if ((this.#used[last] ?? 0) + length >= (this.#pages[last]?.length ?? 0)) {
      if (this.#pages.length === MOST_PAGES || length >= PAGE_BYTES) return false;
      const bytes = last === -1 ? Math.max(FIRST_PAGE_BYTES, length + 1) : PAGE_BYTES;
      last = this.#pages.push(Buffer.allocUnsafeSlow(bytes)) - 1;
      this.#used.push(0);
    }
    const at = this.#used[last] ?? 0;
    this.#pages[last]?.write(text, at);
    this.#used[last] = at + length;
    this.#note(last * PAGE_BYTES + at);
    return true;
  }

  #note(start: number): void {
    if (this.#count === this.#starts.length) {
      const grown = new Uint32Array(this.#count * 2);
      grown.set(this.#starts);
      this.#starts = grown;
    }
    this.#starts[this.#count] = start;
    this.#count += 1;
  }

  /** The text of this number; undefined when there is none. Asked for again and again, it is one object. */
  get(index: number): string | undefined {
    if (this.#last?.index === index) return this.#last.text;
    const text = this.#read(index);
    if (text !== undefined) this.#last = { index, text };
    return text;
  }

  #read(index: number): string | undefined {
    const place = index < this.#count ? this.#starts[index] : undefined;
    if (place === undefined) return undefined;
    const page = Math.floor(place / PAGE_BYTES);
    const start = place % PAGE_BYTES;
    const next = index + 1 < this.#count ? (this.#starts[index + 1] ?? 0) : Number.POSITIVE_INFINITY;
    const end = next < (page + 1) * PAGE_BYTES ? next % PAGE_BYTES : this.#used[page];
    return this.#pages[page]?.toString('utf8', start, end);
  }
}

const MOST_STRINGS = 20_000_000;
const MOST_BYTES = 640 * 1024 * 1024;
const ROOT = 1;
const ITEM = 2;

/** Reads the texts that the cells of a workbook share. */
export class StringsReader implements XmlReader {
  readonly strings = new StringStore();
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
    else if (depth === ROOT) this.#check();
  }

  text(text: string): void {
    this.#item.add(text);
  }

  /** Cells refer to texts by number: where some are missing, they may all be the wrong ones. */
  #check(): void {
    if (this.#told === undefined || Number(this.#told) === this.strings.count) return;
    throw this.#refuse('the texts of the cells are more or fewer than it says');
  }

  overlong(): InputError {
    return overlongText(this.#file, 'a cell');
  }

  /** Of a text that is too long enough is kept to show that: the cell that refers to it can be named. */
  #keep(whole: string): void {
    const text = whole.slice(0, LONGEST_TEXT + 1);
    const full = this.strings.count === MOST_STRINGS || this.strings.bytes > MOST_BYTES;
    if (full || !this.strings.add(text)) throw this.#refuse('it holds too many texts');
  }
}
