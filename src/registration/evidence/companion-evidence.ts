import { isBlank } from '../repairs/cell-text.ts';
import { type ColumnMapping, columnsWhere, tellsOfCompanion } from '../model/columns.ts';
import { madeOnce } from '../model/made-once.ts';
import type { EventInfo } from '../model/persona.ts';
import { answerOf, type ChoiceQuestion } from '../model/question.ts';
import { formatPlace, type Place, type SourceRow } from '../model/row.ts';

interface Columns {
  /** What tells of a companion. */
  companions: readonly number[];
  barcodes: readonly number[];
}

/** Counts the rows with companions that have no barcode to which these could be tied. */
export class CompanionEvidence {
  readonly #event: EventInfo;
  readonly #columns = new WeakMap<ColumnMapping, Columns>();
  #rows = 0;
  #first: Place | undefined;

  constructor(event: EventInfo) {
    this.#event = event;
  }

  /** Called for every row. */
  add({ cells, place }: SourceRow, mapping: ColumnMapping): void {
    const { companions, barcodes } = this.#columnsOf(mapping);
    const has = (at: number): boolean => !isBlank(cells[at]);
    if (!companions.some(has) || barcodes.some(has)) return;
    this.#rows += 1;
    this.#first ??= place;
  }

  /** Asks whether such rows get a barcode; undefined when there are none. */
  question(): ChoiceQuestion | undefined {
    if (this.#first === undefined) return undefined;
    const rows =
      this.#rows === 1 ? 'this row has companions' : `this row and ${this.#rows - 1} more have companions`;
    return {
      text: `${formatPlace(this.#first)}: ${rows}, and no barcode to tie them to. What about that?`,
      details: [],
      answers: [
        answerOf('make barcodes, from the e-mail or the name of the person', 'makeBarcodes', true),
        {
          ...answerOf(
            `make none: ${this.#rows === 1 ? 'it stays' : 'they stay'} wrong`,
            'makeBarcodes',
            false,
          ),
          flag: undefined,
        },
      ],
    };
  }

  #columnsOf(mapping: ColumnMapping): Columns {
    const { personas } = this.#event;
    return madeOnce(this.#columns, mapping, () => ({
      companions: columnsWhere(mapping, personas, tellsOfCompanion),
      barcodes: columnsWhere(mapping, personas, ({ kind }) => kind === 'barcode'),
    }));
  }
}
