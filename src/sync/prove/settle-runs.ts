import { IN_DOUBT, type RowState } from '../../registration/model/row-states.ts';
import type { AuditResult } from '../../report/views/summary-view.ts';
import { plural } from '../../report/words/number.ts';
import { countShares, readShares } from '../journal/count-run.ts';
import { doubtsOf, sentAgain, statesOf, writeSettled } from '../journal/doubts.ts';
import { isUnproven, revisitRun } from '../journal/earlier-runs.ts';
import type { Journal } from '../journal/journal.ts';
import type { Run } from '../journal/run.ts';
import { doubtful, noteLater, type ProcessFacts } from '../journal/runs.ts';
import type { SendContext } from '../journal/send-context.ts';
import { countFindings } from '../journal/steps.ts';
import { proveRun } from './prove-run.ts';
import { type SettleOptions, settleUncertain } from './settle.ts';

/**
 * Settles what earlier runs of the event are in doubt about, whatever became of their files, and looks at what interrupted
 * pushes have sent and never looked at: by reading the service; nothing is sent. `runs`: oldest first. Those that another
 * process works on are left alone. Returns whether anything is not as it was sent.
 */
export async function settleRuns(
  context: Omit<SendContext, 'run'> & { self: ProcessFacts },
  runs: readonly Run[],
  options: SettleOptions,
): Promise<boolean> {
  const { journal, target, clock } = context;
  let isFlawed = false;
  // One that is settled may settle others.
  for (const { run, ...doubts } of runs.map((one) => ({ run: one, ...doubtfulOf(journal, one.id) }))) {
    const own = { ...context, run: run.id };
    await revisitRun(context, run.id, async () => {
      try {
        await settleRun(own, options);
      } finally {
        const text = describeSettled(journal, run.id, doubts);
        if (text !== undefined) noteLater(journal, run.id, { at: clock.now(), text });
      }
      if (isUnproven(journal, run, target)) isFlawed = (await isProvenFlawed(own)) || isFlawed;
    });
  }
  return isFlawed;
}

async function settleRun(context: SendContext, options: SettleOptions): Promise<void> {
  const { journal, run, target, clock } = context;
  // Reading the service would hold what another run has sent since against what this one did.
  for (const { seq, by, isThere } of sentAgain(journal, run, target)) {
    const state = isThere === 1 ? 'done' : 'conflict';
    writeSettled(journal, { run, seq }, { state, message: `run ${by} has sent it since` }, clock.now());
  }
  await settleUncertain(context, options);
}

interface Doubtful {
  seqs: readonly number[];
  what: 'row that a delete may have taken away' | 'uncertain row';
}

/** Rows of a run whose fate is not known, and in what doubt they are. */
function doubtfulOf(journal: Journal, run: string): Doubtful {
  const seqs = doubtful(journal, run);
  const deleting = doubtsOf(journal, run).filter(({ cause }) => cause === 'deleting');
  const areDeletions = deleting.length > 0 && deleting.length === seqs.length;
  return { seqs, what: areDeletions ? 'row that a delete may have taken away' : 'uncertain row' };
}

/** `3 uncertain rows: 2 not there, 1 found as sent`; undefined where all are in doubt as they were. */
function describeSettled(journal: Journal, run: string, { seqs, what }: Doubtful): string | undefined {
  const states = statesOf(journal, run, seqs);
  if (states.every(({ state }) => IN_DOUBT.has(state))) return undefined;
  const told = states.map(({ state, n }) => `${n} ${BECAME[state] ?? state}`).join(', ');
  return `${plural(seqs.length, what, what.replace('row', 'rows'))}: ${told}`;
}

const BECAME: Readonly<Partial<Record<RowState, string>>> = {
  done: 'found as sent',
  pending: 'not there',
  conflict: 'in conflict',
  deleted: 'deleted since',
  uncertain: 'still uncertain',
};

/** Looks at what an interrupted push has sent, and says what is not as it was sent. */
async function isProvenFlawed(context: SendContext): Promise<boolean> {
  const { journal, run, reporter } = context;
  const audit = await proveRun(context, { before: undefined, tellsTakenBack: true });
  for (const text of remarksOn(audit))
    reporter.report({ type: 'note', text: `Of what run ${run} has sent, ${text}.` });
  if (audit.skipped !== undefined) {
    const text = `What run ${run} had sent before it was interrupted could not be looked at: ${audit.skipped}.`;
    reporter.report({ type: 'warning', text });
  }
  const wrong =
    countShares(readShares(journal, run), ({ isDifferent }) => isDifferent) + countFindings(journal, run);
  if (wrong > 0) {
    const rows = plural(
      wrong,
      'registration is not as it was to be left',
      'registrations are not as they were to be left',
    );
    const text = `Run ${run} was interrupted before it had looked at what it had sent: ${rows}. See eventreg runs show ${run}.`;
    reporter.report({ type: 'warning', text });
  }
  return wrong + audit.unverified > 0 || audit.skipped !== undefined;
}

/** What is no fault, and is to be known: as clauses. */
function remarksOn({ spelling, hidden, unverified }: AuditResult): string[] {
  const fields = [...spelling, ...hidden].map(({ field }) => field);
  const own = fields.length === 0 ? [] : [`the service stores in its own way: ${fields.join(', ')}`];
  return unverified === 0
    ? own
    : [...own, `${plural(unverified, 'row', 'rows')} not verified: the service shows too little to tell`];
}
