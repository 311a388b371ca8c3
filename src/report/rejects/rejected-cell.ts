import type { Cell } from '../../registration/model/row.ts';
import { SheetCell } from '../../registration/model/sheet-cell.ts';
import { sheetText } from '../../registration/repairs/sheet-value.ts';
import { cellText } from '../words/one-line-text.ts';

/**
 * Stands for a formula without a stored value: an empty cell would pass as blank when it is pushed back,
 * this error is refused until it is mended.
 */
export const NO_VALUE = '#N/A';

/** A cell as CSV holds it: dates of a workbook as yyyy-mm-dd, its numbers in plain digits. */
export function rejectedText(cell: Cell | undefined): string {
  if (!(cell instanceof SheetCell)) return cellText(cell);
  if (cell.type === 'missing') return NO_VALUE;
  const text = sheetText(cell, 'text', true);
  return text.ok ? text.value.value : cell.stored;
}

/** A cell as JSON holds it: as in CSV, but with numbers and switches of a workbook as such. */
export function rejectedJson(cell: Cell | undefined): unknown {
  if (!(cell instanceof SheetCell)) return cell;
  const text = rejectedText(cell);
  if (cell.type === 'boolean') return text === 'TRUE';
  const isPlain = cell.type === 'number' && /^(?:0|[1-9]\d{0,14})$/.test(text);
  return isPlain ? Number(text) : text;
}
