import type { Cell } from '../../registration/model/row.ts';
import type { TableRecord } from '../source/table-record.ts';

/** Whether a record holds nothing but white space. */
export function isBlankRecord({ cells }: TableRecord): boolean {
  return cells.every(isBlankCell);
}

/** Whether a record is a row of blank cells; a line with nothing in it is none. */
export function isEmptyRow(record: TableRecord): boolean {
  return record.cells.length > 1 && isBlankRecord(record);
}

/** Whether a cell holds nothing but white space. */
export function isBlankCell(cell: Cell | undefined): boolean {
  return cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === '');
}
