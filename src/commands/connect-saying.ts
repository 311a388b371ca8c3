import { formatDuration } from '../report/duration.ts';
import type { Runtime } from '../runtime.ts';
import { type BudgetOptions, leavesNothing } from './budget-options.ts';
import { type Connection, connect } from './connection.ts';
import type { GlobalOptions } from './options.ts';
import { say } from './terminal.ts';

/** A wait that is worth a word, in milliseconds. */
const LONG_WAIT_MS = 5_000;

/** Connects for a command that shows no progress: it says once of each long wait how long it takes. */
export function connectSaying(
  options: GlobalOptions & Partial<BudgetOptions>,
  runtime: Runtime,
): Promise<Connection> {
  const { leave = 0, maxWait } = options;
  const halt = new AbortController();
  let saidUntilMs = 0;
  const tell = (what: string, untilMs: number): void => {
    const nowMs = runtime.clock.now();
    if (untilMs - nowMs < LONG_WAIT_MS || nowMs < saidUntilMs) return;
    saidUntilMs = untilMs;
    say(options, runtime, `Waiting ${formatDuration(untilMs - nowMs)} ${what}.`);
  };
  return connect(options, runtime, {
    halted: halt.signal,
    leave,
    maxWaitMs: maxWait,
    onWait(untilMs, budget) {
      const tooMuchKept = leavesNothing({ leave }, budget.limit);
      if (tooMuchKept === undefined) tell('for the request budget', untilMs);
      else halt.abort(tooMuchKept);
    },
    onRetryWait: (untilMs) => tell('to try again', untilMs),
  });
}
