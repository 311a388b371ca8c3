import type { Finding } from '../model/finding.ts';
import { isScientificNotation, LOST_DIGITS } from './scientific-notation.ts';
import { checkText, describeCharacter } from './text-rule.ts';

const LONGEST = 255;
/** Characters that nobody sees in a sheet but that make two barcodes differ. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** A number that a spreadsheet has computed or divided into thousands. */
const DECIMALS = /^\d+[.,]\d+$/;

/** A barcode: one line of visible text, 255 characters at most, with all its digits. */
export function checkBarcode(text: string): Finding | undefined {
  if (text.length > LONGEST) return { problem: `is longer than ${LONGEST} characters`, remedy: undefined };
  if (text === '') return { problem: 'holds nothing that can be seen', remedy: 'empty the cell' };
  if (isScientificNotation(text)) return LOST_DIGITS;
  if (DECIMALS.test(text)) {
    return { problem: 'has decimals', remedy: 'format the column as Text and export again' };
  }
  const invisible = INVISIBLE.exec(text)?.[0];
  if (invisible === undefined) return checkText(text);
  const kind = /\p{Cc}/u.test(invisible) ? 'control' : 'invisible';
  return {
    problem: `contains the ${kind} character ${describeCharacter(invisible)}`,
    remedy: 'delete that character',
  };
}
