import { createAbortWatch } from './abort-watch.ts';
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
  /** Settles when everybody who has asked so far has left, with a ticket or without. */
  let last: Promise<unknown> = Promise.resolve();
  let news = createSignal();
  const untilAborted = createAbortWatch();

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
      if (Number.isFinite(delay)) onWait?.(now + delay, pacer.budget(now));
      await nextChange(delay, signal);
    }
  };

  /** Waits for the delay to pass, an answer, or the signal. */
  const nextChange = async (delay: number, signal: AbortSignal): Promise<void> => {
    const done = new AbortController();
    const changes: Promise<void>[] = [news.fired];
    if (Number.isFinite(delay)) changes.push(clock.sleep(delay, done.signal));
    try {
      await untilAborted(Promise.race(changes), signal);
    } finally {
      // The sleep that is cut short here rejects, and nobody listens any more.
      changes[1]?.catch(() => undefined);
      done.abort();
    }
  };

  return {
    async enter(signal) {
      const before = last;
      const left = createSignal();
      last = Promise.all([before, left.fired]);
      try {
        await untilAborted(before, signal);
        return await waitForTurn(signal);
      } finally {
        left.fire();
      }
    },
    answered(ticket, answer) {
      pacer.answered(ticket, clock.now(), answer);
      wake();
    },
    lost(ticket) {
      pacer.lost(ticket, clock.now());
      wake();
    },
    budget: () => pacer.budget(clock.now()),
  };
}

function createSignal(): { fired: Promise<void>; fire: () => void } {
  let fire = (): void => undefined;
  const fired = new Promise<void>((resolve) => {
    fire = resolve;
  });
  return { fired, fire };
}
