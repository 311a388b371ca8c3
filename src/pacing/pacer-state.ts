import * as z from 'zod';

/** Long before anything happened: a number, because JSON has no -Infinity. */
export const NEVER_MS = -1e15;

/** Nothing that is counted or timed is larger: what is, would only turn into nonsense. */
const number = z.number().min(NEVER_MS).max(-NEVER_MS);
const count = number.int().min(0).default(0);
const amount = number.min(0).default(0);
const time = number.default(NEVER_MS);
const flag = z.boolean().default(false);
const listOf = <T extends z.ZodType>(of: T, most: number) =>
  z
    .array(of)
    .max(most)
    .default(() => []);

/** A request whose answer is not known yet. */
const underWay = z.object({
  ticket: number.int().min(0),
  sentMs: number,
  /** Our requests that had been answered or lost when it left. */
  settled: number.int().min(0),
  /** It left without credit, because something should have come back by then. */
  hoped: z.boolean(),
});
export type UnderWay = z.infer<typeof underWay>;

/** Requests that came back little by little since `sinceMs`; `isAsDue`: as many as a log would have given back. */
const trickle = z.object({
  sinceMs: number,
  firstMs: number,
  /** How many the first sighting showed. */
  firstBack: number,
  back: number,
  isAsDue: z.boolean(),
});
export type Trickle = z.infer<typeof trickle>;

/** When the window began: not before `afterMs`, at the latest at `byMs`; `atMs` is when the request left that showed it. */
const began = z.object({ afterMs: number, atMs: number, byMs: number });

/** What is known of one limit, from nothing on: plain data that survives JSON. Times in milliseconds since 1970. */
const limitState = z.object({
  /** Requests a window: what the headers say, or what was found out without them. */
  limit: number.positive().optional(),
  /** There is no Remaining to go by: it is found by being refused. */
  isGuessed: flag,

  /** Requests sent so far; also the ticket of the newest. */
  sentCount: count,
  /** How many of our requests the service will have granted when the credit is used up. */
  granted: number.optional(),
  /** Answers to requests up to this one tell of the time before a refusal or a refill: they were overtaken. */
  outdatedUpTo: count,
  /** Lost in this window: they may have been counted or not. */
  lostCount: count,
  /** An answer came since the last rest. */
  isScouted: flag,
  underWay: listOf(underWay, 100_000),
  /** When our requests of about the same time went at the latest, and how many. */
  sendings: listOf(z.tuple([number, number.int().min(0)]), 10_000),
  lastSentMs: time,
  /** What answers told so far, while no window is known. */
  told: listOf(number, 64),
  /** What each of several nodes that count apart has left; empty where all count together. */
  nodes: listOf(z.tuple([number, count]), 16),
  /** What was left at a refusal. */
  kept: amount,
  /** When the last answer came, or was lost. */
  newsMs: time,
  /** When the newest request left of which the answer told something. */
  toldMs: time,
  /** The last time of which it is known that nothing had come back. */
  noRefillMs: time,

  /** Time in which `limit` requests come back. */
  windowMs: number.positive().optional(),
  /** The limit beside it: its window may be this one's, too. */
  likely: z.object({ limit: number.positive(), windowMs: number.positive() }).optional(),
  /** The window lasts longer than this: nothing had come back at that age. And no longer than the other, as it seems. */
  leastMs: amount,
  mostMs: amount.default(-NEVER_MS),
  /** The length was confirmed: something came back when it should. */
  isSure: flag,
  confirmedMs: number.optional(),
  /** `window`: all come back at once. `log`: each a window after it was sent. `flow`: steadily, as in a bucket or a GCRA. */
  shape: z.enum(['window', 'log', 'flow']).default('window'),
  began: began.default(() => ({ afterMs: NEVER_MS, atMs: NEVER_MS, byMs: NEVER_MS })),
  /** The same without doubt: requests from this time on are what the window holds. */
  countedFromMs: time,

  roundTripMs: amount,
  /** The shortest so far: what a request takes that finds a connection open. */
  shortestTripMs: number.min(0).optional(),
  /** How far a round trip is off on average. */
  jitterMs: amount,
  /** How many may be under way before the window is sure: one more with each answer while there is plenty. */
  workers: count,

  /** So many may be under way at once, as refusals tell, and slowly more; 0 where it is no question of that. */
  atOnce: amount.default(-NEVER_MS),

  /** After a refusal: nobody sends before. */
  silentUntilMs: time,
  /** When all is back, as the newest answer that says so has it: a hint. */
  resetMs: time,
  /** Refusals in a row, and when the first of them left. */
  refusals: count,
  refusedMs: time,
  /** Hoped ones that came too early, in a row, and how much later than due requests go because of them. */
  earlyRefusals: count,
  laterMs: amount,
  /** Windows without a refusal since the guess was changed, and after how many it is tried: as many as were refused. */
  calmWindows: count,
  patience: count,

  /** While learning: what came back little by little. */
  trickle: trickle.optional(),
  /** What came back in this window before its time. */
  unexplained: amount,
  /** Log: answers in a row that count much less than went in a window. */
  forgotten: count,
  /** Flow: an earlier sighting, from which the rate is measured. */
  anchor: z.object({ atMs: number, granted: number }).optional(),

  /** What others took in this window, the same projected to the whole window, and what they take as a rule. */
  othersTook: amount,
  othersDemand: amount,
  othersPerWindow: amount,
});

/** All that the pacer knows: the limit that answers tell of, and the one `beside` it that only refusals tell of. */
export const pacerState = limitState.extend({ beside: limitState.optional() });
export type PacerState = z.infer<typeof pacerState>;

/** A state in which limit and window are known. */
export type Learnt = PacerState & { limit: number; windowMs: number; granted: number };

export function isLearnt(state: PacerState): state is Learnt {
  return state.limit !== undefined && state.windowMs !== undefined && state.granted !== undefined;
}

/** What is known before the first request: nothing. */
export function freshState(): PacerState {
  return pacerState.parse({});
}

/** What the headers of an answer say. */
export interface Answer {
  refused: boolean;
  limit: number | undefined;
  remaining: number | undefined;
  retryAfterMs: number | undefined;
  /** How long it says that it takes until all is back. */
  resetMs?: number;
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
  /** How many may be under way before the window is sure, where that has become more than a few. */
  workers?: number;
  /** Over how many nodes that count apart the limit is added up, where there are several. */
  nodes?: number;
  /** Of a limit that gives less than this one, and of which only refusals tell. */
  beside?: Budget;
}
