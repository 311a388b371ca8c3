import type { Sent } from './sendings.ts';

/** Long before anything happened: a number, because JSON has no -Infinity. */
export const NEVER_MS = -1e15;

/** Half a token: requests are whole, what flows back is not. */
export const LEAST_CUSHION = 0.5;

/** A request whose answer is not known yet. */
export interface UnderWay {
  ticket: number;
  sentMs: number;
  /** Our requests that had been answered or lost when it left. */
  settled: number;
  /** It left without credit, because something should have come back by then. */
  hoped: boolean;
  /** It left alone. */
  alone: boolean;
}

/** When the window began: not before `afterMs`, at the latest at `byMs`; `atMs` is when the request left that showed it. */
interface Began {
  afterMs: number;
  atMs: number;
  byMs: number;
}

/**
 * How requests come back. `window`: all at once. `log`: each one a window after it was sent. `flow`: steadily, as
 * in a bucket, a GCRA or a sliding counter.
 */
type Shape = 'window' | 'log' | 'flow';

/** Requests that came back little by little since `sinceMs`; `isAsDue`: as many as a log would have given back. */
export interface Trickle {
  sinceMs: number;
  firstMs: number;
  /** How many the first sighting showed. */
  firstBack: number;
  back: number;
  isAsDue: boolean;
}

/** All that the pacer knows: plain data that survives JSON. Times in milliseconds since 1970. */
export interface PacerState {
  /** Requests a window: what the headers say, or what was found out without them. */
  limit: number | undefined;
  /** There is no Remaining to go by: the limit was found by being refused. */
  isGuessed: boolean;
  /** How often a refusal came with plenty remaining. From the second on Remaining is not believed. */
  contradictions: number;

  /** Requests sent so far; also the ticket of the newest. */
  sentCount: number;
  /** How many of our requests the service will have granted when the credit is used up. */
  granted: number | undefined;
  /** Answers to requests up to this one tell of the time before a refusal or a refill: they were overtaken. */
  outdatedUpTo: number;
  /** Lost in this window: they may have been counted or not. */
  lostCount: number;
  /** An answer came since the last rest. */
  isScouted: boolean;
  underWay: UnderWay[];
  sendings: Sent[];
  lastSentMs: number;
  /** When the last answer came, or was lost. */
  newsMs: number;
  /** What the last answer said. */
  toldRemaining: number;
  /** When the newest request left of which the answer told something. */
  toldMs: number;
  /** The last time of which it is known that nothing had come back. */
  noRefillMs: number;

  /** Time in which `limit` requests come back. */
  windowMs: number | undefined;
  /** The window lasts longer than this: nothing had come back at that age. */
  leastMs: number;
  /** The length was confirmed: something came back when it should. */
  isSure: boolean;
  confirmedMs: number | undefined;
  shape: Shape;
  began: Began;
  /** The same without doubt: requests from this time on are what the window holds. */
  countedFromMs: number;

  roundTripMs: number;
  /** The shortest so far: what a request takes that finds a connection open. */
  shortestTripMs: number | undefined;
  /** How far a round trip is off on average. */
  jitterMs: number;

  /** After a refusal: nobody sends before. */
  silentUntilMs: number;
  /** When all is back, as the newest answer that says so has it: a hint. */
  resetMs: number;
  /** Refusals in a row. */
  refusals: number;
  /** Hoped ones that came too early, in a row, and how much later than due requests go because of them. */
  earlyRefusals: number;
  laterMs: number;
  /** Windows without a refusal since the guessed limit was changed. */
  calmWindows: number;

  /** While learning: what came back little by little. */
  trickle: Trickle | undefined;
  /** What came back in this window before its time. */
  unexplained: number;
  /** Flow: an earlier sighting, from which the rate is measured. */
  anchor: { atMs: number; granted: number } | undefined;
  /** Flow: tokens to wait for above the one that is needed. */
  cushion: number;

  /** What others took in this window, the same projected to the whole window, and what they take as a rule. */
  othersTook: number;
  othersDemand: number;
  othersPerWindow: number;
}

/** A state in which limit and window are known. */
export type Learnt = PacerState & { limit: number; windowMs: number; granted: number };

export function isLearnt(state: PacerState): state is Learnt {
  return state.limit !== undefined && state.windowMs !== undefined && state.granted !== undefined;
}

/** What is known before the first request: nothing. */
export function freshState(): PacerState {
  return {
    limit: undefined,
    isGuessed: false,
    contradictions: 0,
    sentCount: 0,
    granted: undefined,
    outdatedUpTo: 0,
    lostCount: 0,
    isScouted: false,
    underWay: [],
    sendings: [],
    lastSentMs: NEVER_MS,
    newsMs: NEVER_MS,
    toldRemaining: 0,
    toldMs: NEVER_MS,
    noRefillMs: NEVER_MS,
    windowMs: undefined,
    leastMs: 0,
    isSure: false,
    confirmedMs: undefined,
    shape: 'window',
    began: { afterMs: NEVER_MS, atMs: NEVER_MS, byMs: NEVER_MS },
    countedFromMs: NEVER_MS,
    roundTripMs: 0,
    shortestTripMs: undefined,
    jitterMs: 0,
    silentUntilMs: NEVER_MS,
    resetMs: NEVER_MS,
    refusals: 0,
    earlyRefusals: 0,
    laterMs: 0,
    calmWindows: 0,
    trickle: undefined,
    unexplained: 0,
    anchor: undefined,
    cushion: LEAST_CUSHION,
    othersTook: 0,
    othersDemand: 0,
    othersPerWindow: 0,
  };
}

/** The request budget as far as it is known. Times in milliseconds. */
export interface Budget {
  /** As the service tells it, or found out once a window confirmed it. */
  limit: number | undefined;
  /** Requests that may go now, those under way taken off. */
  remaining: number | undefined;
  /** Part of the limit that comes to this process, beside others who spend from it: from 0 to 1. */
  share: number;
  /** Time in which `limit` requests come back, as learnt. */
  windowMs: number | undefined;
  /** When the next of them are expected back, in milliseconds since 1970; undefined when nothing tells. */
  refillsAtMs: number | undefined;
  /** When the window was last seen to be right, in milliseconds since 1970. */
  confirmedAtMs: number | undefined;
  /** What a request takes until its answer is there, on average. */
  roundTripMs: number | undefined;
}
