import { InputError } from '../../errors.ts';
import { firstLines, QuestionError } from '../../input/source/question-error.ts';
import { columnsQuestion } from '../../input/columns/column-question.ts';
import type { ColumnState } from '../../input/columns/column-states.ts';
import type { HeadingReader } from '../../input/columns/heading-reader.ts';
import type { MappingProblems } from '../../input/columns/header-mapping.ts';
import type { ColumnSamples } from '../../registration/evidence/column-samples.ts';
import { proposeColumns } from '../../input/columns/propose-columns.ts';

/** Columns that an error explains. */
const MOST_EXPLAINED = 5;
/** Open columns that a person is asked about; a file with more is better mapped with a file of its own. */
const MOST_ASKED = 50;
/** Beyond these the rest of the file only repeats them. */
const MOST_COLLECTED = 1000;

/** Everything that is wrong with the columns of all files. */
export class ColumnProblems {
  readonly #reader: HeadingReader;
  readonly #problems = new Set<string>();
  readonly #files = new Set<string>();
  /** By heading, as the last file has it. */
  readonly #states = new Map<string, ColumnState>();
  #isBlocked = false;

  constructor(reader: HeadingReader) {
    this.#reader = reader;
  }

  /** Keeps what is wrong with a set of columns. */
  add({ problems, blocking, states }: MappingProblems, file: string): void {
    if (this.#problems.size >= MOST_COLLECTED) return;
    for (const problem of problems) this.#problems.add(`${file}: ${problem}`);
    this.#files.add(file);
    for (const state of states) this.#states.set(state.column, state);
    this.#isBlocked ||= blocking.length > 0;
  }

  /** An InputError with all problems; a QuestionError where the owner of the file can say what columns are. */
  throwAll(samples: ColumnSamples): void {
    const problems = [...this.#problems];
    if (problems.length === 0) return;
    const states = [...this.#states.values()];
    const open = states.filter(({ certain }) => !certain).length;
    if (this.#isBlocked || open > MOST_ASKED) throw refuse(problems);
    const { personas } = this.#reader;
    const found = proposeColumns(states, personas, this.#reader, samples);
    throw new QuestionError([
      columnsQuestion(
        [...this.#files],
        states,
        personas,
        (column) => samples.show(column),
        (column) => found.get(column),
      ),
    ]);
  }
}

function refuse(problems: readonly string[]): InputError {
  const what = problems.length === 1 ? 'A column cannot' : `${problems.length} columns cannot`;
  return new InputError(`${what} be matched to the fields of the event.`, {
    details: firstLines(problems, MOST_EXPLAINED, 'columns'),
    hint: 'See the fields with `eventreg event fields PERSONA`. Nothing was sent.',
  });
}
