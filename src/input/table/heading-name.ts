import type { Cell } from '../../registration/model/row.ts';
import { unescapeCell } from './formula-escape.ts';
import { cellSource } from '../columns/show-cells.ts';

/** White space, and what is as little seen: zero-width characters, soft hyphens, bidi marks. */
const UNSEEN = /^[\s\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]$/;
const LINE_ENDS = /[\n\v\f\r\u0085\u2028\u2029]+/;

/**
 * A cell as the name of a column: without what is not seen at its ends, and on one line. Numbers and
 * dates of a workbook are named as it stores them. Empty when there is none.
 */
export function headingName(cell: Cell | undefined): string {
  const text = cellSource(typeof cell === 'string' ? unescapeCell(cell) : cell);
  if (!LINE_ENDS.test(text)) return trimUnseen(text);
  return text
    .split(LINE_ENDS)
    .map(trimUnseen)
    .filter((line) => line !== '')
    .join(' ');
}

/** By hand: a pattern for the end of a text would be tried at every run of spaces inside. */
function trimUnseen(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && UNSEEN.test(text.charAt(start))) start++;
  while (end > start && UNSEEN.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}
