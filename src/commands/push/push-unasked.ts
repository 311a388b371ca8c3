import { partFlag, shellWord, typedAnswer } from '../../input/source/shell-word.ts';
import { QuestionError } from '../../input/source/question-error.ts';
import { flagOf, isInParts, isSetting, kebabOf } from '../../registration/model/option-flags.ts';
import type { Answer, Question, QuestionRow, TableQuestion } from '../../registration/model/question.ts';
import type { Reporter } from '../../report/views/events.ts';
import { visible } from '../../report/words/escape.ts';
import { parseOptions } from '../options/options.ts';
import { ELSE, partsOf } from '../../input/columns/column-names.ts';
import { personOf } from '../../input/columns/heading-person.ts';
import { reopened } from './said-meanings.ts';
import { type PushCommandOptions, pushValues, saidOptions } from './push-command-options.ts';
import { typedCommand } from '../options/help.ts';
import { withoutWhere } from './where-flag.ts';

/** Work that reads and leaves nothing behind: it is done again with every answer. */
export type Work<Result> = (
  options: PushCommandOptions,
  reporter: Reporter,
  /** Nobody is there, but all that could be asked is: for the command that answers it. */
  tries?: boolean,
) => Promise<Result>;

/** What is tried says nothing. */
const SILENT: Reporter = { report: () => undefined, pause: () => undefined, close: () => undefined };

/** More rounds of questions than any file has. */
const MOST_ROUNDS = 20;

/** Does the work again and again with answers to what is open, as far as there are any; without a result where there are none. */
async function tryOut<Result>(
  options: PushCommandOptions,
  work: Work<Result>,
  answersTo: (question: Question) => readonly Answer[] | undefined,
): Promise<{ seen: readonly Question[]; options: PushCommandOptions; result?: Result }> {
  const seen: Question[] = [];
  let current = options;
  for (let round = 0; round <= MOST_ROUNDS; round += 1) {
    try {
      return { seen, options: current, result: await work(current, SILENT, true) };
    } catch (error) {
      const asked = error instanceof QuestionError ? error.questions : [];
      const added = asked.filter(({ text }) => seen.every((known) => known.text !== text));
      seen.push(...added);
      const answers = added.map(answersTo);
      if (added.length === 0 || answers.includes(undefined)) break;
      current = answers.flatMap((one) => one ?? []).reduce(withAnswer, current);
    }
  }
  return { seen, options: current };
}

/**
 * Everything that is open where nobody can be asked, in one error: the work is tried with the likeliest answers, which
 * shows what is open after them. When there is one for each, the error ends with the command that gives them all, and
 * names the columns that it leaves out.
 */
export async function tellAllOpen<Result>(
  options: PushCommandOptions,
  work: Work<Result>,
): Promise<QuestionError> {
  const tried = await tryOut(options, work, likeliest);
  const open = tried.seen.filter(isOpen);
  const isGuess = open.some(
    (one) => one.kind !== 'table' && one.unlikely === true && one.leavesOut === undefined,
  );
  const said = tried.seen.some(isUnknown) ? { ...tried.options, invalid: 'skip' as const } : tried.options;
  const command = 'result' in tried && !isGuess ? commandLine(reopened(said)) : undefined;
  // What cannot be seen cannot be copied either.
  if (command === undefined || visible(command) !== command) return new QuestionError(open);
  const { map, ignoreColumn } = tried.options;
  const named = map.length + ignoreColumn.length;
  const leavesOut = tried.seen.flatMap(leftOutBy);
  return new QuestionError(open, { command, leavesOut, named, ignored: ignoreColumn[0] });
}

/** What the work comes to with any answer to what is still open, and these answers: the likeliest first. */
export async function workAnyhow<Result>(
  options: PushCommandOptions,
  work: Work<Result>,
): Promise<{ options: PushCommandOptions; result?: Result }> {
  const anyTo = (question: Question): readonly Answer[] => {
    if (question.kind !== 'table') return question.answers.slice(0, 1);
    const { rows, rest } = question;
    return answersGiven(
      question,
      rows.map((row) => row.chosen ?? rest ?? 0),
    );
  };
  return await tryOut(options, work, anyTo);
}

