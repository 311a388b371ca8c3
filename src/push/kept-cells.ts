import { type Cell, type SourceRow } from '../registration/row.ts';
import { SheetCell } from '../registration/sheet-cell.ts';

/** Columns and cells of a row as they stood in its file. */
export type KeptCells = Pick<SourceRow, 'columns' | 'cells'>;

/** The cells as text for the journal. */
export function keepCells({ columns, cells }: SourceRow): string {
  return JSON.stringify({ columns, cells });
}

/** What `keepCells` kept; in a workbook, objects are its numbers, dates and errors. */
export function restoreCells(kept: string, isWorkbook: boolean): KeptCells {
  const { columns, cells } = JSON.parse(kept) as { columns: string[]; cells: Cell[] };
  return { columns, cells: isWorkbook ? cells.map(restoreCell) : cells };
}

function restoreCell(cell: Cell): Cell {
  if (typeof cell !== 'object' || cell === null) return cell;
  const { type, stored, format, date1904 } = cell as unknown as SheetCell;
  return new SheetCell(type, stored, format, date1904);
}
