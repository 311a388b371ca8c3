/** Ends the wait for answers: each at its own time, and all at once. */
export interface Deadlines {
  /** Gives the work a signal that aborts when its time is over, or when all waiting is to end. */
  within<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  close(): void;
}

/**
 * Ends all waiting when the signal aborts. One listener serves any number of requests: a signal that Node
 * combines of two for each of them costs as much as writing its outcome.
 */
export function createDeadlines(signal: AbortSignal): Deadlines {
  const waiting = new Set<AbortController>();
  const endAll = (): void => {
    for (const one of waiting) one.abort(signal.reason);
  };
  signal.addEventListener('abort', endAll);
  return {
    async within(ms, work) {
      const end = new AbortController();
      if (signal.aborted) end.abort(signal.reason);
      waiting.add(end);
      const timer = setTimeout(() => end.abort(noAnswer()), ms);
      try {
        return await work(end.signal);
      } finally {
        clearTimeout(timer);
        waiting.delete(end);
      }
    },
    close: () => signal.removeEventListener('abort', endAll),
  };
}

const noAnswer = (): Error =>
  Object.assign(new Error('no answer came in time'), { code: 'UND_ERR_HEADERS_TIMEOUT' });
