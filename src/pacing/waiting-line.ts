interface Waiter {
  leads: boolean;
  signal: AbortSignal;
  resolve: (ticket: number) => void;
  reject: (reason: unknown) => void;
}

/** Requests that wait for their turn, in the order in which they came. */
export class WaitingLine {
  readonly #waiting = new Set<Waiter>();
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
      this.#waiting.add({ leads, signal, resolve, reject });
      // The same listener again is no other one, however many wait with a signal.
      signal.addEventListener('abort', this.#callOff);
    });
  }

  /** Lets the first one go. */
  serve(ticket: number): void {
    const [first] = this.#waiting;
    if (first === undefined) return;
    this.#waiting.delete(first);
    first.resolve(ticket);
  }

  /** Sends everybody away. */
  dismiss(reason: () => unknown): void {
    for (const waiter of this.#waiting) this.#sendAway(waiter, reason());
  }

  readonly #callOff = (): void => {
    for (const waiter of this.#waiting)
      if (waiter.signal.aborted) this.#sendAway(waiter, waiter.signal.reason);
    this.#onLeft();
  };

  #sendAway(waiter: Waiter, reason: unknown): void {
    this.#waiting.delete(waiter);
    waiter.reject(reason);
  }
}
