import { partsOf } from '../../input/columns/column-names.ts';
import { fullNames } from '../../input/columns/column-proposals.ts';
import { isBlank } from '../../registration/repairs/cell-text.ts';
import type { ColumnMapping, ColumnTarget } from '../../registration/model/columns.ts';
import type { EventInfo, Persona } from '../../registration/model/persona.ts';
import { answerOf, type ChoiceQuestion } from '../../registration/model/question.ts';
import { formatPlace, type Place, type SourceRow } from '../../registration/model/row.ts';
import { formatCount } from '../../report/words/number.ts';

/** Indexes of columns by what they tell of a row. */
interface Columns {
  names: readonly number[];
  /** Whoever has one is somebody: a ticket without a name yet, or a registration that is there. */
  barcodes: readonly number[];
  fields: readonly number[];
}

/** Counts rows that would register somebody without a name and an e-mail address, as the lines of a sheet of notes. */
export class NamelessRows {
  readonly #event: EventInfo;
  readonly #countsBarcodes: boolean;
  readonly #columns = new WeakMap<ColumnMapping, Columns>();
  readonly lines = new Set<number>();
  #first: Place | undefined;

  /** `countsBarcodes`: a barcode alone is nobody either. */
  constructor(event: EventInfo, countsBarcodes: boolean) {
    this.#event = event;
    this.#countsBarcodes = countsBarcodes;
  }

  /** Called for every row that is of somebody. */
  add({ cells, place }: SourceRow, mapping: ColumnMapping): void {
    const { names, barcodes, fields } = this.#columnsOf(mapping);
    const has = (at: number): boolean => !isBlank(cells[at]);
    if (names.some(has)) return;
    const holdsAnything = fields.some(has) || barcodes.some(has);
    if (!holdsAnything || (barcodes.some(has) && !this.#countsBarcodes)) return;
    this.lines.add(place.line);
    this.#first ??= place;
  }

  /** Asks about all of them at once. */
  questions(): ChoiceQuestion[] {
    if (this.#first === undefined) return [];
    const more = this.lines.size - 1;
    const rows = more === 0 ? 'this row has' : `this row and ${formatCount(more)} more have`;
    const ask = more === 0 ? 'Is it a guest?' : 'Are they guests?';
    return [
      {
        text: `${formatPlace(this.#first)}: ${rows} no name and no e-mail address. ${ask}`,
        details: [],
        answers: [
          answerOf('no: leave out all rows that cannot be sent, and these', 'invalid', 'skip'),
          answerOf('yes, send it so', 'accept', 'nameless'),
        ],
        unlikely: true,
      },
    ];
  }

  #columnsOf(mapping: ColumnMapping): Columns {
    let known = this.#columns.get(mapping);
    if (known === undefined) this.#columns.set(mapping, (known = columnsOf(mapping, this.#event)));
    return known;
  }
}

function columnsOf(mapping: ColumnMapping, { personas }: EventInfo): Columns {
  const indexes = (fits: (target: ColumnTarget, persona: Persona) => boolean): number[] =>
    [...mapping.columns.keys()].filter((at) =>
      personas.some((persona) => {
        const target = mapping.targetsFor(persona)[at];
        return target !== undefined && fits(target, persona);
      }),
    );
  const canBeNamed = personas.some((persona) => namesOf(persona).length > 0);
  return {
    names: indexes(({ kind, ...target }, persona) => {
      if (kind !== 'field' || !('slug' in target)) return false;
      return namesOf(persona).includes(target.slug);
    }),
    barcodes: indexes(({ kind }) => kind === 'barcode' || kind === 'parent_barcode'),
    // Of an event without names and addresses nobody has one.
    fields: canBeNamed ? indexes(({ kind }) => kind === 'field') : [],
  };
}

/** The fields that say who somebody is. */
function namesOf(persona: Persona): string[] {
  const byKind = persona.fields.filter(({ kind }) => kind === 'name' || kind === 'email');
  const full = [...fullNames([persona], undefined).keys()].flatMap(partsOf);
  return [...byKind.map(({ slug }) => slug), ...full];
}
