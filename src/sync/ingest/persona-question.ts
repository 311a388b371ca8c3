import { shellWord, typedWord } from '../../input/source/shell-word.ts';
import { HeadingReader } from '../../input/columns/heading-reader.ts';
import type { EventInfo, Persona } from '../../registration/model/persona.ts';
import { type Answer, answerOf, type ChoiceQuestion } from '../../registration/model/question.ts';
import type { Cell, SourceRow } from '../../registration/model/row.ts';
import { readPersona } from '../../registration/reading/read-persona.ts';
import { meansTheSame } from '../../registration/evidence/synonyms.ts';
import { cellText, isBlank } from '../../registration/repairs/cell-text.ts';
import type { MappingCache } from './mapping-cache.ts';

/** Rows that are looked at for a column that names personas. */
const MOST_LOOKED_AT = 1000;

/** Finds out whether rows name no persona where the event has several. */
export class PersonaSurvey {
  readonly #event: EventInfo;
  readonly #mappings: MappingCache;
  readonly #columns = new Map<readonly string[], number>();
  /** By what they say: few texts are in many rows. */
  readonly #words = new Map<string, boolean>();
  /** By column: cells that name a persona, or have another word for one, and those that hold anything. */
  readonly #named = new Map<string, { persona: number; filled: number }>();
  #rows = 0;
  #settled = true;
  #nameless = 0;
  #last: readonly string[] = [];
  #at = -1;

  constructor(event: EventInfo, mappings: MappingCache) {
    this.#event = event;
    this.#mappings = mappings;
  }

  /** Called for every row that is of somebody, or while it is not `settled` what its columns are, may be. */
  add(row: SourceRow, settled: boolean): void {
    this.#rows += 1;
    this.#settled &&= settled;
    if (this.#last !== row.columns) {
      this.#last = row.columns;
      this.#at = this.#columns.get(row.columns) ?? this.#mappings.personaColumn(row.columns);
      if (this.#columns.size < MOST_LOOKED_AT) this.#columns.set(row.columns, this.#at);
    }
    if (this.#at >= 0 && !isBlank(row.cells[this.#at])) return;
    this.#nameless += 1;
    if (this.#rows <= MOST_LOOKED_AT) this.#look(row);
  }

  #look({ columns, cells }: SourceRow): void {
    for (const [at, column] of columns.entries()) {
      const cell = cells[at];
      if (isBlank(cell)) continue;
      const seen = this.#named.get(column) ?? { persona: 0, filled: 0 };
      seen.filled += 1;
      if (this.#namesPersona(column, cell)) seen.persona += 1;
      this.#named.set(column, seen);
    }
  }

  #namesPersona(column: string, cell: Cell | undefined): boolean {
    if (readPersona({ column, cell, fallback: undefined }, this.#event).ok) return true;
    const text = cell === undefined ? undefined : cellText(cell);
    return text?.ok === true && this.#isWordFor(text.value);
  }

  /** What it stands for is asked later. */
  #isWordFor(text: string): boolean {
    const known = this.#words.get(text);
    if (known !== undefined) return known;
    const { personas } = this.#event;
    const found = personas.some(({ slug, name }) => [slug, name].some((own) => meansTheSame(text, own)));
    this.#words.set(text, found);
    return found;
  }

  /** Undefined where every row names its persona, or single ones that do not are left out as invalid. */
  question(file: string, skipsInvalid: boolean): ChoiceQuestion | undefined {
    const all = this.#nameless === this.#rows;
    // Single ones may be totals, which is known once the columns are.
    if (this.#nameless === 0 || (!all && (skipsInvalid || !this.#settled))) return undefined;
    const ranked = this.#ranked();
    const answers = ranked.map(({ slug, name }) =>
      answerOf(name === '' ? slug : name, 'persona', slug, typedWord(slug)),
    );
    const columns = all ? this.#personaColumns() : [];
    return {
      text: all
        ? `${file}: who are the people in this file?`
        : `${file}: ${this.#nameless} of ${this.#rows} rows do not say who they are. Who are they?`,
      details: [],
      answers: [...columns, ...answers],
      unlikely: ranked.every((persona) => this.#filledOf(persona) === 0),
    };
  }

  /** First those who have fields for most of what the rows hold. */
  #ranked(): Persona[] {
    const filled = new Map(this.#event.personas.map((persona) => [persona, this.#filledOf(persona)]));
    return [...filled].sort(([, one], [, other]) => other - one).map(([persona]) => persona);
  }

  /** Cells under headings that a persona knows. */
  #filledOf(persona: Persona): number {
    const reader = new HeadingReader([persona], undefined);
    return [...this.#named].reduce(
      (sum, [column, { filled }]) => (reader.knows(column) ? sum + filled : sum),
      0,
    );
  }

  /** Columns that name a persona in nearly every row, be it in words of their own. */
  #personaColumns(): Answer[] {
    return [...this.#named]
      .filter(([, { persona, filled }]) => persona * 10 >= filled * 9)
      .map(([column]) =>
        answerOf(
          `it differs by row: column "${column}"`,
          'map',
          `${column}=persona`,
          shellWord(`${column}=persona`),
        ),
      );
  }
}
