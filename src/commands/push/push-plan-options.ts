import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { GuardError, InputError, UsageError } from '../../errors.ts';
import { type PlanHeader, readPlanFile, type SavedPlan } from '../../runs/plan-file/plan-file.ts';
import { unusable } from '../../runs/plan-file/plan-lines.ts';
import type { Target } from '../../runs/journal/runs.ts';
import { isSandbox, serviceName } from '../../report/words/service-name.ts';
import type { Runtime } from '../../runtime.ts';
import { plannedOptions, type PushCommandOptions } from './push-command-options.ts';

/** Reads the plan of `--plan` to its end. Throws an InputError for one that is damaged or of a newer eventreg. */
export async function readPlan(plan: string, { cwd }: Runtime): Promise<SavedPlan> {
  if (plan === '-') throw new UsageError('--plan needs a file name.');
  return await readPlanFile(resolve(cwd, plan), plan);
}

/** What was typed, with all that a plan says. Throws an InputError where its files are not to be had. */
export function optionsFromPlan(
  typed: PushCommandOptions,
  header: PlanHeader,
  runtime: Runtime,
): PushCommandOptions {
  const planned = plannedOptions.safeParse(header.options);
  if (!planned.success) {
    throw unusable(typed.plan ?? '', 1, 'this plan has options that are not known here');
  }
  const files = header.files.map(({ file }) => file);
  refuseMissingFiles(files, header, runtime);
  return { ...typed, ...planned.data, files };
}

/** A plan of standard input needs it again, and names of files count from where it was made. */
function refuseMissingFiles(files: readonly string[], { folder }: PlanHeader, runtime: Runtime): void {
  if (files.includes('-') && runtime.stdin.isTTY === true) {
    throw new UsageError('The plan was made of standard input, and here that is a terminal.', {
      hint: 'Give it the same rows again: eventreg push --plan PLAN < FILE',
    });
  }
  const missing = files.filter((file) => file !== '-' && !existsSync(resolve(runtime.cwd, file)));
  const [first, ...more] = missing.map((file) => `${file}: there is no such file.`);
  if (first === undefined) return;
  const hint =
    folder === runtime.cwd
      ? 'The plan was made of it: put it back, or make a new plan.'
      : `The plan was made in the folder ${folder}: run it there.`;
  throw new InputError(first, { details: more, hint });
}

/** Throws a GuardError when a plan is for another event, or for the same event somewhere else. */
export function refuseOtherTarget(header: PlanHeader, target: Target): void {
  if (header.service === target.service && header.eventId === target.eventId) return;
  if (isSandbox(header.service) && isSandbox(target.service)) {
    throw new GuardError('The embedded sandbox was emptied since the plan was made.', {
      hint: 'Make a new plan with --plan-out.',
    });
  }
  throw new GuardError(
    `The plan is for ${header.eventName} at ${serviceName(header.service)}, and this is ${target.eventName} at ${serviceName(target.service)}.`,
    { hint: 'Choose the profile that the plan was made with, or make a new plan.' },
  );
}
