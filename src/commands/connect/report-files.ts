import { appendFileSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { EventregError } from '../../errors.ts';
import { addStep, RUN_ITSELF } from '../../sync/journal/steps.ts';
import type { Reporter } from '../../report/views/events.ts';
import { findRuns } from '../../sync/journal/runs.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import type { CiView } from '../../report/ci/told-problems.ts';
import { visible } from '../../report/words/escape.ts';
import type { Unclaimed } from '../../sync/tell/report.ts';
import { isGithubJob, type Runtime } from '../../runtime.ts';
import { redactor } from '../../settings/redactor.ts';
import type { GlobalOptions } from '../options/options.ts';
import { REPORT_FORMATS, splitReport } from '../options/written-file.ts';
import { settleOutputFile } from '../terminal/output-file.ts';
import { say, type Call } from '../terminal/terminal.ts';
import type { RunReport } from '../../report/views/run-report.ts';
import { given } from '../../settings/env.ts';

interface ReportedCommand {
  /** What is done: `push`. */
  kind: string;
  inputs: readonly string[];
  /** Unless given, where it runs in a job. */
  tellsJob?: boolean;
}

interface ReportFile {
  format: string;
  /** As it was typed. */
  file: string;
  path: string;
}

/** What a command tells at its end besides its summary: files that are asked for, and the job it runs in. */
export type ReportFiles = ReturnType<typeof reportFiles>;

function reportFiles(
  files: readonly ReportFile[],
  { kind, tellsJob }: { kind: string; tellsJob: boolean },
  call: Call,
) {
  const { options, runtime } = call;
  const view: CiView = { showValues: options.showValues, fileName: fileNaming(runtime) };
  let failure: Error | undefined;
  /** What was warned of before there was a run to note it in. */
  let warnings: string[] = [];
  /** The run that is worked on. */
  let current: string | undefined;
  let isWritten = false;

  const noteWarnings = (journal: Journal, run: string): void => {
    const at = runtime.clock.now();
    for (const detail of warnings) addStep(journal, run, RUN_ITSELF, { at, what: 'warned', detail });
    warnings = [];
  };
  const tellFailure = async (message: string): Promise<void> => {
    const told = isWritten ? [] : files.filter(({ format }) => format === 'junit');
    if (told.length === 0) return;
    const { writeJunitFailure } = await import('../../report/ci/junit.ts');
    const redact = redactor([...runtime.secrets]);
    // Where it cannot be written, the failure itself is what matters.
    for (const { path } of told) await writeJunitFailure(path, kind, redact(message)).catch(() => undefined);
  };
  return {
    files,
    /** Keeps what is warned of for the report, in the journal as soon as there is a run. */
    watch: (reporter: Reporter, journal: Journal): Reporter => ({
      ...reporter,
      report(event) {
        if (event.type === 'warning') warnings.push(event.text);
        if (event.type === 'run') current = event.run;
        if (current !== undefined) noteWarnings(journal, current);
        reporter.report(event);
      },
    }),
    /** While its rows are in the journal. What fails here shall not take the summary along: `end` throws it. */
    async write(journal: Journal, id: string, unclaimed?: Unclaimed): Promise<void> {
      if (unclaimed === undefined) noteWarnings(journal, id);
      const unclaimedWarnings = warnings;
      warnings = [];
      current = undefined;
      const [run] = files.length > 0 || tellsJob ? findRuns(journal, id) : [];
      if (run === undefined) return;
      try {
        const { readReport } = await import('../../sync/tell/report.ts');
        const report = readReport(journal, run, unclaimed && { unclaimed, warnings: unclaimedWarnings });
        if (tellsJob) await tellGithub(report, view, runtime);
        for (const { format, path } of files) {
          const write = await REPORT_FORMATS[format]?.();
          await write?.(path, report, view);
        }
        isWritten = true;
      } catch (error) {
        failure = toldFailure(error);
      }
    },
    /** Does what the command is for. Where it fails before there was a run to tell of, whoever counts cases is told so. */
    async around<T>(work: () => Promise<T>): Promise<T> {
      try {
        return await work();
      } catch (error) {
        await tellFailure(error instanceof Error ? error.message : String(error));
        throw error;
      }
    },
    /** Says where they are. Throws what has kept them from being written. */
    end(): void {
      if (failure !== undefined) throw failure;
      for (const { file } of isWritten ? files : []) say(call, `The report is in ${visible(file)}.`);
    },
  };
}

/** Whoever reads that a command failed has to know that its work was done. */
function toldFailure(error: unknown): Error {
  if (!(error instanceof EventregError)) return error instanceof Error ? error : new Error(String(error));
  const { exitCode, message, code, cause } = error;
  const hint = 'All else was done; only the report is missing. Make room there, or choose another place.';
  return new EventregError(exitCode, message, { hint, cause }, code);
}

/** Checks where reports are to be written, before anything is done. */
export async function settleReports(
  call: Call<GlobalOptions & { report: readonly string[] }>,
  { kind, inputs, tellsJob = isGithubJob(call.runtime.env) }: ReportedCommand,
): Promise<ReportFiles> {
  const { options } = call;
  const files: ReportFile[] = [];
  for (const text of options.report) {
    const { format, file } = splitReport(text);
    const wanted = { flag: '--report', file, inputs, content: 'with the report' };
    files.push({ format, file, path: await settleOutputFile(wanted, call) });
  }
  return reportFiles(files, { kind, tellsJob }, call);
}

/** Shows a run in its job: with annotations beside the lines of the files, and the summary on the page of the job. */
async function tellGithub(
  report: RunReport,
  view: CiView,
  { env, annotations }: Pick<Runtime, 'env' | 'annotations'>,
): Promise<void> {
  const { annotationsOf } = await import('../../report/ci/github.ts');
  const file = given(env, 'GITHUB_STEP_SUMMARY');
  const failure = file === undefined ? undefined : await addSummary(file, report, view);
  annotations.push(...annotationsOf(report, view, file !== undefined && failure === undefined));
  if (failure === undefined) return;
  // The push is done all the same.
  const { workflowCommand } = await import('../../report/ci/github.ts');
  const text = `The summary of the job cannot be written: ${failure}`;
  annotations.push(workflowCommand('warning', { title: 'eventreg' }, text));
}

/** Returns why it is not there, if so. */
async function addSummary(file: string, report: RunReport, view: CiView): Promise<string | undefined> {
  const { stepSummary } = await import('../../report/ci/github.ts');
  try {
    const taken = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    const text = stepSummary(report, view, taken);
    if (text === '') return 'other steps have taken the room that it has.';
    appendFileSync(file, text);
    return undefined;
  } catch (error) {
    return String(error);
  }
}

/**
 * Calls files by their paths from the folder of the job, as its system shows them. Those elsewhere have none: a file of
 * that name in the job is another one, and folders may hold the name of a person or a machine.
 */
export function fileNaming({ env, cwd }: Pick<Runtime, 'env' | 'cwd'>): CiView['fileName'] {
  const root = resolve(given(env, 'GITHUB_WORKSPACE') ?? cwd);
  return (file) => {
    const path = relative(withoutLinks(root), withoutLinks(resolve(cwd, file)));
    const isInside = path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
    return isInside ? path.split(sep).join('/') : undefined;
  };
}

function withoutLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
