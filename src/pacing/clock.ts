/** Time as the rest of the program sees it, so that tests can run hours in milliseconds. */
export interface Clock {
  /** Milliseconds since 1970, as `Date.now()`. */
  now(): number;
  /** Milliseconds of a clock that nobody sets, from any beginning. Without it, `now` is taken for one. */
  readonly steadyMs?: () => number;
  /** Resolves after `ms`; rejects with the reason of an aborted signal. `ref: false`: it keeps no process alive. */
  sleep(ms: number, signal?: AbortSignal, options?: { ref?: boolean }): Promise<void>;
}
