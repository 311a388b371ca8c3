import type { Summary } from './summary.ts';

/** What the columns mean. */
export const LEGEND = [
  'overall: shortest possible time / time taken, over 12 windows, median and worst of the seeds (over 100 where another',
  'client gets less than it asks for). steady: granted of the permitted from the fourth window on, over 20 windows;',
  'both: with what the other client was granted. refused: of our requests, mean and worst; theirs: of the other',
  'client. All these in %. time: time taken / shortest, median. idle: longest time without a grant, in windows; later:',
  'from the fourth window on. storm: most refused in a row without a pause. At the end: pushes that came to no end.',
].join('\n');

type Cell = (summary: Summary) => string;

const COLUMNS: readonly [heading: string, cell: Cell][] = [
  ['overall', ({ overall }) => percent(overall.median)],
  ['worst', ({ overall }) => percent(overall.worst)],
  ['steady', ({ steady }) => percent(steady.median)],
  ['worst', ({ steady }) => percent(steady.worst)],
  ['both', ({ together, theirsRefused }) => (Number.isNaN(theirsRefused) ? '' : percent(together))],
  ['refused', ({ refused }) => percent(refused.mean, 2)],
  ['worst', ({ refused }) => percent(refused.worst, 2)],
  ['theirs', ({ theirsRefused }) => (Number.isNaN(theirsRefused) ? '' : percent(theirsRefused))],
  ['time', ({ overall }) => (overall.median === 0 ? '-' : (1 / overall.median).toFixed(3))],
  ['idle', ({ longestIdle }) => longestIdle.toFixed(2)],
  ['later', ({ steadyIdle }) => steadyIdle.toFixed(2)],
  ['storm', ({ longestStorm }) => String(longestStorm)],
  ['', ({ stalled, pushes }) => (stalled === 0 ? '' : `  ${stalled} of ${pushes}`)],
];

const NAME_WIDTH = 46;
const CELL_WIDTH = 8;

const percent = (share: number, digits = 1): string =>
  Number.isNaN(share) ? '-' : (share * 100).toFixed(digits);

/** The headings of a table. */
export function headingLine(title: string): string {
  return line(
    title,
    COLUMNS.map(([heading]) => heading),
  );
}

/** A row of it. */
export function summaryLine(name: string, summary: Summary): string {
  return line(
    `  ${name}`,
    COLUMNS.map(([, cell]) => cell(summary)),
  );
}

function line(name: string, cells: readonly string[]): string {
  return (name.padEnd(NAME_WIDTH) + cells.map((cell) => cell.padStart(CELL_WIDTH)).join('')).trimEnd();
}
