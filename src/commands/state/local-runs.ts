import { Journal } from '../../sync/journal/journal.ts';
import { heldBy, listRuns, otherHolder } from '../../sync/journal/runs.ts';

/** Throws a GuardError while a run of this machine's own journal is at work. */
export function refuseRunsAtWork(stateDir: string): void {
  const journal = new Journal(stateDir);
  try {
    for (const run of listRuns(journal)) {
      const holder = otherHolder(journal, run);
      if (holder !== undefined) throw heldBy('The journal of this machine is used', holder, { run: run.id });
    }
  } finally {
    journal.close();
  }
}
