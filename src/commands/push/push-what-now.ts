import { existsSync } from 'node:fs';
import { extname, join, parse, resolve } from 'node:path';
import type { Reason } from '../../registration/model/row.ts';
import { UsageError, GuardError } from '../../errors.ts';
import { typedWord } from '../../input/source/shell-word.ts';
import type { WhatNow, WrongRows } from '../../sync/push/begin-push.ts';
import type { Reporter } from '../../report/views/events.ts';
import { plural } from '../../report/words/number.ts';
import type { Runtime } from '../../runtime.ts';
import { isInteractive, say, type Call } from '../terminal/terminal.ts';
import { isOpen, withMeanings } from './said-meanings.ts';
import { type RejectsTarget, settleRejects } from './push-files.ts';
import type { PushCommandOptions } from './push-command-options.ts';
import type { Choose } from '../../sync/journal/send-context.ts';
import type { AskSamePerson } from '../../sync/ingest/same-person.ts';

/** Answers after which nothing is sent before something else is asked. */
const HARMLESS: readonly string[] = ['write', 'stop', 'again', 'blank', 'columns'];

/** What is wrong with values without which somebody can be sent. */
const MAY_BE_BLANK: readonly Reason['code'][] = [
  ...(['choice-unknown', 'country-unknown', 'date-invalid', 'date-order', 'email-invalid'] as const),
  ...(['number-invalid', 'phone-country', 'phone-invalid', 'url-invalid'] as const),
];

/** Rejects the answer: the files are read again, with more said of them. */
export class ReadAgain extends Error {
  readonly change: (options: PushCommandOptions) => PushCommandOptions;

  constructor(change: ReadAgain['change']) {
    super('The files are read again.');
    this.change = change;
  }
}

/** Asks what is to become of rows that cannot be sent; undefined where nobody is there, or flags have said it. */
export function whatNowAsker(
  call: Call<PushCommandOptions>,
  areColumnsSaid: boolean,
  reporter: Reporter,
): ((wrong: WrongRows) => Promise<WhatNow>) | undefined {
  const { options, runtime } = call;
  if (!isInteractive(runtime) || options.invalid === 'skip' || options.plan !== undefined) return undefined;
  return async (wrong) => {
    reporter.pause();
    const choices = choicesFor(wrong, areColumnsSaid, options);
    const prompt = await runtime.prompt();
    const acts = !options.dryRun && choices.some(({ value }) => !HARMLESS.includes(value));
    const chosen = await prompt.select('What now?', choices, { acts });
    if (chosen === 'write') return { do: 'write', rejects: await askForFile(call) };
    if (chosen === 'again') throw new ReadAgain((said) => said);
    if (chosen === 'blank')
      throw new ReadAgain((said) => ({ ...said, values: withMeanings(said.values, blanksFor(wrong)) }));
    if (chosen === 'columns')
      throw new ReadAgain((said) => ({ ...said, map: [], ignoreColumn: [], savedMapping: false }));
    if (chosen !== 'send' && chosen !== 'both') return { do: 'stop' };
    const rejects = chosen === 'both' ? await askForFile(call) : undefined;
    const written = rejects === undefined ? '' : ` --rejects ${typedWord(rejects.file)}`;
    say(call, `The same without being asked: --invalid skip${written}`);
    return { do: 'send', ...(rejects === undefined ? {} : { rejects }) };
  };
}

/** The values that are refused, each as a blank. */
const blanksFor = ({ reasons }: WrongRows): PushCommandOptions['values'] =>
  reasons.reduce<PushCommandOptions['values']>((values, { code, column = '', value = '' }) => {
    if (!MAY_BE_BLANK.includes(code)) return values;
    return { ...values, [column]: { ...values[column], [value]: '' } };
  }, {});

/** In front what does nothing that cannot be taken back. */
function choicesFor(wrong: WrongRows, areColumnsSaid: boolean, options: PushCommandOptions) {
  const { rejected, left } = wrong;
  const blank = Object.values(blanksFor(wrong)).flatMap(Object.keys).length;
  const rows = plural(rejected, 'row', 'rows');
  const others = `the other ${plural(left, 'row', 'rows')}`;
  const write = options.rejects === undefined;
  const written = `Write the ${rows} to an Excel file`;
  return [
    ...(isOpen(options) ? [{ value: 'again', label: 'Say what these values mean' }] : []),
    ...(blank > 0
      ? [{ value: 'blank', label: `Leave ${plural(blank, 'wrong value', 'wrong values')} blank` }]
      : []),
    ...(areColumnsSaid ? [{ value: 'columns', label: 'Change what the columns are' }] : []),
    ...(write ? [{ value: 'write', label: `${written}, to mend them there` }] : []),
    STOP,
    ...(write && left > 0 && !options.dryRun
      ? [{ value: 'both', label: `${written}, and send ${others}` }]
      : []),
    ...(left > 0 ? [{ value: 'send', label: `${options.dryRun ? 'Go on with' : 'Send'} ${others}` }] : []),
  ];
}

/** Asks until the file can be written. */
async function askForFile(call: Call<PushCommandOptions>): Promise<RejectsTarget> {
  const { options, runtime } = call;
  const prompt = await runtime.prompt();
  for (let proposed = freeName(options.files, runtime); ; ) {
    const typed = (await prompt.text('Name of the Excel file', proposed)).trim();
    const file = extname(typed) === '' ? `${typed}.xlsx` : typed;
    try {
      return await settleRejects(file, call);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      say(call, error.message);
      proposed = file;
    }
  }
}

/** Beside the first file, and no name that is taken. */
function freeName(files: readonly string[], { cwd }: Runtime): string {
  const named = files.find((file) => file !== '-');
  const { dir, name } = named === undefined ? { dir: '', name: 'rows' } : parse(named);
  for (let number = 1; ; number += 1) {
    const file = join(dir, `${name} to mend${number === 1 ? '' : ` ${number}`}.xlsx`);
    if (!existsSync(resolve(cwd, file))) return file;
  }
}

const STOP = { value: 'stop', label: 'Stop: nothing is sent' };
const ANSWERS = [
  { value: 'last', label: 'Keep the later row of each' },
  { value: 'first', label: 'Keep the first row of each' },
  { value: 'all', label: 'Send them all: they are different people' },
] as const;

/** Asks which row is sent of people who stand more than once. Throws a GuardError to send nothing. */
export function samePersonAsker(choose: Choose): AskSamePerson {
  return async ({ text, details }) => {
    const chosen = await choose({ text: `${text} Which of their rows are sent?`, details }, [
      STOP,
      ...ANSWERS,
    ]);
    const answer = ANSWERS.find(({ value }) => value === chosen);
    if (answer === undefined) throw new GuardError('confirmation', 'Nothing was sent.');
    return answer.value;
  };
}
