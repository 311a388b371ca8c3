import type { Finding } from '../model/finding.ts';
import { isScientificNotation, LOST_DIGITS } from './scientific-notation.ts';
import { describeCharacter } from './text-rule.ts';

/** Fewest characters, as the service counts: the + is one. */
const SHORTEST = 5;

/**
 * A phone number: digits only, or beginning with `+` or `00` and then digits, spaces and ( ) - . /
 * with at least 5 characters in all.
 */
export function checkPhone(text: string): Finding | undefined {
  if (isScientificNotation(text)) return LOST_DIGITS;
  if (/\p{L}/u.test(text)) return { problem: 'has letters inside', remedy: 'keep the number only' };
  const stranger = /[^0-9 ()./-]/u.exec(text.startsWith('+') ? text.slice(1) : text)?.[0];
  if (stranger === '+')
    return { problem: 'has a + inside', remedy: 'write one number, with + in front only' };
  if (stranger !== undefined) {
    return { problem: `has ${describeCharacter(stranger)} inside`, remedy: 'delete that character' };
  }
  return checkLength(text) ?? checkPrefix(text);
}

function checkLength(text: string): Finding | undefined {
  if (text.length < SHORTEST) {
    return { problem: 'is too short for a phone number', remedy: 'write at least 5 characters' };
  }
  return /[0-9]/.test(text.replace(/^00/, ''))
    ? undefined
    : { problem: 'has no digits', remedy: 'write the number, or empty the cell' };
}

function checkPrefix(text: string): Finding | undefined {
  if (/^(?:\+|00)/.test(text) || /^[0-9]+$/.test(text)) return undefined;
  return {
    problem: 'is a phone number in local format, without + or 00',
    remedy:
      'write it with country code, as +34 600 000 000, or name its country, as with --set phone-country=ES',
  };
}
