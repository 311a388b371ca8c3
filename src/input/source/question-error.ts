import { type ErrorFacts, InputError } from '../../errors.ts';
import type { Question } from '../../registration/model/question.ts';

/** Answers that an error lists; who is asked sees all. */
const MOST_ANSWERS = 10;

/** A file cannot be read before somebody has answered. Printed, it names the flags that answer. */
export class QuestionError extends InputError {
  readonly questions: readonly Question[];

  /** `told` is what is printed instead of the questions themselves. */
  constructor(questions: readonly Question[], told: { message: string } & ErrorFacts = tellAll(questions)) {
    super(told.message, told);
    this.questions = questions;
  }
}

function tellAll(questions: readonly Question[]): { message: string } & ErrorFacts {
  const [[message = 'There is something to be decided.', ...first] = [], ...more] = questions.map(tell);
  return {
    message,
    details: [...first, ...more.flat()],
    hint: 'Add the flag that is right, and run the command again.',
  };
}

function tell(question: Question): string[] {
  const flags =
    question.kind === 'table'
      ? question.rows.map((row) => `  ${row.label}: ${row.answers[row.chosen ?? -1]?.flag ?? 'open'}`)
      : question.answers.map(({ flag, label }) => `  ${flag ?? '--mapping FILE'}: ${label}`);
  const details = question.details.map((line) => `  ${line}`);
  return [question.text, ...details, ...firstLines(flags, MOST_ANSWERS, 'answers')];
}

/** The first lines, and how many there are beyond them: `… and 70 more columns`. An error is read on one screen. */
export function firstLines(lines: readonly string[], most: number, what: string): readonly string[] {
  const left = lines.length - most;
  return left <= 0 ? lines : [...lines.slice(0, most), `… and ${left} more ${what}`];
}
