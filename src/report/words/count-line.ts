import { formatCount } from './number.ts';

/** `  3 rejected, left out`; no line of nothing. */
export function countLine(count: number, text: string, indent = '  '): string[] {
  return count > 0 ? [`${indent}${formatCount(count)} ${text}`] : [];
}
