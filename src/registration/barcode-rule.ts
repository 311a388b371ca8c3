import type { Finding } from './finding.ts';
import { isScientificNotation, LOST_DIGITS } from './scientific-notation.ts';
import { checkText, describeCharacter } from './text-rule.ts';

const LONGEST = 255;
/** Characters that nobody sees in a sheet but that make two barcodes differ. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** A barcode: one line of visible text, 255 characters at most, with all its digits. */
export function checkBarcode(text: string): Finding | undefined {
  if (text.length > LONGEST) return { problem: `is longer than ${LONGEST} characters`, remedy: undefined };
  if (isScientificNotation(text)) return LOST_DIGITS;
  const invisible = INVISIBLE.exec(text)?.[0];
  if (invisible === undefined) return checkText(text);
  const kind = /\p{Cc}/u.test(invisible) ? 'control' : 'invisible';
  return {
    problem: `contains the ${kind} character ${describeCharacter(invisible)}`,
    remedy: 'delete that character',
  };
}
