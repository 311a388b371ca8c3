import { answerOf, type ChoiceQuestion } from '../../registration/model/question.ts';
import type { Cell } from '../../registration/model/row.ts';
import { isBlank } from '../../registration/repairs/cell-text.ts';
import { showCells } from '../source/shell-word.ts';
import type { MergedRange, TableRecord } from '../source/table-record.ts';

/** For which of its rows a merged value counts. */
export const MERGED_ROWS = ['every-row', 'first-row'] as const;
export type MergedRows = (typeof MERGED_ROWS)[number];

/** Whether a range covers a row. */
export const coversRow = ({ row, lastRow }: MergedRange, line: number): boolean =>
  row <= line && line <= lastRow;

interface MergedValue {
  range: MergedRange;
  cell: Cell;
}

const MOST_SHOWN = 3;
/** Whether a range is all that a row holds, and goes across it; two cells may hold a name together. */
const isCaption = ({ row, lastRow, column, lastColumn }: MergedRange, { cells }: TableRecord): boolean =>
  row === lastRow && lastColumn - column > 1 && cells.every((cell, at) => at === column || isBlank(cell));

/** Merged cells below the headings of a sheet: their values, for every row that they cover. */
export class MergedValues {
  readonly #counts: MergedRows | undefined;
  /** Those that no record has come to yet, by their rows. */
  readonly #ahead: readonly MergedRange[];
  #next = 0;
  #open: MergedValue[] = [];
  readonly #shown: MergedValue[] = [];
  #ranges = 0;
  #isOfRows = false;

  constructor(ranges: readonly MergedRange[], headerLine: number, counts: MergedRows | undefined) {
    this.#counts = counts;
    this.#ahead = ranges.filter(({ row }) => row > headerLine).sort((one, other) => one.row - other.row);
  }

  /** Records come in order; one that merged cells reach into has their values where these count for it. */
  fill(record: TableRecord): TableRecord {
    if (this.#next === this.#ahead.length && this.#open.length === 0) return record;
    this.#open = this.#open.filter(({ range }) => range.lastRow >= record.line);
    const above = this.#counts === 'every-row' ? this.#open : [];
    if (this.#enter(record)) return { ...record, isCaption: true };
    if (above.length === 0) return record;
    const cells = [...record.cells];
    for (const { range, cell } of above) {
      while (cells.length < range.column) cells.push(null);
      cells[range.column] = cell;
    }
    return { ...record, cells };
  }

  /** Whether the record is a caption. */
  #enter(record: TableRecord): boolean {
    const { line, cells } = record;
    for (; (this.#ahead[this.#next]?.row ?? Infinity) <= line; this.#next += 1) {
      const range = this.#ahead[this.#next];
      const cell = cells[range?.column ?? -1];
      if (range?.row !== line || cell === undefined || isBlank(cell)) continue;
      if (isCaption(range, record)) return true;
      this.#open = [...this.#open, { range, cell }];
      this.#ranges += 1;
      this.#isOfRows ||= range.lastRow > range.row;
      if (this.#shown.length < MOST_SHOWN) this.#shown.push({ range, cell });
    }
    return false;
  }

  /** Asks for which rows their values count, after the last record; nothing where there are none, or it is said. */
  questions(place: string): ChoiceQuestion[] {
    if (this.#counts !== undefined || this.#ranges === 0) return [];
    const are = this.#ranges === 1 ? 'range of cells is' : 'ranges of cells are';
    const first = answerOf('for the first cell only', 'merged', 'first-row');
    const every = answerOf('for every row that the cells cover', 'merged', 'every-row');
    const more = this.#ranges > this.#shown.length ? ['…'] : [];
    return [
      {
        text: `${place}: ${this.#ranges} ${are} merged. For which rows does a merged value count?`,
        details: [...this.#shown.map(show), ...more],
        answers: this.#isOfRows ? [every, first] : [first],
        mayStop: true,
      },
    ];
  }
}

function show({ range: { name, row, lastRow }, cell }: MergedValue): string {
  const rows = lastRow > row ? ` over ${lastRow - row + 1} rows` : '';
  return `${name}: ${showCells([cell])}${rows}`;
}
