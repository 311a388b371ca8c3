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
