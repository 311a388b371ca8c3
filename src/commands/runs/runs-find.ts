import { GuardError, UsageError } from '../../errors.ts';
import { findRuns, listRuns, otherHolder, processOf } from '../../sync/journal/runs.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import type { Run } from '../../sync/journal/run.ts';
import { isoTime } from '../../report/words/time-words.ts';
import { visible } from '../../report/words/escape.ts';

/** The one run whose id is, or begins with, what was typed. Throws UsageError when there is none, or are several. */
export function findRun(journal: Journal, id: string): Run {
  const [run, ...others] = findRuns(journal, id);
  if (run !== undefined && others.length === 0) return run;
  const quoted = visible(JSON.stringify(id));
  if (run === undefined) {
    throw new UsageError(`There is no run ${quoted}.`, { hint: 'See all with `eventreg runs`.' });
  }
  throw new UsageError(`Several runs begin with ${quoted}.`, {
    details: [run, ...others].map((one) => `${one.id}, ${isoTime(one.startedAt)}, ${one.files.join(', ')}`),
    hint: 'Give more characters of the id.',
  });
}

/** The run that began last. Throws UsageError when there is none. */
export function lastRun(journal: Journal): Run {
  const [run] = listRuns(journal);
  if (run !== undefined) return run;
  throw new UsageError('There is no run yet.', { hint: 'The first `eventreg push` makes one.' });
}

/** Throws GuardError while another process works on the run. */
export function refuseHeld(journal: Journal, run: Run): void {
  const holder = otherHolder(journal, run);
  if (holder === undefined) return;
  throw new GuardError('busy', `Run ${run.id} is being worked on: ${processOf(holder)}.`, {
    hint: 'Wait for it to end, or stop it with Ctrl-C there.',
  });
}
