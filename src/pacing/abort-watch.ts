/** What `promise` gives, or the signal's reason as soon as it aborts. */
export type AbortWatch = <T>(promise: Promise<T>, signal: AbortSignal) => Promise<T>;

/**
 * Makes an AbortWatch that puts one listener on a signal however many wait with it: Node warns of a
 * leak from the eleventh on.
 */
export function createAbortWatch(): AbortWatch {
  const watched = new WeakMap<AbortSignal, Set<() => void>>();

  const waitersOf = (signal: AbortSignal): Set<() => void> => {
    const known = watched.get(signal);
    if (known !== undefined) return known;
    const waiters = new Set<() => void>();
    watched.set(signal, waiters);
    const failAll = (): void => waiters.forEach((fail) => fail());
    signal.addEventListener('abort', failAll, { once: true });
    return waiters;
  };

  return (promise, signal) =>
    new Promise((resolve, reject) => {
      const fail = (): void => reject(signal.reason as Error);
      if (signal.aborted) fail();
      const waiters = waitersOf(signal);
      waiters.add(fail);
      void promise.then(resolve, reject).finally(() => waiters.delete(fail));
    });
}
