import type { Limiter } from '../../../src/sandbox/limiter.ts';

/** What remained some time ago: the same requests go through a second limiter, late. */
export class PastRemaining {
  readonly #limiter: Limiter;
  readonly #agoMs: number;
  #notYet: number[] = [];

  /** `limiter` must be new, and of the same kind as the one that decides. */
  constructor(limiter: Limiter, agoMs: number) {
    this.#limiter = limiter;
    this.#agoMs = agoMs;
  }

  /** A request arrived. */
  note(nowMs: number): void {
    this.#notYet.push(nowMs);
  }

  remaining(nowMs: number): number {
    const thenMs = nowMs - this.#agoMs;
    let seen = 0;
    for (const atMs of this.#notYet) {
      if (atMs > thenMs) break;
      this.#limiter.take(atMs);
      seen += 1;
    }
    this.#notYet = this.#notYet.slice(seen);
    return this.#limiter.remaining(thenMs);
  }
}
