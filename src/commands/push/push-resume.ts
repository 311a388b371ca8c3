import { resumeUncertain as document } from '../../documents/push-documents.ts';
import type { ExitCode } from '../../errors.ts';
import { type Target, uncertainRuns } from '../../sync/journal/runs.ts';
import { Journal } from '../../sync/journal/journal.ts';
import { processOf } from '../../sync/journal/busy-runs.ts';
import type { Run } from '../../sync/journal/run.ts';
import type { ResumedRun } from '../../runs/settle/resumed-run.ts';
import { resumeExitCode, type ResumeResult, resumeUncertain } from '../../runs/settle/resume-uncertain.ts';
import { plural } from '../../report/words/number.ts';
import type { Runtime } from '../../runtime.ts';
import type { EventStream } from '../connect/event-stream.ts';
import { workWithService } from '../connect/workplace.ts';
import type { PushCommandOptions } from './push-command-options.ts';
import { isDrawn, printRecords, say } from '../terminal/terminal.ts';

const COLUMNS = Object.keys(document.runs.element.shape);

/** Settles the rows in doubt of earlier pushes: of those of some files, or of all. One record a run on stdout. */
export async function runResume(
  options: PushCommandOptions,
  events: EventStream | undefined,
  runtime: Runtime,
): Promise<ExitCode> {
  const journal = new Journal(runtime.paths.state);
  try {
    const { concurrency, match } = options;
    const result = await workWithService(options, runtime, { journal, concurrency, events }, ({ context }) =>
      resumeUncertain(context, runsOf(journal, context.target, options.files), {
        match: match === 'email' ? 'email' : 'barcode',
      }),
    );
    await print(result, options, runtime);
    if (result.error !== undefined) throw result.error;
    await events?.end();
    return resumeExitCode(result);
  } finally {
    journal.close();
  }
}

/** Files are known by their names, as they were given. */
function runsOf(journal: Journal, target: Target, files: readonly string[]): Run[] {
  const runs = uncertainRuns(journal, target);
  return files.length === 0 ? runs : runs.filter((run) => run.files.some((file) => files.includes(file)));
}

async function print({ runs }: ResumeResult, options: PushCommandOptions, runtime: Runtime): Promise<void> {
  if (runs.length === 0) say(options, runtime, 'Nothing is in doubt.');
  if (runs.length === 0 && isDrawn(options, runtime)) return;
  await printRecords(runs.map(toRecord), options, runtime, COLUMNS, ['resume-uncertain@1', 'runs']);
  const left = runs.reduce((sum, { uncertain }) => sum + uncertain, 0);
  if (left === 0) return;
  const [{ run } = { run: 'ID' }] = runs.filter(({ uncertain }) => uncertain > 0);
  const hint = `Look at each with \`eventreg runs why\`, and say what became of it with \`eventreg runs decide ${run} LINE sent\`, or not-sent.`;
  say(options, runtime, `${plural(left, 'row is', 'rows are')} still uncertain. ${hint}`);
}

function toRecord({ run, files, rows, holder, ...counts }: ResumedRun): Record<string, unknown> {
  return {
    run,
    files: files.join(', '),
    uncertain_before: rows,
    ...counts,
    held_by: holder === undefined ? null : processOf(holder),
  };
}
