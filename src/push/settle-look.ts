import { fieldsOf } from '../registration/field-change.ts';
import type { RegistrationRecord } from '../registration/registration.ts';
import type { Doubt } from './doubts.ts';
import { type RowOutcome, writeOutcome } from './journal.ts';
import { judgeFound, outcomeOf } from './judge-found.ts';
import { noteDeletion } from './runs.ts';
import type { SendContext } from './send-context.ts';
import { readSight } from './sight.ts';

const UNPROVEN: RowOutcome = {
  state: 'uncertain',
  message: 'not listed, but neither is what the service has taken for certain: that proves nothing',
};
const CONTRADICTION: RowOutcome = {
  state: 'uncertain',
  message:
    'the service said that it took it, and does not list it: look there, and say what is so with `eventreg runs decide`',
};

export interface LookOptions {
  /** Absent, or different, is believed: nothing can change any more. */
  last: boolean;
  /** What becomes of rows that a delete has taken out of the service: they are sent again, or left deleted. */
  deleted: 'send' | 'leave';
}

/**
 * Reads once and writes what it finds. The first look settles only rows that are there as sent: what is
 * absent or different now may yet change, and what is being deleted may yet go. Returns the rows left open,
 * without those of which the service shows too little to settle them ever.
 */
export async function look(
  context: SendContext,
  doubts: readonly Doubt[],
  { last, deleted }: LookOptions,
): Promise<Doubt[]> {
  if (doubts.length === 0) return [];
  const sight = await readSight(context, doubts);
  const open = doubts.filter((doubt) => {
    const found = sight.find(doubt);
    if (found === undefined) return false;
    const settlement = judge(context, doubt, found, sight.isCredible(doubt));
    const early =
      settlement.kind === 'outcome' && settlement.outcome.state === 'done' && doubt.cause !== 'deleting';
    if (!last && !early) return true;
    write(context, doubt, settlement, deleted);
    return false;
  });
  sight.close();
  return open;
}

type Settlement =
  | { kind: 'outcome'; outcome: RowOutcome }
  /** A delete of ours has taken it away. */
  | { kind: 'deleted' }
  /** It stays as it is. */
  | { kind: 'open' };

function judge(
  { event }: SendContext,
  { row, cause, handle }: Doubt,
  found: readonly RegistrationRecord[],
  credible: boolean,
): Settlement {
  // That a delete has taken away what was there before is what was asked for.
  const before = cause === 'deleting' ? undefined : row.before;
  const by = handle === 'email' ? 'e-mail' : (handle ?? 'barcode');
  const verdict = judgeFound({ ...row, before, found, by, fields: fieldsOf(event) });
  if (verdict.kind === 'conflict' && by !== 'barcode') {
    // A conflict is tried again, and without a barcode that could double it.
    return { kind: 'outcome', outcome: { state: 'uncertain', message: verdict.why } };
  }
  if (verdict.kind !== 'absent') return { kind: 'outcome', outcome: outcomeOf(verdict) };
  if (!credible) return { kind: 'outcome', outcome: cause === 'missing' ? CONTRADICTION : UNPROVEN };
  if (cause === 'deleting') return { kind: 'deleted' };
  // Without a barcode it is never sent again: that is for a person to decide.
  return handle === 'id' ? { kind: 'open' } : { kind: 'outcome', outcome: outcomeOf(verdict) };
}

function write(
  context: SendContext,
  doubt: Doubt,
  settlement: Settlement,
  deleted: LookOptions['deleted'],
): void {
  const { journal, run, clock } = context;
  if (settlement.kind === 'deleted') writeDeleted(context, doubt, deleted);
  else if (settlement.kind === 'outcome') {
    writeOutcome(journal, run, doubt.row.seq, settlement.outcome, clock.now(), 'looked');
  }
}

/** The registration is gone because it was deleted here: so it is for every run that knows of it. */
function writeDeleted(context: SendContext, { row }: Doubt, deleted: LookOptions['deleted']): void {
  const { journal, run, clock, target } = context;
  const names = { id: row.remoteId, barcode: row.registration.barcode };
  const outcome: RowOutcome = {
    state: deleted === 'send' ? 'pending' : 'deleted',
    message: 'deleted with eventreg since',
  };
  journal.transaction(() => {
    noteDeletion(journal, target.service, names, 'deleted');
    writeOutcome(journal, run, row.seq, outcome, clock.now(), 'looked');
  });
}
