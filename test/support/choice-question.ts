import type { ChoiceQuestion, Question } from '../../src/registration/model/question.ts';

/** A question that has to be one of several answers. */
export function choice(question: Question | undefined): ChoiceQuestion {
  if (question === undefined || question.kind === 'table') throw new Error('This is no choice.');
  return question;
}
