import type { ColumnMapping } from '../model/columns.ts';
import { madeOnce } from '../model/maps.ts';
import type { EventInfo } from '../model/persona.ts';
import type { ChoiceQuestion } from '../model/question.ts';
import type { Cell, SourceRow } from '../model/row.ts';
import { SheetCell } from '../model/sheet-cell.ts';
import { isBlank } from '../repairs/cell-text.ts';
import { trimEnds } from '../repairs/clean-text.ts';
import { asMeant, foldValue } from '../repairs/meanings.ts';
import { isDayAlone, mendText, phoneWishOf, readText, type ValueAbout } from '../repairs/mend-value.ts';
import { type ColumnDecision, DEFAULT_REPAIRS, type RepairOptions } from '../repairs/repair-options.ts';
import type { DateOrder } from '../rules/date-forms.ts';
import { BarcodeEvidence } from './barcode-evidence.ts';
import { ChoiceEvidence } from './choice-evidence.ts';
import { DateEvidence, hiddenQuestion, orderQuestion, serialQuestion } from './date-evidence.ts';
import { MendEvidence } from './mend-evidence.ts';
import { NothingEvidence, type NothingWord } from './nothing-evidence.ts';
import { PhoneEvidence } from './phone-evidence.ts';
import { countriesOfRow, countriesShown } from './row-country.ts';
import { type WatchedColumn, watchedColumns } from './watched-column.ts';

/** What only all rows of a file show. */
export interface Surveyed {
  /** By column name. */
  decisions: ReadonlyMap<string, ColumnDecision>;
  /** What has to be answered before any row can be read. */
  questions: readonly ChoiceQuestion[];
  /** Columns whose phone numbers somebody has to say something of: without that, some rows are refused. */
  phones: readonly PhoneEvidence[];
  /** Columns with texts that are none of their options; their rows are refused. */
  choices: readonly ChoiceEvidence[];
  /** Columns with texts that one change would mend; their rows are refused. */
  mends: readonly MendEvidence[];
  /** Words for nothing of which nothing is said. */
  nothing: readonly NothingWord[];
  /** Remarks for the person. */
  remarks: readonly string[];
}

/** Collects over all rows of a file what single cells leave open. Cells that are wrong are left to `readRow`. */
export class ColumnSurvey {
  readonly #event: EventInfo;
  readonly #repairs: RepairOptions;
  /** Without decisions: the survey is what makes them. Padding counts, so that its question is not asked again. */
  readonly #undecided: RepairOptions;
  readonly #persona: string | undefined;
  readonly #watched = new WeakMap<ColumnMapping, readonly WatchedColumn[]>();
  readonly #dates = new Map<string, DateEvidence>();
  readonly #barcodes = new BarcodeEvidence();
  readonly #phones = new Map<string, PhoneEvidence>();
  readonly #choices = new Map<string, ChoiceEvidence>();
  readonly #mends = new Map<string, MendEvidence>();
  readonly #nothing = new NothingEvidence();
  #date1904 = false;

  /** `persona`: of rows that name none, by slug. */
  constructor(event: EventInfo, repairs: RepairOptions, persona?: string) {
    this.#event = event;
    this.#repairs = repairs;
    this.#undecided = { ...repairs, ...NOTHING_SAID };
    this.#persona = persona;
  }

