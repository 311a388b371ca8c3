interface Happening {
  ms: number;
  /** Of two at the same moment, the one that was planned first happens first. */
  order: number;
  happen: (nowMs: number) => void;
}

/** What is going to happen, earliest first: a binary heap. */
export class Timeline {
  readonly #heap: Happening[] = [];
  #planned = 0;

  at(ms: number, happen: (nowMs: number) => void): void {
    this.#planned += 1;
    this.#heap.push({ ms, order: this.#planned, happen });
    this.#rise(this.#heap.length - 1);
  }

  /** When the next happens; undefined when nothing does. */
  nextMs(): number | undefined {
    return this.#heap[0]?.ms;
  }

  runNext(): void {
    const [first] = this.#heap;
    const last = this.#heap.pop();
    if (first === undefined || last === undefined) return;
    if (last !== first) {
      this.#heap[0] = last;
      this.#sink(0);
    }
    first.happen(first.ms);
  }

  #rise(from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #sink(from: number): void {
    let at = from;
    for (;;) {
      const left = 2 * at + 1;
      const child = this.#isBefore(left + 1, left) ? left + 1 : left;
      if (!this.#isBefore(child, at)) return;
      this.#swap(at, child);
      at = child;
    }
  }

  #isBefore(one: number, other: number): boolean {
    const a = this.#heap[one];
    const b = this.#heap[other];
    if (a === undefined || b === undefined) return false;
    return a.ms === b.ms ? a.order < b.order : a.ms < b.ms;
  }

  #swap(one: number, other: number): void {
    const heap = this.#heap;
    const kept = heap[one] as Happening;
    heap[one] = heap[other] as Happening;
    heap[other] = kept;
  }
}
