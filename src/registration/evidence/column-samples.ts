import { cellSource, cellText, isBlank } from '../repairs/cell-text.ts';
import { foldLetters } from '../rules/fold-letters.ts';
import { trimEnds } from '../repairs/clean-text.ts';
import { cut } from '../model/cut.ts';
import type { Cell, SourceRow } from '../model/row.ts';
import { type DateOrder, shownOrder } from '../rules/date-forms.ts';
import { meansNothing } from './nothing-words.ts';

/** Rows of each file that are looked at, and different values of a column that are kept. */
const MOST_ROWS = 1000;
/** Rows of all files that are kept whole. */
const MOST_COMPARED = 500;
const MOST_VALUES = 100;
/** Longer texts are prose: they tell nothing of a kind, and are much to keep. */
const LONGEST_VALUE = 200;
const MOST_COLUMNS = 2000;
const SHOWN = 3;
const LONGEST_SHOWN = 24;

/** What the first rows of a column hold: different values, with how often each stands there. */
export interface ColumnSample {
  values: ReadonlyMap<string, number>;
  /** Cells that say anything, which words for nothing do not, but for those with other values than the ones that are kept. */
  filled: number;
}

/** The values of the first rows, by column. Bounded whatever the files hold. */
export class ColumnSamples {
  readonly #columns = new Map<string, { values: Map<string, number>; filled: number }>();
  #rows = 0;
  readonly #first: SourceRow[] = [];

  /** Another file begins. */
  begin(): void {
    this.#rows = 0;
  }

  add(row: SourceRow): void {
    const { columns, cells } = row;
    this.#rows += 1;
    if (this.#first.length < MOST_COMPARED) this.#first.push(row);
    if (this.#rows > MOST_ROWS) return;
    for (const [at, column] of columns.entries()) {
      if (isBlank(cells[at])) continue;
      const sample = this.#columns.get(column) ?? { values: new Map<string, number>(), filled: 0 };
      if (this.#columns.size < MOST_COLUMNS) this.#columns.set(column, sample);
      const text = cellText(cells[at]);
      const value = text.ok && text.value.length <= LONGEST_VALUE ? trimEnds(text.value) : undefined;
      const known = value === undefined ? undefined : sample.values.get(value);
      if (value !== undefined && known === undefined && sample.values.size >= MOST_VALUES) continue;
      if (value === undefined || !meansNothing(value)) sample.filled += 1;
      if (value !== undefined) sample.values.set(value, (known ?? 0) + 1);
    }
  }

  of(column: string): ColumnSample {
    return this.#columns.get(column) ?? { values: new Map(), filled: 0 };
  }

  /** The orders that dates of the first rows show, in whatever column. */
  get dateOrders(): ReadonlySet<DateOrder> {
    const values = [...this.#columns.values()].flatMap((one) => [...one.values.keys()]);
    const orders = values.map(shownOrder).map((one) => (one === 'dotted' ? 'dmy' : one));
    return new Set(orders.filter((one) => one === 'dmy' || one === 'mdy'));
  }

  /** In how many of the first rows a column is filled where others are blank, says otherwise, and says the same. */
  compare(column: string, others: readonly string[]): { fills: number; differs: number; agrees: number } {
    const found = { fills: 0, differs: 0, agrees: 0 };
    for (const { columns, cells } of this.#first) {
      const cellOf = (name: string): Cell | undefined => cells[columns.indexOf(name)];
      const theirs = others.map(cellOf);
      const own = cellOf(column);
      if (foldSaying([own]) === '') continue;
      if (foldSaying(theirs) === '') found.fills += 1;
      else found[saysOtherwise(own, theirs) ? 'differs' : 'agrees'] += 1;
    }
    return found;
  }

  /** The first three different values on one line; days without a time have none. */
  show(column: string): string {
    const values = [...this.of(column).values.keys()].slice(0, SHOWN);
    const shown = values.map((value) =>
      value
        .split(/\s+/)
        .join(' ')
        .replace(/ 00:00:00$/, ''),
    );
    return shown.map((value) => cut(value, LONGEST_SHOWN)).join(', ');
  }
}

/** Whether a cell says something else than others together. */
export function saysOtherwise(cell: Cell | undefined, others: readonly (Cell | undefined)[]): boolean {
  const own = foldSaying([cell]);
  return own !== '' && own !== foldSaying(others);
}

/** What cells say together, as names are compared: their words, in whatever order. */
function foldSaying(cells: readonly (Cell | undefined)[]): string {
  const said = cells.map(cellSource).filter((text) => !meansNothing(trimEnds(text)));
  return said
    .flatMap((text) => text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [])
    .map(foldLetters)
    .sort()
    .join('');
}
