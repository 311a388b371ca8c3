/** A whole number with English grouping, whatever the locale of the machine: `12,345`. */
export function formatCount(n: number): string {
  return String(n).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** A count with its noun: `1 row`, `12 rows`. */
export function plural(n: number, one: string, many: string): string {
  return `${formatCount(n)} ${n === 1 ? one : many}`;
}

/** `  3 rejected, left out`; no line of nothing. */
export function countLine(count: number, text: string, indent = '  '): string[] {
  return count > 0 ? [`${indent}${formatCount(count)} ${text}`] : [];
}
