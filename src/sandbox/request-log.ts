/** One request that the sandbox answered. */
export interface RequestLogEntry {
  /** Milliseconds since 1970, when the request came. */
  at: number;
  method: string;
  /** Path without the query, as it came. */
  path: string;
  /** Parameters of the query, decoded. */
  query: Readonly<Record<string, string>>;
  status: number;
  /** The body as it came; absent when there was none. */
  body?: string;
  /** The header x-request-id as it came; absent when there was none. */
  requestId?: string;
}

const ENTRIES_KEPT = 100_000;

/** Keeps the last requests in memory. */
export class RequestLog {
  readonly #ring: RequestLogEntry[] = [];
  readonly #capacity: number;
  #added = 0;

  constructor(capacity = ENTRIES_KEPT) {
    this.#capacity = capacity;
  }

  add(entry: RequestLogEntry): void {
    this.#ring[this.#added % this.#capacity] = entry;
    this.#added += 1;
  }

  /** Oldest first. */
  entries(): RequestLogEntry[] {
    if (this.#added <= this.#capacity) return [...this.#ring];
    const oldest = this.#added % this.#capacity;
    return [...this.#ring.slice(oldest), ...this.#ring.slice(0, oldest)];
  }
}
