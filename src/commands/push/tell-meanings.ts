import type { Question } from '../../registration/model/question.ts';
import type { PreparedInput } from '../../sync/ingest/prepare.ts';
import { type Call, say } from '../terminal/terminal.ts';
import type { PushCommandOptions } from './push-command-options.ts';
import { OTHERS } from '../../registration/model/option-flags.ts';
import { normaliseName } from '../../input/source/nearest-name.ts';
import { saysGone } from '../../registration/evidence/gone-words.ts';
import { meansNothing } from '../../registration/evidence/nothing-words.ts';

/** Longer ones are read in a file only. */
const LONGEST = 2000;

/** By column, what its texts mean: null is to be filled in. */
type Meanings = Record<string, Record<string, string | null>>;

/** Where nobody can be asked what values mean: the command that says what is likely, and what is still to be said. */
export async function tellMeanings(
  input: PreparedInput,
  call: Call<PushCommandOptions>,
  commandLine: (options: PushCommandOptions) => string,
): Promise<void> {
  const { values, phones } = likelyMeanings(await input.unasked());
  const said = Object.entries({ values, phones }).filter(([, one]) => Object.keys(one).length > 0);
  if (said.length === 0) return;
  const json = JSON.stringify(Object.fromEntries(said));
  const isOpen = Object.values(values).some((texts) => Object.values(texts).includes(null));
  const fill = isOpen ? 'say what stands there as null ("" is blank), ' : '';
  if (json.length > LONGEST) {
    const text = `To say what these values mean, add --write-mapping FILE, ${fill}and push with --mapping FILE.`;
    say(call, text);
    return;
  }
  say(call, `What they most likely mean; ${fill}save it in a file, and add --mapping FILE: ${json}`);
  const { options } = call;
  const meant = withMeanings(values as PushCommandOptions['values'], options.values);
  const command = commandLine({ ...options, values: meant, phones: { ...phones, ...options.phones } });
  // A heading or a text with an equals sign cannot be typed.
  const areTyped = !JSON.stringify(
    Object.entries(values).map(([one, texts]) => [one, Object.keys(texts)]),
  ).includes('=');
  if (!isOpen && areTyped) say(call, `Where that is right, this is the command: ${command}`);
}

/** The likeliest answers, as a mapping file has them. */
export function likelyMeanings(questions: readonly Question[]): {
  values: Meanings;
  phones: Record<string, string>;
} {
  const values: Meanings = {};
  const phones: Record<string, string> = {};
  for (const question of questions) {
    if (question.kind === 'table') {
      for (const { answers, chosen } of question.rows) {
        const [column, text, meaning] = pathOf(answers[chosen ?? question.rest ?? 0]?.value);
        if (column === undefined || text === undefined) continue;
        values[column] = { ...values[column], [text]: chosen === undefined ? null : (meaning ?? null) };
      }
    } else {
      const [column, country] = pathOf(question.answers[0]?.value);
      if (column !== undefined && country !== undefined) phones[column] = country;
    }
  }
  return { values, phones };
}

function pathOf(value: string | boolean | readonly string[] | undefined): readonly string[] {
  return typeof value === 'object' ? value : [];
}

const NONE = 'none';

/** What is said of columns, however headings are written; what is said later goes before, or is joined with the earlier. */
export function withLater<Said>(
  earlier: Readonly<Record<string, Said>>,
  later: Readonly<Record<string, Said>>,
  join: (before: Said, now: Said) => Said = (_, now) => now,
): Record<string, Said> {
  const named = new Map(Object.entries(later).map((one) => [normaliseName(one[0]), one]));
  const joint = Object.entries(earlier).map(([heading, said]) => {
    const [name, now] = named.get(normaliseName(heading)) ?? [heading];
    return [name, now === undefined ? said : join(said, now)];
  });
  return { ...later, ...Object.fromEntries(joint) };
}

/** The same a text at a time; whoever says what alone is sent has said all. */
export const withMeanings = (
  earlier: PushCommandOptions['values'],
  later: PushCommandOptions['values'],
): PushCommandOptions['values'] =>
  withLater(earlier, later, (said, now) => (now[OTHERS] === undefined ? { ...said, ...now } : now));

/** The texts of a column that mean themselves. What a word for nothing stays is no question any more, nor is a row that is sent. */
const leftIn = (column: string, meanings: Readonly<Record<string, string>>): string[] =>
  Object.entries(meanings).flatMap(([text, meaning]) => {
    const isSaid = meansNothing(text) || saysGone(column, text) || OTHERS in meanings;
    return text === meaning && !isSaid ? [text] : [];
  });

/** The options as they were before anything was left open on purpose. */
export function reopened(options: PushCommandOptions): PushCommandOptions {
  const values = Object.entries(options.values).map(([column, meanings]) => {
    const left = leftIn(column, meanings);
    const said = Object.entries(meanings).filter(([text]) => !left.includes(text));
    return [column, Object.fromEntries(said)] as const;
  });
  const phones = Object.entries(options.phones).filter(([, country]) => country !== NONE);
  const makeBarcodes = options.makeBarcodes === true ? true : undefined;
  return { ...options, values: Object.fromEntries(values), phones: Object.fromEntries(phones), makeBarcodes };
}

/** Whether something was left open that could be said. */
export function isOpen({ values, phones }: PushCommandOptions): boolean {
  const left = Object.entries(values).flatMap(([column, meanings]) => leftIn(column, meanings));
  return left.length > 0 || Object.values(phones).includes(NONE);
}
