import { QuestionError } from '../../input/source/question-error.ts';
import type { Choose } from '../../runs/journal/work-context.ts';
import type { Answer, Question } from '../../registration/model/question.ts';
import type { Reporter } from '../../report/views/events.ts';
import { visible } from '../../report/words/escape.ts';
import type { Runtime } from '../../runtime.ts';
import { parseOptions } from '../options/options.ts';
import { type PushCommandOptions, pushValues } from './push-command-options.ts';
import { isInteractive, say } from '../terminal/terminal.ts';

/** What a piece of work came to, with the options as they were answered on the way. */
export interface Asked<Result> {
  result: Result;
  options: PushCommandOptions;
  /** The answers that were given, in order. */
  answers: readonly Answer[];
}

/**
 * Does a piece of work that may throw a QuestionError, asks the person at the terminal, and does it again
 * with the answers. Without a terminal the error goes on: it names the flags that answer.
 */
export async function workAsking<Result>(
  options: PushCommandOptions,
  work: (options: PushCommandOptions) => Promise<Result>,
  reporter: Reporter,
  runtime: Runtime,
): Promise<Asked<Result>> {
  const answers: Answer[] = [];
  const asked = new Set<string>();
  for (let current = options; ; ) {
    try {
      return { result: await work(current), options: current, answers };
    } catch (error) {
      if (!(error instanceof QuestionError) || !isInteractive(runtime)) throw error;
      // An answer that settles nothing must not be asked for again and again.
      if (error.questions.every(({ text }) => asked.has(text))) throw error;
      reporter.pause();
      const settled = new Set<string>();
      for (const question of error.questions) {
        asked.add(question.text);
        // Of two files that leave the same open, one answer counts for both.
        if (question.answers.some(({ option }) => settled.has(option))) continue;
        const answer = await ask(withoutTaken(question, answers), runtime);
        if (answer === undefined) throw error;
        answers.push(answer);
        current = withAnswer(current, answer);
        if (!Array.isArray(current[answer.option as keyof PushCommandOptions])) settled.add(answer.option);
      }
      say(
        current,
        runtime,
        `The same without being asked: ${answers.map(({ flag }) => visible(flag)).join(' ')}`,
      );
    }
  }
}

/** A field takes one column: what an earlier answer filled is not offered again. */
function withoutTaken(question: Question, given: readonly Answer[]): Question {
  const taken = new Set(given.map(targetOf).filter((target) => target !== undefined));
  const answers = question.answers.filter((answer) => !taken.has(targetOf(answer) ?? ''));
  return { ...question, answers };
}

/** The field of a `--map`. */
function targetOf({ option, value }: Answer): string | undefined {
  return option === 'map' && typeof value === 'string' ? value.slice(value.lastIndexOf('=') + 1) : undefined;
}

/** The first choice where damage can only be accepted: whoever just presses Enter accepts nothing. */
const STOP = { value: 'stop', label: 'stop: I mend the file first' };

/** Undefined when the person would rather stop. */
async function ask({ text, details, answers }: Question, runtime: Runtime): Promise<Answer | undefined> {
  for (const line of details) runtime.stderr.write(`${visible(line)}\n`);
  const choices = answers.map(({ label }, index) => ({ value: String(index), label: visible(label) }));
  const acts = choices.length === 1;
  if (acts) choices.unshift(STOP);
  const chosen = await (await runtime.prompt()).select(visible(text), choices, { acts });
  if (chosen === STOP.value) return undefined;
  const answer = answers[Number(chosen)];
  if (answer === undefined) throw new Error(`There is no answer ${chosen}.`);
  return answer;
}

/** Asks for one of several answers, of which the first sends nothing; undefined where nobody is there to be asked. */
export function chooser(runtime: Runtime, reporter: Reporter): Choose | undefined {
  if (!isInteractive(runtime)) return undefined;
  return async ({ text, details }, answers) => {
    reporter.pause();
    for (const line of details) runtime.stderr.write(`${visible(line)}\n`);
    return await (await runtime.prompt()).select(visible(text), answers, { acts: true });
  };
}

/** The options as if the flag of the answer had been given. */
function withAnswer(options: PushCommandOptions, { option, value }: Answer): PushCommandOptions {
  const before: unknown = options[option as keyof PushCommandOptions];
  return parseOptions(pushValues, {
    ...options,
    [option]: Array.isArray(before) ? [...(before as unknown[]), value] : value,
  });
}
