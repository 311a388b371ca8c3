interface Waiter {
  leads: boolean;
  signal: AbortSignal;
  resolve: (ticket: number) => void;
  reject: (reason: unknown) => void;
}

/** Requests that wait for their turn, in the order in which they came. */
export class WaitingLine {
  readonly #waiting = new Set<Waiter>();
  /** One listener a signal, however many wait with it: Node warns of a leak from the eleventh on. */
  readonly #bySignal = new WeakMap<AbortSignal, Set<Waiter>>();
  readonly #onLeft: () => void;

  /** `onLeft` is told when somebody has been called off. */
  constructor(onLeft: () => void) {
    this.#onLeft = onLeft;
  }

  get length(): number {
    return this.#waiting.size;
  }

  /** Whether the first one has something to do between its turn and leaving. */
  get leads(): boolean {
    const [first] = this.#waiting;
    return first?.leads === true;
  }

  /** Resolves with a ticket; rejects with the signal's reason as soon as it aborts. `leads`: see there. */
  join(signal: AbortSignal, leads: boolean): Promise<number> {
    return new Promise((resolve, reject) => {
      const waiter = { leads, signal, resolve, reject };
      this.#waiting.add(waiter);
      this.#companions(signal).add(waiter);
    });
  }

  /** Lets the first one go. */
  serve(ticket: number): void {
    const [first] = this.#waiting;
    if (first === undefined) return;
    this.#remove(first);
    first.resolve(ticket);
  }

  /** Sends everybody away. */
  dismiss(reason: () => unknown): void {
    for (const waiter of this.#waiting) {
      this.#remove(waiter);
      waiter.reject(reason());
    }
  }

  #companions(signal: AbortSignal): Set<Waiter> {
    const known = this.#bySignal.get(signal);
    if (known !== undefined) return known;
    const waiters = new Set<Waiter>();
    this.#bySignal.set(signal, waiters);
    const callOff = (): void => {
      for (const waiter of waiters) {
        this.#remove(waiter);
        waiter.reject(signal.reason);
      }
      this.#onLeft();
    };
    signal.addEventListener('abort', callOff);
    return waiters;
  }

  #remove(waiter: Waiter): void {
    this.#waiting.delete(waiter);
    this.#bySignal.get(waiter.signal)?.delete(waiter);
  }
}
