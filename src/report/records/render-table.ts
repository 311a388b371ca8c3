import { cut } from '../../registration/model/cut.ts';
import { visible } from '../words/escape.ts';
import { type Measure, measureFor } from '../words/measure.ts';
import { painter } from '../words/paint.ts';
import Table from 'cli-table3';
import { cellWords, isNeverCut, meaningOf } from './cell-words.ts';
import { cellText } from '../words/data-text.ts';
import { plural } from '../words/number.ts';
import type { OutputSink } from './output-sink.ts';
import { type OutputRecord, ownValue, type RecordFormat, type RecordWriterOptions } from './record-writer.ts';

/** Nobody reads a longer table. */
const MAX_ROWS = 5_000;
/** No terminal shows more of a cell; the rest of a huge one is not even looked at. */
const MAX_CELL_CHARACTERS = 1_000;
/** A column is not made narrower than this: columns for which there is no room are dropped instead. */
const MIN_WIDTH = 14;

interface TableContent {
  head: readonly string[];
  /** Missing cells count as empty, cells beyond the head are not shown. */
  rows: readonly (readonly string[])[];
  /** Columns of the terminal. */
  width: number;
  /** Draws the head in bold, and states in the colours of what they say. */
  color: boolean;
}

/**
 * A table without frames, fitted to the width: long cells are cut with `…`, but never an id or a state, and columns for which
 * there is no room are named below the table. All text is made safe. No newline at the end. `measure` is of these
 * texts.
 */
export function renderTable({ head, rows, width, color }: TableContent, measure: Measure): string {
  if (head.length === 0) return '';
  const lines = [head, ...rows].map((row) =>
    // A mark that stands on nothing would stand on the blank before the cell.
    head.map((_, index) => visible(cut(row[index] ?? '', MAX_CELL_CHARACTERS)).replace(/^\p{M}/u, '◌$&')),
  );
  const columns = head.map((name, at): Column => {
    const natural = lines.reduce((max, row) => Math.max(max, measure.displayWidth(row[at] ?? '')), 1);
    return { at, natural, isWhole: isNeverCut(name) };
  });
  const shown = fitColumns(columns, width);
  const paint = painter(color);
  const [first = [], ...others] = lines.map((row, line) =>
    shown.map(({ at, natural }): DrawnCell => {
      const cell = measure.fitWidth(row[at] ?? '', natural);
      const meaning = line === 0 ? 'strong' : meaningOf(head[at] ?? '', cell);
      return { text: paint(meaning, cell), width: measure.displayWidth(cell) };
    }),
  );
  const table = drawTable(
    first,
    others,
    shown.map(({ natural }) => natural),
  );
  const dropped = (lines[0] ?? []).filter((_, at) => shown.every((column) => column.at !== at));
  return dropped.length === 0 ? table : `${table}\n${droppedNote(dropped, width, measure)}`;
}

function droppedNote(names: readonly string[], width: number, { displayWidth, fitWidth }: Measure): string {
  const start = `(+${names.length} ${names.length === 1 ? 'column' : 'columns'}: `;
  const end = '; --output csv has all)';
  const room = Math.max(1, width - displayWidth(start) - displayWidth(end));
  return fitWidth(start + fitWidth(names.join(', '), room) + end, width);
}

/** A column of the head, as wide as its widest cell, or as it is drawn. */
interface Column {
  at: number;
  natural: number;
  /** It is never cut. */
  isWhole: boolean;
}

const leastOf = ({ natural, isWhole }: Column): number => (isWhole ? natural : Math.min(MIN_WIDTH, natural));

/** The columns that fit into `width`, with their widths. Others go before ids and states, the last first; the first stays. */
function fitColumns(columns: readonly Column[], width: number): Column[] {
  const kept = [...columns];
  const gaps = (): number => GAP.length * (kept.length - 1);
  const least = (): number => kept.reduce((sum, column) => sum + leastOf(column), gaps());
  while (kept.length > 1 && least() > width) {
    const last = kept.findLastIndex(({ isWhole }, index) => index > 0 && !isWhole);
    kept.splice(last === -1 ? kept.length - 1 : last, 1);
  }
  const whole = kept.reduce((sum, { natural, isWhole }) => sum + (isWhole ? natural : 0), gaps());
  const rest = kept.filter(({ isWhole }) => !isWhole);
  const widths = shrinkWidest(
    rest.map(({ natural }) => natural),
    Math.max(1, width - whole),
  );
  return kept.map((column) =>
    column.isWhole ? column : { ...column, natural: widths[rest.indexOf(column)] ?? column.natural },
  );
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

type TableOptions = Pick<RecordWriterOptions, 'columns' | 'width' | 'color' | 'here'>;

/** Collects the first 5,000 records and draws them as a table at the end, with a line on what it left out. */
export function createTableRecords(sink: OutputSink, options: TableOptions): RecordFormat {
  const records: OutputRecord[] = [];
  let more = 0;
  return {
    write(record) {
      if (records.length < MAX_ROWS) records.push(record);
      else more += 1;
      return Promise.resolve();
    },
    async end() {
      const text = await drawRecords(records, options);
      if (text !== '') await sink.write(`${text}\n`);
      if (more > 0) await sink.write(`(+${plural(more, 'row', 'rows')}; use --output ndjson)\n`);
    },
  };
}

async function drawRecords(records: readonly OutputRecord[], options: TableOptions): Promise<string> {
  const head = withoutEmpty(options.columns ?? [], records);
  const rows = records.map((record) =>
    head.map((column) => cellWords(column, ownValue(record, column), options.here)),
  );
  const measure = await measureFor([...head, ...rows.flat()]);
  return renderTable({ head, rows, width: options.width, color: options.color }, measure);
}

/** Columns of nothing, or of zeros, only take room from the others; a table without rows shows what it could hold. */
function withoutEmpty(columns: readonly string[], records: readonly OutputRecord[]): readonly string[] {
  if (records.length === 0) return columns;
  return columns.filter((column) =>
    records.some((record) => {
      const value = ownValue(record, column);
      return value !== 0 && cellText(value) !== '';
    }),
  );
}

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
/** The time that cli-table3 takes grows with the square of the rows, so it draws a part at a time. */
const PART_ROWS = 100;
/** Begins a stand-in: no cell holds it, since `visible` has escaped control characters. */
const MARK = '\u0001';

/** A cell as it is to be seen, colours and all, and the columns of a terminal that it takes. */
interface DrawnCell {
  text: string;
  width: number;
}

/**
 * Lines of a table, without spaces at their ends. No cell is wider than its column in `widths`.
 *
 * It is drawn with stand-ins, each as wide as its cell: cli-table3 measures text by an old table of widths, which is
 * wrong for newer emoji and for marks of most scripts.
 */
function drawTable(
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
