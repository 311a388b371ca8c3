/** Where a steady time stands, as it is kept between runs. */
export interface TimeMark {
  /** The newest time that was given. */
  lastMs: number;
  /** How far it runs ahead of the clock, since the clock was put back. */
  aheadMs: number;
}

/** Whoever reads the clock may then wait so long for the file: that sets no clock. */
const READ_EARLIER_MS = 1000;

/**
 * Milliseconds that never go back, nor jump within a process: they go on with `steadyMs`. Between processes only the clock
 * tells how much time went by: put back, it makes nobody wait longer than it was put back by, or than a second.
 */
export class SteadyTime {
  readonly #steadyMs: (() => number) | undefined;
  #lastMs = Number.NEGATIVE_INFINITY;
  #aheadMs: number | undefined;
  /** The clock less `steadyMs` when this process began, and how much the clock has been set since. */
  #beganMs: number | undefined;
  #setMs = 0;

  constructor(steadyMs?: () => number) {
    this.#steadyMs = steadyMs;
  }

  /** The steady time at which the clock says `now`. */
  at(now: number): number {
    const ownMs = this.#own(now);
    this.#aheadMs ??= 0;
    if (ownMs + this.#aheadMs < this.#lastMs - READ_EARLIER_MS) this.#aheadMs = this.#lastMs - ownMs;
    this.#lastMs = Math.max(this.#lastMs, ownMs + this.#aheadMs);
    return this.#lastMs;
  }

  /** Another process has gone on to there. */
  follow({ lastMs, aheadMs }: TimeMark): void {
    this.#lastMs = Math.max(this.#lastMs, lastMs);
    this.#aheadMs ??= aheadMs;
  }

  /** What the clock says at a steady time. */
  toClock(steadyMs: number | undefined): number | undefined {
    return steadyMs === undefined ? undefined : steadyMs - this.mark().aheadMs;
  }

  mark(): TimeMark {
    return { lastMs: this.#lastMs, aheadMs: (this.#aheadMs ?? 0) - this.#setMs };
  }

  /** The clock as if nobody had set it since this process began. */
  #own(now: number): number {
    if (this.#steadyMs === undefined) return now;
    const sinceMs = now - this.#steadyMs();
    this.#beganMs ??= sinceMs;
    const setMs = sinceMs - this.#beganMs;
    if (Math.abs(setMs - this.#setMs) > READ_EARLIER_MS) this.#setMs = setMs;
    return now - this.#setMs;
  }
}
