import type { Finding } from '../model/finding.ts';

const CONTROL = /[^\P{Cc}\t\n\r]/u;
/** U+FFFD, or half of a surrogate pair, which cannot be written as UTF-8. */
const DAMAGED = /[\uFFFD\p{Cs}]/u;

/** Any text, several lines included, but no other control characters and no damaged ones. */
export function checkText(text: string): Finding | undefined {
  const control = CONTROL.exec(text)?.[0];
  if (control !== undefined) {
    return {
      problem: `contains the control character ${codePoint(control)}`,
      remedy: 'delete that character',
    };
  }
  const damaged = DAMAGED.exec(text)?.[0];
  return damaged === undefined
    ? undefined
    : {
        problem: `contains a damaged character (${codePoint(damaged)})`,
        remedy: 'type it again, and save the file as UTF-8',
      };
}

/** A character for a message: `"#"` when it is visible ASCII, else its code point, `U+00A0`. */
export function describeCharacter(character: string): string {
  return /^[!-~]$/.test(character) ? `"${character}"` : codePoint(character);
}

function codePoint(character: string): string {
  const number = character.codePointAt(0) ?? 0;
  return `U+${number.toString(16).toUpperCase().padStart(4, '0')}`;
}
