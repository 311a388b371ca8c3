import Table from 'cli-table3';
import { cut } from '../words/cut.ts';
import { visible } from '../words/escape.ts';
import type { Measure } from '../words/measure.ts';

/** Between two columns. */
const GAP = '  ';
/** No frame: only a line below the head. */
const CHARACTERS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '─',
  'mid-mid': GAP,
  right: '',
  'right-mid': '',
  middle: GAP,
};
/** No terminal shows more of a cell; the rest of a huge one is not even looked at. */
const MAX_CELL_CHARACTERS = 1_000;
/** The time that cli-table3 takes grows with the square of the rows, so it draws a part at a time. */
const PART_ROWS = 100;
/** Begins a stand-in: no cell holds it, since `visible` has escaped control characters. */
const MARK = '\u0001';

interface TableContent {
  head: readonly string[];
  /** Missing cells count as empty, cells beyond the head are not shown. */
  rows: readonly (readonly string[])[];
  /** Columns of the terminal. */
  width: number;
  /** Draws the head in bold. */
  color: boolean;
}

/**
 * A table without frames, fitted to the width: long cells are cut with `…`, and columns for which
 * there is no room are named below the table. All text is made safe. No newline at the end. `measure` is of
 * these texts.
 */
export function renderTable({ head, rows, width, color }: TableContent, measure: Measure): string {
  if (head.length === 0) return '';
  const lines = [head, ...rows].map((row) => head.map((_, index) => safeCell(row[index] ?? '')));
  const natural = head.map((_, column) =>
    lines.reduce((max, row) => Math.max(max, measure.displayWidth(row[column] ?? '')), 0),
  );
  const widths = fitColumns(natural, width, GAP.length);
  const cells = lines.map((row) => widths.map((limit, column) => measure.fitWidth(row[column] ?? '', limit)));
  const table = fillIn(layOut(cells, widths, measure), cells.flat(), color ? widths.length : 0);
  const dropped = lines[0]?.slice(widths.length) ?? [];
  return dropped.length === 0 ? table : `${table}\n${droppedNote(dropped, width, measure)}`;
}

function safeCell(text: string): string {
  return visible(cut(text, MAX_CELL_CHARACTERS));
}

/**
 * Draws the table with stand-ins, each as wide as its cell: cli-table3 measures text by an old table
 * of widths, which is wrong for newer emoji and for marks of most scripts.
 */
function layOut(
  cells: readonly (readonly string[])[],
  widths: readonly number[],
  { displayWidth }: Measure,
): string {
  const [head = [], ...rows] = cells.map((row) => row.map((cell) => MARK + 'x'.repeat(displayWidth(cell))));
  const parts = [drawPart(head, rows.slice(0, PART_ROWS), widths)];
  for (let start = PART_ROWS; start < rows.length; start += PART_ROWS) {
    parts.push(drawPart([], rows.slice(start, start + PART_ROWS), widths));
  }
  return parts.join('\n');
}

function drawPart(head: readonly string[], rows: readonly string[][], widths: readonly number[]): string {
  const table = new Table({
    head: [...head],
    colWidths: [...widths],
    chars: CHARACTERS,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
  });
  table.push(...rows);
  return table.toString();
}

/** Puts the cells in the place of their stand-ins, the first `bold` of them in bold. */
function fillIn(drawn: string, cells: readonly string[], bold: number): string {
  let next = 0;
  const filled = drawn.replace(new RegExp(`${MARK}x*`, 'g'), () => {
    const cell = cells[next] ?? '';
    next += 1;
    return next <= bold && cell !== '' ? `\u001B[1m${cell}\u001B[22m` : cell;
  });
  return filled.replace(/ +$/gm, '');
}

function droppedNote(names: readonly string[], width: number, { displayWidth, fitWidth }: Measure): string {
  const start = `(+${names.length} ${names.length === 1 ? 'column' : 'columns'}: `;
  const end = '; use --output json)';
  const room = Math.max(1, width - displayWidth(start) - displayWidth(end));
  return fitWidth(start + fitWidth(names.join(', '), room) + end, width);
}

/** A column is not made narrower than this: columns for which there is no room are dropped instead. */
const MIN_WIDTH = 14;

/**
 * Widths of the columns that fit into `width`, from the left; columns missing at the end have no room.
 * The widest columns shrink first. The first column is always kept, however narrow the terminal is.
 */
function fitColumns(natural: readonly number[], width: number, gap: number): number[] {
  const wanted = natural.map((column) => Math.max(1, column));
  const count = countThatFit(wanted, width, gap);
  const kept = wanted.slice(0, count);
  const room = Math.max(1, width - gap * (count - 1));
  return shrinkWidest(kept, room);
}

function countThatFit(wanted: readonly number[], width: number, gap: number): number {
  let used = -gap;
  for (const [index, column] of wanted.entries()) {
    used += gap + Math.min(MIN_WIDTH, column);
    if (used > width) return Math.max(1, index);
  }
  return wanted.length;
}

/** Caps all columns at one width, as large as the room allows, and shares out what is left over. */
function shrinkWidest(wanted: readonly number[], room: number): number[] {
  let cap = Math.min(room, Math.max(...wanted));
  while (cap > 1 && total(wanted, cap) > room) cap -= 1;
  let spare = room - total(wanted, cap);
  return wanted.map((column) => {
    const extra = column > cap && spare > 0 ? 1 : 0;
    spare -= extra;
    return Math.min(column, cap) + extra;
  });
}

function total(wanted: readonly number[], cap: number): number {
  return wanted.reduce((sum, column) => sum + Math.min(column, cap), 0);
}
