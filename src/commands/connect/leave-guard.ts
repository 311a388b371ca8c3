import type { Gate } from '../../pacing/gate.ts';
import { leavesNothing } from '../options/budget-options.ts';

/** Ends all waiting of a command as soon as it is known that its `--leave` leaves nothing to wait for. */
interface LeaveGuard {
  /** Aborts then, with the error that says so. */
  signal: AbortSignal;
  /** Judges a limit, if there is one. */
  heed(limit: number | undefined): void;
  /** Judges every limit that a gate hears of, and the one that it remembers before the first request. */
  watch(gate: Gate): void;
}

export function guardLeave(leave: number): LeaveGuard {
  const halt = new AbortController();
  const heed = (limit: number | undefined): void => {
    const tooMuchKept = leavesNothing({ leave }, limit);
    if (tooMuchKept !== undefined && !halt.signal.aborted) halt.abort(tooMuchKept);
  };
  return {
    signal: halt.signal,
    heed,
    watch(gate) {
      heed(gate.budget().limit);
      const answered = gate.answered.bind(gate);
      gate.answered = (ticket, answer) => {
        // First, or the answer would let go whoever comes next.
        heed(answer.limit);
        answered(ticket, answer);
      };
    },
  };
}
