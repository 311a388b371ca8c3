import { InputError } from '../errors.ts';
import type { Question } from '../registration/question.ts';

/** A file cannot be read before somebody has answered. Printed, it names the flags that answer. */
export class QuestionError extends InputError {
  readonly questions: readonly Question[];

  constructor(questions: readonly Question[]) {
    const [first, ...more] = questions.map(tell);
    super(first?.[0] ?? 'There is something to be decided.', {
      details: [...(first?.slice(1) ?? []), ...more.flat()],
    });
    this.questions = questions;
  }
}

function tell({ text, details, answers }: Question): string[] {
  const flags = answers.map(({ flag, label }) => `  ${flag}: ${label}`);
  return [text, ...details.map((line) => `  ${line}`), ...flags];
}
