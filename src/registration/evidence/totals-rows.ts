import { EXAMPLE_BARCODE, EXAMPLE_EMAIL, EXAMPLE_PHONE } from '../model/own-names.ts';
import { cellSource, textOf } from '../repairs/cell-text.ts';
import { exampleValue } from '../rules/example.ts';
import { type ColumnMapping, columnsOnce, type ColumnTarget, isBarcode } from '../model/columns.ts';
import type { EventInfo, FieldKind, Persona } from '../model/persona.ts';
import { answerOf, type ChoiceQuestion } from '../model/question.ts';
import { type Cell, formatPlace, type SourceRow } from '../model/row.ts';
import { foldLetters, wordSet } from '../rules/fold-letters.ts';

type ColumnsOf = (mapping: ColumnMapping) => readonly number[];

const BARE_NUMBER = /^[\d.,'\s]*\d[\d.,'\s]*$/;
/** Behind a word for totals it may have its unit: `6 guests`. */
const COUNT = /^[\d.,'\s]*\d[\d.,'\s]*(?:\p{L}+)?$/u;
/** Totals stand in a few rows; more of a kind are a list. */
const MOST_FOUND = 20;
const MOST_SHOWN = 3;
const MOST_CELLS = 8;
const LONGEST_CELL = 40;

/**
 * Finds the rows of a file that are no guests but totals: those which hold a word for totals, a formula over several rows,
 * a bare number where a name belongs, or numbers alone where others have a name, an e-mail address or a barcode. A text
 * alone in a row that is merged across it, or no name, is a note between guests.
 */
export class TotalsRows {
  /** Indexes of the columns that tell a guest from totals. */
  readonly #names: ColumnsOf;
  readonly #barcodes: ColumnsOf;
  /** What else a guest may have of its own, in digits: a telephone number, the barcode of a parent. */
  readonly #links: ColumnsOf;
  readonly #used: ColumnsOf;
  readonly #found: SourceRow[] = [];
  #doubtful = 0;
  #aggregatesBefore: readonly number[] = [];
  #hasGuests = false;

