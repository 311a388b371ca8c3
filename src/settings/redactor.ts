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
  // Of two that begin alike the longer one is meant.
  forms.sort((one, other) => other.length - one.length);
  if (forms.length === 0) return (text) => text;
  const asTheyAre = new RegExp(forms.map((form) => form.replaceAll(/[^\w]/g, literalOf)).join('|'), 'g');
  let escaped: RegExp | undefined;
  return (text) => {
    const rest = text.replace(asTheyAre, REDACTED);
    if (!holdsEscaped(rest, forms)) return rest;
    escaped ??= new RegExp(forms.map((form) => form.replaceAll(/[^]/g, anyhow)).join('|'), 'g');
    return rest.replace(escaped, REDACTED);
  };
}

const ESCAPE = /\\(?:u([\da-f]{4})|x([\da-f]{2})|["'/\\])|%([\da-f]{2})|&#(?:x([\da-f]{1,4})|(\d{1,5}));/gi;
/** JSON within JSON within a URL, and so on: nobody writes deeper. */
const LAYERS = 5;

/** Whether one of the forms stands there once escapes are undone, layer by layer, as parsers would do it. */
function holdsEscaped(text: string, forms: readonly string[]): boolean {
  let plain = text;
  for (let layer = 0; layer < LAYERS && /[\\%&]/.test(plain); layer += 1) {
    plain = plain.replace(
      ESCAPE,
      (escape, u?: string, x?: string, percent?: string, hex?: string, no?: string) => {
        const code = u ?? x ?? percent ?? hex;
        if (code === undefined && no === undefined) return escape.slice(1);
        return String.fromCharCode(code === undefined ? Number(no) : Number.parseInt(code, 16));
      },
    );
    if (forms.some((form) => plain.includes(form))) return true;
  }
  return false;
}

const hexOf = (character: string, digits: number): string =>
  character.charCodeAt(0).toString(16).padStart(digits, '0');

const literalOf = (character: string): string => `\\u${hexOf(character, 4)}`;

/** `%`, itself escaped or not. */
const PERCENT = String.raw`(?:%|\\+u0025)(?:25)*`;

/** What matches a character, or an escape of it: `\"` `\/` `\u003d` `\x3d` `%3D` `&#61;` `&#x3d;` */
function anyhow(character: string): string {
  const code = character.charCodeAt(0);
  const anyCase = (digits: number): string =>
    hexOf(character, digits).replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
  const before = character === '\\' ? '' : `"'/`.includes(character) ? String.raw`\\*` : '';
  return `(?:${[
    `${before}${literalOf(character)}${character === '\\' ? '+' : ''}`,
    String.raw`\\+u${anyCase(4)}`,
    ...(code < 0x100 ? [String.raw`\\+x${anyCase(2)}`, PERCENT + anyCase(2)] : []),
    `&#(?:${code}|[xX]0*${anyCase(1)});`,
  ].join('|')})`;
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
