import type { Finding } from '../model/finding.ts';

/**
 * What spreadsheet programs show for a failed formula, to the letter, in English, German, French, Spanish,
 * Italian and Portuguese: an export as text holds these instead of values.
 */
const ERROR = new RegExp(
  `^\\s*(?:#(?:${[
    String.raw`N/A|N/D|NV|¡?NUM!|NÚM!|ZAHL!|NOMBRE!`,
    String.raw`¡?REF!|BEZUG!|RIF!|¡?VALOR!|VALUE!|WERT!|VALEUR!|VALORE!`,
    String.raw`NAME\?|NOM\?|¿NOMBRE\?|NOME\?|¡?DIV/0!|NULL!|NUL!|¡NULO!|NULO!|NULLO!`,
    String.raw`SPILL!|CALC!|FIELD!|BLOCKED!|CONNECT!|UNKNOWN!|BUSY!|GETTING_DATA`,
  ].join('|')})|Err:\\d{3})\\s*$`,
);

/** Fewer signs may be meant. */
const TOO_NARROW = /^\s*#{4,}\s*$/;

/** A text that is the error of a spreadsheet program, such as `#N/A`, is damage in whatever column it stands. */
export function checkErrorText(text: string): Finding | undefined {
  if (TOO_NARROW.test(text)) {
    return {
      problem: 'is what a spreadsheet shows when a column is too narrow',
      remedy: 'widen the column there and export again',
    };
  }
  if (!ERROR.test(text)) return undefined;
  return {
    problem: 'is an error of the spreadsheet that the file was made with',
    remedy: 'mend the formula there and export again, or empty the cell',
  };
}
