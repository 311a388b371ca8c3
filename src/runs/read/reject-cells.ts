import type { Cell, SourceRow } from '../../registration/model/row.ts';
import { SheetCell } from '../../registration/model/sheet-cell.ts';

/** Columns and cells of a row as they stood in its file. */
export type RejectCells = Pick<SourceRow, 'columns' | 'cells'>;

/** As JSON has it: a SheetCell is an object like any other, so `typed` says which cells are. */
interface Kept {
  columns: string[];
  cells: Cell[];
  typed: number[];
}

/** The cells as text for the journal. */
export function keepCells({ columns, cells }: RejectCells): string {
  const typed = [...cells.keys()].filter((at) => cells[at] instanceof SheetCell);
  return JSON.stringify({ columns, cells, typed });
}

/** What `keepCells` kept. */
export function restoreCells(kept: string): RejectCells {
  const { columns, cells, typed } = JSON.parse(kept) as Kept;
  for (const at of typed) {
    const { type, stored, format, date1904 } = cells[at] as SheetCell;
    cells[at] = new SheetCell(type, stored, format, date1904);
  }
  return { columns, cells };
}
