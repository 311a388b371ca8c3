import { among, IN_DOUBT } from '../../registration/model/row-states.ts';
import type { Journal } from './journal.ts';
import type { Run } from './run.ts';
import { listRuns, type Target } from './runs.ts';

/** Runs of a service and event with rows whose fate is not known, newest first. */
export function uncertainRuns(journal: Journal, { service, eventId }: Target): Run[] {
  return listRuns(journal).filter(
    (run) =>
      run.service === service &&
      run.event === eventId &&
      run.state !== 'reading' &&
      doubtful(journal, run.id).length > 0,
  );
}

/** Rows of a run whose fate is not known; of a run that was killed also those that it was sending. */
export function doubtful(journal: Journal, run: string): number[] {
  return journal
    .all<{ seq: number }>(
      `SELECT seq FROM row WHERE run = $run AND op = 'send' AND state ${among(IN_DOUBT)} ORDER BY seq`,
      { $run: run },
    )
    .map(({ seq }) => seq);
}
