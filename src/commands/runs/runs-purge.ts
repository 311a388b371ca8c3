import { countRows } from '../../sync/journal/queued-rows.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import { forgetRun, giveRoomBack, oldRuns, purgeRuns } from '../../sync/journal/forget-runs.ts';
import { plural } from '../../report/words/number.ts';
import type { RunsOptionsOf } from './runs-options.ts';
import { findRun, refuseHeld } from './runs-find.ts';
import { requireYes, say, tellPrograms, type Call } from '../terminal/terminal.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Forgets runs. Throws GuardError without a yes for rows whose fate is open. */
export async function purge(journal: Journal, call: Call<RunsOptionsOf<'purge'>>): Promise<void> {
  const { options } = call;
  if (options.id === undefined) {
    await purgeOld(journal, call);
    return;
  }
  const run = findRun(journal, options.id);
  refuseHeld(journal, run);
  const left = openRows(journal, run.id);
  const question = `Run ${run.id} has ${plural(left, 'row', 'rows')} not sent or uncertain. Forget it?`;
  if (left > 0) await requireYes(call, question, 'Nothing was forgotten.');
  forgetRun(journal, run.id);
  giveRoomBack(journal);
  say(call, `Run ${run.id} forgotten.`);
  await tellPrograms(call, 'runs-purge@1', { forgotten: 1 });
}

/** Runs with open rows are more than history: forgetting one means that its rows may be sent twice. */
async function purgeOld(journal: Journal, call: Call<RunsOptionsOf<'purge'>>): Promise<void> {
  const { options, runtime } = call;
  const before = runtime.clock.now() - options.olderThan * DAY_MS;
  const open = oldRuns(journal, before).filter(({ id }) => openRows(journal, id) > 0);
  const question = `${plural(open.length, 'run has', 'runs have')} rows not sent or uncertain. Forget all the same?`;
  if (open.length > 0) await requireYes(call, question, 'Nothing was forgotten.');
  const forgotten = purgeRuns(journal, before);
  say(call, `${plural(forgotten, 'run', 'runs')} forgotten.`);
  await tellPrograms(call, 'runs-purge@1', { forgotten });
}

function openRows(journal: Journal, run: string): number {
  const { pending, sending, uncertain } = countRows(journal, run);
  return pending + sending + uncertain;
}
