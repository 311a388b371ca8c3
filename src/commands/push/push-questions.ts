import { GuardError } from '../../errors.ts';
import type { Choose } from '../../sync/journal/send-context.ts';
import { shellWord, typedAnswer } from '../../input/source/shell-word.ts';
import { QuestionError } from '../../input/source/question-error.ts';
import type { Answer, Question, TableQuestion } from '../../registration/model/question.ts';
import { answersOf } from '../../sync/ingest/mapping-cache.ts';
import type { Reporter } from '../../report/views/events.ts';
import { visible } from '../../report/words/escape.ts';
import { writeMessage } from '../../report/words/wrap-words.ts';
import type { Runtime } from '../../runtime.ts';
import { rowsAsChosen, settleTwice } from './columns-twice.ts';
import type { PushCommandOptions } from './push-command-options.ts';
import { reopened } from './tell-meanings.ts';
import { answersGiven, tellAllOpen, withAnswer, type Work, workAnyhow } from './push-unasked.ts';
import { askUnsent, isInteractive, KEPT, say, type Call } from '../terminal/terminal.ts';

/** What a piece of work came to, with the options as they were answered on the way. */
export interface Asked<Result> {
  result: Result;
  options: PushCommandOptions;
  /** The answers that a person has given, in order. */
  answers: readonly Answer[];
}

/** A question that was answered, and what the options were before. */
interface Given {
  question: string;
  answers: readonly Answer[];
  before: PushCommandOptions;
}

/**
 * Does a piece of work that may throw a QuestionError, asks the person at the terminal, and does it again
 * with the answers; whoever goes back is asked the question before again. Whoever stops has the answers kept. Without a
 * terminal it is an error that tells everything that is open, and the flags that answer.
 */
export async function workAsking<Result>(
  options: PushCommandOptions,
  { work, keep }: { work: Work<Result>; keep: (asked: Asked<Result>) => Promise<unknown> },
  reporter: Reporter,
  runtime: Runtime,
): Promise<Asked<Result>> {
  const given: Given[] = [];
  const recalled = new Set<string>();
  let known = options;
  for (let current = options; ; ) {
    try {
      const result = await work(current, reporter);
      tellFlags(given, { options: current, runtime });
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
      // An answer that settles nothing must not be asked for again and again.
      if (error.questions.every(({ text }) => given.some(({ question }) => question === text))) throw error;
      reporter.pause();
      current = await askAll(error, current, given, runtime).catch(async (stopped: unknown) => {
        const answers = given.flatMap((one) => one.answers);
        const said = answers.reduce(withAnswer, known);
        const result = answers.length === 0 ? undefined : await workAnyhow(said, work);
        if (result !== undefined) await keep({ result, options: said, answers });
        const kept = result === undefined ? '' : KEPT;
        if (stopped === error) throw new GuardError('confirmation', `Nothing was sent.${kept}`);
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
  runtime: Runtime,
): Promise<PushCommandOptions> {
  let current = options;
  const settled = new Set<string>();
  for (const question of error.questions) {
    // Of two files that leave the same open, one answer counts for both.
    if (answersOf(question).some(({ option }) => settled.has(option))) continue;
    const before = current;
    const decided = new Map<number, number>();
    const answers = await ask(question, given.length > 0, decided, error, runtime).catch(
      (stopped: unknown) => {
        if (question.kind === 'table')
          given.push({ question: question.text, answers: answersDecided(question, decided), before });
        throw stopped;
      },
    );
    if (answers === BACK) return given.pop()?.before ?? current;
    for (const answer of answers) {
      current = withAnswer(current, answer);
      const value: unknown = current[answer.option as keyof PushCommandOptions];
      // An option that takes one value only.
      if (typeof value !== 'object' || value === null) settled.add(answer.option);
    }
    given.push({ question: question.text, answers, before });
  }
  return current;
}

/** What to type the next time. */
function tellFlags(given: readonly Given[], call: Call<PushCommandOptions>): void {
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
  const said = flags.join(' ');
  if (writeMapping !== undefined)
    say(call, `The same without being asked: --mapping ${shellWord(writeMapping)}`);
  else if (flags.length === answers.length && said.length <= LONGEST_SAID)
    say(call, `The same without being asked: ${said}`);
  else {
    const how =
      'The answers are kept for the next list like this one. For a script, or another machine, write them';
    say(call, `${how} with --write-mapping FILE, and push with --mapping FILE.`);
  }
}

/** Of more than three lines nobody makes a command. */
const LONGEST_SAID = 220;

/** What was decided of the rows of a table before somebody stopped, each for itself: the rest was not decided. */
const answersDecided = (question: TableQuestion, decided: ReadonlyMap<number, number>): readonly Answer[] =>
  answersGiven(
    { ...question, restAnswer: undefined },
    question.rows.map((_, row) => decided.get(row) ?? -1),
  );

/** The first choice where damage can only be accepted: whoever just presses Enter accepts nothing. */
const STOP = { value: 'stop', label: 'stop: I mend the file first' };

/** What is returned for whoever wants to see the question before again. */
const BACK = Symbol('back');

/**
 * Throws the error of the question when the person would rather stop. `back`: there is a question before it; `decided`: the
 * answers of a table by row, as far as they were decided when somebody stopped.
 */
async function ask(
  question: Question,
  back: boolean,
  decided: Map<number, number>,
  error: QuestionError,
  runtime: Runtime,
): Promise<readonly Answer[] | typeof BACK> {
  const { examples = [] } = question.kind === 'table' ? question : {};
  for (const line of [...question.details, ...examples]) writeMessage(runtime.stderr, visible(line));
  if (question.kind === 'table') return await askTable(question, back, decided, runtime);
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
  decided: Map<number, number>,
  runtime: Runtime,
): Promise<readonly Answer[] | typeof BACK> {
  const { text, settled: all = text, headings, rows, rest } = question;
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
    onDecided: (row, value) => decided.set(row, Number(value)),
  });
  if (answered === undefined) return BACK;
  const chosen = answered.map(Number);
  const settled = await settleTwice(question, chosen, prompt);
  // Back from there is to the columns, as they were chosen.
  if (settled === undefined)
    return await askTable({ ...question, rows: rowsAsChosen(question, chosen) }, back, decided, runtime);
  return answersGiven(question, settled.chosen, settled.order);
}

function toChoice({ label }: Answer, index: number): { value: string; label: string } {
  return { value: String(index), label: visible(label) };
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
