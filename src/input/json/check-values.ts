import { type Finding, findingOf } from '../../registration/model/row.ts';
import { losesDigits } from './json-keys.ts';

/** What is wrong with a record: a clause about the column, or about the row when there is none. */
export interface RecordFinding extends Finding {
  column?: string | undefined;
}

const DEEPEST = 100;
/** 15 digits always survive a round trip through a double; 16 may not. */
const LEAST_ROUNDED = 1e15;
const QUOTE = 'write it in quotes';
const ROUNDED = findingOf('digits-lost', 'holds a number of too many digits, which would be rounded', QUOTE);

/**
 * Looks into the values of a parsed object for what JSON.parse lets through and must not pass: numbers
 * that were rounded, half characters, deep nesting. Also counts the keys of all objects.
 * `text` is the JSON it was parsed from.
 */
export function checkValues(
  object: Readonly<Record<string, unknown>>,
  text: string,
): { finding: RecordFinding | undefined; keys: number } {
  const walk: Walk = { keys: 0, surrogates: /\\u[dD][89a-fA-F]/.test(text), numbers: false };
  for (const [column, value] of Object.entries(object)) {
    walk.keys++;
    const problem = textProblem(column, walk) ?? valueProblem(value, walk, 1);
    if (problem !== undefined) return { finding: { column, ...problem }, keys: walk.keys };
  }
  const rounded = walk.numbers && losesDigits(text);
  return { finding: rounded ? ROUNDED : undefined, keys: walk.keys };
}

interface Walk {
  keys: number;
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
  if (!Array.isArray(value)) walk.keys += Object.keys(value).length;
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
  return findingOf('digits-lost', 'has more than 15 digits and would be rounded', QUOTE);
}

/** Whether a parsed JSON value is an object, and not null or a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
