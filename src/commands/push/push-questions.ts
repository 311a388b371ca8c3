import { GuardError } from '../../errors.ts';
import type { Choose } from '../../sync/journal/send-context.ts';
import { shellWord, typedAnswer } from '../../input/source/shell-word.ts';
import { QuestionError } from '../../input/source/question-error.ts';
import type { Answer, Question, QuestionRow, TableQuestion } from '../../registration/model/question.ts';
import type { Reporter } from '../../report/views/events.ts';
import { visible } from '../../report/words/escape.ts';
import { writeMessage } from '../../report/words/wrap-words.ts';
import type { Choice } from '../../prompts/prompt.ts';
import type { Runtime } from '../../runtime.ts';
import { keyOf, together } from './one-screen.ts';
import type { PushCommandOptions } from './push-command-options.ts';
import { reopened } from './said-meanings.ts';
import { answersGiven, tellAllOpen, withAnswer, type Work, workAnyhow } from './push-unasked.ts';
import { askUnsent, isInteractive, KEPT, say, type Call } from '../terminal/terminal.ts';

/** What a piece of work came to, with the options as they were answered on the way. */
export interface Asked<Result> {
  result: Result;
  options: PushCommandOptions;
  /** The answers that a person has given, in order. */
  answers: readonly Answer[];
}

/** The work, and what is remembered of it. */
interface Asking<Result> {
  work: Work<Result>;
  keep: (asked: Asked<Result>) => Promise<unknown>;
  /** Whether more than what was answered now is known of the files. */
  recalls: (result: Result) => boolean;
}

/** A question that was answered, and what the options were before. */
interface Given {
  question: string;
  answers: readonly Answer[];
  before: PushCommandOptions;
}

/** What was decided of rows of tables, by their labels: whoever goes back and comes again finds it so. */
type Drafts = Map<string, string>;

/**
 * Does a piece of work that may throw a QuestionError, asks the person at the terminal, and does it again
 * with the answers; whoever goes back is asked the question before again. Whoever stops has the answers kept. Without a
 * terminal it is an error that tells everything that is open, and the flags that answer.
 */
export async function workAsking<Result>(
  options: PushCommandOptions,
  { work, keep, recalls }: Asking<Result>,
  reporter: Reporter,
  runtime: Runtime,
): Promise<Asked<Result>> {
  const given: Given[] = [];
  const drafts: Drafts = new Map();
  const recalled = new Set<string>();
  let known = options;
  for (let current = options; ; ) {
    try {
      const result = await work(current, reporter);
      tellFlags(given, recalls(result), { options: current, runtime });
      return { result, options: current, answers: given.flatMap((one) => one.answers) };
    } catch (error) {
      if (!(error instanceof QuestionError)) throw error;
      const last = error.questions.find((one) => one.remembered !== undefined && !recalled.has(one.text));
      if (last?.remembered !== undefined) {
        recalled.add(last.text);
        known = withAnswer(known, last.remembered);
        current = withAnswer(current, last.remembered);
        continue;
      }
      if (!isInteractive(runtime)) throw await tellAllOpen(current, work);
      const questions = together(error.questions);
      // An answer that settles nothing must not be asked for again and again.
      if (questions.every((one) => given.some(({ question }) => question === keyOf(one)))) throw error;
      reporter.pause();
      const open = new QuestionError(questions);
      current = await askAll(open, current, given, drafts, runtime).catch(async (stopped: unknown) => {
        const answers = given.flatMap((one) => one.answers);
        const said = answers.reduce(withAnswer, known);
        const { result } = answers.length === 0 ? {} : await workAnyhow(said, work);
        if (result !== undefined) await keep({ result, options: said, answers });
        const kept = result === undefined ? '' : KEPT;
        if (stopped === open) throw new GuardError('confirmation', `Nothing was sent.${kept}`);
        return await askUnsent(Promise.reject(stopped as Error), kept);
      });
    }
  }
}

/** Asks one after the other; stops at the one from which the person goes back. */
async function askAll(
  error: QuestionError,
  options: PushCommandOptions,
  given: Given[],
  drafts: Drafts,
  runtime: Runtime,
): Promise<PushCommandOptions> {
  let current = options;
  for (const question of error.questions) {
    const before = current;
    const answers = await ask(question, given.length > 0, drafts, error, runtime).catch(
      (stopped: unknown) => {
        if (question.kind === 'table')
          given.push({ question: keyOf(question), answers: answersDecided(question, drafts), before });
        throw stopped;
      },
    );
    if (answers === BACK) return given.pop()?.before ?? current;
    current = answers.reduce(withAnswer, current);
    given.push({ question: keyOf(question), answers, before });
  }
  return current;
}

