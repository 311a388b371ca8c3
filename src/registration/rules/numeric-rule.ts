import type { Finding } from '../model/finding.ts';
import { isScientificNotation, LOST_DIGITS } from './scientific-notation.ts';

const REMEDY = 'write digits only';

/** ASCII digits only: no sign, no separators, no decimals. */
export function checkNumeric(text: string): Finding | undefined {
  if (/^[0-9]+$/.test(text)) return undefined;
  if (isScientificNotation(text)) return LOST_DIGITS;
  if (/^[-\u2212][0-9]/u.test(text)) {
    return { problem: 'is negative, and only digits are accepted', remedy: REMEDY };
  }
  return checkSeparators(text) ?? checkCharacters(text);
}

function checkSeparators(text: string): Finding | undefined {
  if (/^\d{1,3}(?:[ ,'’\u00A0\u202F]\d{3})+$/u.test(text)) {
    return { problem: 'has thousands separators', remedy: `write ${text.replace(/[^0-9]/g, '')}` };
  }
  // 12.000 is twelve to some and twelve thousand to others: no number is suggested.
  if (/^\d{1,3}(?:\.\d{3})+$/.test(text)) return { problem: 'has dots inside', remedy: REMEDY };
  const whole = /^(\d+)[.,]0+$/.exec(text)?.[1];
  if (whole !== undefined) return { problem: 'has decimals', remedy: `write ${whole}` };
  return /^\d*[.,]\d+$/.test(text) ? { problem: 'is not a whole number', remedy: REMEDY } : undefined;
}

function checkCharacters(text: string): Finding {
  if (/^\p{Nd}+$/u.test(text))
    return { problem: 'has digits other than 0 to 9', remedy: 'type it with 0 to 9' };
  return { problem: 'holds something other than digits', remedy: REMEDY };
}
