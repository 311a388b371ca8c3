import { endRun } from '../journal/runs.ts';
import type { SendContext } from '../journal/send-context.ts';

/** What has stopped some work; undefined when nothing has. */
export async function whatStopped(work: Promise<void>): Promise<Error | undefined> {
  return work.then(
    () => undefined,
    (failure: Error) => failure,
  );
}

/** Writes how the work on a run has ended: it was interrupted when Ctrl-C has left something to do, or to look at. */
export function endWork(
  { journal, run, clock, stopping }: Pick<SendContext, 'journal' | 'run' | 'clock' | 'stopping'>,
  { error, isLeft }: { error: Error | undefined; isLeft: boolean },
): 'interrupted' | 'finished' | 'stopped' {
  const interrupted = stopping.aborted && (error !== undefined || isLeft);
  const state = interrupted ? 'interrupted' : error === undefined ? 'finished' : 'stopped';
  endRun(journal, run, state, clock.now(), interrupted ? undefined : error?.message);
  return state;
}