/** What to type the next time. */
function tellFlags(given: readonly Given[], isMore: boolean, call: Call<PushCommandOptions>): void {
  const now = reopened(call.options);
  // What a later answer has replaced is not said, nor what was left undecided: without a word it stays so.
  const answers = given
    .flatMap((one) => one.answers)
    .filter(({ option, value }) => {
      const said: unknown = now[option as keyof PushCommandOptions];
      if (Array.isArray(said)) return (said as unknown[]).includes(value);
      const [heading = '', text = '', meant] = option === 'values' && typeof value === 'object' ? value : [];
      return now.values[heading]?.[text] === meant;
    });
  if (answers.length === 0) return;
  const { writeMapping } = call.options;
  const flags = answers.flatMap((answer) => typedAnswer(answer) ?? []);
  const said = [...new Set(flags)].join(' ');
  const isShort = !isMore && flags.length === answers.length && said.length <= LONGEST_SAID;
  const again = writeMapping === undefined ? isShort && said : `--mapping ${shellWord(writeMapping)}`;
  say(call, again === false ? IN_A_FILE : `The same without being asked: ${again}`);
}

const IN_A_FILE =
  'The answers are kept for the next list like this one. For a script, or another machine, write them with --write-mapping FILE, and push with --mapping FILE.';

/** Of more than three lines nobody makes a command. */
const LONGEST_SAID = 220;

/** What was decided of the rows of a table before somebody stopped, each for itself: the rest was not decided. */
const answersDecided = (question: TableQuestion, drafts: Drafts): readonly Answer[] =>
  answersGiven(
    { ...question, restAnswer: undefined },
    question.rows.map((row) => draftOf(row, drafts)),
  );

/** The answer that was decided for a row; -1 for none. */
const draftOf = ({ label, answers }: QuestionRow, drafts: Drafts): number =>
  answers.findIndex((answer) => answer.label === drafts.get(label));

/** The first choice where damage can only be accepted: whoever just presses Enter accepts nothing. */
const STOP = { value: 'stop', label: 'stop: I mend the file first' };

/** What is returned for whoever wants to see the question before again. */
const BACK = Symbol('back');

/**
 * Throws the error of the question when the person would rather stop. `back`: there is a question before it; `drafts` gets what
 * is decided of a table on the way.
 */
async function ask(
  question: Question,
  back: boolean,
  drafts: Drafts,
  error: QuestionError,
  runtime: Runtime,
): Promise<readonly Answer[] | typeof BACK> {
  const { examples = [] } = question.kind === 'table' ? question : {};
  for (const line of [...question.details, ...examples]) writeMessage(runtime.stderr, visible(line));
  if (question.kind === 'table') return await askTable(question, back, drafts, runtime);
  const choices = question.answers.map(toChoice);
  const acts = choices.length === 1;
  if (acts) choices.unshift(STOP);
  else if (question.mayStop === true) choices.push(STOP);
  const chosen = await (await runtime.prompt()).select(visible(question.text), choices, { acts, back });
  if (chosen === undefined) return BACK;
  if (chosen === STOP.value) throw error;
  return [question.answers[Number(chosen)]].filter((answer) => answer !== undefined);
}

/** The answers that say what would not hold without them. */
async function askTable(
  question: TableQuestion,
  back: boolean,
  drafts: Drafts,
  runtime: Runtime,
): Promise<readonly Answer[] | typeof BACK> {
  const { text, settled: all = text, headings, rest } = question;
  const rows = question.rows.map((row): QuestionRow => {
    const at = draftOf(row, drafts);
    return at < 0 || at === row.chosen ? row : { ...row, chosen: at, certain: false, why: undefined };
  });
  const decide = (at: number, value: string): void => {
    const { label = '', answers } = rows[at] ?? {};
    drafts.set(label, answers?.[Number(value)]?.label ?? '');
  };
  const label = rest === undefined ? undefined : rows[0]?.answers[rest]?.label;
  const prompt = await runtime.prompt();
  const answered = await prompt.table({
    title: visible(text),
    settled: visible(all),
    headings,
    rows: rows.map((row) => ({
      label: visible(row.label),
      sample: visible(row.sample),
      value: row.chosen === undefined ? undefined : String(row.chosen),
      ...(row.why === undefined ? {} : { why: visible(row.why) }),
      choices: row.answers.map(toChoice),
    })),
    rest: label === undefined ? undefined : { value: String(rest), label },
    back,
    onDecided: decide,
  });
  if (answered === undefined) return BACK;
  return answersGiven({ ...question, rows }, answered.map(Number));
}

function toChoice({ label, hint }: Answer, index: number): Choice {
  const choice = { value: String(index), label: visible(label) };
  return hint === undefined ? choice : { ...choice, hint: visible(hint) };
}

/** Asks for one of several answers, of which the first sends nothing; undefined where nobody is there to be asked. */
export function chooser(runtime: Runtime, reporter: Reporter): Choose | undefined {
  if (!isInteractive(runtime)) return undefined;
  return async ({ text, details }, answers) => {
    reporter.pause();
    for (const line of details) writeMessage(runtime.stderr, visible(line));
    return await (await runtime.prompt()).select(visible(text), answers, { acts: true });
  };
}
