import { leavesNothing } from '../options/budget-options.ts';

/** Ends all waiting of a command as soon as it is known that its `--leave` leaves nothing to wait for. */
interface LeaveGuard {
  /** Aborts then, with the error that says so. */
  signal: AbortSignal;
  /** Judges a limit, if there is one. */
  heed(limit: number | undefined): void;
}

export function guardLeave(leave: number): LeaveGuard {
  const halt = new AbortController();
  return {
    signal: halt.signal,
    heed(limit) {
      const tooMuchKept = leavesNothing({ leave }, limit);
      if (tooMuchKept !== undefined && !halt.signal.aborted) halt.abort(tooMuchKept);
    },
  };
}
