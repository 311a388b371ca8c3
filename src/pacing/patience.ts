/** Adds up the time spent waiting for the budget, and tells when it is more than allowed. */
export class Patience {
  readonly #mostMs: number;
  #waitedMs = 0;
  #wait: { sinceMs: number; mostMs: number } | undefined;

  constructor(mostMs = Number.POSITIVE_INFINITY) {
    this.#mostMs = mostMs;
  }

  get waitedMs(): number {
    return this.#waitedMs;
  }

  /** Whether it bears a wait of `delayMs` from now on. */
  bears(delayMs: number): boolean {
    return this.#waitedMs + delayMs <= this.#mostMs;
  }

  /** A wait begins that will be looked at again after `forMs`. */
  begin(now: number, forMs: number): void {
    this.#wait = { sinceMs: now, mostMs: forMs };
  }

  /** The wait is over, if there was one. A clock that jumped does not count for more than was slept. */
  end(now: number): void {
    if (this.#wait === undefined) return;
    this.#waitedMs += Math.min(Math.max(0, now - this.#wait.sinceMs), this.#wait.mostMs);
    this.#wait = undefined;
  }
}
