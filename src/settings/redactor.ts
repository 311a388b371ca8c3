import { decodedMatches, type Span } from './decoded-matches.ts';

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
