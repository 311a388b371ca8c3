import { GuardError } from '../../errors.ts';
import type { Reporter } from '../../report/views/events.ts';
import { createReporter } from '../../report/progress/progress.ts';
import { createRecordWriter, type RecordWriter } from '../../report/records/record-writer.ts';
import type { Runtime } from '../../runtime.ts';
import type { GlobalOptions } from '../options/options.ts';

/** Whether somebody is there to be asked. */
export function isInteractive(runtime: Runtime): boolean {
  return runtime.stdin.isTTY === true && runtime.stderr.isTTY === true;
}

/** Whether output on a stream may have colours. */
export function wantsColor(options: GlobalOptions, runtime: Runtime): boolean {
  return options.color && !runtime.env['NO_COLOR'];
}

/** Columns of the terminal behind stdout; generous when it is none. */
export function outputWidth(runtime: Runtime): number {
  return runtime.stdout.columns || 120;
}

/** A writer of data records on stdout in the format that the options ask for. */
export function openRecords(
  options: GlobalOptions,
  runtime: Runtime,
  columns: readonly string[] | undefined,
): RecordWriter {
  return createRecordWriter({
    format: options.output,
    stream: runtime.stdout,
    columns,
    width: outputWidth(runtime),
    color: runtime.stdout.isTTY === true && wantsColor(options, runtime),
  });
}

/** Says something to the person, unless `--quiet`. */
export function say(options: GlobalOptions, runtime: Runtime, text: string): void {
  if (!options.quiet) runtime.stderr.write(`${text}\n`);
}

/**
 * Asks for a yes to what sends, deletes, writes over something or forgets it. `--yes` is one; without a terminal the question becomes a GuardError (exit 7) that
 * names the flag.
 */
export async function confirm(options: GlobalOptions, runtime: Runtime, question: string): Promise<boolean> {
  if (options.yes) {
    say(options, runtime, `${question} Yes (--yes).`);
    return true;
  }
  if (!isInteractive(runtime)) {
    throw new GuardError(`${question} Nobody is here to be asked, so nothing was done.`, {
      hint: 'Add --yes to answer with yes.',
    });
  }
  return await (await runtime.prompt()).confirm(question, { acts: true });
}

/** A reporter on stderr as the options ask for it; `allErrors` as in `ReporterOptions`. Close it. */
export function openReporter(
  options: GlobalOptions,
  runtime: Runtime,
  { allErrors }: { allErrors: boolean },
): Promise<Reporter> {
  return createReporter({
    mode: options.progress,
    stream: runtime.stderr,
    clock: runtime.clock,
    quiet: options.quiet,
    verbose: options.verbose,
    color: wantsColor(options, runtime),
    showValues: options.showValues,
    allErrors,
  });
}
