import { GuardError } from '../../errors.ts';
import { markIn, SAMPLE_MARK } from '../../registration/model/own-names.ts';
import type { Cell, SourceRow } from '../../registration/model/row.ts';
import { SheetCell } from '../../registration/model/sheet-cell.ts';
import { cellSource } from '../../registration/repairs/cell-text.ts';
import { formatCount, plural } from '../../report/words/number.ts';

/** What is masked, and what is not, as far as the target minds. */
export interface MaskWish {
  files: readonly string[];
  /** Mark of the key by which the people of the target are masked; undefined where they are not. */
  targetMark: string | undefined;
  /** The target is a sandbox: the sample list is for it. */
  takesSample: boolean;
  /** Somebody has said that the list is to be sent as it is. */
  accepts: boolean;
  /** The clone of this machine that is masked by a key. */
  cloneOf: (mark: string) => string | undefined;
}

/** What is known of values that were masked on this machine. */
interface KnownMasks {
  readonly isEmpty: boolean;
  /** The mark of the key by which a text is masked, where it was done here. */
  markOf: (text: string) => string | undefined;
}

/** How many rows are masked by a key: by what stands in their addresses, or only as they were once written here. */
interface Count {
  shown: number;
  known: number;
}

/** The first rows of a list stand for the others: looking at all would take as long as reading them. */
const MOST_LOOKED_AT = 1000;

/** Looks at all rows of a push for masked values, whatever their columns become. */
export class MaskedRows {
  readonly #values: KnownMasks;
  readonly #knows: boolean;
  readonly #wish: MaskWish;
  readonly #counts = new Map<string, Count>();
  /** Rows with an e-mail address that is nobody's mask, where people are masked; by number. */
  readonly #plain = new Set<number>();
  #rows = 0;

  constructor(values: KnownMasks, wish: MaskWish) {
    this.#values = values;
    this.#knows = !wish.accepts && !this.#values.isEmpty;
    this.#wish = wish;
  }

  /** Looks at a row, whose registration has a number. */
  add({ cells }: SourceRow, seq: number): void {
    const { accepts, targetMark } = this.#wish;
    if (accepts) return;
    this.#rows += 1;
    const shown = first(cells, markIn);
    if (shown !== undefined) this.#count(shown).shown += 1;
    else if (targetMark !== undefined && cells.some((cell) => textOf(cell).includes('@')))
      this.#plain.add(seq);
    if (!this.#knows || this.#rows > MOST_LOOKED_AT) return;
    const known = first(cells, (text) => this.#values.markOf(text));
    if (known !== undefined) this.#count(known).known += 1;
  }

  /**
   * Throws a GuardError for a list that is masked for another service. An address tells it by itself, since no guest has
   * one; other values may be somebody's by chance, so that half of the rows have to hold one.
   */
  refuseForeign(): void {
    const { targetMark, takesSample, cloneOf } = this.#wish;
    for (const [mark, { shown, known }] of this.#counts) {
      if (mark === targetMark || (mark === SAMPLE_MARK && takesSample)) continue;
      if (shown === 0 && known * 2 < Math.min(this.#rows, MOST_LOOKED_AT)) continue;
      const all = plural(this.#rows, 'row', 'rows');
      const of = shown > 0 ? `${formatCount(shown)} of ${all}` : `at least half of ${all}`;
      if (mark === SAMPLE_MARK) {
        throw this.#refusal(
          `${of} ${shown === 1 ? 'is' : 'are'} of the list that \`sandbox sample\` writes, whose guests are invented`,
          'Push it with --sandbox, and here the list of your guests.',
        );
      }
      const clone = cloneOf(mark);
      throw this.#refusal(
        `${of} hold masked values, which would take the place of those of people`,
        clone === undefined
          ? 'It belongs to a clone that is not on this machine any more: mask the list anew for the one that there is.'
          : `It belongs to the clone ${clone}: push it with --sandbox=${clone}, and here the list that it was made of.`,
      );
    }
  }

  /** Why rows that are not masked may not go, by number: they would change most of the masked people that change. */
  refusalOfPlain(changed: readonly number[]): GuardError | undefined {
    const { files, targetMark, cloneOf } = this.#wish;
    const plain = changed.filter((seq) => this.#plain.has(seq)).length;
    if (targetMark === undefined || plain * 2 <= changed.length) return undefined;
    const clone = cloneOf(targetMark);
    const name = clone === undefined ? '' : ` ${clone}`;
    const of = `${formatCount(plain)} of ${plural(changed.length, 'row', 'rows')}`;
    const mask = `eventreg sandbox mask ${files.join(' ')}${clone === undefined ? '' : ` --sandbox=${clone}`}`;
    return this.#refusal(
      `${of} that would change people of the masked clone${name} are not masked`,
      `Mask the list first, with \`${mask}\`, and push what that writes.`,
    );
  }

  #refusal(what: string, hint: string): GuardError {
    const text = `${this.#wish.files.join(', ')}: ${what}. Nothing was sent.`;
    const accept = 'Only if it is meant so, send it as it is with --set accept=masked.';
    return new GuardError('masked', text, { hint: `${hint} ${accept}` });
  }

  #count(mark: string): Count {
    let count = this.#counts.get(mark);
    if (count === undefined) this.#counts.set(mark, (count = { shown: 0, known: 0 }));
    return count;
  }
}

function textOf(cell: Cell): string {
  if (cell instanceof SheetCell && cell.type === 'number') return String(Number(cell.stored));
  return cell === null ? '' : cellSource(cell);
}

function first<Found>(cells: readonly Cell[], find: (text: string) => Found | undefined): Found | undefined {
  for (const cell of cells) {
    const text = textOf(cell);
    const found = text === '' ? undefined : find(text);
    if (found !== undefined) return found;
  }
  return undefined;
}
