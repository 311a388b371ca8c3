import { IN_DOUBT, type RowState } from '../../registration/model/row-states.ts';
import { placeOr } from '../../registration/model/row.ts';
import type { AuditResult } from '../../report/views/summary-view.ts';
import { plural } from '../../report/words/number.ts';
import { sentAgain, statesOf, writeSettled } from '../journal/doubts.ts';
import { deletions, writeDeletionOutcome } from '../journal/delete-rows.ts';
import { isUnproven, lastUnanswered, revisitRun } from '../journal/earlier-runs.ts';
import type { Journal } from '../journal/journal.ts';
import type { Run } from '../journal/run.ts';
import { doubtful, noteLater, type ProcessFacts } from '../journal/runs.ts';
import type { SendContext } from '../journal/send-context.ts';
import { describeTrouble } from '../decide/plan-decision.ts';
import { countFindings } from '../journal/steps.ts';
import { toldRows } from '../journal/told-rows.ts';
import { CHEAP_PAGES, named, readShown, wishFor } from '../snapshot/read-now.ts';
import { lookUntil } from '../snapshot/wait-until.ts';
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
  for (const { run, seqs } of runs.map((one) => ({ run: one, seqs: doubtful(journal, one.id) }))) {
    const own = { ...context, run: run.id };
    await revisitRun(context, run.id, async () => {
      let asked: readonly number[] = [];
      try {
        asked = await settleRun(own, options);
      } finally {
        const text = describeSettled(journal, run.id, seqs);
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
  await settleDeletions(context);
  return asked;
}

/** Settles what a run was deleting: it is gone; or there still, once no request can land any more. */
async function settleDeletions(context: SendContext): Promise<void> {
  const { journal, run, target, limits, clock } = context;
  const rows = deletions(journal, run, IN_DOUBT);
  if (rows.length === 0) return;
  const landsUntilMs = (lastUnanswered(journal, target) ?? 0) + limits.settleMs;
  const { found } = await lookUntil(context, async () => {
    const reading = await readShown(context, wishFor(rows, CHEAP_PAGES));
    const isOpen = landsUntilMs > clock.now();
    const seen = rows.map(({ before: { id, barcode } }) => named(reading, { id, barcode }));
    return {
      found: seen,
      openUntilMs: isOpen && seen.some((one) => one?.length !== 0) ? landsUntilMs : undefined,
    };
  });
  const untold = found.filter((one) => one === undefined).length;
  if (untold > 0) {
    const text = `Whether run ${run} has deleted ${plural(untold, 'registration', 'registrations')} cannot be told: the service shows too little.`;
    context.reporter.report({ type: 'warning', text });
  }
  journal.transaction(() => {
    for (const [at, row] of rows.entries())
      if (found[at] !== undefined)
        writeDeletionOutcome(context, row, found[at].length === 0 ? GONE : STAYED, 'looked');
  });
}

const GONE = { state: 'deleted', message: 'is gone: the request that got no answer did it' } as const;
const STAYED = { state: 'postponed', message: 'it is there still; a later run goes on from here' } as const;

/** `3 uncertain rows: 2 not there, 1 found as sent`; undefined where all are in doubt as they were. */
function describeSettled(journal: Journal, run: string, seqs: readonly number[]): string | undefined {
  const states = statesOf(journal, run, seqs);
  if (states.every(({ state }) => IN_DOUBT.has(state))) return undefined;
  const told = states.map(({ state, n }) => `${n} ${BECAME[state] ?? state}`).join(', ');
  return `${plural(seqs.length, 'uncertain row', 'uncertain rows')}: ${told}`;
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
  const some = plural(count, 'registration is not as it was', 'registrations are not as they were');
  const named = otherwise
    .slice(0, NAMED)
    .map((row) => `; ${placeOr(row.place, row.remoteId ?? row.barcode)}: ${describeTrouble(row)}`)
    .join('');
  const text = `What run ${run} had left open was looked at: ${some} to be left${named}. See eventreg runs show ${run}.`;
  reporter.report({ type: 'warning', text });
  return true;
}

/** What is no fault, and is to be known: as clauses. */
function remarksOn({ spelling, hidden, unverified }: AuditResult): string[] {
  const fields = [...spelling, ...hidden].map(({ field }) => field);
  const some = plural(unverified, 'row', 'rows');
  return [
    ...(fields.length === 0 ? [] : [`the service stores in its own way: ${fields.join(', ')}`]),
    ...(unverified === 0
      ? []
      : [`${some} not verified: the service shows too little, or the list is too long`]),
  ];
}
