import type { Clock } from '../../src/pacing/clock.ts';

/** A clock that stands still until the test moves it. */
export interface FakeClock extends Clock {
  /**
   * Moves time on by `ms`, waking sleepers in the order of their times. What a sleeper does when it
   * wakes, another sleep included, happens before the next one is woken.
   */
  advance(ms: number): Promise<void>;
  /** Every sleep asked for that keeps a process alive, in milliseconds, in order. */
  readonly slept: readonly number[];
  /** How many sleep now. */
  readonly sleeping: number;
}

interface Sleeper {
  dueMs: number;
  ref: boolean;
  wake: () => void;
}

/**
 * `auto`: nobody has to advance it; time jumps to the next sleeper as soon as everything else is idle,
 * though not for those alone that keep no process alive.
 */
export function fakeClock(options: { startMs?: number; auto?: boolean } = {}): FakeClock {
  let nowMs = options.startMs ?? Date.UTC(2026, 0, 15, 12);
  let jumping = false;
  const slept: number[] = [];
  const sleepers = new Set<Sleeper>();

  const wakeNext = (untilMs: number): boolean => {
    const next = earliest(sleepers);
    if (next === undefined || next.dueMs > untilMs) return false;
    nowMs = Math.max(nowMs, next.dueMs);
    next.wake();
    return true;
  };
  const jump = async (): Promise<void> => {
    if (jumping) return;
    jumping = true;
    do await idle();
    while ([...sleepers].some(({ ref }) => ref) && wakeNext(Number.POSITIVE_INFINITY));
    jumping = false;
  };

  return {
    slept,
    get sleeping() {
      return sleepers.size;
    },
    now: () => nowMs,
    sleep: (ms, signal, { ref = true } = {}) => {
      if (ref) slept.push(ms);
      const sleep = sleepUntil(sleepers, { dueMs: nowMs + Math.max(0, ms), ref }, signal);
      if (options.auto === true) void jump();
      else if (ms <= 0) wakeNext(nowMs);
      return sleep;
    },
    advance: async (ms) => {
      const untilMs = nowMs + ms;
      do await idle();
      while (wakeNext(untilMs));
      nowMs = untilMs;
    },
  };
}

function sleepUntil(
  sleepers: Set<Sleeper>,
  due: Omit<Sleeper, 'wake'>,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason);
      return;
    }
    const sleeper: Sleeper = { ...due, wake: () => end(resolve) };
    const abort = (): void => end(() => reject(signal?.reason));
    const end = (settle: () => void): void => {
      sleepers.delete(sleeper);
      signal?.removeEventListener('abort', abort);
      settle();
    };
    signal?.addEventListener('abort', abort);
    sleepers.add(sleeper);
  });
}

/** The first one added when several are due at once: a Set keeps its order. */
function earliest(sleepers: ReadonlySet<Sleeper>): Sleeper | undefined {
  let first: Sleeper | undefined;
  for (const sleeper of sleepers) if (first === undefined || sleeper.dueMs < first.dueMs) first = sleeper;
  return first;
}

/** Lets everything run that is ready to. */
function idle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
