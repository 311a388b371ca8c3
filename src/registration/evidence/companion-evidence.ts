import { isBlank } from '../repairs/cell-text.ts';
import { type ColumnMapping, columnsOnce, isBarcode, tellsOfCompanion } from '../model/columns.ts';
import type { EventInfo } from '../model/persona.ts';
import { answerOf, type ChoiceQuestion } from '../model/question.ts';
import { formatPlace, type Place, type SourceRow } from '../model/row.ts';

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
