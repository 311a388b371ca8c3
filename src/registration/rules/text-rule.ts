import { type Checked, type Finding, findingOf, refuse } from '../model/row.ts';

const spoilt = (problem: string, remedy: string): Finding => findingOf('text-damaged', problem, remedy);

const wrong = (problem: string, remedy?: string): Finding => findingOf('barcode-invalid', problem, remedy);

const CONTROL = /[^\P{Cc}\t\n\r]/u;
/** U+FFFD, or half of a surrogate pair, which cannot be written as UTF-8. */
const DAMAGED = /[\uFFFD\p{Cs}]/u;

/** Any text, several lines included, but no other control characters and no damaged ones. */
export function checkText(text: string): Finding | undefined {
  const control = CONTROL.exec(text)?.[0];
  if (control !== undefined) {
    return spoilt(`contains the control character ${codePoint(control)}`, 'delete that character');
  }
  const damaged = DAMAGED.exec(text)?.[0];
  return damaged === undefined
    ? undefined
    : spoilt(
        `contains a damaged character (${codePoint(damaged)})`,
        'type it again, and save the file as UTF-8',
      );
}

/** A character for a message: `"#"` when it is visible ASCII, else its code point, `U+00A0`. */
export function describeCharacter(character: string): string {
  return /^[!-~]$/.test(character) ? `"${character}"` : codePoint(character);
}

function codePoint(character: string): string {
  const number = character.codePointAt(0) ?? 0;
  return `U+${number.toString(16).toUpperCase().padStart(4, '0')}`;
}

/**
 * `5.90123E+12`, `5,90123E+12`, `5E+12`: what spreadsheets make of long numbers. A sign is asked for
 * unless there is a decimal separator, because codes such as `12E4` are real barcodes.
 */
const SCIENTIFIC = /^[+-]?\d+(?:[eE]\+|[.,]\d+[eE][+-]?)\d+$/;

/** Whether a spreadsheet has rounded this number; its digits are gone for good. */
export function isScientificNotation(text: string): boolean {
  return SCIENTIFIC.test(text);
}

export const LOST_DIGITS = findingOf(
  'digits-lost',
  'is a number in scientific notation, so its last digits are lost',
  'format the column as Text and export again',
);

const LONGEST = 255;
/** Characters that nobody sees in a sheet but that make two barcodes differ. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** A number that a spreadsheet has computed or divided into thousands. */
const DECIMALS = /^\d+[.,]\d+$/;

/** A barcode: one line of visible text, 255 characters at most, with all its digits. */
export function checkBarcode(text: string): Finding | undefined {
  if (text.length > LONGEST) return wrong(`is longer than ${LONGEST} characters`);
  if (text === '') return wrong('holds nothing that can be seen', 'empty the cell');
  if (isScientificNotation(text)) return LOST_DIGITS;
  if (DECIMALS.test(text)) {
    return wrong('has decimals', 'format the column as Text and export again');
  }
  const invisible = INVISIBLE.exec(text)?.[0];
  if (invisible === undefined) return checkText(text);
  const kind = /\p{Cc}/u.test(invisible) ? 'control' : 'invisible';
  return wrong(`contains the ${kind} character ${describeCharacter(invisible)}`, 'delete that character');
}

/** Ways to say that a switch is on, or off, in any case. */
export const YES: readonly string[] = ['true', 'yes', '1'];
export const NO: readonly string[] = ['false', 'no', '0'];

/** A switch such as `enable_comms`: true, yes, 1 or false, no, 0, in any case. */
export function readFlag(text: string): Checked<boolean> {
  const word = text.toLowerCase();
  if (YES.includes(word)) return { ok: true, value: true };
  if (NO.includes(word)) return { ok: true, value: false };
  return refuse('flag-invalid', 'is neither true nor false', 'write true or false');
}
