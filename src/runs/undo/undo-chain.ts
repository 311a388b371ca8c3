import type { Journal } from '../../sync/journal/journal.ts';
import type { Run } from '../../sync/journal/run.ts';
import { listRuns, type Target } from '../../sync/journal/runs.ts';

/** The newest push of an event that has asked something of the service, and that no undo has taken back. */
export function lastPush(journal: Journal, { service, eventId }: Target): Run | undefined {
  const runs = listRuns(journal).filter((run) => run.service === service && run.event === eventId);
  const undone = new Set(runs.flatMap(({ state, undoes }) => (state === 'finished' ? [undoes] : [])));
  return runs.find(({ id, kind }) => kind === 'push' && !undone.has(id) && hasAsked(journal, id));
}

/**
 * The runs that went on from each other because their file was edited after an interruption, newest first; only
 * those that have asked something of the service, and the given one.
 */
export function chainOf(journal: Journal, run: Run): Run[] {
  const runs = listRuns(journal);
  const chain = new Set([run.id]);
  // Newest first: whoever went on from a run comes before it.
  for (const one of [...runs].reverse()) {
    if (chain.has(one.id) && one.continuedBy !== undefined) chain.add(one.continuedBy);
  }
  for (const one of runs) if (one.continuedBy !== undefined && chain.has(one.continuedBy)) chain.add(one.id);
  return runs.filter(({ id }) => id === run.id || (chain.has(id) && hasAsked(journal, id)));
}

function hasAsked(journal: Journal, run: string): boolean {
  return journal.has('FROM row WHERE run = $run AND attempts > 0', { run });
}
