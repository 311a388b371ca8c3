import { isUtf8 } from 'node:buffer';
import { type Finding, findingOf } from '../model/row.ts';

/** Characters that Windows-1252 has at 0x80 to 0x9F, in that order; holes are control characters. */
const HIGH = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ';
const BYTES: ReadonlyMap<number, number> = new Map(
  Array.from(HIGH, (character, index) => [character.charCodeAt(0), 0x80 + index]),
);
const UTF_8 = new TextDecoder();
/** First byte of UTF-8 read as a letter, and one more such byte behind it. */
const SUSPECT = /[\u00C2-\u00F4][\u0080-\u00BF\u0152-\u2122]/;

/**
 * Finds how the first characters look, and what they were, that are UTF-8 read as Windows-1252: `Ã©` for é, `â€™` for ’. Single
 * characters count only where no language writes them so; of other alphabets two in a row are asked for.
 */
export function findMojibake(text: string): { looks: string; was: string } | undefined {
  const start = text.search(SUSPECT);
  if (start < 0) return undefined;
  for (let at = start; at < text.length; at += 1) {
    const length = sequenceLength(text, at);
    if (length === 0) continue;
    const looks = text.slice(at, at + length);
    if (isCertain(text, at, looks) || sequenceLength(text, at + length) > 0) {
      return { looks, was: decode(looks) };
    }
  }
  return undefined;
}

/** What is wrong with a text that was decoded wrongly. Shows the characters, never the value. */
export function checkMojibake(text: string): Finding | undefined {
  const found = findMojibake(text);
  if (found === undefined) return undefined;
  return findingOf(
    'text-damaged',
    `was decoded wrongly once: "${found.looks}" is probably "${found.was}"`,
    'type it again, or take it as it is with --set accept=mojibake',
  );
}

/** How many characters from `at` on are one character of UTF-8, at least 2; 0 when they are none. */
function sequenceLength(text: string, at: number): number {
  const lead = byteAt(text, at);
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  const looks = text.slice(at, at + length);
  return looks.length === length && isUtf8(bytesOf(looks)) ? length : 0;
}

/** The byte of Windows-1252 for a character; -1 when there is none. */
function byteAt(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code <= 0xff) return code;
  return BYTES.get(code) ?? -1;
}

/** Whether one such character is enough: Latin letters, signs, typographic marks, emoji. */
function isCertain(text: string, at: number, looks: string): boolean {
  const code = decode(looks).codePointAt(0) ?? 0;
  // C1 controls behind Â are nothing that a text holds.
  if (code < 0x100) return code >= 0xa0;
  // LULEÅ” and Œ look alike: behind a capital, Ä and Å are letters of their own.
  if (code < 0x180) return at === 0 || !/\p{Lu}/u.test(text[at - 1] ?? '');
  return (code >= 0x2000 && code < 0x2140) || code >= 0x1f000;
}

function decode(looks: string): string {
  return UTF_8.decode(bytesOf(looks));
}

/** What is no byte of Windows-1252 becomes one that UTF-8 never has. */
function bytesOf(looks: string): Uint8Array {
  return Uint8Array.from(looks, (_, index) => byteAt(looks, index));
}
