import { madeOnce } from '../model/maps.ts';
import type { ChoiceEvidence, OpenValue } from './choice-evidence.ts';
import type { Mendable, MendEvidence } from './mend-evidence.ts';
import { proposeMeaning } from './synonyms.ts';
import { type Answer, answerOf, type QuestionRow, type TableQuestion } from '../model/question.ts';
import type { NothingWord } from './nothing-evidence.ts';
import { type ByColumn, foldValue, type Meanings } from '../repairs/meanings.ts';

/** The first answer of every row: whoever just presses Enter decides nothing. */
const AS_IT_IS = 0;

/** Asks what texts mean that are no option of their column, or that one change would mend: all on one screen. */
export function valuesQuestions(
  file: string,
  columns: readonly ChoiceEvidence[],
  unit: 'row' | 'line',
  mends: readonly MendEvidence[] = [],
): TableQuestion[] {
  const asked = [
    ...columns.map((one) => ({
      column: one.column,
      why: 'none of the options of',
      rows: one.open.map((value) => rowOf(one, value, unit)),
    })),
    ...mends.map(({ column, open }) => ({
      column,
      why: 'not as it can be sent in',
      rows: open.map((value) => mendRow(column, value, unit)),
    })),
  ].filter(({ rows }) => rows.length > 0);
  const rows = asked.flatMap((one) => one.rows);
  if (rows.length === 0) return [];
  const whys = [...new Set(asked.map(({ why }) => why))].map((why) => {
    const names = asked.filter((one) => one.why === why).map(({ column }) => `"${column}"`);
    return `${why} ${names.join(', ')}`;
  });
  const what = rows.length === 1 ? '1 value is' : `${rows.length} values are`;
  return [
    {
      kind: 'table',
      topic: 'values',
      text: `${file}: ${what} ${whys.join(', or ')}. What ${rows.length === 1 ? 'does it' : 'do they'} mean?`,
      details: [],
      headings: ['', 'rows', 'means'],
      rows,
      rest: AS_IT_IS,
    },
  ];
}

function rowOf({ column, choices }: ChoiceEvidence, found: OpenValue, unit: string): QuestionRow {
  const { text } = found;
  const proposal = proposeMeaning(text, choices);
  const at = choices.findIndex(({ value }) => value === proposal?.value) + 2;
  return {
    ...tellRow(column, found, unit),
    chosen: proposal === undefined ? undefined : at,
    why: proposal?.why,
    told: proposal && `${column} "${text}": ${choices[at - 2]?.label} (${proposal.why})`,
    answers: [
      meaning(column, text, text, 'undecided, row not sent'),
      meaning(column, text, '', 'left blank'),
      ...choices.map(({ value, label }) => meaning(column, text, value, label)),
    ],
  };
}

function mendRow(column: string, found: Mendable, unit: string): QuestionRow {
  const { text, label, meant } = found;
  return {
    ...tellRow(column, found, unit),
    label: `${label} in ${column}`,
    chosen: 1,
    why: 'most likely',
    answers: [
      meaning(column, text, text, 'undecided, row not sent'),
      ...meant.map((one) => meaning(column, text, one.meaning, one.label)),
    ],
  };
}

/** The text first: of long headings the end may be cut. */
export function tellRow(column: string, { text, rows, lines }: OpenValue, unit: string) {
  const more = rows > lines.length ? ' …' : '';
  return { label: `"${text}" in ${column}`, sample: `${rows} (${unit} ${lines.join(', ')}${more})` };
}

export function meaning(column: string, text: string, value: string, label: string): Answer {
  return { label, flag: undefined, option: 'values', value: [column, text, value] };
}

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
  const groups = new Map<string, NothingWord[]>();
  for (const word of words) madeOnce(groups, foldValue(word.text), (): NothingWord[] => []).push(word);
  const told = [...groups.values()].map((alike) => {
    const cells = alike.reduce((sum, { rows }) => sum + rows, 0);
    const columns = alike.map(({ column }) => column).join(', ');
    return `"${alike[0]?.text}" (${cells === 1 ? '1 cell' : `${cells} cells`} in ${columns})`;
  });
  const more = told.length > MOST_WORDS ? ` and ${told.length - MOST_WORDS} more` : '';
  const say = told.length === 1 ? 'says nothing. Is it' : 'say nothing. Are they';
  return {
    kind: 'table',
    topic: 'values',
    text: `${file}: ${told.slice(0, MOST_WORDS).join(', ')}${more} ${say} left blank?`,
    details: [],
    headings: ['', 'cells', 'is'],
    rows: words.map((word) => ({
      ...tellRow(word.column, word, unit),
      chosen: 0,
      answers: [BLANK, meaning(word.column, word.text, word.text, 'kept as it is')],
    })),
    rest: 0,
    restAnswer: BLANK,
    others: `${BLANK.flag} leaves them blank, --set nothing=kept keeps them as they are; "values" of a mapping file say it word by word`,
  };
}

/** The meanings of a file whose words for nothing are blanks. */
export function withBlanks(values: ByColumn<Meanings>, words: readonly NothingWord[]): ByColumn<Meanings> {
  const byColumn = new Map<string, Set<string>>();
  for (const { column, text } of words)
    madeOnce(byColumn, column, () => new Set<string>()).add(foldValue(text));
  const withThem = (blank: ReadonlySet<string>, said: Meanings | undefined): Meanings => ({
    has: (folded) => blank.has(folded) || said?.has(folded) === true,
    get: (folded, text) => (blank.has(folded) ? '' : said?.get(folded, text)),
  });
  return {
    size: values.size + byColumn.size,
    get(column) {
      const blank = byColumn.get(column);
      return blank === undefined ? values.get(column) : withThem(blank, values.get(column));
    },
  };
}
