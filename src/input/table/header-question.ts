import { type Answer, answerOf } from '../../registration/model/question.ts';
import { QuestionError } from '../source/question-error.ts';
import { showCells } from '../columns/show-cells.ts';
import type { TableRecord } from '../source/table-record.ts';
import { lineNoun, tableName, type TableOptions } from './table-options.ts';

/** So many records are shown, from the first on. */
const SHOWN = 5;

/**
 * Asks which record is the header: one of `likely`, the likeliest first, or another of those shown.
 * `why` says what makes it doubtful.
 */
export function askForHeader(
  why: 'two rows' | 'several' | 'unknown',
  records: readonly TableRecord[],
  likely: readonly number[],
  options: TableOptions,
): QuestionError {
  const noun = lineNoun(options);
  const shown = new Set([...records.keys()].filter((at) => at < SHOWN || likely.includes(at)));
  const show = (at: number): string => `${noun} ${records[at]?.line}: ${showCells(records[at]?.cells ?? [])}`;
  const answer = (at: number): Answer => answerOf(show(at), 'headerRow', String(records[at]?.line));
  const reasons = {
    'two rows': `the header seems to stand in two ${noun}s, but a column has one name only.`,
    several: `more than one ${noun} may be the header.`,
    unknown: `the first ${noun} does not look like a header, and no other one holds names that are known.`,
  };
  return new QuestionError([
    {
      text: `${tableName(options)}: ${reasons[why]} Which ${noun} holds the names of the columns?`,
      details: [...shown].map(show),
      answers: [...new Set([...likely, ...shown])].map(answer),
    },
  ]);
}
