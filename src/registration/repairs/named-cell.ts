import { cellSource } from './cell-text.ts';
import type { Cell } from '../model/row.ts';

/** One cell with its column's name. */
export interface NamedCell {
  column: string;
  cell: Cell | undefined;
  /** The file has one more `'` in front of it. */
  escaped: boolean;
}

/** The cell as it stands in the file, for messages and notes. */
export function sourceOf({ cell, escaped }: NamedCell): string {
  return escaped ? `'${cellSource(cell)}` : cellSource(cell);
}
