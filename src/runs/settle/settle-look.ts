import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { RegistrationRecord } from '../../registration/model/registration.ts';
import { decideCommand } from '../../sync/decide/decide-command.ts';
import type { Doubt } from './doubts.ts';
import { writeOutcome } from '../../sync/journal/queued-rows.ts';
import { judgeFound, outcomeOf, type RowOutcome } from '../../sync/decide/judge-found.ts';
import { noteDeletion } from '../../sync/journal/runs.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';
import { takeLook } from './look.ts';

const UNPROVEN: RowOutcome = {
  state: 'uncertain',
  message: 'not listed, but neither is what the service has taken for certain: that proves nothing',
};

interface LookOptions {
  /**
   * The first look settles only what is there as sent: anything else may yet change. The second believes what
   * it sees, but for rows that it is the first to miss for certain. The last leaves none open.
   */
  turn: 'first' | 'second' | 'last';
  /** What becomes of rows that a delete has taken out of the service: they are sent again, or left deleted. */
  deleted: 'send' | 'leave';
  /** Rows that were seen to be absent; takes those of this look. */
  absent: Set<number>;
}

/**
 * Reads once and writes what it finds. Returns the rows left open, without those of which the service shows
 * too little to settle them ever.
 */
export async function look(
  context: SendContext,
  doubts: readonly Doubt[],
  options: LookOptions,
): Promise<Doubt[]> {
  if (doubts.length === 0) return [];
  const look = await takeLook(context, doubts);
  return doubts.filter((doubt) => {
    const found = look.find(doubt);
    if (found === undefined) return false;
    const settlement = judge(context, doubt, found, look.isCredible(doubt));
    if (!isBelieved(settlement, doubt, options)) return true;
    write(context, doubt, settlement, options.deleted);
    return false;
  });
}

/** Whether nothing can change any more about what was seen. */
function isBelieved(
  settlement: Settlement,
  { row, cause }: Doubt,
  { turn, deleted, absent }: LookOptions,
): boolean {
  // What was deleted and stays so need not be missed twice: nothing is done about it.
  if (turn === 'last' || (settlement.kind === 'deleted' && deleted === 'leave')) return true;
  const known = absent.has(row.seq);
  if (settlement.isAbsent) absent.add(row.seq);
  if (turn === 'second') return known || !settlement.isAbsent;
  // What is being deleted may yet go.
  return settlement.kind === 'outcome' && settlement.outcome.state === 'done' && cause !== 'deleting';
}

type Settlement = {
  /** It is not there, and what shows that can be believed. */
  isAbsent: boolean;
} & (
  | { kind: 'outcome'; outcome: RowOutcome }
  /** A delete of ours has taken it away. */
  | { kind: 'deleted' }
  /** It stays as it is. */
  | { kind: 'open' }
);

const contradiction = (run: string, { place }: Doubt['row']): RowOutcome => ({
  state: 'uncertain',
  message: `the service said that it took it, and does not list it: look there, and say what is so with ${decideCommand(run, place)}`,
});

function judge(
  { event, run }: SendContext,
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
    return settledAs({ state: 'uncertain', message: verdict.why });
  }
  if (verdict.kind !== 'absent') return settledAs(outcomeOf(verdict));
  if (!credible) return settledAs(cause === 'missing' ? contradiction(run, row) : UNPROVEN);
  if (cause === 'deleting') return { kind: 'deleted', isAbsent: true };
  // Without a barcode it is never sent again: that is for a person to decide.
  if (handle === 'id') return { kind: 'open', isAbsent: true };
  return { kind: 'outcome', outcome: outcomeOf(verdict), isAbsent: true };
}

const settledAs = (outcome: RowOutcome): Settlement => ({ kind: 'outcome', outcome, isAbsent: false });

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
