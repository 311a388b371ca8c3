import { MOST_SHOWN, type SeenCell, keepFirst, showCell } from './date-evidence.ts';
import { madeOnce } from '../model/made-once.ts';
import { answerOf, type ChoiceQuestion } from '../model/question.ts';

/** Share of the longest barcodes from which on shorter ones look damaged; so there are five at least. */
const USUAL_SHARE = 0.8;
/** The same where all of the longest begin with a zero, which shorter ones can have lost. */
const ZEROS_SHARE = 0.6;
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

  /** Asks about barcodes that have fewer digits than nearly all others; spreadsheets drop zeros in front. */
  question(): ChoiceQuestion | undefined {
    const longest = Math.max(0, ...this.#widths.keys());
    const { count: usual, zeros } = this.#widths.get(longest) ?? { count: 0, zeros: 0 };
    const shorter = this.#total - usual;
    const share = zeros === usual ? ZEROS_SHARE : USUAL_SHARE;
    if (shorter === 0 || usual < this.#total * share) return undefined;
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
