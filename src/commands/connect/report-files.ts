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
export class ReportFiles {
  readonly files: readonly ReportFile[];
  readonly #kind: string;
  readonly #options: GlobalOptions;
  readonly #runtime: Runtime;
  readonly #tellsJob: boolean;
  readonly #view: CiView;
  #failure: Error | undefined;
  /** What was warned of before there was a run to note it in. */
  #warnings: string[] = [];
  /** The run that is worked on. */
  #run: string | undefined;
  #written = false;

  constructor(
    files: readonly ReportFile[],
    { kind, tellsJob }: { kind: string; tellsJob: boolean },
    options: GlobalOptions,
    runtime: Runtime,
  ) {
    this.files = files;
    this.#kind = kind;
    this.#options = options;
    this.#runtime = runtime;
    this.#tellsJob = tellsJob;
    this.#view = { showValues: options.showValues, fileName: fileNaming(runtime) };
  }

  /** Keeps what is warned of for the report, in the journal as soon as there is a run. */
  watch(reporter: Reporter, journal: Journal): Reporter {
    return {
      ...reporter,
      report: (event) => {
        if (event.type === 'warning') this.#warnings.push(event.text);
        if (event.type === 'run') this.#run = event.run;
        if (this.#run !== undefined) this.#noteWarnings(journal, this.#run);
        reporter.report(event);
      },
    };
  }

  #noteWarnings(journal: Journal, run: string): void {
    const at = this.#runtime.clock.now();
    for (const detail of this.#warnings) addStep(journal, run, RUN_ITSELF, { at, what: 'warned', detail });
    this.#warnings = [];
  }

  /** While its rows are in the journal. What fails here shall not take the summary along: `end` throws it. */
  async write(journal: Journal, id: string, unclaimed?: Unclaimed): Promise<void> {
    if (unclaimed === undefined) this.#noteWarnings(journal, id);
    const warnings = this.#warnings;
    this.#warnings = [];
    this.#run = undefined;
    const [run] = this.files.length > 0 || this.#tellsJob ? findRuns(journal, id) : [];
    if (run === undefined) return;
    try {
      const { readReport } = await import('../../sync/tell/report.ts');
      const report = readReport(journal, run, unclaimed && { unclaimed, warnings });
      if (this.#tellsJob) await tellGithub(report, this.#view, this.#runtime);
      for (const { format, path } of this.files) {
        const write = await REPORT_FORMATS[format]?.();
        await write?.(path, report, this.#view);
      }
      this.#written = true;
    } catch (error) {
      this.#failure = toldFailure(error);
    }
  }

  /** Does what the command is for. Where it fails before there was a run to tell of, whoever counts cases is told so. */
  async around<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      await this.#tellFailure(error instanceof Error ? error.message : String(error));
      throw error;
    }
  }

  async #tellFailure(message: string): Promise<void> {
    const files = this.#written ? [] : this.files.filter(({ format }) => format === 'junit');
    if (files.length === 0) return;
    const { writeJunitFailure } = await import('../../report/ci/junit.ts');
    const redact = redactor([...this.#runtime.secrets]);
    // Where it cannot be written, the failure itself is what matters.
    for (const { path } of files)
      await writeJunitFailure(path, this.#kind, redact(message)).catch(() => undefined);
  }

  /** Says where they are. Throws what has kept them from being written. */
  end(): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (!this.#written) return;
    for (const { file } of this.files)
      say({ options: this.#options, runtime: this.#runtime }, `The report is in ${visible(file)}.`);
  }
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
  const { options, runtime } = call;
  const files: ReportFile[] = [];
  for (const text of options.report) {
    const { format, file } = splitReport(text);
    const wanted = { flag: '--report', file, inputs, content: 'with the report' };
    files.push({ format, file, path: await settleOutputFile(wanted, call) });
  }
  return new ReportFiles(files, { kind, tellsJob }, options, runtime);
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
