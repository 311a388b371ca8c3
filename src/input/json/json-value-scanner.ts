const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LF = 0x0a;
const CR = 0x0d;
const OPENERS = new Map([
  [0x7b, 0x7d],
  [0x5b, 0x5d],
]);

/**
 * Finds where one JSON value ends, over chunks of bytes cut anywhere. It knows brackets and strings
 * only; whether the value is right is for `JSON.parse` to say. A line break ends a string, since JSON
 * has none inside strings: so a forgotten closing quote spoils one value and not the whole file.
 */
export class JsonValueScanner {
  /** Brackets that are open, as the bytes that must close them. */
  #closers: number[] = [];
  #inString = false;
  #escaped = false;
  #started = false;
  /** True when a closing bracket was met that closes nothing or the wrong one. */
  mismatch = false;

  /** The index behind the value, or -1 when it goes on in the next chunk. On a mismatch the bracket's index. */
  scan(chunk: Uint8Array, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (this.#inString) {
        if (this.#endsString(byte) && this.#closers.length === 0) return at + 1;
      } else if (byte === QUOTE) {
        this.#inString = true;
      } else if (byte === 0x7d || byte === 0x5d) {
        if (this.#closers.length === 0) return at;
        this.mismatch = this.#closers.pop() !== byte;
        if (this.mismatch || this.#closers.length === 0) return this.mismatch ? at : at + 1;
      } else if (this.#closers.length === 0 && this.#started && endsScalar(byte)) {
        return at;
      } else {
        const closer = OPENERS.get(byte);
        if (closer !== undefined) this.#closers.push(closer);
      }
      this.#started = true;
    }
    return -1;
  }

  #endsString(byte: number): boolean {
    const lineBreak = byte === LF || byte === CR;
    if (this.#escaped && !lineBreak) {
      this.#escaped = false;
      return false;
    }
    this.#escaped = byte === BACKSLASH;
    if (byte === QUOTE || lineBreak) this.#inString = false;
    return !this.#inString;
  }
}

/** White space, a comma, a colon or an opening bracket. */
function endsScalar(byte: number): boolean {
  return byte <= 0x20 || byte === 0x2c || byte === 0x3a || byte === 0x7b || byte === 0x5b;
}
