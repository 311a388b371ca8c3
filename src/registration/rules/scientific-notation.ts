/**
 * `5.90123E+12`, `5,90123E+12`, `5E+12`: what spreadsheets make of long numbers. A sign is asked for
 * unless there is a decimal separator, because codes such as `12E4` are real barcodes.
 */
const SCIENTIFIC = /^[+-]?\d+(?:[eE]\+|[.,]\d+[eE][+-]?)\d+$/;

/** Whether a spreadsheet has rounded this number; its digits are gone for good. */
export function isScientificNotation(text: string): boolean {
  return SCIENTIFIC.test(text);
}

export const LOST_DIGITS = {
  problem: 'is a number in scientific notation, so its last digits are lost',
  remedy: 'format the column as Text and export again',
} as const;
