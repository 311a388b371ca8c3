import {
  freshState,
  type Learnt,
  NEVER_MS,
  type PacerState,
  type UnderWay,
  type Budget,
} from '../../src/pacing/pacer-state.ts';
import type { Sent } from '../../src/pacing/sendings.ts';
import { START_MS } from '../support/rate/world.ts';

/** A time of a test, in milliseconds from its start. */
export const at = (ms: number): number => START_MS + ms;

/** When a window began that is exactly known. */
export const began = (ms: number): PacerState['began'] => ({
  afterMs: at(ms - 10),
  atMs: at(ms),
  byMs: at(ms + 20),
});

/** When the first window began, of which nobody knows how long it had been open. */
export const beganFirst = (ms: number): PacerState['began'] => ({ ...began(ms), afterMs: NEVER_MS });

/** A request without anything special, 20 ms on its way. */
export function request(ticket: number, sentMs: number, more: Partial<UnderWay> = {}): UnderWay {
  return { ticket, sentMs: at(sentMs), settled: ticket - 1, hoped: false, ...more };
}

/** Our requests at those times of the test, one each. */
export const sendings = (...times: readonly number[]): Sent[] => times.map((ms) => [at(ms), 1]);

/** Thirty a minute, learnt for sure in a window that began with the test and of which nothing is used. */
export function learnt(more: Partial<PacerState> = {}): Learnt {
  return structuredClone({
    ...freshState(),
    confirmedMs: undefined,
    trickle: undefined,
    anchor: undefined,
    limit: 30,
    windowMs: 60_000,
    granted: 30,
    isSure: true,
    isScouted: true,
    began: began(0),
    countedFromMs: at(0),
    lastSentMs: at(0),
    newsMs: at(20),
    toldMs: at(0),
    noRefillMs: at(0),
    roundTripMs: 20,
    shortestTripMs: 20,
    jitterMs: 2,
    // Where it is guessed, the guess held.
    patience: 40,
    ...more,
  } as Learnt);
}

/** The same while the length of the window is not known. */
export function learning(more: Partial<PacerState> = {}): PacerState {
  return { ...learnt(), windowMs: undefined, isSure: false, began: beganFirst(0), ...structuredClone(more) };
}

/** What is told of a budget of which nothing is known. */
export const UNKNOWN: Budget = {
  limit: undefined,
  remaining: undefined,
  share: 1,
  windowMs: undefined,
  refillsAtMs: undefined,
  confirmedAtMs: undefined,
  roundTripMs: undefined,
};