  constructor({ personas }: EventInfo) {
    this.#names = columnsOnce(personas, (target, of) => isField(target, of, 'name'));
    this.#barcodes = columnsOnce(personas, isBarcode);
    this.#used = columnsOnce(personas, ({ kind }) => kind !== 'ignored' && kind !== 'foreign');
    this.#links = columnsOnce(
      personas,
      (target, of) => target.kind === 'parent_barcode' || isField(target, of, 'phone'),
    );
  }

  /** Whether a row looks like totals; most do not. Where it is not known what columns are, the texts alone tell. */
  add(row: SourceRow, mapping: ColumnMapping | undefined): boolean {
    const { isCaption = false } = row;
    if (mapping === undefined) return isCaption || isNote(row, []) || isTotals(firstText(row));
    const looksSo =
      isCaption ||
      this.#looksLikeTotals(row, mapping) ||
      this.#isSum(row, mapping) ||
      isNote(row, [...this.#barcodes(mapping), ...this.#links(mapping)], this.#used(mapping));
    this.#hasGuests ||= !looksSo && this.#isSomebody(row, mapping);
    this.#aggregatesBefore = row.aggregates ?? [];
    if (!looksSo) return false;
    if (!isCaption) this.#doubtful += 1;
    const isOne = isCaption || this.#doubtful <= MOST_FOUND;
    if (isOne) this.#found.push(row);
    return isOne;
  }

  get #rows(): readonly SourceRow[] {
    return this.#doubtful > MOST_FOUND ? this.#found.filter((row) => row.isCaption) : this.#found;
  }

  /** The lines of the rows that look like totals. */
  get lines(): ReadonlySet<number> {
    return new Set(this.#rows.map(({ place }) => place.line));
  }

  /** Asks whether they are totals, or says that they are left out; nothing when there are none. */
  tell(leftOut: boolean): { questions: readonly ChoiceQuestion[]; remarks: readonly string[] } {
    const [first] = this.#rows;
    if (first === undefined) return { questions: [], remarks: [] };
    return leftOut
      ? { questions: [], remarks: [this.#remark(first)] }
      : { questions: [this.#question(first)], remarks: [] };
  }

  #question({ place }: SourceRow): ChoiceQuestion {
    const more = this.#rows.length - 1;
    const what =
      more === 0
        ? 'this row looks like totals or a note, not like a guest'
        : `this row and ${more} more look like totals or notes, not like guests`;
    return {
      text: `${formatPlace(place)}: ${what}.`,
      details: this.#rows.slice(0, MOST_SHOWN).map((row) => `${formatPlace(row.place)}: ${showRow(row)}`),
      answers: [
        answerOf(more === 0 ? 'leave it out' : 'leave them out', 'totalsRows', 'left-out'),
        answerOf(more === 0 ? 'it is a guest' : 'they are guests', 'totalsRows', 'guests'),
      ],
    };
  }

  #remark({ place }: SourceRow): string {
    const more = this.#rows.length - 1;
    return `Left out, as totals or notes: ${formatPlace(place)}${more === 0 ? '' : ` and ${more} more`}.`;
  }

  #looksLikeTotals(row: SourceRow, mapping: ColumnMapping): boolean {
    // Most guests have an e-mail address, and totals never do.
    if (row.cells.some((cell) => typeof cell === 'string' && cell.includes('@'))) return false;
    const texts = row.cells.map(textOf);
    const first = firstText(row);
    const count = isTotals(first) ? COUNT : BARE_NUMBER;
    const inNames = this.#names(mapping)
      .map((at) => texts[at] ?? '')
      .filter((text) => text !== '');
    const people = inNames.filter((text) => !isTotals(text) && !count.test(text));
    const codes = this.#barcodes(mapping).filter(
      (at) => (texts[at] ?? '') !== '' && !isTotals(texts[at] ?? ''),
    );
    // A column whose every row adds up others is one of the guests' own.
    const addsUp = row.aggregates?.some((at) => !this.#aggregatesBefore.includes(at)) === true;
    if (addsUp && people.length + codes.length < 2) return true;
    if (people.length > 0) return false;
    if ([first, ...inNames].some(isTotalsWord) || inNames.some((text) => BARE_NUMBER.test(text))) return true;
    return (
      isTotalsCaption(first) && texts.every((text) => text === first || text === '' || BARE_NUMBER.test(text))
    );
  }

  /** A row of numbers alone among guests: what is left of a formula in a file that has none. */
  #isSum({ cells }: SourceRow, mapping: ColumnMapping): boolean {
    if (!this.#hasGuests) return false;
    const own = [this.#names(mapping), this.#barcodes(mapping), this.#links(mapping)];
    let numbers = 0;
    // Most rows are known to be none by their first cell.
    for (const [at, cell] of cells.entries()) {
      const text = textOf(cell);
      if (text === '') continue;
      if (!BARE_NUMBER.test(text) || own.some((columns) => columns.includes(at))) return false;
      numbers += 1;
    }
    return numbers > 0;
  }

  /** Whether a row has a name, an e-mail address or a barcode. */
  #isSomebody({ cells }: SourceRow, mapping: ColumnMapping): boolean {
    const has = (at: number): boolean => textOf(cells[at]) !== '';
    return (
      this.#names(mapping).some(has) ||
      this.#barcodes(mapping).some(has) ||
      cells.some((cell) => textOf(cell).includes('@'))
    );
  }
}

const firstText = ({ cells }: SourceRow): string => cells.map(textOf).find((text) => text !== '') ?? '';

/** Whether a text is alone in its row, in none of these columns, and in one that is not used, or has marks that no name has. */
function isNote({ cells }: SourceRow, own: readonly number[], used?: readonly number[]): boolean {
  const at = cells.findIndex((cell) => textOf(cell) !== '');
  // Of a guest the next cell tells it.
  const isAlone = at >= 0 && cells.findLastIndex((cell) => textOf(cell) !== '') === at;
  if (!isAlone || cells.length < 2 || own.includes(at)) return false;
  const text = textOf(cells[at]);
  return /\p{L}/u.test(text) && (used?.includes(at) === false || /[\d:]/.test(text)) && !text.includes('@');
}

function isField(target: ColumnTarget, { fields }: Persona, wanted: FieldKind): boolean {
  return target.kind === 'field' && fields.some(({ slug, kind }) => slug === target.slug && kind === wanted);
}

const isTotals = (text: string): boolean => isTotalsWord(text) || isTotalsCaption(text);

function showRow({ cells }: SourceRow): string {
  const texts = cells.map(textOf).filter((text) => text !== '');
  const shown = texts.slice(0, MOST_CELLS).map((text) => JSON.stringify(text.slice(0, LONGEST_CELL)));
  return shown.join(' ') + (texts.length > MOST_CELLS ? ' …' : '');
}

/** What people call totals; English, German, French, Spanish, Italian, Portuguese, Dutch, Polish. */
const WORDS = wordSet(
  'total, totals, subtotal, subtotals, sum, sums, grand total, headcount, ' +
    'summe, summen, gesamt, gesamtsumme, gesamtanzahl, gesamtzahl, gesamtergebnis, endsumme, ' +
    'zwischensumme, teilsumme, teilergebnis, insgesamt, anzahl, personenzahl, teilnehmerzahl, ' +
    'somme, sommes, totaux, sous-total, total général, suma, sumas, totales, ' +
    'somma, totale, totali, subtotale, totale generale, soma, totais, total geral, ' +
    'totaal, subtotaal, eindtotaal, som, razem, łącznie, ogółem',
);
const PREFIX = /^(?:total|totale|totaal|summe|gesamt|somme|suma|anzahl|number\s+of)\s+\p{L}/iu;
const SUFFIX =
  /\p{L}\s+(?:total|totals|gesamt|insgesamt|in\s+total|en\s+total|au\s+total|in\s+totale|no\s+total)$/iu;
const LONGEST_WORDS = 60;

/** Whether a text is a word for totals, also with a number behind it: `Total: 25`. */
export function isTotalsWord(text: string): boolean {
  return text.length <= LONGEST_WORDS && WORDS.has(foldLetters(lettersOf(text)));
}

/** Whether a text begins or ends as a caption of totals does: `Total guests`, `Gäste gesamt`, `Total: 9 guests`. */
function isTotalsCaption(text: string): boolean {
  if (text.length > LONGEST_WORDS) return false;
  const words = lettersOf(text);
  return PREFIX.test(words) || SUFFIX.test(words) || isTotalsWord(text.replace(/\d.*/su, ''));
}

/** A text without what stands in front of its first letter and behind the last. */
const lettersOf = (text: string): string => text.replace(/^[^\p{L}]+|[^\p{L}\p{M}]+$/gu, '');

const NOBODYS = [EXAMPLE_BARCODE, EXAMPLE_EMAIL, EXAMPLE_PHONE];

/** Finds the rows of a file that are the example of a template, as it was written: no guests, and they show nothing of columns. */
export class ExampleRows {
  readonly lines = new Set<number>();
  readonly #texts: ReadonlySet<string>;

  constructor({ personas }: EventInfo) {
    const own = personas.flatMap(({ slug, fields }) => [slug, ...fields.map(exampleValue)]);
    this.#texts = new Set([...NOBODYS, 'false', 'FALSE', ...own, ...own.flatMap((one) => one.split('; '))]);
  }

  /** Whether a row is one. What has no letters is written anew by many programs. */
  add({ cells, place }: SourceRow): boolean {
    if (!cells.some((cell) => NOBODYS.includes(cellSource(cell).trim()))) return false;
    const texts = cells.flat().map((cell) => cellSource(cell as Cell).trim());
    const isOne = texts.every((text) => !/\p{L}/u.test(text) || this.#texts.has(text));
    if (isOne) this.lines.add(place.line);
    return isOne;
  }
}
