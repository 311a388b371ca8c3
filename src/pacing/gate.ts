import type { Clock } from './clock.ts';
import type { Answer, Budget, Pacer } from './pacer.ts';

/** Holds every request of the process until the pacer lets it go, first come, first served. */
export interface Gate {
  /** Resolves with a ticket when the request may leave; rejects with the signal's reason. */
  enter(signal: AbortSignal): Promise<number>;
  answered(ticket: number, answer: Answer): void;
  lost(ticket: number): void;
  budget(): Budget;
}

export interface GateOptions {
  pacer: Pacer;
  clock: Clock;
  /** Told when a request has to wait, and until when (milliseconds since 1970). */
  onWait?: (untilMs: number, budget: Budget) => void;
}

export function createGate({ pacer, clock, onWait }: GateOptions): Gate {
  let last: Promise<unknown> = Promise.resolve();
  let news = createSignal();

  /** Wakes whoever waits: an answer may have changed the delay. */
  const wake = (): void => {
    news.fire();
    news = createSignal();
  };

  const waitForTurn = async (signal: AbortSignal): Promise<number> => {
    for (;;) {
      signal.throwIfAborted();
      const now = clock.now();
      const delay = pacer.delayMs(now);
      if (delay <= 0) return pacer.sent(now);
      if (Number.isFinite(delay)) onWait?.(now + delay, pacer.budget());
      await nextChange(delay, signal);
    }
  };

  /** Waits for the delay to pass, an answer, or the signal. */
  const nextChange = async (delay: number, signal: AbortSignal): Promise<void> => {
    const done = new AbortController();
    const either = AbortSignal.any([signal, done.signal]);
    const sleep = Number.isFinite(delay) ? clock.sleep(delay, either) : untilAborted(either);
    try {
      await Promise.race([sleep, news.fired]);
    } finally {
      sleep.catch(() => undefined);
      done.abort();
    }
  };

  return {
    enter(signal) {
      const turn = last.then(() => waitForTurn(signal));
      last = turn.catch(() => undefined);
      return turn;
    },
    answered(ticket, answer) {
      pacer.answered(ticket, clock.now(), answer);
      wake();
    },
    lost(ticket) {
      pacer.lost(ticket);
      wake();
    },
    budget: () => pacer.budget(),
  };
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((_resolve, reject) => {
    const fail = (): void => reject(signal.reason as Error);
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}

function createSignal(): { fired: Promise<void>; fire: () => void } {
  let fire = (): void => undefined;
  const fired = new Promise<void>((resolve) => {
    fire = resolve;
  });
  return { fired, fire };
}
