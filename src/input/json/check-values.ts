import { type Finding, findingOf } from '../../registration/model/row.ts';
import { trimEnds } from '../../registration/repairs/clean-text.ts';

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

/** A text, or a sign that tells of keys, in a valid JSON text; texts are passed over whole. */
const STRINGS_AND_SIGNS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}:]/g;
const STRINGS_AND_NUMBERS = /"[^"\\]*(?:\\.[^"\\]*)*"|\d[\d.eE+-]*/g;

/** The first key that stands twice in one object of a valid JSON text. */
export function findDuplicateKey(json: string): string | undefined {
  const open: Set<string>[] = [];
  let last = '';
  for (const [sign] of json.matchAll(STRINGS_AND_SIGNS)) {
    if (sign === '{') open.push(new Set());
    else if (sign === '}') open.pop();
    else if (sign === ':') {
      const key = last.includes('\\') ? String(JSON.parse(last)) : last.slice(1, -1);
      if (open.at(-1)?.has(key) === true) return key;
      open.at(-1)?.add(key);
    } else last = sign;
  }
  return undefined;
}

/** Whether a valid JSON text holds a number that `JSON.parse` rounds, be it down to 0. */
export function losesDigits(json: string): boolean {
  return (json.match(STRINGS_AND_NUMBERS) ?? []).some(
    (one) => !one.startsWith('"') && significant(one) !== significant(String(Number(one))),
  );
}

const ZERO = '0'.charCodeAt(0);

/** The digits of a number without its point, its power of ten, and zeros at the ends. */
function significant(number: string): string {
  const [digits = ''] = number.split(/e/i);
  return trimEnds(digits.replace('.', ''), (code) => code === ZERO);
}
