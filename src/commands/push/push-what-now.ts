import { existsSync } from 'node:fs';
import { extname, join, parse } from 'node:path';
import { UsageError } from '../../errors.ts';
import type { WhatNow, WrongRows } from '../../runs/push/what-now.ts';
import type { Reporter } from '../../report/views/events.ts';
import { plural } from '../../report/words/number.ts';
import type { Runtime } from '../../runtime.ts';
import { isInteractive, say } from '../terminal/terminal.ts';
import { isOpen } from './left-open.ts';
import { settleRejects } from './push-files.ts';
import { visible } from '../../report/words/escape.ts';
import type { Prepared } from './push-prepare.ts';
import type { PushCommandOptions } from './push-command-options.ts';

/** Asks what is to become of rows that cannot be sent; undefined where nobody is there, or flags have said it. */
export function whatNowAsker(
  options: PushCommandOptions,
  reporter: Reporter,
  runtime: Runtime,
): ((wrong: WrongRows) => Promise<WhatNow>) | undefined {
  if (!isInteractive(runtime) || options.invalid === 'skip' || options.plan !== undefined) return undefined;
  return async (wrong) => {
    reporter.pause();
    const choices = choicesFor(wrong, options);
    const prompt = await runtime.prompt();
    const acts = !options.dryRun && choices.some(({ value }) => value === 'send');
    const chosen = await prompt.select('What now?', choices, { acts });
    if (chosen === 'write') return { do: 'write', rejects: await askForFile(options, runtime) };
    if (chosen === 'send') say(options, runtime, 'The same without being asked: --invalid skip');
    return { do: chosen === 'send' || chosen === 'again' ? chosen : 'stop' };
  };
}

/** Where nobody can be asked what values mean: how it can be said. */
export function tellOfMeanings({ input, options }: Prepared, runtime: Runtime): void {
  const [first] = input.openValues;
  const [text, ...more] = first?.[1] ?? [];
  if (first === undefined || text === undefined) return;
  const example = JSON.stringify({ values: { [first[0]]: { [text]: '…' } } });
  const others = more.length + input.openValues.size > 1 ? ' and others' : '';
  say(
    options,
    runtime,
    `What "${visible(text)}"${others} mean can be said in a file, --mapping FILE: ${visible(example)}, with "" for blank.`,
  );
}

/** In front what does nothing that cannot be taken back. */
function choicesFor({ rejected, left }: WrongRows, options: PushCommandOptions) {
  const rows = plural(rejected, 'row', 'rows');
  const others = `the other ${plural(left, 'row', 'rows')}`;
  const write = options.rejects === undefined;
  return [
    ...(isOpen(options) ? [{ value: 'again', label: 'Say what these values mean' }] : []),
    ...(write ? [{ value: 'write', label: `Write the ${rows} to an Excel file, to mend them there` }] : []),
    { value: 'stop', label: 'Stop: nothing is sent' },
    ...(left > 0 ? [{ value: 'send', label: `${options.dryRun ? 'Go on with' : 'Send'} ${others}` }] : []),
  ];
}

/** Asks until the file can be written. */
async function askForFile(
  options: PushCommandOptions,
  runtime: Runtime,
): Promise<NonNullable<Awaited<ReturnType<typeof settleRejects>>>> {
  const prompt = await runtime.prompt();
  for (let proposed = freeName(options.files, runtime); ; ) {
    const typed = (await prompt.text('Name of the Excel file', proposed)).trim();
    const file = extname(typed) === '' ? `${typed}.xlsx` : typed;
    try {
      return await settleRejects(file, options, runtime);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      say(options, runtime, error.message);
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
    if (!existsSync(join(cwd, file)) && !existsSync(file)) return file;
  }
}