/** What was answered for the like of these files before is not asked. */
const isOpen = ({ remembered }: Question): boolean => remembered === undefined;

/** Whether there are values of which nothing is known: their rows would stop all others. */
export const isUnknown = (question: Question): boolean =>
  question.kind === 'table' &&
  question.topic === 'values' &&
  question.rows.some(({ chosen }) => chosen === undefined);

/** The columns that are left out because nothing is likely of them, what is hidden, and rows of which is still to be said what they mean. */
function leftOutBy(question: Question): string[] {
  if (question.kind !== 'table') return question.leavesOut === undefined ? [] : [question.leavesOut];
  if (question.topic === 'values')
    return question.rows.flatMap(({ chosen, label }) =>
      chosen === undefined ? `the rows with ${label}` : [],
    );
  const left = ({ certain, chosen, answers }: QuestionRow): boolean =>
    certain !== true && answers[chosen ?? question.rest ?? -1]?.option === 'ignoreColumn';
  return question.rows.filter(left).map(({ label }) => shellWord(label));
}

/** Undefined where nothing is likely: damage is accepted by people only. */
function likeliest(question: Question): readonly Answer[] | undefined {
  if (question.remembered !== undefined) return [question.remembered];
  if (question.kind !== 'table') {
    const [answer, another] = question.answers;
    if (answer === undefined || another === undefined) return undefined;
    return canBeSaid(answer) ? [answer] : undefined;
  }
  // Whose it is only a person can say; what is somebody else's for certain is left out.
  const chosen = question.rows.map((row) =>
    row.asksPerson === true && roleOf(row) !== 'other' ? -1 : (row.chosen ?? question.rest ?? -1),
  );
  const isOpen = chosen.includes(-1);
  const answers = answersGiven(question, chosen);
  return isOpen || !answers.every(canBeSaid) ? undefined : answers;
}

/** Whether words of a command line give an answer. */
function canBeSaid(answer: Answer): boolean {
  return typedAnswer(answer) !== undefined || answer.value === false;
}

/** The column of who comes counts first, that of whoever books or pays last; of one person the preferred. */
const ROLES = ['comes', 'plain', 'unsure', 'other'] as const;
const placeOf = ({ label }: QuestionRow): number => {
  const { role, rank } = personOf(label);
  return ROLES.indexOf(role) - rank / 10;
};
const roleOf = ({ label }: QuestionRow) => personOf(label).role;

/** What a row fills, by what was chosen for it: both parts of a full name; what others leave blank is theirs. */
function fillsOf({ answers }: QuestionRow, index = -1): readonly string[] {
  const { option, value } = answers[index] ?? {};
  if (option !== 'map' || typeof value !== 'string') return [];
  const target = value.slice(value.lastIndexOf('=') + 1);
  return target.startsWith(ELSE) ? [] : partsOf(target);
}

/** Of what was chosen in a table, what would not hold without being said, in the order in which columns of one field count. */
export function answersGiven(
  { rows, rest, restAnswer, topic }: TableQuestion,
  chosen: readonly number[],
): readonly Answer[] {
  const isRest = (row: QuestionRow, at: number): boolean =>
    row.certain !== true && row.apart !== true && chosen[at] === rest;
  const left = rows.filter(isRest);
  // One answer says of all of them what a key has given them.
  const forAll = left.length > 1 ? restAnswer : undefined;
  const fills = rows.map((row, at) => fillsOf(row, chosen[at]));
  const isAsBefore = (row: QuestionRow, at: number): boolean =>
    row.certain === true && row.chosen === chosen[at];
  // What it is for certain holds unsaid, but beside another that fills the same: then in which order is open.
  const isKnown = (at: number): boolean =>
    rows.every(
      (row, other) =>
        isAsBefore(row, other) ||
        (other !== at && !fills[other]?.some((part) => fills[at]?.includes(part) === true)),
    );
  const given = [...rows.entries()].flatMap(([at, row]) => {
    const answer = row.answers[chosen[at] ?? -1];
    const isSaid = isKnown(at) || (forAll !== undefined && isRest(row, at));
    return answer === undefined || isSaid ? [] : [{ answer, place: topic === 'columns' ? placeOf(row) : 0 }];
  });
  const inOrder = given.sort((one, other) => one.place - other.place).map(({ answer }) => answer);
  return forAll === undefined ? inOrder : [...inOrder, forAll];
}

