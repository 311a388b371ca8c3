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
    if (shared === 0) continue;
    const some = plural(shared, 'registration is', 'registrations are');
    throw heldBy(`${some} also being ${deedOf(other)}`, holder, { run: other.id });
  }
}

function countShared(journal: Journal, mine: string, theirs: string): number {
  const open = `FROM row WHERE run = $theirs AND state ${among(OPEN)}`;
  return journal.count(
    `FROM row WHERE run = $mine AND state ${among(OPEN)}
       AND (remote_id IN (SELECT remote_id ${open} AND remote_id IS NOT NULL)
         OR barcode IN (SELECT barcode ${open} AND barcode IS NOT NULL))`,
    { mine, theirs },
  );
}

const deedOf = ({ kind }: Run): string =>
  kind === 'push' ? 'sent' : kind === 'undo' ? 'brought back to what they were' : 'deleted';

/**
 * The error for what another process is at: `what` says what that is. `run`: the run that it does it for, where that
 * is not said; `when`: since when.
 */
export function heldBy(
  what: string,
  holder: Pick<Holder, 'pid' | 'host'> | undefined,
  { run, when = '' }: { run?: string; when?: string | undefined } = {},
): GuardError {
  const who = holder === undefined ? 'another eventreg' : `another eventreg: ${processOf(holder)}${when}`;
  const which = run === undefined ? '' : ` (run ${run})`;
  return new GuardError('busy', `${what} by ${who}${which}.`, {
    hint: 'Wait for it to end, or stop it with Ctrl-C there; then run this command again.',
  });
}

/** Who works on a run. */
export const processOf = ({ pid, host }: Pick<Holder, 'pid' | 'host'>): string => `process ${pid} on ${host}`;
