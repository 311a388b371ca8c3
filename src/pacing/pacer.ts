import { afterRest, hasRested } from './after-rest.ts';
import { creditOf, shareOf } from './credit.ts';
import { endOfSilenceMs } from './look-for-refill.ts';
import { readMemory } from './pacer-memory.ts';
import {
  type Budget,
  freshState,
  isLearnt,
  NEVER_MS,
  type PacerState,
  type UnderWay,
} from './pacer-state.ts';
import { accepted, isOutdated, overtaken } from './read-remaining.ts';
import { refused } from './refusal.ts';
import { countBetween, thinned, withLater, without, withSending } from './sendings.ts';
import { delayMs } from './when-to-send.ts';
import { moreWorkers } from './workers-wanted.ts';

/** What the headers of an answer say. */
export interface Answer {
  refused: boolean;
  limit: number | undefined;
  remaining: number | undefined;
  retryAfterMs: number | undefined;
  /** How long it says that it takes until all is back. */
  resetMs?: number;
}

/** Above it numbers of a header are nonsense. */
const LARGEST_COUNT = 1e9;
/** Of a new round trip so much goes into the mean. */
const NEW_SHARE = 1 / 16;
/** Others may have sent so many meanwhile. */
const SPENT_MEANWHILE = 3;
/** So much left at a refusal contradicts it: less may be the requests of others in between. */
const PLENTY = 3;

/**
 * Decides when the next request may go, from X-Ratelimit-Limit and X-Ratelimit-Remaining alone. It is told what
 * happened and when, and never waits itself.
 *
 * - Credit: Remaining falls by one a request and never exceeds the limit. So an answer says how many of our requests
 *   will be granted in all; that less what was sent may go without being refused. More than that shows a refill,
 *   less shows that others spend.
 * - Learning: the first request goes alone; then the credit but for a reserve; then single looks at the ages that
 *   windows usually have, until something comes back. How it does tells the shape.
 * - Steady: a window's credit is spread over the window, and the next request goes when the oldest that still counts
 *   is back; of a log at most the limit goes in any span of a window; a flow is mirrored as a bucket.
 *
 * Always: without credit one request is under way at most, and that only when something should have come back; after
 * a refusal nobody goes before its pause is over; Infinity is answered only while a request is under way.
 */
export class Pacer {
  readonly #state: PacerState;
  readonly #beside: PacerState;
  /** What the last who asked would leave. */
  #leave = 0;

