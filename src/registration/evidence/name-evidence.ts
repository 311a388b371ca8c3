import { type SplitName, splitName } from '../repairs/split-name.ts';
import type { ColumnSample } from './column-samples.ts';

/** Of the filled cells of a column, as many have to hold a first and a last name for it to be proposed. */
const FITTING_SHARE = 0.6;
const MOST_EXAMPLES = 4;

/** Whether the cells hold full names; `lastFirst`: only with a comma, without which nothing shows where the last name ends. */
export function areFullNames({ values, filled }: ColumnSample, lastFirst: boolean): boolean {
  let fitting = 0;
  for (const [text, count] of values) {
    const split = /[@\d]/.test(text) || (lastFirst && !text.includes(',')) ? undefined : splitName(text);
    if (split?.ok === true && split.value.last !== '') fitting += count;
  }
  return fitting > 0 && fitting >= filled * FITTING_SHARE;
}

/** What becomes of names of each kind: `"Jan van der Berg" → "Jan" | "van der Berg"`. */
export function splitExamples({ values }: ColumnSample): string[] {
  const kinds = new Map<string, string>();
  for (const text of values.keys()) {
    const split = splitName(text);
    if (!split.ok) continue;
    const kind = kindOf(text, split.value);
    if (kinds.has(kind)) continue;
    const { first, last } = split.value;
    kinds.set(
      kind,
      `"${text}" → ${[first, last].map((part) => (part === '' ? '(blank)' : `"${part}"`)).join(' | ')}`,
    );
  }
  return [...kinds.values()].slice(0, MOST_EXAMPLES);
}

function kindOf(text: string, { first, last }: SplitName): string {
  if (text.includes(',')) return 'comma';
  if (first === '' || last === '') return 'one word';
  return `${first.includes(' ')} ${last.includes(' ')}`;
}
