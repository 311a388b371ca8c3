import type { Answer, Question } from '../../registration/model/question.ts';
import type { MappingWish } from './mapping-cache.ts';

/** Sets of columns of a file that are looked at: records may have one each. */
export const MOST_SHAPES = 10;

/** The question with the answer that was given for the last file that had the same columns. */
export function recalled<Asked extends Question>(
  question: Asked,
  shapes: ReadonlySet<readonly string[]>,
  { recallFile }: MappingWish['mapping'],
): Asked {
  const files = [...shapes].map((columns) => recallFile?.(columns) ?? {});
  const remembered = answersOf(question).find(({ option, value }) =>
    files.every((said) => said[option] === String(value)),
  );
  return files.length === 0 || remembered === undefined ? question : { ...question, remembered };
}

/** Of a table, the one that is said of all its rows at once. */
export function answersOf(question: Question): readonly Answer[] {
  if (question.kind !== 'table') return question.answers;
  return question.restAnswer === undefined ? [] : [question.restAnswer];
}
