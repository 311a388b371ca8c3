/** Where a steady time stands, as it is kept between runs. */
export interface TimeMark {
  /** The newest time that was given. */
  lastMs: number;
  /** How far it runs ahead of the clock, since the clock was put back. */
  aheadMs: number;
}

/**
 * Milliseconds that never go back. When the clock is put back, time goes on from where it was last asked
 * for: whatever waits for a time to come loses no more than that.
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
    if (now + this.#aheadMs < this.#lastMs) this.#aheadMs = this.#lastMs - now;
    this.#lastMs = now + this.#aheadMs;
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
