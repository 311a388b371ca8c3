/** Where a client pushes to, and until when. */
export interface Target {
  url: URL;
  /** What a client that must be told is told. */
  limit: number;
  windowMs: number;
  /** Ends all waiting and what is under way. */
  signal: AbortSignal;
}

/** A way of sending rows that has to do with a limit. */
export interface Client {
  name: string;
  /** Part of the bench that is quick. */
  quick: boolean;
  connect(target: Target): Connection;
}

export interface Connection {
  /** Sends one row until it is taken. Rejects when it gives the row up. */
  send(body: string): Promise<void>;
  close(): Promise<void>;
}

export const HEADERS = { 'content-type': 'application/json', accept: 'application/json' };

/** Milliseconds before the n-th try again: 250 · 2ⁿ up to 10 s, half of it at random. */
export function backoffMs(times: number, random: () => number): number {
  return Math.min(10_000, 250 * 2 ** times) * (0.5 + random() / 2);
}
