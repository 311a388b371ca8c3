import { type StoredInput, storeInput } from '../../src/input/source/stored-input.ts';
import { openSheet, type SheetOptions } from '../../src/input/open-sheet.ts';
import type { Cell } from '../../src/registration/model/row.ts';
import type { ChoiceQuestion } from '../../src/registration/model/question.ts';
import { SheetCell } from '../../src/registration/model/sheet-cell.ts';
import { sourceOf } from './open-text.ts';

/** What a whole sheet held. */
export interface WholeSheet {
  sheet: string;
  date1904: boolean;
  /** Row number and cells of each record. */
  rows: (readonly [number, ...Cell[]])[];
  questions: readonly ChoiceQuestion[];
  remarks: readonly string[];
}

/** Bytes as a stored input called `guests.xlsx`. */
export function stored(bytes: Uint8Array): Promise<StoredInput> {
  return storeInput(sourceOf([bytes], 'guests.xlsx'));
}

/** Reads the sheet of a workbook to its end. */
export async function readSheet(bytes: Uint8Array, options: Partial<SheetOptions> = {}): Promise<WholeSheet> {
  const opened = await openSheet(await stored(bytes), {
    sheet: undefined,
    includeHidden: undefined,
    accept: new Set(),
    knows: () => false,
    ...options,
  });
  const rows: WholeSheet['rows'] = [];
  for await (const records of opened.records()) {
    rows.push(...records.map(({ line, cells }) => [line, ...cells] as const));
  }
  const { sheet, date1904 } = opened;
  return { sheet, date1904, rows, questions: opened.questions(), remarks: opened.remarks() };
}

/** A cell in short: texts as they are, others as `type stored (format)`. */
export function brief(cell: Cell): unknown {
  if (!(cell instanceof SheetCell)) return cell;
  const { kind, zeros } = cell.format;
  const format = zeros === 0 ? kind : `${kind} ${zeros}`;
  return format === 'number' ? `${cell.type} ${cell.stored}` : `${cell.type} ${cell.stored} (${format})`;
}
