import { endOfString } from './json-keys.ts';

const QUOTE = 0x22;
const ZERO = 0x30;
const NINE = 0x39;

/** Whether a valid JSON text holds a number that `JSON.parse` rounds, be it down to 0. */
export function losesDigits(json: string): boolean {
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfString(json, at);
    else if (code >= ZERO && code <= NINE) {
      const end = endOfNumber(json, at);
      if (isRounded(json.slice(at, end))) return true;
      at = end - 1;
    }
  }
  return false;
}

function endOfNumber(json: string, from: number): number {
  let at = from;
  while (at < json.length && '0123456789.eE+-'.includes(json.charAt(at))) at++;
  return at;
}

function isRounded(text: string): boolean {
  return significant(text) !== significant(String(Number(text)));
}

/** The digits of a number without its point, its power of ten, and zeros at the ends. By hand: no pattern is linear here. */
function significant(number: string): string {
  let digits = '';
  let zeros = 0;
  for (let at = 0; at < number.length; at++) {
    const code = number.charCodeAt(at);
    if (code > NINE) break;
    if (code < ZERO) continue;
    if (code === ZERO) zeros++;
    else {
      digits += (digits === '' ? '' : '0'.repeat(zeros)) + number.charAt(at);
      zeros = 0;
    }
  }
  return digits;
}
