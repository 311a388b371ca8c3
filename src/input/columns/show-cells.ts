import { cut, escapeUnseen } from '../../registration/model/cut.ts';
import type { Cell } from '../../registration/model/row.ts';
import { cellSource } from '../../registration/repairs/cell-text.ts';
import { shellWord } from '../source/shell-word.ts';

const LONGEST_NAME = 60;
/** Flags are to be pasted, so they keep names that messages cut. */
const LONGEST_FLAG = 200;
const LONGEST_CELL = 40;
const MOST_CELLS = 8;

/** A column's name for messages: at most 60 characters. */
export function showName(name: string): string {
  return cut(name, LONGEST_NAME);
}

/** The value of a flag as one word of a command line. */
export function flagWord(value: string): string {
  return shellWord(cut(value, LONGEST_FLAG));
}

/** The first cells of a record on one line: each in quotes, cut to 40 characters, nothing unseen left. */
export function showCells(cells: readonly Cell[]): string {
  const last = cells.findLastIndex((cell) => cellSource(cell) !== '');
  const shown = cells
    .slice(0, Math.min(last + 1, MOST_CELLS))
    .map((cell) => `"${escapeUnseen(cut(cellSource(cell), LONGEST_CELL))}"`);
  return [...shown, ...(last >= MOST_CELLS ? ['…'] : [])].join(' ');
}
