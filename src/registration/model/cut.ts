/** The first characters (code points) of a text: at most `max`, the last one `…` when something is cut off. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  // Two code units make one character at most, so the rest of a huge text is never looked at.
  const characters = Array.from(text.slice(0, 2 * max + 2));
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`;
}

/** A text on one line, with what nobody sees written as `\n` or `\u{200b}`. */
export const escapeUnseen = (text: string): string =>
  text
    .replace(/[\n\r\t]/g, (character) => JSON.stringify(character).slice(1, -1))
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`);
