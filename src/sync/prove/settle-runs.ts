import { IN_DOUBT, type RowState } from '../../registration/model/row-states.ts';
import { formatPlace } from '../../registration/model/row.ts';
import type { AuditResult } from '../../report/views/summary-view.ts';
import { plural } from '../../report/words/number.ts';
import { doubtsOf, sentAgain, statesOf, writeSettled } from '../journal/doubts.ts';
import { isUnproven, revisitRun } from '../journal/earlier-runs.ts';
import type { Journal } from '../journal/journal.ts';
import type { Run } from '../journal/run.ts';
import { doubtful, noteLater, type ProcessFacts } from '../journal/runs.ts';
import type { SendContext } from '../journal/send-context.ts';
import { describeTrouble } from '../decide/became.ts';
import { countFindings } from '../journal/steps.ts';
import { toldRows } from '../journal/told-rows.ts';
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
      let asked: readonly number[] = [];
      try {
        asked = await settleRun(own, options);
      } finally {
        const text = describeSettled(journal, run.id, doubts);
        if (text !== undefined) noteLater(journal, run.id, { at: clock.now(), text });
      }
      const isLookedAt = isUnproven(journal, run, target);
      if (isLookedAt) isFlawed = (await isHardlyProven(own)) || isFlawed;
      isFlawed = tellOtherwise(own, asked, isLookedAt) || isFlawed;
    });
  }
  return isFlawed;
}

/** Returns the numbers of the rows that the service was asked about. */
async function settleRun(context: SendContext, options: SettleOptions): Promise<readonly number[]> {
  const { journal, run, target, clock } = context;
  // Reading the service would hold what another run has sent since against what this one did.
  for (const { seq, by, isThere } of sentAgain(journal, run, target)) {
    const state = isThere === 1 ? 'done' : 'conflict';
    writeSettled(journal, { run, seq }, { state, message: `run ${by} has sent it since` }, clock.now());
  }
  const asked = doubtful(journal, run);
  await settleUncertain(context, options);
  return asked;
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

/** Rows that are named; `runs show` has all. */
const NAMED = 3;

/** Looks at what an interrupted push has sent. Returns whether anything of it could not be. */
async function isHardlyProven(context: SendContext): Promise<boolean> {
  const { run, reporter } = context;
  const audit = await proveRun(context, { before: undefined, tellsTakenBack: true });
  for (const text of remarksOn(audit))
    reporter.report({ type: 'note', text: `Of what run ${run} has sent, ${text}.` });
  if (audit.skipped !== undefined) {
    const text = `What run ${run} had sent before it was interrupted could not be looked at: ${audit.skipped}.`;
    reporter.report({ type: 'warning', text });
  }
  return audit.unverified > 0 || audit.skipped !== undefined;
}

/** Says what of a run is not as it was to be left: of what was in doubt, and where it was looked at, of what it has sent. */
function tellOtherwise(
  { journal, run, reporter }: SendContext,
  asked: readonly number[],
  isLookedAt: boolean,
): boolean {
  const otherwise = [...toldRows(journal, run, 'problems')].filter(
    ({ seq, state, differences }) =>
      (isLookedAt && differences.length > 0) || (state === 'conflict' && asked.includes(seq)),
  );
  const count = otherwise.length + (isLookedAt ? countFindings(journal, run) : 0);
  if (count === 0) return false;
  const some = plural(
    count,
    'registration is not as it was to be left',
    'registrations are not as they were to be left',
  );
  const named = otherwise
    .slice(0, NAMED)
    .map((row) => `; ${formatPlace(row.place)}: ${describeTrouble(row)}`)
    .join('');
  const text = `What run ${run} had left open was looked at: ${some}${named}. See eventreg runs show ${run}.`;
  reporter.report({ type: 'warning', text });
  return true;
}

/** What is no fault, and is to be known: as clauses. */
function remarksOn({ spelling, hidden, unverified }: AuditResult): string[] {
  const fields = [...spelling, ...hidden].map(({ field }) => field);
  const own = fields.length === 0 ? [] : [`the service stores in its own way: ${fields.join(', ')}`];
  return unverified === 0
    ? own
    : [...own, `${plural(unverified, 'row', 'rows')} not verified: the service shows too little to tell`];
}
