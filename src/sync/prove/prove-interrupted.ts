import type { AuditResult } from '../../report/views/summary-view.ts';
import { plural } from '../../report/words/number.ts';
import { giveDoubtsBack } from '../journal/doubts.ts';
import { countFindings } from '../journal/steps.ts';
import type { Journal } from '../journal/journal.ts';
import { isInterrupted } from '../journal/earlier-runs.ts';
import { listRuns, takeRun, type Target } from '../journal/runs.ts';
import type { SendContext } from '../journal/send-context.ts';
import { claimsOf } from '../journal/sent-rows.ts';
import { countShares, readShares } from '../journal/count-run.ts';
import { proveRun } from './prove-run.ts';

/** Interrupted pushes of an event that have sent rows and never looked at them. */
const unprovenRuns = (journal: Journal, target: Target): string[] =>
  listRuns(journal).flatMap((run) =>
    isInterrupted(run, target) && claimsOf(journal, run.id).length > 0 ? run.id : [],
  );

/**
 * Looks at what interrupted pushes have sent and never looked at, and says what is not as it was sent. Runs that another
 * process works on are left alone. Returns whether anything is wrong.
 */
export async function proveInterrupted(context: Omit<SendContext, 'run'>): Promise<boolean> {
  const { journal, target, clock, reporter } = context;
  let isFlawed = false;
  for (const run of unprovenRuns(journal, target)) {
    if (!takeRun(journal, run)) continue;
    const audit = await proveRun({ ...context, run }, { before: undefined, tellsTakenBack: true });
    giveDoubtsBack(journal, run, undefined, clock.now());
    for (const text of remarksOn(audit))
      reporter.report({ type: 'note', text: `Of what run ${run} has sent, ${text}.` });
    const wrong =
      countShares(readShares(journal, run), ({ isDifferent }) => isDifferent) + countFindings(journal, run);
    if (wrong + audit.unverified > 0 || audit.skipped !== undefined) isFlawed = true;
    if (wrong === 0) continue;
    const rows = plural(
      wrong,
      'registration is not as it was to be left',
      'registrations are not as they were to be left',
    );
    const text = `Run ${run} was interrupted before it had looked at what it had sent: ${rows}. See eventreg runs show ${run}.`;
    reporter.report({ type: 'warning', text });
  }
  return isFlawed;
}

/** What is no fault, and is to be known: as clauses. */
function remarksOn({ spelling, hidden, unverified }: AuditResult): string[] {
  const fields = [...spelling, ...hidden].map(({ field }) => field);
  const own = fields.length === 0 ? [] : [`the service stores in its own way: ${fields.join(', ')}`];
  return unverified === 0
    ? own
    : [...own, `${plural(unverified, 'row', 'rows')} not verified: the service shows too little to tell`];
}
