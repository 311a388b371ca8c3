import type { ChoiceEvidence, OpenValue } from './choice-evidence.ts';
import { proposeMeaning } from './propose-meaning.ts';
import type { Answer, QuestionRow, TableQuestion } from '../model/question.ts';

/** More rows than these are asked column by column. */
const MOST_ROWS = 20;
/** The first answer of every row: whoever just presses Enter decides nothing. */
const AS_IT_IS = 0;

/** Asks what texts mean that are no option of their column: all on one screen while they are few. */
export function valuesQuestions(
  file: string,
  columns: readonly ChoiceEvidence[],
  unit: 'row' | 'line',
): TableQuestion[] {
  const open = columns.filter((column) => column.open.length > 0);
  const rows = open.map((column) => column.open.map((value) => rowOf(column, value, unit)));
  if (rows.length === 0) return [];
  const all = rows.flat();
  if (all.length <= MOST_ROWS) return [tableOf(file, open, all)];
  return open.map((column, at) => tableOf(file, [column], rows[at] ?? []));
}

function tableOf(
  file: string,
  columns: readonly ChoiceEvidence[],
  rows: readonly QuestionRow[],
): TableQuestion {
  const names = columns.map(({ column }) => `"${column}"`).join(', ');
  const what = rows.length === 1 ? '1 value is' : `${rows.length} values are`;
  return {
    kind: 'table',
    topic: 'values',
    text: `${file}: ${what} none of the options of ${names}. What ${rows.length === 1 ? 'does it' : 'do they'} mean?`,
    details: [],
    headings: ['', 'rows', 'means'],
    rows,
    rest: AS_IT_IS,
  };
}

function rowOf(evidence: ChoiceEvidence, { text, rows, lines }: OpenValue, unit: string): QuestionRow {
  const { column, choices } = evidence;
  const proposal = proposeMeaning(text, choices);
  const options = choices.map(({ value, label }) => meaning(column, text, value, label));
  const answers = [
    meaning(column, text, text, 'undecided, row not sent'),
    meaning(column, text, '', 'left blank'),
    ...options,
  ];
  const found = choices.findIndex(({ value }) => value === proposal?.value) + 2;
  const more = rows > lines.length ? ' …' : '';
  return {
    // The text first: of long headings the end may be cut.
    label: `"${text}" in ${column}`,
    sample: `${rows} (${unit} ${lines.join(', ')}${more})`,
    chosen: proposal === undefined ? undefined : found,
    ...(proposal === undefined ? {} : { why: proposal.why }),
    answers,
  };
}

function meaning(column: string, text: string, value: string, label: string): Answer {
  return { label, flag: undefined, option: 'values', value: [column, text, value] };
}
