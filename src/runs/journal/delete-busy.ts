import { among, OPEN } from '../../registration/model/row-states.ts';
import { GuardError } from '../../errors.ts';
import { plural } from '../../report/words/number.ts';
import type { Journal } from './journal.ts';
import type { Holder, Run } from './run.ts';
import { runsAtWork, type Target } from './runs.ts';

/**
 * Throws GuardError when another process is about to send or delete registrations that are on the list of
 * a run, by id or by barcode.
 */
export function refuseIfBusy(journal: Journal, target: Target, run: string): void {
  for (const { run: other, holder } of runsAtWork(journal, target, run)) {
    const shared = countShared(journal, run, other.id);
    if (shared > 0)
      throw heldBy(other, holder, `${plural(shared, 'registration is', 'registrations are')} also`);
  }
}

function countShared(journal: Journal, mine: string, theirs: string): number {
  const open = `FROM main.row WHERE run = $theirs AND state ${among(OPEN)}`;
  const row = journal.get<{ n: number }>(
    `SELECT count(*) AS n FROM row WHERE run = $mine AND state ${among(OPEN)}
       AND (remote_id IN (SELECT remote_id ${open} AND remote_id IS NOT NULL)
         OR barcode IN (SELECT barcode ${open} AND barcode IS NOT NULL))`,
    { $mine: mine, $theirs: theirs },
  );
  return row?.n ?? 0;
}

/** The error for registrations that another process is at. `what` begins the sentence. */
export function heldBy(run: Run, holder: Holder | undefined, what: string): GuardError {
  const doing =
    run.kind === 'push' ? 'sent' : run.kind === 'undo' ? 'brought back to what they were' : 'deleted';
  const who =
    holder === undefined ? 'another eventreg' : `another eventreg: process ${holder.pid} on ${holder.host}`;
  return new GuardError(`${what} being ${doing} by ${who} (run ${run.id}).`, {
    hint: 'Wait for it to end, or stop it with Ctrl-C there; then run this command again.',
  });
}
