import { type ColumnMapping, columnsOnce, type ColumnTarget, isBarcode } from '../model/columns.ts';
import { madeOnce, Repeats } from '../model/maps.ts';
import type { Persona } from '../model/persona.ts';
import type { TableQuestion } from '../model/question.ts';
import type { Cell, SourceRow } from '../model/row.ts';
import { textOf } from '../repairs/cell-text.ts';
import { OTHERS, ROW_LEFT_OUT } from '../model/option-flags.ts';
import { type ByColumn, foldValue, type Meanings } from '../repairs/meanings.ts';
import { countText, type OpenValue } from './choice-evidence.ts';
import { beginsGone, mayCome, saysGone, saysNotYet } from './gone-words.ts';
import type { NothingWord } from './nothing-evidence.ts';
import { meaning, tellRow } from './values-question.ts';

const ADDRESS = /[^\s<>,;:"()]+@[^\s<>,;:"()]+/g;

/** What a text says of coming: not, perhaps not, not where others of its column say so, or nothing. */
type Said = 'gone' | 'open' | 'perhaps' | 'other';

type Words = Map<string, Map<string, OpenValue>>;

/** Rows that are left out by the values of a column, and those of which it has to be asked. */
export class RowsByValue {
  readonly lines = new Set<number>();
  /** By what the people of rows that are left out are known: barcodes and addresses, in small letters; empty for nothing. */
  readonly people = new Set<string>();
  /** Whether any row is not left out. */
  leavesSome = false;
  readonly #said: ByColumn<Meanings>;
  readonly #leftOut: Words = new Map();
  readonly #open: Words = new Map();
  /** What more may say it, where a column says it plainly. */
  readonly #perhaps: Words = new Map();
  readonly #says = new Map<string, Repeats<Said>>();
  readonly #barcodes: (mapping: ColumnMapping) => readonly number[];
  readonly #used: (mapping: ColumnMapping) => readonly number[];

  constructor(said: ByColumn<Meanings>, personas: readonly Persona[]) {
    this.#said = said;
    this.#barcodes = columnsOnce(personas, isBarcode);
    this.#used = columnsOnce(personas, isUsed);
  }

  /** Whether a row is left out by what was said. */
  leavesOut({ columns, cells, place }: SourceRow, mapping: ColumnMapping | undefined): boolean {
    if (this.#said.size === 0) return false;
    const at = columns.findIndex((column, index) => this.#meaningOf(column, cells[index]) === ROW_LEFT_OUT);
    if (at < 0) {
      this.leavesSome = true;
      return false;
    }
    count(this.#leftOut, columns[at] ?? '', textOf(cells[at]), place.line);
    this.lines.add(place.line);
    const texts = cells.map(textOf);
    const barcodes = mapping ? this.#barcodes(mapping) : [];
    const addresses = texts.flatMap((text) => text.match(ADDRESS) ?? []);
    const names = [...addresses, ...barcodes.map((one) => texts[one] ?? '')].filter((name) => name !== '');
    for (const name of names.length === 0 ? [''] : names) this.people.add(foldValue(name));
    return true;
  }

  /** Called for every row that is not left out; whether it most likely is to be. */
  add({ columns, cells, place }: SourceRow, mapping: ColumnMapping): boolean {
    const used = this.#used(mapping);
    let isGone = false;
    for (const [at, column] of columns.entries()) {
      if (used.includes(at)) continue;
      const text = textOf(cells[at]);
      if (this.#meaningOf(column, cells[at]) !== undefined) continue;
      const texts = madeOnce(this.#says, column, () => new Repeats<Said>());
      const says = texts.of(text, () => whatIsSaid(column, text));
      isGone ||= says === 'gone';
      if (says === 'perhaps') count(this.#perhaps, column, text, place.line);
      else if (says !== 'other') count(this.#open, column, text, place.line);
    }
    return isGone;
  }

  /** Why rows are left out. */
  get leftOut(): readonly NothingWord[] {
    return wordsOf(this.#leftOut);
  }

  /** Asks once a file whether the rows are left out whose values say that somebody does not come. */
  questions(file: string, unit: 'row' | 'line'): TableQuestion[] {
    const isPlain = ({ column }: NothingWord): boolean => this.#open.has(column) || this.#leftOut.has(column);
    const words = [...wordsOf(this.#open), ...wordsOf(this.#perhaps).filter(isPlain)];
    if (words.length === 0) return [];
    return [
      {
        kind: 'table',
        topic: 'values',
        text: `${file}: leave out ${words.map(({ text, rows }) => `${text} (${rows})`).join(', ')}?`,
        details: [],
        headings: ['', 'rows', 'is'],
        rows: words.map((word) => ({
          ...tellRow(word.column, word, unit),
          why: whyOf(word),
          chosen: mayCome(word.text) ? 1 : 0,
          answers: [
            meaning(word.column, word.text, ROW_LEFT_OUT, 'left out'),
            meaning(word.column, word.text, word.text, 'sent'),
          ],
        })),
        rest: 0,
        others: '--where "HEADING=VALUE" sends only the rows with that value, "HEADING!=VALUE" all others',
      },
    ];
  }

  #meaningOf(column: string, cell: Cell | undefined): string | undefined {
    const meanings = this.#said.get(column);
    return meanings?.get(foldValue(textOf(cell))) ?? meanings?.get(OTHERS);
  }
}

function whyOf({ column, text }: NothingWord): string {
  if (mayCome(text)) return 'may come all the same';
  return saysNotYet(column, text) ? 'is not known yet' : 'says that somebody does not come';
}

function whatIsSaid(column: string, text: string): Said {
  if (saysGone(column, text)) return mayCome(text) ? 'open' : 'gone';
  return beginsGone(column, text) ? 'perhaps' : 'other';
}

function count(words: Words, column: string, text: string, line: number): void {
  const found = madeOnce(words, column, () => new Map());
  countText(found, text, line);
}

const wordsOf = (words: Words): NothingWord[] =>
  [...words].flatMap(([column, texts]) => [...texts.values()].map((word) => ({ column, ...word })));

/** Whether a column fills more than nothing, or a text: an option of the event is one of those who come. */
function isUsed(target: ColumnTarget, { fields }: Persona): boolean {
  const own = target.kind === 'field' ? fields.find(({ slug }) => slug === target.slug)?.kind : target.kind;
  return !['ignored', 'foreign', 'text'].includes(own ?? '');
}
