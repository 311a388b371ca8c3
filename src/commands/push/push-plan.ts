import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { GuardError, InputError, UsageError } from '../../errors.ts';
import type { StoredInput } from '../../input/source/stored-input.ts';
import { comparePlan, type PlanComparison } from '../../sync/plan/compare-plan.ts';
import {
  type PlanHeader,
  readPlanFile,
  type SavedPlan,
  unusable,
  writePlanFile,
} from '../../sync/plan/plan-file.ts';
import type { ShownPlan } from '../../sync/push/begin-push.ts';
import type { Target } from '../../sync/journal/runs.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { EventInfo } from '../../registration/model/persona.ts';
import type { Reporter } from '../../report/views/events.ts';
import { formatCount, plural } from '../../report/words/number.ts';
import { formatTally } from '../../report/plan/plan-block.ts';
import { cloneIn, isSandbox, serviceName } from '../../report/words/service-name.ts';
import { valueShower } from '../../report/words/shown-value.ts';
import type { Runtime } from '../../runtime.ts';
import { plannedOptions, type PushCommandOptions } from './push-command-options.ts';
import type { Prepared } from './push-prepare.ts';
import type { PushPrinter } from './push-print.ts';
import { typedCommand } from '../options/help.ts';
import { columnsAsSaid } from './used-columns.ts';

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
    throw unusable(typed.plan ?? '', 'this plan has options that are not known here');
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
  const hint = `The plan was made of it in the folder ${folder}: run it there, or make a new plan.`;
  throw new InputError(first, { details: more, hint });
}

/** Throws a GuardError when a plan is for another event, or for the same event somewhere else. */
export function refuseOtherTarget(header: PlanHeader, target: Target): void {
  if (header.service === target.service && header.eventId === target.eventId) return;
  if (isSandbox(header.service) && serviceName(header.service) === serviceName(target.service)) {
    const what =
      cloneIn(target.service) === undefined ? 'The embedded sandbox was emptied' : 'The clone was made anew';
    throw new GuardError('plan', `${what} since the plan was made.`, {
      hint: 'Make a new plan with --plan-out.',
    });
  }
  throw new GuardError(
    'other-service',
    `The plan is for ${header.eventName} at ${serviceName(header.service)}, and this is ${target.eventName} at ${serviceName(target.service)}.`,
    { hint: 'Choose the profile that the plan was made with, or make a new plan.' },
  );
}

/** What a plan is shown, saved and verified with. */
interface PlanParts {
  /** With what was answered on the way. */
  prepared: Pick<Prepared, 'input' | 'options'>;
  inputs: readonly StoredInput[];
  runtime: Runtime;
  reporter: Reporter;
  event: EventInfo;
  target: Target;
  /** The plan that must hold. */
  saved: SavedPlan | undefined;
  /** Where to save the plan. */
  planOut: string | undefined;
  printer: PushPrinter;
}

/** Verifies, saves and prints a plan, each where it is asked for. What it throws stops the push before anything is sent. */
export async function usePlan(plan: ShownPlan, parts: PlanParts): Promise<void> {
  const { prepared, reporter, printer, event, saved, planOut } = parts;
  if (saved !== undefined) await verifyPlan(plan, saved, parts);
  if (planOut !== undefined) await savePlan(plan, planOut, parts);
  if (!prepared.options.diff) return;
  reporter.pause();
  await printer.diff(plan, event);
}

/** Saves a plan, and says how it is run. */
async function savePlan(
  plan: ShownPlan,
  path: string,
  { prepared, runtime, reporter, target, inputs }: PlanParts,
): Promise<void> {
  const { options, input } = prepared;
  const header = {
    createdAt: new Date(runtime.clock.now()).toISOString(),
    ...target,
    folder: runtime.cwd,
    files: await hashFiles(inputs),
    options: plannedOptions.parse({ ...options, ...columnsAsSaid(input, options) }),
    contentKey: plan.contentKey,
  };
  const tally = await writePlanFile(path, header, plan.entries({ all: true }));
  const file = options.planOut ?? path;
  const typed = typedCommand(['push', '--plan', file], options);
  const note = (text: string): void => reporter.report({ type: 'note', text });
  note(
    `The plan is saved in ${file}: ${formatTally(tally)}. It holds values of persons; only you can read it.`,
  );
  note(`Do exactly this with: ${typed}`);
}

/** Throws a GuardError with what is not as the plan says. */
async function verifyPlan(
  plan: ShownPlan,
  saved: SavedPlan,
  { prepared: { options }, reporter, event, inputs }: PlanParts,
): Promise<void> {
  const { header, entries } = saved;
  const comparison = comparePlan(saved, plan.entries({ all: true }), {
    contentKey: plan.contentKey,
    isDone: plan.doneSince(Date.parse(header.createdAt)),
    show: valueShower(fieldsOf(event), options.showValues),
  });
  // A push may take hours, and a large plan much room.
  entries.clear();
  const now = await hashFiles(inputs);
  const changed = now.filter(({ sha256 }, at) => header.files[at]?.sha256 !== sha256).map(({ file }) => file);
  if (comparison.count > 0) throw noLonger(comparison, changed);
  for (const name of changed) {
    const text = `${name} was saved again since the plan was made; its rows are the same.`;
    reporter.report({ type: 'note', text });
  }
}

function noLonger({ count, differences }: PlanComparison, changed: readonly string[]): GuardError {
  const left = count - differences.length;
  const differ = plural(count, 'registration is', 'registrations are');
  return new GuardError('plan', `The plan no longer holds: ${differ} not as it says. Nothing was sent.`, {
    details: [
      ...changed.map((name) => `${name} is not the file that the plan was made of`),
      ...differences.map(({ subject, findings }) => `${subject}: ${findings.join('; ')}`),
      ...(left > 0 ? [`… and ${formatCount(left)} more`] : []),
    ],
    hint: 'Make a new plan with --plan-out, look at it with --diff, and run that.',
  });
}

/** The files of a push as a plan keeps them: by name, and by what is in them. */
async function hashFiles(inputs: readonly StoredInput[]): Promise<PlanHeader['files']> {
  const files: PlanHeader['files'] = [];
  for (const input of inputs) {
    const hash = createHash('sha256');
    for await (const chunk of input.chunks()) hash.update(chunk);
    files.push({ file: input.file, sha256: hash.digest('hex') });
  }
  return files;
}
