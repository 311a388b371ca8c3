import { type ErrorFacts, InputError, type OpenQuestion } from '../../errors.ts';
import { typedAnswer } from './shell-word.ts';
import type { Answer, Question, QuestionRow } from '../../registration/model/question.ts';

/** Answers that an error lists; who is asked sees all. */
const MOST_ANSWERS = 10;
/** Rows of a table that an error lists: it is read on one screen. */
const MOST_ROWS = 14;

/** A command that gives the likeliest answer to each question, and the columns that are left out by it. */
interface Proposal {
  command: string;
  leavesOut: readonly string[];
  /** How many columns it names, and one of those that it leaves out. */
  named: number;
  ignored: string | undefined;
}

/** `Where the first answer to each is right (leaves out: "Quantity"), this is the command: …` */
export function tellCommand(what: string, { command, leavesOut }: Proposal): string {
  const left = leavesOut.length === 0 ? '' : ` (leaves out: ${leavesOut.join(', ')})`;
  return `Where ${what} is right${left}, this is the command: ${command}`;
}

/** So many flags for columns are better said in a file. */
const MANY_NAMED = 5;

function inMappingFile({ named, ignored }: Proposal): string {
  if (named < MANY_NAMED || ignored === undefined) return '';
  const columns = JSON.stringify({ columns: { [ignored]: null } });
  return `In place of many flags --mapping FILE takes a file with ${columns} for a column that is left out; --write-mapping FILE writes it. `;
}

/** A file cannot be read before somebody has answered. Printed, it names the flags that answer. */
export class QuestionError extends InputError {
  readonly questions: readonly Question[];
  readonly proposal: Proposal | undefined;
  override readonly open: readonly OpenQuestion[];

  constructor(questions: readonly Question[], proposal?: Proposal) {
    const { message, ...facts } = tellAll(questions, proposal);
    super(message, facts, 'questions');
    this.questions = questions;
    this.proposal = proposal;
    this.open = questions.flatMap(openOf);
  }
}

/** One question for each row of a table that is open. */
function openOf(question: Question): OpenQuestion[] {
  const told = (answers: readonly Answer[]): OpenQuestion['answers'] =>
    answers.map((answer) => ({ flag: typedAnswer(answer) ?? null, label: answer.label }));
  if (question.kind !== 'table') return [{ text: question.text, answers: told(question.answers) }];
  const rows = question.rows.filter(({ certain }) => certain !== true);
  return rows.map(({ label, answers }) => ({ text: `${question.text} ${label}`, answers: told(answers) }));
}

function tellAll(
  questions: readonly Question[],
  proposal: Proposal | undefined,
): { message: string } & ErrorFacts {
  const [[message = 'There is something to be decided.', ...first] = [], ...more] = questions.map(tell);
  return {
    message,
    details: [...first, ...more.flat()],
    hint:
      proposal === undefined
        ? 'Add the flag that is right, and run the command again.'
        : inMappingFile(proposal) + tellCommand('the first answer to each', proposal),
  };
}

function tell(question: Question): string[] {
  const details = question.details.map((line) => `  ${line}`);
  if (question.kind === 'table') {
    const open = question.rows.filter(({ certain }) => certain !== true);
    const { rest, restAnswer } = question;
    // What one flag says of all rows is said behind them.
    const isShared = ({ answers }: QuestionRow): boolean => answers.some((answer) => answer === restAnswer);
    const rows = open.map((row) =>
      isShared(row)
        ? `  ${row.label}: ${row.sample}`
        : `  ${row.told ?? `${flagsOf(row, rest)}: ${row.why ?? 'nothing is known of it'}`}`,
    );
    const others = question.others === undefined ? [] : [`  ${question.others}`];
    return [question.text, ...details, ...firstLines(rows, MOST_ROWS, question.topic), ...others];
  }
  const flags = question.answers.map(
    (answer) => `  ${typedAnswer(answer) ?? 'in a mapping file'}: ${answer.label}`,
  );
  return [question.text, ...details, ...firstLines(flags, MOST_ANSWERS, 'answers')];
}

/** The flag of the likeliest answer; of what only a person can say, those of two. */
function flagsOf({ label, chosen, answers, asksPerson }: QuestionRow, rest: number | undefined): string {
  const likely = asksPerson === true ? answers.slice(0, 2).reverse() : [answers[chosen ?? rest ?? -1]];
  const flags = likely.flatMap((answer) => answer?.flag ?? []);
  if (flags.length > 0) return flags.join(' or ');
  return chosen === undefined ? label : `${label} is ${answers[chosen]?.label}`;
}

/** The first lines, and how many there are beyond them: `… and 70 more columns`. An error is read on one screen. */
export function firstLines(lines: readonly string[], most: number, what: string): readonly string[] {
  const left = lines.length - most;
  return left <= 0 ? lines : [...lines.slice(0, most), `… and ${left} more ${what}`];
}