/** The options as if the flag of the answer had been given. */
export function withAnswer(options: PushCommandOptions, { option, value }: Answer): PushCommandOptions {
  const { map, ignoreColumn } = options;
  const isColumn = option === 'map' || option === 'ignoreColumn';
  const column = isColumn && typeof value === 'string' ? columnOf(option, value) : undefined;
  // The last word on a column counts.
  const others = {
    map: map.filter((one) => columnOf('map', one) !== column),
    ignoreColumn: ignoreColumn.filter((one) => one !== column),
  };
  const before = { ...options, ...(column === undefined ? {} : others) };
  const joint = joined(before[option as keyof PushCommandOptions], value);
  return parseOptions(pushValues, { ...before, [option]: joint }, flagOf);
}

function columnOf(option: string, value: string): string {
  return option === 'map' ? value.slice(0, value.lastIndexOf('=')) : value;
}

/** A list grows; a path leads into the parts of an option. */
function joined(before: unknown, value: Answer['value']): unknown {
  if (Array.isArray(before)) return [...(before as unknown[]), value];
  if (typeof value !== 'object') return value;
  const [part, ...path] = value;
  if (part === undefined) return before;
  const parts = Object(before) as Readonly<Record<string, unknown>>;
  const rest = path.length === 1 ? path[0] : joined(parts[part], path);
  return { ...parts, [part]: rest };
}

/** Options that are said before all others, or as something else. */
const APART = ['files', 'profile', 'sandbox'];

/** The command that gives these options; what has no flag is left out. */
export function commandLine(options: PushCommandOptions): string {
  const left = withoutWhere(options);
  const words = saidOptions(left).flatMap((name) => (APART.includes(name) ? [] : wordsOf(name, left[name])));
  // A name that begins with a dash would be a flag.
  const files = options.files.map((file) => (/^-./.test(file) ? `./${file}` : file));
  return typedCommand(['push', ...files, ...words], options);
}

function wordsOf(name: string, value: unknown): string[] {
  if (value === undefined) return [];
  if (isInParts(name)) {
    return pathsIn(value).flatMap((path) => partFlag(name, path));
  }
  if (Array.isArray(value)) return value.flatMap((one: unknown) => wordsOf(name, one));
  const limit = name === 'maxWait' ? `${Math.ceil(Number(value) / 1000)}s` : asLimit(value);
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  if (limit === undefined && !isPlain) return [];
  const text = limit ?? (isPlain ? String(value) : '');
  if (isSetting(name)) return ['--set', `${kebabOf(name)}=${text}`];
  if (value === false) return [`--no-${kebabOf(name)}`];
  return value === true ? [flagOf(name)] : [flagOf(name), text];
}

/** The ways to all ends of an option with parts. */
function pathsIn(value: unknown): string[][] {
  if (typeof value === 'string') return [[value]];
  return Object.entries(Object(value) as object).flatMap(([part, inner]: [string, unknown]) =>
    pathsIn(inner).map((path) => [part, ...path]),
  );
}

/** As `--max-delete` takes it. */
function asLimit(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('kind' in value) || !('value' in value))
    return undefined;
  return `${String(value.value)}${value.kind === 'number' ? '' : '%'}`;
}
