/** From the first character to the one after the last. */
export type Span = readonly [start: number, end: number];

const BACKSLASH = 0x5c;
const PERCENT = 0x25;
const AMPERSAND = 0x26;
/** JSON within JSON within a URL, and so on: nobody writes deeper. */
const LAYERS = 5;
/** Characters that are decoded at a time: a huge text needs no second one in memory. */
const WINDOW = 65_536;
/** Longest way to write a character in some layers of escapes. */
const WIDEST = 64;

/** Where one of the forms stands once escapes are undone, layer by layer, as parsers would do it. */
export function decodedMatches(text: string, forms: readonly string[]): Span[] {
  if (!/[\\%&]/.test(text)) return [];
  const longest = forms.reduce((most, { length }) => Math.max(most, length), 0);
  const needles = forms.map((form) => Buffer.from(form, 'utf16le'));
  const spans: Span[] = [];
  for (let from = 0; from < text.length; from += WINDOW) {
    const part = new DecodedPart(text, from, Math.min(text.length, from + WINDOW + longest * WIDEST));
    for (let layer = 0; layer < LAYERS && part.undoEscapes(); layer += 1) {
      for (const needle of needles) spans.push(...part.find(needle));
    }
  }
  return spans;
}

class DecodedPart {
  #codes: Uint16Array<ArrayBuffer>;
  /** Where in the text each character begins, and where the last one ends. */
  readonly #starts: Uint32Array;

  constructor(text: string, from: number, to: number) {
    this.#codes = new Uint16Array(to - from);
    this.#starts = new Uint32Array(to - from + 1);
    for (let at = from; at < to; at += 1) {
      this.#codes[at - from] = text.charCodeAt(at);
      this.#starts[at - from] = at;
    }
    this.#starts[to - from] = to;
  }

  /** Puts a character in the place of each escape. False when there is none. */
  undoEscapes(): boolean {
    const codes = this.#codes;
    let to = 0;
    for (let at = 0; at < codes.length; to += 1) {
      const { code, length } = readEscape(codes, at) ?? { code: codes[at] ?? 0, length: 1 };
      codes[to] = code;
      this.#starts[to] = this.#starts[at] ?? 0;
      at += length;
    }
    if (to === codes.length) return false;
    this.#starts[to] = this.#starts[codes.length] ?? 0;
    this.#codes = codes.subarray(0, to);
    return true;
  }

  /** Where in the text the needle stands, given as UTF-16. */
  find(needle: Buffer): Span[] {
    const bytes = Buffer.from(this.#codes.buffer, 0, this.#codes.byteLength);
    const spans: Span[] = [];
    for (let at = bytes.indexOf(needle); at >= 0; at = bytes.indexOf(needle, at + 1)) {
      // Between the two bytes of a character nothing begins.
      if (at % 2 === 1) continue;
      spans.push([this.#starts[at / 2] ?? 0, this.#starts[(at + needle.length) / 2] ?? 0]);
    }
    return spans;
  }
}

interface Escape {
  code: number;
  length: number;
}

/** The escape of one character that begins here: `\"` `\/` `\u003d` `\x3d` `%3D` `&#61;` `&#x3d;` */
function readEscape(codes: Uint16Array, at: number): Escape | undefined {
  switch (codes[at]) {
    case BACKSLASH:
      return readBackslash(codes, at);
    case PERCENT:
      return readNumber(codes, at, /^%([\da-f]{2})/i, 16);
    case AMPERSAND:
      return readNumber(codes, at, /^&#(\d{1,5});/, 10) ?? readNumber(codes, at, /^&#x([\da-f]{1,4});/i, 16);
    default:
      return undefined;
  }
}

function readBackslash(codes: Uint16Array, at: number): Escape | undefined {
  const next = String.fromCharCode(codes[at + 1] ?? 0);
  if (`"'/\\`.includes(next)) return { code: next.charCodeAt(0), length: 2 };
  if (next === 'u') return readNumber(codes, at, /^\\u([\da-f]{4})/i, 16);
  return next === 'x' ? readNumber(codes, at, /^\\x([\da-f]{2})/i, 16) : undefined;
}

const LONGEST_ESCAPE = '&#65535;'.length;

function readNumber(codes: Uint16Array, at: number, form: RegExp, base: 10 | 16): Escape | undefined {
  const [whole, digits] = form.exec(String.fromCharCode(...codes.subarray(at, at + LONGEST_ESCAPE))) ?? [];
  if (whole === undefined || digits === undefined) return undefined;
  return { code: Number.parseInt(digits, base), length: whole.length };
}
