/** When a process is killed. Writes and requests are counted from 1. */
export type KillOrder =
  | { at: 'before' | 'after'; write: number }
  /** While the write goes on, so many microseconds after its beginning. */
  | { at: 'during'; write: number; delayUs: number }
  /** When the service has done the work of its n-th request and not yet answered. */
  | { at: 'request'; nth: number }
  /** So many milliseconds after its start. */
  | { at: 'time'; delayMs: number };

/** What a push that was left alone did. */
export interface PushProfile {
  /** How long each write took. */
  durationsUs: readonly number[];
  /** Since the start of the process. */
  firstWriteMs: number;
  lastWriteMs: number;
  requests: number;
}

/** What kills are aimed at. */
export interface Target {
  /** A push with everything to send. */
  full: PushProfile;
  /** A push with nothing to send. */
  idle: PushProfile;
}

/** Where in a push to kill it. */
export interface Aim {
  /** The part of its rows that it has still to send: 1 all of them, 0 none. */
  part: number;
  /** In [0, 1): a caller who spreads it evenly hits every write sooner or later. */
  position: number;
  ways: readonly KillOrder['at'][];
}

export const AT_WRITES = ['before', 'after', 'during'] as const;
/** Of eight kills six are at a write, one is at a request and one at any time. */
export const ALL_WAYS = [...AT_WRITES, ...AT_WRITES, 'request', 'time'] as const;

/** Chooses a kill: aim says where, chance how. */
export function chooseKill(
  { full, idle }: Target,
  random: () => number,
  { part, position, ways }: Aim,
): KillOrder {
  const at = ways[Math.floor(random() * ways.length)] ?? 'time';
  const between = (none: number, all: number): number => none + (all - none) * part;
  const index = Math.floor(position * between(idle.durationsUs.length, full.durationsUs.length));
  switch (at) {
    case 'before':
    case 'after':
      return { at, write: index + 1 };
    case 'during': {
      const similar = full.durationsUs[Math.floor(position * full.durationsUs.length)] ?? 0;
      return { at, write: index + 1, delayUs: Math.floor(random() * similar) };
    }
    case 'request':
      return { at, nth: Math.floor(position * between(idle.requests, full.requests)) + 1 };
    default: {
      const lastMs = between(idle.lastWriteMs, full.lastWriteMs);
      return { at, delayMs: Math.round(full.firstWriteMs + position * (lastMs - full.firstWriteMs)) };
    }
  }
}

/** A kill as one word, which `readKill` understands: `before:12`, `during:12:340`, `request:3`, `time:250`. */
export function writeKill(order: KillOrder): string {
  switch (order.at) {
    case 'before':
    case 'after':
      return `${order.at}:${order.write}`;
    case 'during':
      return `during:${order.write}:${order.delayUs}`;
    case 'request':
      return `request:${order.nth}`;
    default:
      return `time:${order.delayMs}`;
  }
}

/** Throws an Error with a sentence. */
export function readKill(word: string): KillOrder {
  const [, at, one, two] = /^(before|after|request|time|during):(\d{1,9})(?::(\d{1,9}))?$/.exec(word) ?? [];
  if (at === undefined || (at === 'during') !== (two !== undefined)) {
    throw new Error(`${word} is no kill: before:12, after:12, during:12:340, request:3 and time:250 are.`);
  }
  const number = Number(one);
  if (at === 'during') return { at, write: number, delayUs: Number(two) };
  if (at === 'before' || at === 'after') return { at, write: number };
  return at === 'request' ? { at, nth: number } : { at: 'time', delayMs: number };
}
