import { MOST_SHOWN, type SeenCell, keepFirst, showCell } from './date-evidence.ts';
import { madeOnce } from '../model/made-once.ts';
import { answerOf, type ChoiceQuestion } from '../model/question.ts';

/** Share of the longest barcodes from which on shorter ones look damaged; so there are five at least. */
const USUAL_SHARE = 0.8;
const DIGITS = /^[0-9]{1,255}$/;

/** How many digits barcodes have, over all columns of barcodes: parents must still meet their own. */
export class BarcodeEvidence {
  readonly #widths = new Map<number, { count: number; first: SeenCell[] }>();
  #total = 0;

  /** Looks at one barcode; those that are not digits only say nothing. */
  add(cell: SeenCell): void {
    if (!DIGITS.test(cell.value)) return;
    this.#total += 1;
    const width = madeOnce(this.#widths, cell.value.length, () => ({ count: 0, first: [] }));
    width.count += 1;
    keepFirst(width.first, cell);
  }

  /** Asks about barcodes that have fewer digits than nearly all others; spreadsheets drop zeros in front. */
  question(): ChoiceQuestion | undefined {
    const longest = Math.max(0, ...this.#widths.keys());
    const usual = this.#widths.get(longest)?.count ?? 0;
    const shorter = this.#total - usual;
    if (shorter === 0 || usual < this.#total * USUAL_SHARE) return undefined;
    const shown = [...this.#widths].flatMap(([width, { first }]) => (width < longest ? first : []));
    const file = shown[0]?.place.file ?? '';
    return {
      text: `${file}: ${shorter} of ${this.#total} barcodes ${shorter === 1 ? 'has' : 'have'} fewer than ${longest} digits. A spreadsheet may have dropped zeros in front.`,
      details: shown.slice(0, MOST_SHOWN).map(showCell),
      answers: [
        answerOf(`put zeros in front up to ${longest} digits`, 'pad', `barcode:${longest}`),
        answerOf('take them as they are', 'accept', 'short-barcodes'),
      ],
    };
  }
}
