import type { Meaning, Paint } from './paint.ts';

/** A whole number with English grouping, whatever the locale of the machine: `12,345`. */
export function formatCount(n: number): string {
  return String(n).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** A count with its noun: `1 row`, `12 rows`. */
export function plural(n: number, one: string, many: string): string {
  return `${formatCount(n)} ${n === 1 ? one : many}`;
}

/** A count, what it is of, and what that means for whoever reads it. */
export type CountRow = readonly [count: number, text: string, meaning?: Meaning];

/** Lines such as `  3 rejected, left out`, in the colours of their meanings; none of nothing. */
export const countLines = (paint: Paint, rows: readonly CountRow[], indent?: string): string[] =>
  rows.flatMap(([count, text, meaning]) =>
    countLine(count, text, indent).map((line) => paint(meaning, line)),
  );

/** `3 new, 2 updated`: what there is of several kinds. */
export const countWords = (kinds: readonly CountRow[]): string =>
  kinds.flatMap(([count, what]) => countLine(count, what, '')).join(', ');

/** `  3 rejected, left out`; no line of nothing. */
export function countLine(count: number, text: string, indent = '  '): string[] {
  return count > 0 ? [`${indent}${formatCount(count)} ${text}`] : [];
}
