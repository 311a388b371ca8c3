import type { Question } from '../../registration/model/question.ts';
import type { PreparedInput } from '../../sync/ingest/prepare.ts';
import { type Call, say } from '../terminal/terminal.ts';
import type { PushCommandOptions } from './push-command-options.ts';
import { OTHERS } from '../../registration/model/option-flags.ts';
import { normaliseName } from '../../input/source/nearest-name.ts';
import { partFlag, typedWord } from '../../input/source/shell-word.ts';
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
  const texts = Object.entries(values).flatMap(([column, said]) =>
    Object.entries(said).map(([text, meaning]) => ({ column, text, meaning })),
  );
  const likely = texts.flatMap(({ column, text, meaning }) =>
    meaning === null ? [] : [{ [column]: { [text]: meaning } }],
  );
  if (texts.length === 0 && Object.keys(phones).length === 0) return;
  const { options } = call;
  const meant = [...likely, options.values].reduce(withMeanings, {});
  const command = commandLine({ ...options, values: meant, phones: { ...phones, ...options.phones } });
  // A heading or a text with an equals sign cannot be typed.
  const length = command.length + JSON.stringify(values).length;
  if (length > LONGEST || texts.some(({ column, text }) => `${column}${text}`.includes('='))) {
    const text = `To say what these values mean, add --write-mapping FILE, say what stands there as null, and push with --mapping FILE.`;
    say(call, text);
    return;
  }
  for (const { column, text, meaning } of texts)
    if (meaning === null) {
      const flag = partFlag('values', [column, text, 'MEANING']).map(typedWord).join(' ');
      say(call, `Nothing is known of "${text}" in "${column}": ${flag}`);
    }
  if (likely.length > 0 || Object.keys(phones).length > 0)
    say(call, `Where the likely meanings are right, this is the command: ${command}`);
}

/** The likeliest answers, as a mapping file has them. */
export function likelyMeanings(questions: readonly Question[]): {
  values: Meanings;
  phones: Record<string, string>;
  /** All that are open, also those of which no country is likely. */
  phoneColumns: string[];
} {
  const values: Meanings = {};
  const phones: Record<string, string> = {};
  const phoneColumns: string[] = [];
  for (const question of questions) {
    if (question.kind === 'table') {
      for (const { answers, chosen } of question.rows) {
        const [column, text, meaning] = pathOf(answers[chosen ?? question.rest ?? 0]?.value);
        if (column === undefined || text === undefined) continue;
        values[column] = { ...values[column], [text]: chosen === undefined ? null : (meaning ?? null) };
      }
    } else {
      const [column, country] = pathOf(question.answers[0]?.value);
      if (column === undefined || country === undefined) continue;
      phoneColumns.push(column);
      if (question.unlikely !== true && country !== NONE) phones[column] = country;
    }
  }
  return { values, phones, phoneColumns };
}

function pathOf(value: string | boolean | readonly string[] | undefined): readonly string[] {
  return typeof value === 'object' ? value : [];
}

const NONE = 'none';

/** What is said of the texts of columns, a text at a time, however headings are written; what is said later goes before. */
export function withMeanings(
  earlier: PushCommandOptions['values'],
  later: PushCommandOptions['values'],
): PushCommandOptions['values'] {
  const named = new Map(Object.keys(later).map((heading) => [normaliseName(heading), heading]));
  const joint = Object.entries(earlier).map(([heading, said]) => {
    const now = later[named.get(normaliseName(heading)) ?? heading];
    // Who says what alone is sent has said all.
    return [
      named.get(normaliseName(heading)) ?? heading,
      now?.[OTHERS] === undefined ? { ...said, ...now } : now,
    ];
  });
  return { ...later, ...Object.fromEntries(joint) };
}

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
