const REDACTED = '[token]';
/** A shorter piece of base64 may stand in any text by chance. */
const SHORTEST_PIECE = 12;

/**
 * Replaces every secret by `[token]`, however a text may write it: as it is, in hex, in base64 (also within
 * something longer, such as `Bearer …` or `user:…`), and any of these with some or all of its characters
 * escaped, as in JSON (`\u003d`, also in JSON within JSON), URLs (`%3D`) or HTML (`&#61;`). So it does not
 * matter whether a text is redacted before or after it is parsed; before, it stays what it was, JSON included.
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const forms = [...new Set(secrets.filter((secret) => secret !== '').flatMap(formsOf))];
  if (forms.length === 0) return (text) => text;
  // Escapes only make it longer.
  const shortest = Math.min(...forms.map(({ length }) => length));
  return (text) => {
    if (text.length < shortest) return text;
    const spans = [...forms.flatMap((form) => plainMatches(text, form)), ...decodedMatches(text, forms)];
    return spans.length === 0 ? text : replaceSpans(text, spans);
  };
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const hex = bytes.toString('hex');
  const encoded = [bytes, Buffer.from(`Bearer ${secret}`)].map((whole) => whole.toString('base64'));
  const base64 = [...encoded, ...encoded.map((form) => form.replace(/=+$/, '')), ...piecesOf(bytes)];
  return [
    secret,
    ...(/^[!-~]+$/.test(secret) ? [] : urlFormsOf(secret)),
    hex,
    hex.toUpperCase(),
    ...base64,
    ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
  ];
}

/** Of characters that take several bytes in a URL, and of spaces. */
function urlFormsOf(secret: string): string[] {
  const urls = [encodeURIComponent(secret), new URLSearchParams([['', secret]]).toString().slice(1)];
  return [...urls, ...urls.map((url) => url.replace(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase()))];
}

/** What base64 of something longer holds for certain, depending on how many bytes stand before. */
function piecesOf(bytes: Buffer): string[] {
  return [0, 1, 2]
    .map((before) => {
      const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
      const whole = Math.floor(((before + bytes.length) * 8) / 6);
      return encoded.slice(Math.ceil((before * 8) / 6), whole);
    })
    .filter((piece) => piece.length >= SHORTEST_PIECE);
}

function plainMatches(text: string, form: string): Span[] {
  const spans: Span[] = [];
  for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length)) {
    spans.push([at, at + form.length]);
  }
  return spans;
}

/** What overlaps is one. */
function replaceSpans(text: string, spans: Span[]): string {
  spans.sort(([a, endA], [b, endB]) => a - b || endB - endA);
  const parts: string[] = [];
  let done = 0;
  for (const [start, end] of spans) {
    if (start >= done) parts.push(text.slice(done, start), REDACTED);
    done = Math.max(done, end);
  }
  return parts.join('') + text.slice(done);
}

/** From the first character to the one after the last. */
type Span = readonly [start: number, end: number];

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
function decodedMatches(text: string, forms: readonly string[]): Span[] {
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
