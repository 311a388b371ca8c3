import { BarcodeEvidence } from './barcode-evidence.ts';
import { isBlank } from '../repairs/cell-text.ts';
import type { ColumnMapping, ColumnTarget } from '../model/columns.ts';
import { DateEvidence, orderQuestion, serialQuestion } from './date-evidence.ts';
import { mendText, readText, type ValueAbout } from '../repairs/mend-value.ts';
import { findMojibake } from '../repairs/mojibake.ts';
import type { EventInfo, Persona } from '../model/persona.ts';
import { PhoneEvidence } from './phone-evidence.ts';
import type { ChoiceQuestion } from '../model/question.ts';
import type { ColumnDecision, RepairOptions } from '../repairs/repair-options.ts';
import { repairsOfRow } from './row-country.ts';
import { type Cell, formatPlace, type Place, type SourceRow } from '../model/row.ts';
import { SheetCell } from '../model/sheet-cell.ts';

/** What is looked at in a column: dates, digits of barcodes, phone numbers, or texts that may be decoded wrongly. */
interface WatchedColumn {
  index: number;
  column: string;
  watch: 'date' | 'barcode' | 'phone' | 'text';
  /** Reserved name of a barcode column, slug otherwise. */
  name: string;
}

/** Collects over all rows of a file what single cells leave open. Cells that are wrong are left to `readRow`. */
export class ColumnSurvey {
  readonly #event: EventInfo;
  readonly #repairs: RepairOptions;
  readonly #watched = new WeakMap<ColumnMapping, readonly WatchedColumn[]>();
  readonly #dates = new Map<string, DateEvidence>();
  readonly #barcodes = new BarcodeEvidence();
  readonly #phones = new PhoneEvidence();
  #date1904 = false;
  #mojibake = 0;
  #firstMojibake = '';

  constructor(event: EventInfo, repairs: RepairOptions) {
    this.#event = event;
    this.#repairs = repairs;
  }

  /** Called for every row of the file; cheap: looks only at columns of dates, barcodes and phones, and for mojibake. */
  add(row: SourceRow, mapping: ColumnMapping): void {
    const repairs = repairsOfRow(row, mapping, this.#event.personas, this.#repairs);
    for (const watched of this.#watchedOf(mapping)) {
      const cell = row.cells[watched.index];
      if (watched.watch === 'text') this.#addText(cell, watched.column, row.place);
      else if (this.#repairs.fix && !isBlank(cell))
        this.#addValue(cell, watched, { place: row.place, repairs });
    }
  }

  /** Decisions by column name, open questions, remarks for the person, and what goes against a flag. */
  result(): {
    decisions: ReadonlyMap<string, ColumnDecision>;
    questions: readonly ChoiceQuestion[];
    remarks: readonly string[];
    warnings: readonly string[];
  } {
    const { dateOrder, dateSerials, accept } = this.#repairs;
    const dates = [...this.#dates.values()];
    const questions = [
      dateOrder === undefined ? orderQuestion(dates) : undefined,
      dateSerials === undefined ? serialQuestion(dates, this.#date1904) : undefined,
      accept.has('short-barcodes') ? undefined : this.#barcodes.question(),
    ].filter((question) => question !== undefined);
    const remarks = dateOrder === undefined ? dates.map((date) => date.remark()) : [];
    // A flag answers for columns that show nothing or both orders.
    const proven = dates.filter((date) => dateOrder !== undefined && date.contradicts(dateOrder));
    return {
      decisions: new Map(dates.map((date) => [date.column, date.decision()])),
      questions,
      remarks: [...remarks, this.#phones.remark(), this.#mojibakeRemark()].filter(
        (remark) => remark !== undefined,
      ),
      warnings: proven.map((date) => `${date.remark()} They are read so, and not as --set date-order says.`),
    };
  }

  #addValue(
    cell: Cell | undefined,
    { column, watch, name }: WatchedColumn,
    { place, repairs }: { place: Place; repairs: RepairOptions },
  ): void {
    if (cell instanceof SheetCell && cell.date1904) this.#date1904 = true;
    const about: ValueAbout = { kind: watch, name };
    const read = readText({ column, cell, escaped: false }, about.kind, true);
    if (!read.ok) return;
    // Without decisions: the survey is what makes them. Padding counts, so that its question is not asked again.
    const undecided = { ...repairs, dateOrder: undefined, dateSerials: undefined, decisions: NONE };
    const mended = mendText(read.value, column, about, undecided);
    if (!mended.ok) return;
    const seen = { place, value: mended.value.value };
    if (watch === 'date') this.#dateOf(column).add(seen);
    else if (watch === 'phone') this.#phones.add(seen, column, repairs.phones?.country);
    else this.#barcodes.add(seen);
  }

  #addText(cell: Cell | undefined, column: string, place: Place): void {
    if (typeof cell !== 'string' || this.#repairs.accept.has('mojibake')) return;
    const found = findMojibake(cell);
    if (found === undefined) return;
    this.#mojibake += 1;
    if (this.#mojibake > 1) return;
    const looks = `"${found.looks}" is probably "${found.was}"`;
    this.#firstMojibake = `${formatPlace(place)}, column "${column}": ${looks}`;
  }

  #mojibakeRemark(): string | undefined {
    if (this.#mojibake === 0) return undefined;
    const cells = this.#mojibake === 1 ? '1 cell was' : `${this.#mojibake} cells were`;
    return `${cells} probably decoded wrongly once and will be refused (${this.#firstMojibake}).`;
  }

  #dateOf(column: string): DateEvidence {
    const known = this.#dates.get(column);
    if (known !== undefined) return known;
    const added = new DateEvidence(column);
    this.#dates.set(column, added);
    return added;
  }

  #watchedOf(mapping: ColumnMapping): readonly WatchedColumn[] {
    const known = this.#watched.get(mapping);
    if (known !== undefined) return known;
    const phones = this.#repairs.phones !== undefined;
    const watched = mapping.columns
      .flatMap((column, index) => watch(column, index, mapping, this.#event))
      .filter((column) => phones || column.watch !== 'phone');
    this.#watched.set(mapping, watched);
    return watched;
  }
}

const NONE: RepairOptions['decisions'] = new Map();

/** What a column is watched for: a date of any persona, since what its dates show holds for all of them. */
function watch(column: string, index: number, mapping: ColumnMapping, event: EventInfo): WatchedColumn[] {
  const watched = event.personas.flatMap((persona) => {
    const target = mapping.targetsFor(persona)[index];
    return target === undefined ? [] : watchTarget(target, persona);
  });
  const found = watched.find(({ watch }) => watch !== 'text') ?? watched[0];
  return found === undefined ? [] : [{ index, column, ...found }];
}

function watchTarget(target: ColumnTarget, persona: Persona): Pick<WatchedColumn, 'watch' | 'name'>[] {
  switch (target.kind) {
    case 'companion':
      return watchTarget(target.target, persona);
    case 'barcode':
    case 'parent_barcode':
      return [{ watch: 'barcode', name: target.kind }];
    case 'field': {
      const kind = persona.fields.find(({ slug }) => slug === target.slug)?.kind;
      if (kind === undefined || kind === 'numeric') return [];
      return [{ watch: kind === 'date' || kind === 'phone' ? kind : 'text', name: target.slug }];
    }
    default:
      return [];
  }
}
