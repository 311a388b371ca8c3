/** A write that waits for its turn. */
interface Waiting {
  write: () => unknown;
  resolve: () => void;
  reject: (reason: unknown) => void;
}

/** Of what a durable write takes, so much may be spent on waiting for what else is to be in it. */
const WORTH = 0.25;

/**
 * Puts writes that are asked for right after one another into one durable write: a disk takes as long for one row as
 * for ten. They are made in the order in which they were asked for.
 */
export class WriteGroup {
  /** How many have a request at the service, and will write what came of it: while there are none, a group is complete. */
  expected = 0;
  readonly #transaction: (work: () => void) => void;
  readonly #shipped: (() => Promise<void>) | undefined;
  #waiting: Waiting[] = [];
  /** What the last durable write took, in milliseconds. */
  #tookMs = 0;

  /**
   * `transaction` makes all that its work writes durable before it returns, or throws and has written nothing.
   * `shipped`: resolves when that is also where others read it.
   */
  constructor(transaction: (work: () => void) => void, shipped?: () => Promise<void>) {
    this.#transaction = transaction;
    this.#shipped = shipped;
  }

  /** Resolves when it is on the disk, and where others read it. See `addHere`. */
  async add(write: () => unknown): Promise<void> {
    await this.addHere(write);
    await this.#shipped?.();
  }

  /**
   * Resolves when it is on the disk. A write that returns an error was not made, and is rejected with it, alone. When the
   * disk fails, every write of the turn is rejected, and none has been made.
   */
  addHere(write: () => unknown): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.push({ write, resolve, reject }) === 1) this.#gather(0, 0);
    });
  }

  /** Writes once no other write has come for a while, or can come. Whoever asks waits for it, so that they come to an end. */
  #gather(known: number, sinceMs: number): void {
    setImmediate(() => {
      const { length } = this.#waiting;
      const nowMs = performance.now();
      if (length > known) this.#gather(length, nowMs);
      else if (this.expected > 0 && nowMs - sinceMs < WORTH * this.#tookMs) this.#gather(known, sinceMs);
      else this.#flush(nowMs);
    });
  }

  #flush(nowMs: number): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    try {
      this.#transaction(() => {
        for (const { write, reject } of waiting) {
          const kept = write();
          if (kept instanceof Error) reject(kept);
        }
      });
    } catch (error) {
      // To those that were kept back this is no news: they have been rejected.
      for (const { reject } of waiting) reject(error);
      return;
    }
    this.#tookMs = performance.now() - nowMs;
    for (const { resolve } of waiting) resolve();
  }
}
