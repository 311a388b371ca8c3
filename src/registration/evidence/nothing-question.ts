import type { NothingWord } from './nothing-evidence.ts';
import { answerOf, type QuestionRow, type TableQuestion } from '../model/question.ts';
import { type ByColumn, foldValue, type Meanings } from '../repairs/meanings.ts';

/** Words that the text of a question has; its rows have all. */
const MOST_WORDS = 5;
const BLANK = answerOf('left blank', 'nothing', 'blank');

/** Asks once a file whether words for nothing are blanks; undefined where it has none. */
export function nothingQuestion(
  file: string,
  words: readonly NothingWord[],
  unit: 'row' | 'line',
): TableQuestion | undefined {
  if (words.length === 0) return undefined;
  const told = byWord(words).map(tellWord);
  const more = told.length > MOST_WORDS ? ` and ${told.length - MOST_WORDS} more` : '';
  const say = told.length === 1 ? 'says nothing. Is it' : 'say nothing. Are they';
  return {
    kind: 'table',
    topic: 'values',
    text: `${file}: ${told.slice(0, MOST_WORDS).join(', ')}${more} ${say} left blank?`,
    details: [],
    headings: ['', 'cells', 'is'],
    rows: words.map((word) => rowOf(word, unit)),
    rest: 0,
    restAnswer: BLANK,
    others: `${BLANK.flag} leaves them blank, --set nothing=kept keeps them as they are; "values" of a mapping file say it word by word`,
  };
}

function tellWord(words: readonly NothingWord[]): string {
  const cells = words.reduce((sum, { rows }) => sum + rows, 0);
  const columns = words.map(({ column }) => column).join(', ');
  return `"${words[0]?.text}" (${cells === 1 ? '1 cell' : `${cells} cells`} in ${columns})`;
}

function rowOf({ column, text, rows, lines }: NothingWord, unit: string): QuestionRow {
  const more = rows > lines.length ? ' …' : '';
  return {
    label: `"${text}" in ${column}`,
    sample: `${rows} (${unit} ${lines.join(', ')}${more})`,
    chosen: 0,
    answers: [
      BLANK,
      { label: 'kept as it is', flag: undefined, option: 'values', value: [column, text, text] },
    ],
  };
}

function byWord(words: readonly NothingWord[]): NothingWord[][] {
  const groups = new Map<string, NothingWord[]>();
  for (const word of words) {
    const folded = foldValue(word.text);
    groups.set(folded, [...(groups.get(folded) ?? []), word]);
  }
  return [...groups.values()];
}

/** The meanings of a file whose words for nothing are blanks. */
export function withBlanks(values: ByColumn<Meanings>, words: readonly NothingWord[]): ByColumn<Meanings> {
  const byColumn = new Map<string, Map<string, string>>();
  for (const { column, text } of words) {
    const meanings = byColumn.get(column) ?? new Map(values.get(column));
    byColumn.set(column, meanings.set(foldValue(text), ''));
  }
  return { size: values.size + byColumn.size, get: (column) => byColumn.get(column) ?? values.get(column) };
}
