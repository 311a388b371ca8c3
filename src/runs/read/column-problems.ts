import { InputError } from '../../errors.ts';
import { firstLines, QuestionError } from '../../input/source/question-error.ts';
import { columnQuestion } from '../../input/columns/column-question.ts';
import type { MappingProblems } from '../../input/columns/header-mapping.ts';
import { showName } from '../../input/columns/show-cells.ts';
import type { Persona } from '../../registration/model/persona.ts';

/** Columns that an error explains, and names that it lists of all. */
const MOST_EXPLAINED = 4;
const MOST_NAMES = 30;
/** Columns that a person is asked about; a file with more is better mapped with a file of its own. */
const MOST_ASKED = 50;
/** Beyond these the rest of the file only repeats them. */
const MOST_COLLECTED = 1000;

/** Everything that is wrong with the columns of all files. */
export class ColumnProblems {
  readonly #personas: readonly Persona[];
  readonly #problems = new Set<string>();
  /** Columns that match nothing, with the last file that has them and the targets it fills otherwise. */
  readonly #unmatched = new Map<string, { file: string; taken: ReadonlySet<string> }>();
  #onlyUnmatched = true;

  constructor(personas: readonly Persona[]) {
    this.#personas = personas;
  }

  /** Throws what there is when it is enough. */
  add({ problems, unmatched, taken }: MappingProblems, file: string): void {
    for (const problem of problems) this.#problems.add(`${file}: ${problem}`);
    for (const column of unmatched) this.#unmatched.set(column, { file, taken });
    this.#onlyUnmatched &&= problems.length === unmatched.length;
    if (this.#problems.size >= MOST_COLLECTED) this.throwAll();
  }

  /** An InputError with all problems; columns that match nothing can be asked about when they are all there is. */
  throwAll(): void {
    const problems = [...this.#problems];
    if (problems.length === 0) return;
    const what = problems.length === 1 ? 'A column cannot' : `${problems.length} columns cannot`;
    const message = `${what} be matched to the fields of the event.`;
    const facts = {
      details: [...firstLines(problems, MOST_EXPLAINED, 'columns'), ...this.#allNames(problems.length)],
      hint: 'See the fields with `eventreg event fields PERSONA`. Nothing was sent.',
    };
    if (!this.#onlyUnmatched || this.#unmatched.size > MOST_ASKED) throw new InputError(message, facts);
    const questions = [...this.#unmatched].map(([column, { file, taken }]) =>
      columnQuestion(column, this.#personas, taken, file),
    );
    throw new QuestionError(questions, { message, ...facts });
  }

  /** The names of all columns that match nothing, when too few of them are explained. */
  #allNames(problems: number): string[] {
    const names = [...this.#unmatched.keys()];
    if (problems <= MOST_EXPLAINED || names.length === 0) return [];
    const shown = names.slice(0, MOST_NAMES).map((name) => `"${showName(name)}"`);
    return [`Columns that match nothing: ${shown.join(', ')}${names.length > MOST_NAMES ? ', …' : ''}`];
  }
}
