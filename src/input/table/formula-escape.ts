import type { Cell } from '../../registration/model/row.ts';

/** What our own exports put a `'` in front of, lest a spreadsheet program takes it for a formula. */
const ESCAPED_FORMULA = /^'+[=+\-@\t\r]/;
const APOSTROPHE = 0x27;

/** A text without one `'` that our own export put in front of it. */
export function unescapeCell(cell: string): string {
  return isEscaped(cell) ? cell.slice(1) : cell;
}

/** Whether a cell is a text with such a `'`. */
export function isEscaped(cell: Cell | undefined): cell is string {
  return typeof cell === 'string' && cell.charCodeAt(0) === APOSTROPHE && ESCAPED_FORMULA.test(cell);
}
