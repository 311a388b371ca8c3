import { IN_DOUBT, type RowState, THERE } from '../../registration/model/row-states.ts';
import { plural } from '../../report/words/number.ts';
import {
  doubtsOf,
  giveDoubtsBack,
  hasOwnDoubt,
  laterFates,
  statesOf,
  takeUpDoubts,
} from '../journal/doubts.ts';
import { writeOutcome } from '../journal/queued-rows.ts';
import { type ProcessFacts, takeRun, uncertainRuns } from '../journal/runs.ts';
import type { SendContext } from '../journal/send-context.ts';
import { type SettleOptions, settleUncertain } from './settle.ts';

type Settling = Pick<SettleOptions, 'match' | 'whole'>;

/**
 * Settles what other runs of the event are in doubt about, whatever became of their files: newest run first, by
 * reading the service; nothing is sent. Runs that another process works on are left alone.
 */
export async function settleOthers(
  context: Omit<SendContext, 'run'>,
  self: ProcessFacts,
  settling: Settling,
): Promise<void> {
  const { journal, target } = context;
  for (const { id } of uncertainRuns(journal, target)) {
    if (takeRun(journal, id)) await settleRun({ ...context, run: id }, self, settling);
  }
}

async function settleRun(context: SendContext, self: ProcessFacts, settling: Settling): Promise<void> {
  const { journal, run, clock } = context;
  takeUpDoubts(journal, run, self, clock.now());
  const doubts = doubtsOf(journal, run);
  try {
    settleLate(context);
    if (hasOwnDoubt(journal, run)) await settleUncertain(context, { ...settling, deleted: 'leave' });
  } finally {
    giveDoubtsBack(journal, run, describeSettled(context, doubts), clock.now());
  }
}

/**
 * Uncertain rows of a run whose registrations a later run has settled since are settled by what that run
 * knows: reading the service would compare them with what it sent, and sending them would undo it.
 */
function settleLate({ journal, run, target, clock }: SendContext): void {
  const fates = laterFates(journal, run, target);
  journal.transaction(() => {
    for (const { seq, run: later, state, isSame, remoteId } of fates) {
      // The later run may be in doubt itself about the same values.
      if (isSame && !THERE.has(state)) continue;
      const outcome = isSame
        ? ({ state: 'done', remoteId, message: `settled by run ${later}` } as const)
        : ({ state: 'conflict', message: `run ${later} has sent other values since` } as const);
      writeOutcome(journal, run, seq, outcome, clock.now(), 'looked');
    }
  });
}

/** `3 uncertain rows: 2 not there, 1 found as sent`; undefined where all are in doubt as they were. */
function describeSettled({ journal, run }: SendContext, all: ReturnType<typeof doubtsOf>) {
  const seqs = all.map(({ row }) => row.seq);
  const states = statesOf(journal, run, seqs);
  if (states.every(({ state }) => IN_DOUBT.has(state))) return undefined;
  const told = states.map(({ state, n }) => `${n} ${BECAME[state] ?? state}`).join(', ');
  const areDeletions = all.every(({ cause }) => cause === 'deleting');
  const what = areDeletions ? 'row that a delete may have taken away' : 'uncertain row';
  return `${plural(seqs.length, what, what.replace('row', 'rows'))}: ${told}`;
}

const BECAME: Readonly<Partial<Record<RowState, string>>> = {
  done: 'found as sent',
  pending: 'not there',
  conflict: 'in conflict',
  deleted: 'deleted since',
  uncertain: 'still uncertain',
};
