import type { Answer, Budget } from '../../../src/pacing/pacer-state.ts';
import type { Switches } from '../../../src/sandbox/store/switches.ts';

/** The service: how it limits, and what it tells of that. */
export interface ServiceWorld {
  /** The same seed gives the same run. */
  seed: number;
  /** A counting log is a sliding log that counts what it refuses. */
  kind: Switches['limiter'] | 'counting-log';
  limit: number;
  windowMs: number;
  /** Where windows that follow the clock begin; at random when not given. */
  phaseMs?: number;
  /** When the run begins, in milliseconds since 1970. */
  startMs?: number;
  headers?: Switches['rateHeaders'];
  /** Whether refusals carry Retry-After, in whole seconds rounded up. */
  retryAfter?: boolean;
  /** Remaining is told as it was so long before. */
  staleMs?: number;
  /** Remaining is told up to so much too high or too low, at random. */
  blur?: number;
  /** Another client asks at random moments for this share of the limit, and does not retry. */
  share?: number;
  /** The other client asks at even gaps instead. */
  steadily?: boolean;
  /** So many answers tell nothing of the budget at first, and one in `every` later, as to requests of another kind. */
  quiet?: { first: number; every?: number };
  changes?: readonly Change[];
  /** Further limits that each request has to pass after the first; `told` is the place of the one that answers tell of. */
  also?: readonly Pick<ServiceWorld, 'kind' | 'limit' | 'windowMs'>[];
  told?: number | 'least';
  /** So many nodes count apart, each with the whole limit; requests meet them in turn, or at random. */
  nodes?: { count: number; inTurn?: boolean };
  /** One request in `every` costs as much as `cost`. */
  costs?: { every: number; cost: number };
  /** At most so many requests are worked on at the same time, for `workMs` each. */
  atOnce?: { most: number; workMs: number };
  /** Remaining is told as it was for so many answers before. */
  answersLate?: number;
  /** Answers tell when the window ends. */
  resets?: boolean;
  /** The requests of these numbers are refused for no reason: no limiter knows of it. */
  noReason?: { at: readonly number[]; retryAfterMs?: number };
}

/** What happens to the service at a time of the run. What is not named stays as it is. */
export interface Change {
  /** Milliseconds from the start of the run. */
  atMs: number;
  /** A new limit or window begins with a full budget. */
  limit?: number;
  windowMs?: number;
  headers?: Switches['rateHeaders'];
  /** Remaining is told as this from now on, whatever it is. */
  stuckAt?: number;
  /** The service's clock goes forward by so much, or back if negative. */
  clockJumpMs?: number;
}

/** The way to the service. */
export interface NetworkWorld {
  /** Round trip, and how much each half may be off: 0.2 is ± 20 %, which is the default. */
  latencyMs: number;
  jitter?: number;
  /** Instead of `jitter`: what each half takes longer than the shortest, on average, and how that is spread. */
  tail?: { meanMs: number; shape: 'exponential' | 'heavy' };
  /** What a request takes longer to arrive that has to connect anew: the first, and any after four seconds of silence. */
  connectMs?: number;
  /** Share of requests whose answer never comes; half of them do not even arrive. */
  lossy?: number;
}

/** A push against a service. */
export interface World extends ServiceWorld, NetworkWorld {
  client: Client;
  /** How many requests must be granted before it ends. */
  requests: number;
  /** How many requests would like to be under way at the same time: 64, or what the client's budget says. */
  workers?: number | 'wanted';
  /** Handed to the client each time: requests of each window that it keeps for other people. */
  leave?: number;
  /** The client's clock, which it asks through SteadyTime, is set on by so much, or back. */
  clockSteps?: readonly { atMs: number; byMs: number }[];
}

/** Decides when requests leave; the Pacer is one. */
export interface Client {
  /** `wanted`: how many more requests are to go, as far as is known. */
  delayMs(now: number, leave?: number, wanted?: number): number;
  sent(now: number): number;
  answered(ticket: number, now: number, answer: Answer): void;
  lost(ticket: number, now: number): void;
  budget?(now: number): Budget;
}

/** One of several pushes to the same service, one after the other. */
export interface Command {
  /** Made when the push begins. */
  client: () => Client;
  requests: number;
  /** Milliseconds of rest after it. */
  pauseMs: number;
}

/** A request as it went, in order of sending. Times in milliseconds since 1970. */
export interface Sending {
  sentMs: number;
  /** When it reached the limiter; undefined when it never did. */
  arrivedMs: number | undefined;
  /** When its answer, or the loss, was known. */
  doneMs: number;
  outcome: 'granted' | 'refused' | 'lost';
  /** Requests under way when it left, itself not counted. */
  underWayBefore: number;
  retryAfterMs: number | undefined;
}

/** When the run begins unless the world says otherwise: not 0, which a client might take for "never". */
export const START_MS = 1_800_000_000_000;

/** When the run begins. */
export const startOf = ({ startMs = START_MS }: ServiceWorld): number => startMs;
