import { appendFileSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { CiView } from '../../report/ci/told-problems.ts';
import type { RunReport } from '../../report/views/run-report.ts';
import type { Runtime } from '../../runtime.ts';
import { given } from '../../settings/env.ts';

/** Shows a run in its job: with annotations beside the lines of the files, and the summary on the page of the job. */
export async function tellGithub(
  report: RunReport,
  view: CiView,
  { env, annotations }: Pick<Runtime, 'env' | 'annotations'>,
): Promise<void> {
  const { annotationsOf } = await import('../../report/ci/annotations.ts');
  const file = given(env, 'GITHUB_STEP_SUMMARY');
  const failure = file === undefined ? undefined : await addSummary(file, report, view);
  annotations.push(...annotationsOf(report, view, file !== undefined && failure === undefined));
  if (failure === undefined) return;
  // The push is done all the same.
  const { workflowCommand } = await import('../../report/ci/annotations.ts');
  const text = `The summary of the job cannot be written: ${failure}`;
  annotations.push(workflowCommand('warning', { title: 'eventreg' }, text));
}

/** Returns why it is not there, if so. */
async function addSummary(file: string, report: RunReport, view: CiView): Promise<string | undefined> {
  const { stepSummary } = await import('../../report/ci/step-summary.ts');
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
