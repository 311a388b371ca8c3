/** Where a steady time stands, as it is kept between runs. */
export interface TimeMark {
  /** The newest time that was given. */
  lastMs: number;
  /** How far it runs ahead of the clock, since the clock was put back. */
  aheadMs: number;
}

/** Another process may have read the clock so much earlier and then waited for the file: that puts no clock back. */
const READ_EARLIER_MS = 1000;

/**
 * Milliseconds that never go back. When the clock is put back, time goes on from where it was last asked
 * for: whatever waits for a time to come loses no more than that, or than a second when it was put back by less.
 */
export class SteadyTime {
  #lastMs: number;
  #aheadMs: number;

  constructor({ lastMs, aheadMs }: TimeMark = { lastMs: Number.NEGATIVE_INFINITY, aheadMs: 0 }) {
    this.#lastMs = lastMs;
    this.#aheadMs = aheadMs;
  }

  /** The steady time at which the clock says `now`. */
  at(now: number): number {
    if (now + this.#aheadMs < this.#lastMs - READ_EARLIER_MS) this.#aheadMs = this.#lastMs - now;
    this.#lastMs = Math.max(this.#lastMs, now + this.#aheadMs);
    return this.#lastMs;
  }

  /** What the clock says at a steady time. */
  toClock(steadyMs: number | undefined): number | undefined {
    return steadyMs === undefined ? undefined : steadyMs - this.#aheadMs;
  }

  mark(): TimeMark {
    return { lastMs: this.#lastMs, aheadMs: this.#aheadMs };
  }
}
