import type { Gate } from '../../pacing/gate.ts';
import { type BudgetOptions, leavesNothing } from '../options/budget-options.ts';

/** Ends all waiting of a command as soon as it is known that its `--leave` leaves nothing to wait for. */
interface LeaveGuard {
  /** Aborts then, with the error that says so. */
  signal: AbortSignal;
  /** Judges a limit, if there is one. */
  heed(limit: number | undefined): void;
  /** The gate, every limit that it hears of judged; one that it remembers before the first request. */
  watch(gate: Gate): Gate;
}

export function guardLeave(options: BudgetOptions): LeaveGuard {
  const halt = new AbortController();
  const heed = (limit: number | undefined): void => {
    const tooMuchKept = leavesNothing(options, limit);
    if (tooMuchKept !== undefined && !halt.signal.aborted) halt.abort(tooMuchKept);
  };
  return {
    signal: halt.signal,
    heed,
    watch(gate) {
      if (options.leave === 0) return gate;
      heed(gate.budget().limit);
      return {
        enter: (signal) => gate.enter(signal),
        answered(ticket, answer) {
          // First, or the answer would let go whoever comes next.
          heed(answer.limit);
          gate.answered(ticket, answer);
        },
        lost: (ticket) => gate.lost(ticket),
        budget: () => gate.budget(),
        expect: (requests) => gate.expect(requests),
        workersWanted: () => gate.workersWanted(),
      };
    },
  };
}
