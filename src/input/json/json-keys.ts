const QUOTE = 0x22;
const COLON = 0x3a;

/** How many keys all objects in a valid JSON text have, duplicates counted each time. */
export function countKeys(json: string): number {
  let keys = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfString(json, at);
    else if (code === COLON) keys++;
  }
  return keys;
}

/** The first key that stands twice in one object of a valid JSON text. */
export function findDuplicateKey(json: string): string | undefined {
  const open: Set<string>[] = [];
  let last = '';
  for (let at = 0; at < json.length; at++) {
    const sign = json.charAt(at);
    if (sign === '"') {
      const end = endOfString(json, at);
      last = json.slice(at, end + 1);
      at = end;
    } else if (sign === '{') open.push(new Set());
    else if (sign === '}') open.pop();
    else if (sign === ':') {
      const key = String(JSON.parse(last));
      if (open.at(-1)?.has(key) === true) return key;
      open.at(-1)?.add(key);
    }
  }
  return undefined;
}

/** Index of the quote that closes the string which opens at `opening`, in a valid JSON text. */
export function endOfString(json: string, opening: number): number {
  let at = json.indexOf('"', opening + 1);
  while (at !== -1 && isEscaped(json, at)) at = json.indexOf('"', at + 1);
  return at === -1 ? json.length : at;
}

function isEscaped(json: string, at: number): boolean {
  let backslashes = 0;
  while (json.charAt(at - 1 - backslashes) === '\\') backslashes++;
  return backslashes % 2 === 1;
}

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
