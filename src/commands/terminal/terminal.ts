import { GuardError, InterruptedError } from '../../errors.ts';
import type { DocumentBody, DocumentName, ListOf } from '../../documents/documents.ts';
import type { Reporter } from '../../report/views/events.ts';
import { createReporter } from '../../report/progress/progress.ts';
import {
  createRecordWriter,
  type OutputFormat,
  type RecordWriter,
  type RecordWriterOptions,
  type OutputRecord,
} from '../../report/records/record-writer.ts';
import { wantsColor } from '../../report/words/paint.ts';
import { visible } from '../../report/words/escape.ts';
import { writeMessage } from '../../report/words/wrap-words.ts';
import type { Runtime } from '../../runtime.ts';
import type { GlobalOptions } from '../options/options.ts';

/** One use of a command: what is asked of it, and the world that it runs in. */
export interface Call<Options = GlobalOptions> {
  options: Options;
  runtime: Runtime;
}

/** Whether somebody is there to be asked. */
export function isInteractive(runtime: Runtime): boolean {
  return runtime.stdin.isTTY === true && runtime.stderr.isTTY === true;
}

/** Whether one of the two outputs has colours, as options and environment ask for them. */
export function hasColor({ options: { color }, runtime }: Call, output: 'stdout' | 'stderr'): boolean {
  return wantsColor({ color, env: runtime.env, stream: runtime[output] });
}

/** Whether records are drawn for people; what is not a terminal gets them whole, in columns that stay. */
export function isDrawn({ output }: { output: OutputFormat }, { stdout }: Pick<Runtime, 'stdout'>): boolean {
  return output === 'table' && stdout.isTTY === true;
}

type RecordsPlace = Pick<RecordWriterOptions, 'format' | 'stream'>;

/** A writer of data records on stdout, in the format that the options ask for; as json they are a list of a document. */
export function openRecords<Name extends DocumentName>(
  call: Call,
  columns: readonly string[] | undefined,
  [name, key]: readonly [Name, ListOf<Name>],
): RecordWriter {
  const { options, runtime } = call;
  if (options.output === 'json') return runtime.document.records(name, key);
  return openRecordsAt({ format: options.output, stream: runtime.stdout }, call, columns);
}

/** Prints data records as `openRecords` writes them. */
export async function printRecords<Name extends DocumentName>(
  records: Iterable<OutputRecord>,
  call: Call,
  columns: readonly string[],
  list: readonly [Name, ListOf<Name>],
): Promise<void> {
  const writer = openRecords(call, columns, list);
  for (const record of records) await writer.write(record);
  await writer.end();
}

/** With `--json`, what a command has to say besides lists. */
export async function tellPrograms<Name extends DocumentName>(
  { options, runtime: { document } }: Call<Pick<GlobalOptions, 'output'>>,
  name: Name,
  body: Partial<DocumentBody<Name>>,
): Promise<void> {
  if (options.output === 'json') await document.add(name, body);
}

/** A writer of data records, wherever they go. */
export function openRecordsAt(
  { format, stream }: RecordsPlace,
  call: Call,
  columns: readonly string[] | undefined,
): RecordWriter {
  const { options, runtime } = call;
  return createRecordWriter({
    format,
    stream,
    columns,
    // Generous where there is no terminal.
    width: runtime.stdout.columns || 120,
    color: wantsColor({ color: options.color, env: runtime.env, stream }),
    here: { nowMs: runtime.clock.now(), timeZone: runtime.timeZone },
  });
}

/** Says something to the person, unless `--quiet`; whatever is in it, it is safe in a terminal. */
export function say(call: Call<Pick<GlobalOptions, 'quiet'>>, text: string): void {
  const { options, runtime } = call;
  if (!options.quiet) writeMessage(runtime.stderr, visible(text));
}

/**
 * Asks for a yes to what sends, deletes, writes over something or forgets it. `--yes` is one; without a terminal the question becomes a GuardError (exit 7) that
 * names the flag.
 */
export async function confirm(call: Call, question: string): Promise<boolean> {
  const { options, runtime } = call;
  if (options.yes) {
    say(call, `${question} Yes (--yes).`);
    return true;
  }
  if (!isInteractive(runtime)) {
    throw new GuardError('confirmation', `${question} Nobody is here to be asked, so nothing was done.`, {
      hint: 'Add --yes to answer with yes.',
    });
  }
  return await (await runtime.prompt()).confirm(question, { acts: true });
}

/** As `confirm`. Throws a GuardError where the answer is no; `undone` says what then is as it was. */
export async function requireYes(call: Call, question: string, undone: string): Promise<void> {
  if (!(await confirm(call, question))) throw new GuardError('confirmation', undone);
}

/**
 * A reporter on stderr as the options ask for it; `allErrors` as in `ReporterOptions`. Close it. Keys that are pressed
 * meanwhile are neither seen nor kept for the next question.
 */
export async function openReporter(
  call: Call,
  { allErrors, readsStdin = false }: { allErrors: boolean; readsStdin?: boolean },
): Promise<Reporter> {
  const { options, runtime } = call;
  const reporter = await createReporter({
    mode: options.progress,
    stream: runtime.stderr,
    clock: runtime.clock,
    quiet: options.quiet,
    verbose: options.verbose,
    color: hasColor(call, 'stderr'),
    showValues: options.showValues,
    allErrors,
  });
  // With --yes nobody is asked, and rows may be typed in.
  const hear = options.yes || readsStdin ? undefined : await runtime.hush();
  return {
    ...reporter,
    close() {
      reporter.close();
      hear?.();
    },
  };
}

/** What is asked before anything is sent: whoever presses Ctrl-C there is told so. */
export async function askUnsent<Answer>(asking: Promise<Answer>, kept = ''): Promise<Answer> {
  try {
    return await asking;
  } catch (error) {
    if (!(error instanceof InterruptedError)) throw error;
    throw new InterruptedError(`Interrupted. Nothing was sent.${kept}`);
  }
}

/** Where the files are read, and what was answered of them is remembered. */
export const KEPT = ' Your answers are kept: the same command goes on from here.';
