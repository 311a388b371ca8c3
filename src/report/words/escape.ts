/**
 * Characters that drive a terminal, reorder the text around them, or are not seen at all. Variation
 * selectors stay (emoji need them), joiners stay where scripts and emoji use them, and so do the tag
 * characters that make the flags of England, Scotland and Wales.
 */
const UNSAFE = new RegExp(
  [
    String.raw`(?<=[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200C\u200D](?=[\p{L}\p{Extended_Pictographic}])`,
    String.raw`\u{1F3F4}[\u{E0061}-\u{E007A}]{5}\u{E007F}`,
    String.raw`[\uFE00-\uFE0F\u180B-\u180D\u180F\u{E0100}-\u{E01EF}]`,
    String.raw`([\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB])`,
  ].join('|'),
  'gu',
);

/** True for text of printable ASCII only, which needs no second look. */
const PLAIN = /^[\u0020-\u007E]*$/;

const ODD_SPACES = /[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]/g;

const SHORT: ReadonlyMap<string, string> = new Map([
  ['\n', String.raw`\n`],
  ['\t', String.raw`\t`],
  ['\r', String.raw`\r`],
]);

/** Replaces every unsafe character of `text` (see `visible`) by what `escape` makes of it. */
export function replaceUnsafe(text: string, escape: (character: string) => string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(UNSAFE, (match: string, unsafe: string | undefined) =>
    unsafe === undefined ? match : escape(unsafe),
  );
}

/**
 * Text that is safe in a terminal: control characters, bidi controls, line and paragraph separators,
 * zero-width characters, lone surrogates and byte order marks become `\u{1b}`, `\n`, `\t` or `\r`.
 * Everything else is left as it is, so doing it twice changes nothing.
 */
export function visible(text: string): string {
  return replaceUnsafe(text, (character) => SHORT.get(character) ?? codePointEscape(character));
}

/** As `visible`, and shows spaces that look like plain ones: `\u{a0}`. */
export function visibleSpaces(text: string): string {
  return PLAIN.test(text) ? text : visible(text).replace(ODD_SPACES, codePointEscape);
}

function codePointEscape(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
