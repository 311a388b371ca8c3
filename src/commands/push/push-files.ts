import { extname, resolve } from 'node:path';
import { UsageError } from '../../errors.ts';
import type { InputSource } from '../../input/source/input-source.ts';
import type { Runtime } from '../../runtime.ts';
import { visible } from '../../report/words/escape.ts';
import { type WrittenFormat, writtenFormat } from '../options/written-file.ts';
import { type ReportFiles, settleReports } from '../connect/report-files.ts';
import { toSource } from '../terminal/file-source.ts';
import { identify, settleOutputFile } from '../terminal/output-file.ts';
import type { PushCommandOptions } from './push-command-options.ts';
import type { Call } from '../terminal/terminal.ts';

/** Where rejected rows go; the format is that of the input when undefined. */
export interface RejectsTarget {
  file: string;
  format: WrittenFormat | undefined;
}

/** The files of a push: those that are read, and those that are written. */
export interface PushFiles {
  sources: InputSource[];
  rejects: RejectsTarget | undefined;
  /** Where the plan is saved. */
  plan: string | undefined;
  /** Where what was used to read the files is written. */
  mapping: string | undefined;
  reports: ReportFiles;
}

/** Checks which files are to be read and written, and opens none of them. */
export async function planFiles(call: Call<PushCommandOptions>): Promise<PushFiles> {
  const { options, runtime } = call;
  const { files, planOut, rejects, writeMapping } = options;
  const sources = toSources(files, runtime);
  const inputs = inputsOf(options);
  const settle = async (flag: string, file: string | undefined, content: string) =>
    file === undefined ? undefined : settleOutputFile({ flag, file, inputs, content }, call);
  const reports = await settleReports(call, { kind: 'push', inputs });
  const rejected = rejects === undefined ? undefined : await settleRejects(rejects, call);
  const plan = await settle('--plan-out', planOut, 'with the plan');
  const mapping = await settle('--write-mapping', writeMapping, 'with what was used');
  refuseSame([
    ['--rejects', rejected?.file],
    ['--plan-out', plan],
    ['--write-mapping', mapping],
    ...reports.files.map(({ path }) => ['--report', path] as const),
  ]);
  return { sources, rejects: rejected, plan, mapping, reports };
}

/** Two of them in one file would be none. */
function refuseSame(written: readonly (readonly [flag: string, file: string | undefined])[]): void {
  const named = written.flatMap(([flag, file]) => (file === undefined ? [] : [{ flag, id: identify(file) }]));
  const found = sameFile(named);
  if (found === undefined) return;
  const text = `${found.twice.flag} and ${found.first.flag} name the same file.`;
  throw new UsageError(text, { hint: 'Choose two names.' });
}

/** The first that is the same file as one before it, and that one. */
function sameFile<Named extends { id: string }>(all: readonly Named[]) {
  const twice = all.find((one, at) => all.slice(0, at).some(({ id }) => id === one.id));
  const first = all.find(({ id }) => id === twice?.id);
  return twice && first && { first, twice };
}

/** Where rejected rows go. Throws a UsageError where they cannot, and asks before a file is replaced. */
export async function settleRejects(rejects: string, call: Call<PushCommandOptions>): Promise<RejectsTarget> {
  if (extname(rejects).toLowerCase() === '.ods') {
    throw new UsageError(`--rejects ${visible(rejects)}: .ods is read, but not written.`, {
      hint: 'Let the name end in .xlsx, which LibreOffice opens too.',
    });
  }
  const content = 'with the rejected rows, if there are any';
  const wanted = { flag: '--rejects', file: rejects, inputs: inputsOf(call.options), content };
  return { file: await settleOutputFile(wanted, call), format: writtenFormat(rejects) };
}

/** The files that are read. */
function inputsOf({ files, mapping, plan }: PushCommandOptions): string[] {
  return [...files, ...[mapping, plan].filter((file) => file !== undefined)];
}

/** The files of a push as sources. Throws UsageError when one is named twice: its people would be too. */
function toSources(files: readonly string[], runtime: Runtime): InputSource[] {
  const idOf = (file: string): string => (file === '-' ? file : identify(resolve(runtime.cwd, file)));
  const found = sameFile(files.map((file) => ({ file, id: idOf(file) })));
  if (found === undefined) return files.map((file) => toSource(file, runtime));
  const [before, file] = [found.first.file, found.twice.file];
  const what = before === file ? `${file} is named twice` : `${before} and ${file} are the same file`;
  throw new UsageError(`${what}.`, { hint: 'Name each file once.' });
}
