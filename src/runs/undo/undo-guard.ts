import { OPEN } from '../../registration/model/row-states.ts';
import { GuardError } from '../../errors.ts';
import { refuseTooMany } from '../delete/delete-outcome.ts';
import { visible } from '../../report/words/escape.ts';
import { plural } from '../../report/words/number.ts';
import type { TooMany } from '../../sync/decide/delete-guard.ts';
import { heldBy } from '../../sync/journal/busy-runs.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import type { Run } from '../../sync/journal/run.ts';
import { tellRequests } from '../../sync/journal/requests-ahead.ts';
import { otherHolder, takeRun } from '../../sync/journal/runs.ts';
import type { RecordImage } from '../../registration/model/registration.ts';
import type { WorkContext } from '../../sync/journal/send-context.ts';

/** Throws GuardError for a run of another service or event, or one that is still reading. */
export function refuseForeign({ id, service, event, eventName, state }: Run, { target }: UndoContext): void {
  if (service !== target.service || event !== target.eventId) {
    throw new GuardError(
      'other-service',
      `Run ${id} was at ${service} (${eventName}), which is not where you are now.`,
      {
        hint: 'Choose its service with --profile, or --sandbox.',
      },
    );
  }
  if (state === 'reading') throw new GuardError('busy', `Run ${id} is still reading its files.`);
}

/** Takes the run, and the undo of it that there is: nobody else goes on with them. Throws GuardError when somebody has them. */
export function takeAll(journal: Journal, undone: Run, earlier: Run | undefined): void {
  for (const run of [undone, ...(earlier === undefined ? [] : [earlier])]) {
    if (takeRun(journal, run.id)) continue;
    const holder = otherHolder(journal, run);
    const what = run === undone ? `Run ${run.id} is being worked on` : `Run ${undone.id} is being undone`;
    throw heldBy(what, holder);
  }
}

/** What an undo is about to do. */
interface Ahead {
  deletes: number;
  sends: number;
  /** How many registrations the service has, as far as was read. */
  there: number;
  tooMany: TooMany | undefined;
}

/** Throws GuardError when it is too much, or nobody says yes. */
export async function guardUndo(
  { deletes, sends, there, tooMany }: Ahead,
  { id }: Run,
  context: UndoContext & { run: string },
): Promise<void> {
  refuseTooMany(tooMany, 'Nothing was undone.');
  if (deletes + sends === 0) return;
  // Read at the end; what is deleted also right before, lest it was changed meanwhile.
  const readings = { readings: 1, deletionReadings: 2 };
  tellRequests(context, { reading: { total: there }, ...readings, open: OPEN });
  const parts = [
    ...(deletes > 0 ? [`delete ${plural(deletes, 'registration', 'registrations')}`] : []),
    ...(sends > 0 ? [`bring back ${plural(sends, 'registration', 'registrations')}`] : []),
  ];
  if (await context.confirm(visible(`Undo run ${id}: ${parts.join(' and ')} at ${context.label}?`))) return;
  throw new GuardError('confirmation', 'Nothing was undone.');
}

export interface UndoContext extends WorkContext {
  /** The service in words, for the question. */
  label: string;
  /**
   * Shows what an undo came to, or would; called once, before the summary is returned. Not `claimed`: nothing of it stays
   * in the journal.
   */
  onEnd: (run: string, how: { claimed: boolean }) => Promise<void>;
  backUp: (records: Iterable<RecordImage>) => string;
}
