import type { Budget } from '../pacing/pacer.ts';
import type { Journal } from '../push/journal.ts';
import { readTally } from '../push/send.ts';
import { formatDuration } from '../report/duration.ts';
import type { Reporter } from '../report/events.ts';
import type { Runtime } from '../runtime.ts';

/**
 * Says that requests have to wait for the budget: as part of the progress once a run is settled, which
 * `at` tells.
 */
export function waits(
  { journal, reporter, runtime }: { journal: Journal; reporter: Reporter; runtime: Runtime },
  at: { run: string | undefined },
): (untilMs: number, budget: Budget) => void {
  const tellEarlyWait = earlyWaits(reporter, runtime);
  return (untilMs, budget) => {
    if (at.run === undefined) {
      tellEarlyWait(untilMs);
      return;
    }
    reporter.report({ type: 'waiting', untilMs, why: 'budget', tally: readTally(journal, at.run), budget });
  };
}

/** Says once a wait that nothing can be asked of the service yet; short ones pass unsaid. */
function earlyWaits(reporter: Reporter, { clock }: Runtime): (untilMs: number) => void {
  let toldUntilMs = 0;
  return (untilMs) => {
    const waitMs = untilMs - clock.now();
    if (untilMs <= toldUntilMs || waitMs < 2000) return;
    toldUntilMs = untilMs;
    reporter.report({ type: 'note', text: `Waiting ${formatDuration(waitMs)} for the request budget.` });
  };
}
