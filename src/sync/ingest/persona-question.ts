import { shellWord, typedWord } from '../../input/source/shell-word.ts';
import type { HeadingReading } from '../../input/columns/heading-reader.ts';
import type { ColumnSamples } from '../../registration/evidence/column-samples.ts';
import { rankPersonas } from '../../registration/evidence/persona-evidence.ts';
import { personaOptions } from '../../registration/evidence/choice-evidence.ts';
import { proposeMeaning } from '../../registration/evidence/synonyms.ts';
import type { EventInfo } from '../../registration/model/persona.ts';
import { type Answer, answerOf, type ChoiceQuestion } from '../../registration/model/question.ts';
import type { SourceRow } from '../../registration/model/row.ts';
import { isBlank } from '../../registration/repairs/cell-text.ts';

/** Counts the rows of a file that name no persona where the event has several. */
export class PersonaSurvey {
  readonly #event: EventInfo;
  #rows = 0;
  #unsaid = 0;
  #settled = true;

  constructor(event: EventInfo) {
    this.#event = event;
  }

  /** Called for every row that is of somebody, or while it is not `settled` what its columns are, may be. */
  add({ cells }: SourceRow, personaColumn: number, settled: boolean): void {
    this.#rows += 1;
    this.#settled &&= settled;
    if (isBlank(cells[personaColumn])) this.#unsaid += 1;
  }

  /** Undefined where every row names its persona, or single ones that do not are left out as invalid. */
  question(
    file: string,
    headings: ReadonlyMap<string, HeadingReading>,
    samples: ColumnSamples,
    skipsInvalid: boolean,
  ): ChoiceQuestion | undefined {
    const all = this.#unsaid === this.#rows;
    // Single ones may be totals, which is known once the columns are.
    if (this.#unsaid === 0 || (!all && (skipsInvalid || !this.#settled))) return undefined;
    const isOf = (column: string, at: number): boolean =>
      headings.get(column)?.byPersona[at]?.targets.length !== 0;
    const personas = rankPersonas(this.#event.personas, file, [...headings.keys()], samples, isOf);
    const answers = personas.map(({ slug, name }) =>
      answerOf(name === '' ? slug : name, 'persona', slug, typedWord(slug)),
    );
    return {
      text: all
        ? `${file}: who are the people in this file?`
        : `${file}: ${this.#unsaid} of ${this.#rows} rows do not say who they are. Who are they?`,
      details: [],
      answers: [...(all ? this.#columns(headings, samples) : []), ...answers],
    };
  }

  /** Columns that name a persona in most rows, be it in words of their own: what those stand for is asked later. */
  #columns(headings: ReadonlyMap<string, HeadingReading>, samples: ColumnSamples): Answer[] {
    const { choices } = personaOptions(this.#event.personas);
    return [...headings.keys()].flatMap((column) => {
      const { values, filled } = samples.of(column);
      const naming = [...values].filter(([text]) => proposeMeaning(text, choices) !== undefined);
      if (naming.reduce((sum, [, count]) => sum + count, 0) <= filled / 2) return [];
      const said = `${column}=persona`;
      return answerOf(`it differs by row: column "${column}"`, 'map', said, shellWord(said));
    });
  }
}
