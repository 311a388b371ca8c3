import type { Clock } from '../clock.ts';
import { SIGN_MS } from './shared-state.ts';

/**
 * Shows the other processes at intervals that this one is alive while a request of it is under way, also while nobody
 * else is there: whoever comes would take a silent process for dead.
 */
export class Signs {
  readonly #clock: Clock;
  readonly #give: (now: number) => boolean;
  #giving: AbortController | undefined;

  /** `give` returns whether more are needed. */
  constructor(clock: Clock, give: (now: number) => boolean) {
    this.#clock = clock;
    this.#give = give;
  }

  /** Does nothing when signs are given already. */
  start(): void {
    if (this.#giving !== undefined) return;
    this.#giving = new AbortController();
    void this.#giveUntil(this.#giving);
  }

  stop(): void {
    this.#giving?.abort();
    this.#giving = undefined;
  }

  async #giveUntil(giving: AbortController): Promise<void> {
    do await this.#clock.sleep(SIGN_MS, giving.signal, { ref: false }).catch(() => undefined);
    while (!giving.signal.aborted && this.#give(this.#clock.now()));
    if (this.#giving === giving) this.#giving = undefined;
  }
}
