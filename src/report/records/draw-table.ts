import Table from 'cli-table3';

/** Between two columns. */
export const GAP = '  ';
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
/** The time that cli-table3 takes grows with the square of the rows, so it draws a part at a time. */
const PART_ROWS = 100;
/** Begins a stand-in: no cell holds it, since `visible` has escaped control characters. */
const MARK = '\u0001';

/** A cell as it is to be seen, colours and all, and the columns of a terminal that it takes. */
export interface DrawnCell {
  text: string;
  width: number;
}

/**
 * Lines of a table, without spaces at their ends. No cell is wider than its column in `widths`.
 *
 * It is drawn with stand-ins, each as wide as its cell: cli-table3 measures text by an old table of widths, which is
 * wrong for newer emoji and for marks of most scripts.
 */
export function drawTable(
  head: readonly DrawnCell[],
  rows: readonly (readonly DrawnCell[])[],
  widths: readonly number[],
): string {
  const parts = [drawPart(head, rows.slice(0, PART_ROWS), widths)];
  for (let start = PART_ROWS; start < rows.length; start += PART_ROWS) {
    parts.push(drawPart([], rows.slice(start, start + PART_ROWS), widths));
  }
  const cells = [head, ...rows].flat().values();
  return parts
    .join('\n')
    .replaceAll(new RegExp(`${MARK}x*`, 'g'), () => cells.next().value?.text ?? '')
    .replaceAll(/ +$/gm, '');
}

function drawPart(
  head: readonly DrawnCell[],
  rows: readonly (readonly DrawnCell[])[],
  widths: readonly number[],
): string {
  const standIns = (row: readonly DrawnCell[]): string[] => row.map(({ width }) => MARK + 'x'.repeat(width));
  const table = new Table({
    head: standIns(head),
    colWidths: [...widths],
    chars: CHARACTERS,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
  });
  table.push(...rows.map(standIns));
  return table.toString();
}