  /**
   * Called for every row of the file; cheap: most columns are looked at for words for nothing only. Returns
   * the row as it most likely is meant.
   */
  add(source: SourceRow, mapping: ColumnMapping): SourceRow {
    const row = asMeant(source, this.#repairs.values);
    let blank: Set<number> | undefined;
    for (const watched of this.#watchedIn(mapping)) {
      const { column } = watched;
      const cell = row.cells[watched.index];
      if (isBlank(cell)) continue;
      if (this.#saysNothing(cell, watched, row)) (blank ??= new Set()).add(watched.index);
      else {
        const isText = typeof cell === 'string';
        const likely = isText ? this.#mendsOf(column).add(trimEnds(cell), watched, row.place.line) : cell;
        // Dates are told of as the file has them.
        this.#addValue(watched.watch === 'phone' ? likely : cell, watched, row, mapping);
      }
    }
    return blank === undefined
      ? row
      : { ...row, cells: row.cells.map((cell, at) => (blank.has(at) ? null : cell)) };
  }

  /** A row that is left out shows in which order its dates are all the same. */
  addLeftOut(row: SourceRow, mapping: ColumnMapping | undefined): void {
    if (mapping === undefined) return;
    const dates = this.#watchedIn(mapping).filter(({ watch }) => watch === 'date');
    for (const watched of dates) this.#addValue(row.cells[watched.index], watched, row, mapping, false);
  }

  #watchedIn(mapping: ColumnMapping): readonly WatchedColumn[] {
    return madeOnce(this.#watched, mapping, () => watchedColumns(mapping, this.#event, this.#persona));
  }

  #saysNothing(cell: Cell | undefined, watched: WatchedColumn, { place }: SourceRow): boolean {
    const { column, watch, options } = watched;
    const said = this.#repairs.values.get(column);
    if (watch === 'choice') {
      const choice = madeOnce(this.#choices, column, () => new ChoiceEvidence(column, options, said));
      return choice.add(cell, place, this.#repairs, this.#nothing);
    }
    if (typeof cell !== 'string' || said?.has(foldValue(cell)) === true) return false;
    return this.#nothing.add(cell, watched, place.line);
  }

  /** What there is to say after the last row; `orders`: those that dates of other columns show. */
  result(orders: ReadonlySet<DateOrder> = new Set()): Surveyed {
    const { dateOrder, dateSerials, hiddenTimes, accept } = this.#repairs;
    const dates = [...this.#dates.values()];
    const phones = [...this.#phones.values()];
    const barcodes = accept.has('short-barcodes') ? {} : this.#barcodes.tell();
    const questions = [
      dateOrder === undefined ? orderQuestion(dates, orders) : undefined,
      dateSerials === undefined ? serialQuestion(dates, this.#date1904) : undefined,
      hiddenTimes === undefined ? hiddenQuestion(dates) : undefined,
      barcodes.question,
    ].filter((question) => question !== undefined);
    const coded = phones.filter((phone) => phone.areCoded);
    return {
      decisions: new Map([
        ...dates.map((date) => [date.column, date.decision(dateOrder)] as const),
        ...coded.map(({ column }) => [column, { ...UNDECIDED, coded: true }] as const),
      ]),
      questions,
      phones: phones.filter(({ isOpen }) => isOpen),
      choices: [...this.#choices.values()].filter(({ open }) => open.length > 0),
      mends: [...this.#mends.values()].filter(({ open }) => open.length > 0),
      nothing: this.#nothing.words,
      remarks: [
        ...dates.map((date) => date.remark(dateOrder)),
        ...phones.map((phone) => phone.remark()),
        barcodes.remark,
      ].filter((remark) => remark !== undefined),
    };
  }

  #addValue(
    cell: Cell | undefined,
    watched: WatchedColumn,
    row: SourceRow,
    mapping: ColumnMapping,
    isSent = true,
  ): void {
    const { column, watch, name, isBirth = false, companion } = watched;
    if (watch === 'text' || watch === 'choice' || watch === 'numeric') return;
    if (cell instanceof SheetCell && cell.date1904) this.#date1904 = true;
    const isCoded = typeof cell === 'string' && cell.startsWith('+');
    if (watch === 'phone' && isCoded && this.#phoneOf(column).hasSeenEnough) return;
    const about: ValueAbout = { kind: watch, name, isBirth };
    const at = { column, cell };
    const read = readText(at, about.kind);
    if (!read.ok) return;
    if (watch === 'date' && isSent && isDayAlone(at, about))
      this.#dateOf(column).addTime({ place: row.place, value: trimEnds(read.value.value) });
    const mended = mendText(read.value, at, about, this.#undecided);
    if (!mended.ok) return;
    const seen = { place: row.place, value: mended.value.value };
    const named = (): readonly string[] => countriesOfRow(row, mapping, this.#event.personas, companion);
    const shown = (): readonly string[] => [...countriesShown(row, this.#repairs.phones)];
    const either = (): readonly string[] => [named(), shown()].find(({ length }) => length > 0) ?? [];
    if (watch === 'date') this.#dateOf(column).add(seen, either, isSent);
    else if (watch === 'phone') this.#phoneOf(column).add(seen, named(), shown);
    else this.#barcodes.add(seen);
  }

  #mendsOf(column: string): MendEvidence {
    const { values, lastBirth = '' } = this.#repairs;
    return madeOnce(this.#mends, column, () => new MendEvidence(column, values.get(column), lastBirth));
  }

  #dateOf(column: string): DateEvidence {
    return madeOnce(this.#dates, column, () => new DateEvidence(column));
  }

  #phoneOf(column: string): PhoneEvidence {
    return madeOnce(
      this.#phones,
      column,
      () => new PhoneEvidence(column, phoneWishOf(column, this.#repairs)),
    );
  }
}

const UNDECIDED: ColumnDecision = { dateOrder: undefined, dateConflict: undefined };

/** Values as they are before anything that is said of a whole column. */
const { phones, phonesOf, dateOrder, dateSerials, decisions } = DEFAULT_REPAIRS;
const NOTHING_SAID = {
  phones,
  phonesOf,
  dateOrder,
  dateSerials,
  decisions,
  // Whichever day is meant, all of them show the order.
  hiddenTimes: 'shown',
} as const;
