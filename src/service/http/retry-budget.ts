/**
 * Repeats that all requests of a client share. Each takes one, each success gives half a one back: a fault
 * that passes is ridden out, and a service that is down is not hammered by every row in turn.
 */
interface RetryBudget {
  /** Takes one; false when there is none left, and the attempt was the last. */
  take(): boolean;
  /** Call when a request came to an end that was no fault. */
  refill(): void;
}

const FULL = 30;
const REFILL = 0.5;

/** A full budget. */
export function createRetryBudget(): RetryBudget {
  let left = FULL;
  return {
    take() {
      if (left < 1) return false;
      left -= 1;
      return true;
    },
    refill() {
      left = Math.min(FULL, left + REFILL);
    },
  };
}
