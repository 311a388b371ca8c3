import type { Question, QuestionRow, TableQuestion } from '../../registration/model/question.ts';
import { answersOf } from '../../sync/ingest/mapping-cache.ts';

/** What tells a question from others that say the same of something else. */
export const keyOf = ({ text, details }: Question): string => [text, ...details].join('\n');

/**
 * The questions as they are asked: all that have a likely answer stand on one screen, where Enter takes it, below what values
 * mean of which nothing is likely. Of two files that leave the same open, one answer counts for both.
 */
export function together(questions: readonly Question[]): readonly Question[] {
  const asked = questions.filter((question, at) => {
    const [{ option, value } = { option: '', value: [] }] = answersOf(question);
    const isSame = (one: Question): boolean => answersOf(one)[0]?.option === option;
    return typeof value === 'object' || questions.findIndex(isSame) === at;
  });
  const likely = asked.filter(isLikely);
  const open = asked.find((one) => isOfValues(one) && !isLikely(one));
  if (likely.length + Number(open !== undefined) < 2) return asked;
  const rows = likely.flatMap(rowsFor);
  const base = isOfValues(open)
    ? open
    : { ...LIKELY, text: `${rows.length} answers are most likely. Are they right?` };
  const screen: TableQuestion = {
    ...base,
    details: [...base.details, ...likely.flatMap((one) => [one.text, ...one.details])],
    rows: [...base.rows, ...rows],
  };
  return [screen, ...asked.filter((one) => one !== open && !likely.includes(one))];
}

const LIKELY: Omit<TableQuestion, 'text'> = {
  kind: 'table',
  topic: 'values',
  details: [],
  headings: ['', '', 'is'],
  rows: [],
  rest: undefined,
};

const isOfValues = (question: Question | undefined): question is TableQuestion =>
  question?.kind === 'table' && question.topic === 'values';

/** Whether everything of a question has a likely answer; damage is accepted one at a time. */
function isLikely(question: Question): boolean {
  if (question.kind === 'table')
    return isOfValues(question) && question.rows.every(({ chosen }) => chosen !== undefined);
  const { answers, unlikely, mayStop } = question;
  return answers.length > 1 && unlikely !== true && mayStop !== true;
}

function rowsFor(question: Question): readonly QuestionRow[] {
  if (question.kind === 'table') return question.rows;
  const { text, details, answers } = question;
  const label = text.replace(/^.*?: /, '');
  return [{ label, sample: details[0] ?? '', chosen: 0, why: 'most likely', answers }];
}
