import type { Arithmetic } from '../../src/pacing/ledger.ts';
import type { Answer, Budget } from '../../src/pacing/pacer-state.ts';

interface Counts {
  used: number;
  windowStartMs: number;
  sent: number;
  underWay: number[];
  limit: number | undefined;
  heard: boolean;
  notBeforeMs: number;
}

/** Told how long windows are, and spends each in one go: little more than what a ledger has to keep. */
export class CountingPacer implements Arithmetic {
  readonly #windowMs: number;
  readonly #counts: Counts;

  constructor(windowMs: number, memory?: unknown) {
    this.#windowMs = windowMs;
    this.#counts = {
      used: 0,
      windowStartMs: 0,
      sent: 0,
      underWay: [],
      limit: undefined,
      heard: false,
      notBeforeMs: 0,
      ...(isCounts(memory) ? structuredClone(memory) : {}),
    };
  }

  delayMs(now: number, leave = 0): number {
    const { limit, used, windowStartMs, heard, underWay, notBeforeMs } = this.#counts;
    if (now < notBeforeMs) return notBeforeMs - now;
    if (!heard) return underWay.length === 0 ? 0 : Number.POSITIVE_INFINITY;
    if (limit === undefined) return 0;
    const endMs = windowStartMs + this.#windowMs;
    return now >= endMs || used + leave < limit ? 0 : endMs - now;
  }

  sent(now: number): number {
    const counts = this.#counts;
    if (counts.sent === 0 || now >= counts.windowStartMs + this.#windowMs) {
      counts.windowStartMs = now;
      counts.used = 0;
    }
    counts.used += 1;
    counts.sent += 1;
    counts.underWay.push(counts.sent);
    return counts.sent;
  }

  answered(ticket: number, now: number, { limit, retryAfterMs }: Answer): void {
    if (!this.#counts.underWay.includes(ticket)) return;
    this.lost(ticket);
    this.#counts.heard = true;
    this.#counts.limit = limit ?? this.#counts.limit;
    if (retryAfterMs !== undefined) {
      this.#counts.notBeforeMs = Math.max(this.#counts.notBeforeMs, now + retryAfterMs);
    }
  }

  lost(ticket: number): void {
    this.#counts.underWay = this.#counts.underWay.filter((other) => other !== ticket);
  }

  budget(): Budget {
    const { limit, used, windowStartMs } = this.#counts;
    return {
      limit,
      remaining: limit === undefined ? undefined : limit - used,
      share: 1,
      windowMs: this.#windowMs,
      refillsAtMs: windowStartMs + this.#windowMs,
      confirmedAtMs: undefined,
      roundTripMs: undefined,
    };
  }

  toJSON(): unknown {
    return structuredClone(this.#counts);
  }
}

function isCounts(memory: unknown): memory is Counts {
  return (
    typeof memory === 'object' && memory !== null && 'underWay' in memory && Array.isArray(memory.underWay)
  );
}
