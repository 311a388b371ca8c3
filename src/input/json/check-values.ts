import { type Finding, findingOf } from '../../registration/model/row.ts';

/** What is wrong with a record: a clause about the column, or about the row when there is none. */
export interface RecordFinding extends Finding {
  column?: string | undefined;
}

const DEEPEST = 100;
/** 15 digits always survive a round trip through a double; 16 may not. */
const LEAST_ROUNDED = 1e15;
const IN_QUOTES = 'write it in quotes';
const ROUNDED = findingOf(
  'digits-lost',
  'holds a number of too many digits, which would be rounded',
  IN_QUOTES,
);

/**
 * What JSON.parse lets through and must not pass: numbers that were rounded, half characters, deep nesting, keys that
 * stand twice. `text` is the JSON that the object was parsed from.
 */
export function checkValues(
  object: Readonly<Record<string, unknown>>,
  text: string,
): RecordFinding | undefined {
  const walk: Walk = { surrogates: /\\u[dD][89a-fA-F]/.test(text), numbers: false };
  for (const [column, value] of Object.entries(object)) {
    const problem = textProblem(column, walk) ?? valueProblem(value, walk, 1);
    if (problem !== undefined) return { column, ...problem };
  }
  if (walk.numbers && losesDigits(text)) return ROUNDED;
  const column = findDuplicateKey(text);
  if (column === undefined) return undefined;
  return { column, ...findingOf('json-invalid', 'stands twice in one object', 'delete one of the two') };
}

interface Walk {
  /** Whether the text has escapes of surrogates at all: most have none, and need no look at each string. */
  surrogates: boolean;
  /** Whether there are numbers: one that was rounded may not show it any more. */
  numbers: boolean;
}

function valueProblem(value: unknown, walk: Walk, depth: number): Finding | undefined {
  if (typeof value === 'string') return textProblem(value, walk);
  if (typeof value === 'number') return numberProblem(value, walk);
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > DEEPEST) return findingOf('json-invalid', 'is nested too deeply', 'write it flat');
  for (const [key, inner] of Object.entries(value)) {
    const problem = textProblem(key, walk) ?? valueProblem(inner, walk, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function textProblem(text: string, walk: Walk): Finding | undefined {
  if (!walk.surrogates || !/\p{Surrogate}/u.test(text)) return undefined;
  return findingOf('text-damaged', 'holds half a character (a lone surrogate)', 'write the whole character');
}

function numberProblem(number: number, walk: Walk): Finding | undefined {
  walk.numbers = true;
  if (Math.abs(number) < LEAST_ROUNDED) return undefined;
  return findingOf('digits-lost', 'has more than 15 digits and would be rounded', IN_QUOTES);
}

/** Whether a parsed JSON value is an object, and not null or a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const QUOTE = 0x22;
const COLON = 0x3a;
const OPENING = 0x7b;
const CLOSING = 0x7d;

/** The first key that stands twice in one object of a valid JSON text. */
export function findDuplicateKey(json: string): string | undefined {
  const open: Set<string>[] = [];
  let last = '';
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(json, at);
      last = json.slice(at, end + 1);
      at = end;
    } else if (code === OPENING) open.push(new Set());
    else if (code === CLOSING) open.pop();
    else if (code === COLON) {
      const key = last.includes('\\') ? String(JSON.parse(last)) : last.slice(1, -1);
      if (open.at(-1)?.has(key) === true) return key;
      open.at(-1)?.add(key);
    }
  }
  return undefined;
}

/** Index of the quote that closes the string which opens at `opening`, in a valid JSON text. */
function endOfString(json: string, opening: number): number {
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
      const number = json.slice(at, end);
      if (significant(number) !== significant(String(Number(number)))) return true;
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
