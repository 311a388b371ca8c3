import type { ChoiceQuestion, Question } from '../../src/registration/model/question.ts';

/** A question that has to be one of several answers. */
export function choice(question: Question | undefined): ChoiceQuestion {
  if (question === undefined || question.kind === 'table') throw new Error('This is no choice.');
  return question;
}

/** An answer that a flag of `--set` gives as well. */
export function answer(label: string, option: string, value: string) {
  const name = option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return { label, flag: `--set ${name}=${value}`, option, value };
}
