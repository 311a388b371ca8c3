import { UsageError } from '../../errors.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import type { Run } from '../../sync/journal/run.ts';
import type { Target } from '../../sync/journal/runs.ts';
import { didIn, shortTime } from '../../sync/tell/run-words.ts';
import { chainOf, lastPush } from '../../sync/journal/undo-rows.ts';
import { visible } from '../../report/words/escape.ts';
import type { RunsOptionsOf } from './runs-options.ts';
import { confirm, isInteractive, requireYes, say, type Call } from '../terminal/terminal.ts';
import { typedCommand } from '../options/typed-command.ts';

/** `run 20270301-4f9a2c of 2027-03-01 08:15 (guests.csv: 5 new, 1 changed)` */
function describe(journal: Journal, run: Run): string {
  return visible(
    `run ${run.id} of ${shortTime(run.startedAt)} (${run.files.join(', ')}: ${didIn(journal, run)})`,
  );
}

/**
 * The last push that can be undone, once the person has said that it is meant. Throws UsageError with its id when
 * nobody can be asked, and when there is none; GuardError without a yes.
 */
export async function offerLast(
  journal: Journal,
  target: Target,
  call: Call<RunsOptionsOf<'undo'>>,
): Promise<Run> {
  const { options, runtime } = call;
  const last = lastPush(journal, target);
  if (last === undefined) throw new UsageError(`No push to ${visible(target.eventName)} can be undone.`);
  const what = `The last push is ${describe(journal, last)}.`;
  if (options.dryRun) {
    say(call, what);
    return last;
  }
  if (!isInteractive(runtime)) {
    const hint = typedCommand(['runs', 'undo', last.id], options);
    throw new UsageError(`Which run is to be undone? ${what}`, { hint });
  }
  await requireYes(call, `${what} Undo it?`, 'Nothing was undone.');
  return last;
}

/** The run, or all that went on from each other, newest first, when the person wants them undone together. */
export async function offerChain(
  journal: Journal,
  run: Run,
  call: Call<RunsOptionsOf<'undo'>>,
): Promise<Run[]> {
  const { options, runtime } = call;
  const chain = chainOf(journal, run);
  const others = chain.filter(({ id }) => id !== run.id);
  if (others.length === 0) return [run];
  const list = others.map((one) => describe(journal, one)).join(', ');
  const text = `Run ${run.id} is one of several that went on from each other; the others: ${list}.`;
  if (options.dryRun || options.yes || options.report.length > 0 || !isInteractive(runtime)) {
    say(call, `${text} Undo each by its id, the newest first.`);
    return [run];
  }
  return (await confirm(call, `${text} Undo all of them?`)) ? chain : [run];
}
