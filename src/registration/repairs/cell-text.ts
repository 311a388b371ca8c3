import { isEmptyText, trimEnds } from './clean-text.ts';
import { type Cell, type Checked, refuse } from '../model/row.ts';
import { SheetCell } from '../model/sheet-cell.ts';
import { sheetText, showTruth } from './sheet-value.ts';

/** Nothing in it, or white space only (no-break and zero-width spaces included). A row may be shorter than its header. */
export function isBlank(cell: Cell | undefined): boolean {
  if (cell === null || cell === undefined) return true;
  if (typeof cell === 'string') return isEmptyText(cell);
  return Array.isArray(cell) && cell.every(isBlankEntry);
}

/** Not recursive: a list within a list is a value, however deep it goes. */
function isBlankEntry(entry: unknown): boolean {
  return entry === null || entry === undefined || (typeof entry === 'string' && isEmptyText(entry));
}

/**
 * The text of a cell that is read rather than sent, without white space at its ends; numbers as plain
 * decimals, never rounded, what a workbook stores as its text.
 */
export function cellText(cell: Cell | undefined): Checked<string> {
  if (typeof cell === 'string') return { ok: true, value: trimEnds(cell) };
  if (typeof cell === 'number') return numberText(cell);
  if (typeof cell === 'boolean') return { ok: true, value: String(cell) };
  if (cell === null || cell === undefined) return { ok: true, value: '' };
  if (cell instanceof SheetCell) {
    const text = sheetText(cell, 'text');
    return text.ok ? { ok: true, value: text.value.value } : text;
  }
  return Array.isArray(cell)
    ? refuse('cell-type', 'is a list, and one value is expected', 'write one value')
    : refuse('cell-type', 'is not text, a number or a boolean', 'write it as text');
}

/** The same of one that is only looked at: what is no text is none. */
export function textOf(cell: Cell | undefined): string {
  if (typeof cell === 'string') return trimEnds(cell);
  const text = cellText(cell);
  return text.ok ? text.value : '';
}

/** The texts of a list of values as they stand; the first entry that is no value is the finding. */
export function listTexts(list: readonly unknown[]): Checked<readonly string[]> {
  const texts: string[] = [];
  for (const entry of list) {
    const read = typeof entry === 'string' ? { ok: true as const, value: entry } : cellText(entry as Cell);
    if (!read.ok) return refuse('cell-type', 'holds something that is not text', 'write a list of texts');
    texts.push(read.value);
  }
  return { ok: true, value: texts };
}

/** The cell as it stands in the file: text and what a workbook stores as it is, anything else as JSON, blank for nothing. */
export function cellSource(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'string') return cell;
  if (cell instanceof SheetCell) return cell.type === 'boolean' ? showTruth(cell) : cell.stored;
  try {
    return JSON.stringify(cell);
  } catch {
    // Too deep for a message; the place still leads to it.
    return '';
  }
}

function numberText(number: number): Checked<string> {
  const text = String(number);
  const rounded = Number.isInteger(number) && !Number.isSafeInteger(number);
  if (!rounded && /^-?\d+(?:\.\d+)?$/.test(text)) return { ok: true, value: text };
  return refuse('digits-lost', 'is a number too long to be read exactly', 'write it in quotes, as text');
}

/** One cell with its column's name. */
export interface NamedCell {
  column: string;
  cell: Cell | undefined;
  /** What the file has, where the cell is that without the escape for spreadsheet programs. */
  escaped?: string | undefined;
  /** What the file has, where the cell is what the mapping says that this means. */
  written?: string | undefined;
}

/** The cell as it stands in the file, for messages and notes. */
export function sourceOf({ cell, escaped, written }: NamedCell): string {
  return written ?? escaped ?? cellSource(cell);
}