  /** `memory` is what an earlier pacer's `toJSON` gave. Anything else is ignored. */
  constructor(memory?: unknown) {
    this.#state = readMemory(memory) ?? freshState();
    const { sentCount, underWay } = structuredClone(this.#state);
    this.#beside = this.#state.beside ??= { ...freshState(), isGuessed: true, sentCount, underWay };
  }

  /**
   * Milliseconds until the next request may go; Infinity until the next answer. `leave`: so many of each window are
   * left to other people. `wanted`: so many more are to go, as far as is known; the last ones go at once.
   */
  delayMs(now: number, leave = 0, wanted = Number.POSITIVE_INFINITY): number {
    this.#leave = leave;
    return delayMs(this.#state, now, leave, wanted);
  }

  /** A request goes. Its ticket tells which one was answered. */
  sent(now: number): number {
    const isAfterRest = hasRested(this.#state, now, this.#leave);
    for (const limit of [this.#state, this.#beside]) send(limit, now, isAfterRest);
    return this.#state.sentCount;
  }

  answered(ticket: number, now: number, answer: Answer): void {
    const told = this.#state;
    const isOther = tellsOther(told, answer);
    const isBeside = answer.refused && (isOther || contradicts(told, ticket, answer));
    const { refused, retryAfterMs } = answer;
    const bare = { refused, retryAfterMs, limit: undefined, remaining: undefined };
    if (answer.resetMs !== undefined) told.resetMs = now + answer.resetMs;
    if (told.granted === undefined) this.#beside.resetMs = told.resetMs;
    if (isLearnt(told)) this.#beside.likely = { limit: told.limit, windowMs: told.windowMs };
    hear(told, ticket, now, isBeside ? undefined : isOther ? bare : answer);
    hear(this.#beside, ticket, now, refused && !isBeside ? undefined : bare);
    told.workers = refused ? 0 : moreWorkers(told);
    told.silentUntilMs = Math.max(told.silentUntilMs, this.#beside.silentUntilMs);
  }

  /** The answer will never come. The service may have counted the request: it stays spent until an answer tells. */
  lost(ticket: number, now: number): void {
    for (const limit of [this.#state, this.#beside]) {
      if (settle(limit, ticket) === undefined) continue;
      limit.lostCount += 1;
      limit.newsMs = now;
    }
  }

  /** Of the limit that is told, or else of the one that only refusals tell of. */
  budget(now: number): Budget {
    const [told, beside] = [budgetOf(this.#state, now), budgetOf(this.#beside, now)];
    if (told.limit === undefined) return beside;
    return isSlower(beside, told) ? { ...told, beside } : told;
  }

  /** All that is known, requests under way included, as plain data that may go through JSON. */
  toJSON(): PacerState {
    return structuredClone(this.#state);
  }
}

function send(state: PacerState, now: number, isAfterRest: boolean): void {
  if (isAfterRest) afterRest(state);
  const settled = state.sentCount - state.underWay.length;
  const hoped = isLearnt(state) && creditOf(state) < 1;
  // Until something is told of the budget, what went before a rest says nothing of how long a window is.
  if (state.sentCount === 0 || (isAfterRest && state.granted === undefined))
    state.began = { ...state.began, atMs: now, byMs: now };
  state.sentCount += 1;
  state.underWay.push({ ticket: state.sentCount, sentMs: now, settled, hoped });
  // How many went in all is enough of what no refusal has told anything of yet.
  const before = state.isGuessed && state.windowMs === undefined ? thinned(state.sendings) : state.sendings;
  state.sendings = withSending(before, now, state.windowMs);
  state.lastSentMs = now;
}

/** An answer, as far as it is about this limit; undefined when it is not: the request may have been counted. */
function hear(state: PacerState, ticket: number, now: number, answer: Answer | undefined): void {
  const request = settle(state, ticket);
  if (request === undefined) return;
  arrivedLate(state, request, now);
  timed(state, Math.max(0, now - request.sentMs));
  state.newsMs = now;
  if (state.granted === undefined && request.sentMs === state.began.atMs) state.began.byMs = now;
  // Where only refusals tell of the limit, what was refused is not counted.
  if (state.isGuessed && answer?.refused !== false) state.sendings = without(state.sendings, request.sentMs);
  if (answer === undefined) {
    state.lostCount += 1;
    return;
  }
  const remaining = isCount(answer.remaining) ? answer.remaining : undefined;
  if (isCount(answer.limit) && answer.limit > 0) limited(state, answer.limit);
  // Who tells no limit had at least this one and what is left.
  else if (remaining !== undefined && !answer.refused)
    limited(state, Math.max(state.limit ?? 0, remaining + 1));
  if (answer.refused) refused(state, request, now, answer.retryAfterMs);
  else if (isOutdated(state, request, remaining)) overtaken(state, remaining);
  else accepted(state, request, now, remaining);
}

function settle({ underWay }: PacerState, ticket: number): UnderWay | undefined {
  const index = underWay.findIndex((request) => request.ticket === ticket);
  return index < 0 ? undefined : underWay.splice(index, 1)[0];
}

/** Another limit may come with another window. */
function limited(state: PacerState, limit: number): void {
  if (state.limit !== undefined && state.limit !== limit) state.isSure = state.shape === 'flow';
  state.limit = limit;
}

/** What took unusually long, as one does that has to connect, may have reached the service late: it counts from then. */
function arrivedLate(state: PacerState, request: UnderWay, now: number): void {
  const { roundTripMs, jitterMs, sendings } = state;
  if (roundTripMs === 0 || now - request.sentMs < 1.5 * roundTripMs + 6 * jitterMs + 5) return;
  state.sendings = withLater(sendings, request.sentMs, now - roundTripMs);
  request.sentMs = now - roundTripMs;
}

function timed(state: PacerState, ms: number): void {
  state.shortestTripMs = Math.min(state.shortestTripMs ?? ms, ms);
  const isFirst = state.roundTripMs === 0;
  state.jitterMs = isFirst ? ms / 5 : mixed(state.jitterMs, Math.abs(ms - state.roundTripMs));
  state.roundTripMs = isFirst ? ms : mixed(state.roundTripMs, ms);
}

/** Whether a refusal is for want of another limit: most of this one was left, or so much and not the first time. */
function contradicts(told: PacerState, ticket: number, { remaining }: Answer): boolean {
  if (told.granted === undefined && remaining === undefined) return true;
  const left = remaining ?? creditOf(told);
  if (left < PLENTY) return false;
  // Those that were refused together contradict one that is learnt once.
  if (!isLearnt(told) || told.refusals === 0 || ticket > told.outdatedUpTo) told.contradictions += 1;
  return told.contradictions > 1 || left > (told.limit ?? 0) / 2;
}

function budgetOf(state: PacerState, now: number): Budget {
  const { limit, isGuessed, granted, windowMs, confirmedMs, roundTripMs, silentUntilMs, workers } = state;
  const dueMs = Math.max(isLearnt(state) ? endOfSilenceMs(state, 0) : NEVER_MS, silentUntilMs);
  return {
    limit: isGuessed && confirmedMs === undefined ? undefined : limit,
    remaining: granted === undefined ? undefined : Math.max(0, Math.floor(creditOf(state))),
    share: shareOf(state),
    windowMs,
    refillsAtMs: isLearnt(state) || silentUntilMs > now ? Math.max(now, dueMs) : undefined,
    confirmedAtMs: confirmedMs,
    roundTripMs: roundTripMs > 0 ? roundTripMs : undefined,
    ...(workers > 0 && { workers }),
  };
}

/** Whether it gives less in the long run. */
function isSlower(beside: Budget, told: Budget): boolean {
  const rate = ({ limit = Number.POSITIVE_INFINITY, windowMs = 0 }: Budget): number => limit / windowMs;
  return rate(beside) < rate(told);
}

/** Whether an answer tells of another limit beside the one that is told: more of it is used than was sent in a window. */
function tellsOther(state: PacerState, { limit, remaining = 0 }: Answer): boolean {
  const { windowMs = Number.POSITIVE_INFINITY, sendings, lastSentMs, othersTook, othersPerWindow } = state;
  if (limit === undefined || state.limit === undefined || limit === state.limit) return false;
  // After a rest the service may have changed.
  if (!state.isScouted) return false;
  const sent = countBetween(sendings, lastSentMs - windowMs, lastSentMs) + othersTook + othersPerWindow;
  return limit - remaining > sent + SPENT_MEANWHILE;
}

function mixed(mean: number, ms: number): number {
  return mean + (ms - mean) * NEW_SHARE;
}

function isCount(value: number | undefined): value is number {
  return value !== undefined && value >= 0 && value <= LARGEST_COUNT;
}
