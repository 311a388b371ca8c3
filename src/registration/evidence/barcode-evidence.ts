import { madeOnce } from '../model/maps.ts';
import { isBlank } from '../repairs/cell-text.ts';
import { type ColumnMapping, columnsOnce, isBarcode, tellsOfCompanion } from '../model/columns.ts';
import type { EventInfo } from '../model/persona.ts';
import { answerOf, type ChoiceQuestion } from '../model/question.ts';
import { formatPlace, type Place, type SourceRow } from '../model/row.ts';
import { keepFirst, MOST_SHOWN, type SeenCell, showCell } from './date-evidence.ts';

/** Share of the longest barcodes from which on shorter ones look damaged; so there are five at least. */
const USUAL_SHARE = 0.8;
/** The same where all of the longest begin with a zero, which shorter ones can have lost. */
const ZEROS_SHARE = 0.6;
/** Shorter numbers may count people, and zeros that are lost are few. */
const [SHORTEST_CODE, MOST_LOST] = [8, 4];
const DIGITS = /^[0-9]{1,255}$/;

/** How many digits barcodes have, over all columns of barcodes: parents must still meet their own. */
export class BarcodeEvidence {
  readonly #widths = new Map<number, { count: number; zeros: number; first: SeenCell[] }>();
  #total = 0;

  /** Looks at one barcode; those that are not digits only say nothing. */
  add(cell: SeenCell): void {
    if (!DIGITS.test(cell.value)) return;
    this.#total += 1;
    const width = madeOnce(this.#widths, cell.value.length, () => ({ count: 0, zeros: 0, first: [] }));
    width.count += 1;
    if (cell.value.startsWith('0')) width.zeros += 1;
    keepFirst(width.first, cell);
  }

  /**
   * Asks about barcodes that have fewer digits than nearly all others; spreadsheets drop zeros in front. Where less than
   * nearly all have more, that is a remark, and only of long codes: numbers that count people have as many as they need.
   */
  tell(): { question?: ChoiceQuestion; remark?: string } {
    const longest = Math.max(0, ...this.#widths.keys());
    const { count: usual, zeros } = this.#widths.get(longest) ?? { count: 0, zeros: 0 };
    const lost = [...this.#widths].filter(([width]) => width < longest);
    const [cell, ...more] = lost.flatMap(([, { first }]) => first);
    if (cell === undefined) return {};
    const shorter = this.#total - usual;
    const pad = `barcode:${longest}`;
    const told = `${cell.place.file}: ${shorter} of ${this.#total} barcodes ${shorter === 1 ? 'has' : 'have'} fewer than ${longest} digits.`;
    if (usual < this.#total * (zeros === usual ? ZEROS_SHARE : USUAL_SHARE)) {
      const isMost = usual >= shorter && longest >= SHORTEST_CODE;
      const mayBeLost = isMost && lost.every(([width]) => width >= longest - MOST_LOST);
      const remark = `${told} Where a spreadsheet has dropped zeros in front, --set pad=${pad} puts them back.`;
      return mayBeLost ? { remark } : {};
    }
    return {
      question: {
        text: `${told} A spreadsheet may have dropped zeros in front.`,
        details: [cell, ...more].slice(0, MOST_SHOWN).map(showCell),
        answers: [
          answerOf(`put zeros in front up to ${longest} digits`, 'pad', pad),
          answerOf('take them as they are', 'accept', 'short-barcodes'),
        ],
      },
    };
  }
}

/** Counts the rows with companions that have no barcode to which these could be tied. */
export class CompanionEvidence {
  readonly #companions: (mapping: ColumnMapping) => readonly number[];
  readonly #barcodes: (mapping: ColumnMapping) => readonly number[];
  #rows = 0;
  #first: Place | undefined;

  constructor({ personas }: EventInfo) {
    this.#companions = columnsOnce(personas, tellsOfCompanion);
    this.#barcodes = columnsOnce(personas, isBarcode);
  }

  /** Called for every row. */
  add({ cells, place }: SourceRow, mapping: ColumnMapping): void {
    const has = (at: number): boolean => !isBlank(cells[at]);
    if (!this.#companions(mapping).some(has) || this.#barcodes(mapping).some(has)) return;
    this.#rows += 1;
    this.#first ??= place;
  }

  /** Asks whether such rows get a barcode; undefined when there are none. */
  question(): ChoiceQuestion | undefined {
    if (this.#first === undefined) return undefined;
    const isOne = this.#rows === 1;
    const rows = isOne ? 'this row has companions' : `this row and ${this.#rows - 1} more have companions`;
    const none = answerOf(`make none: ${isOne ? 'it stays' : 'they stay'} wrong`, 'makeBarcodes', false);
    return {
      text: `${formatPlace(this.#first)}: ${rows}, and no barcode to tie them to. What about that?`,
      details: [],
      answers: [
        answerOf('make barcodes, from the e-mail or the name of the person', 'makeBarcodes', true),
        { ...none, flag: undefined },
      ],
    };
  }
}
