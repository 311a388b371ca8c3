import { afterRest, hasRested } from './after-rest.ts';
import { creditOf, shareOf } from './credit.ts';
import { endOfSilenceMs } from './look-for-refill.ts';
import { heardOfNodes, ofAllNodes } from './nodes.ts';
import { readMemory } from './pacer-memory.ts';
import {
  type Answer,
  type Budget,
  freshState,
  isLearnt,
  NEVER_MS,
  type PacerState,
  type UnderWay,
} from './pacer-state.ts';
import { accepted } from './read-remaining.ts';
import { FIRST_PAUSE_MS, mostKept, refused } from './refusal.ts';
import { countBetween, withLater, without, withSending } from './sendings.ts';
import { delayMs } from './when-to-send.ts';
import { isDoubtful } from './without-remaining.ts';
import { moreWorkers } from './workers-wanted.ts';

/** Above it numbers of a header are nonsense. */
const LARGEST_COUNT = 1e9;
/** Of a new round trip so much goes into the mean. */
const NEW_SHARE = 1 / 16;
const SPENT_MEANWHILE = 3;
const ENOUGH = 2;
const RARE = 64;
const OVERDUE = 1.5;
const LEAST_WORK_MS = 100;

/**
 * Decides when the next request may go, by X-Ratelimit-Limit and -Remaining. It is told what happened, and never waits.
 * - Credit: an answer says how many of our requests will be granted in all; less what was sent, that many may go. More
 *   than that shows a refill, less that others spend; what was left at a refusal is kept.
 * - Learning: the first goes alone; then the credit but for a reserve; then looks at the ages that windows usually have.
 * - Steady: a window's credit is spread over it; of a log at most the limit goes in any span; a flow is mirrored.
 * - Guessing: what only refusals tell of is tried with one request more, and forgotten where more is taken. A refusal tells
 *   nothing where those that left later are taken, nor of a guess that was right and has all back: of another limit then.
 * Always: without credit one request is under way at most, when something should have come back; after a refusal nobody
 * goes before its pause is over; Infinity is answered only while a request is under way.
 */
export class Pacer {
  #state: PacerState;
  #beside: PacerState;
  /** What the last who asked would leave. */
  #leave = 0;

  /** `memory` is what an earlier pacer's `toJSON` gave. Anything else is ignored. */
  constructor(memory?: unknown) {
    this.#state = readMemory(memory) ?? freshState();
    const { sentCount, underWay } = structuredClone(this.#state);
    this.#beside = this.#state.beside ??= { ...freshState(), isGuessed: true, sentCount, underWay };
  }

  /** Until the next may go, or Infinity. `leave` of each window are left to others; of `wanted` the last ones go at once. */
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

  answered(ticket: number, now: number, said: Answer): void {
    const request = this.#state.underWay.find((one) => one.ticket === ticket);
    if (request === undefined) return;
    const { refused, retryAfterMs } = said;
    if (refused && isCrowd(this.#state, request, now)) return this.#setAside(ticket, now, 0);
    if (refused && this.#state.granted === undefined && isOverdue(this.#beside, request)) this.#standIn();
    const [told, beside] = [this.#state, this.#beside];
    const answer = ofAllNodes(told, said);
    const isOther = tellsOther(told, answer);
    const isHoped = ({ underWay }: PacerState) => underWay.some((one) => one.ticket === ticket && one.hoped);
    const isOfOne = isOther || isOverdue(told, request) || contradicts(told, answer);
    const isBeside = refused && (isOfOne || (isHoped(beside) && !isHoped(told)));
    // Those that left later tell whether anything was used up: then they are refused as well, and the last is learnt from.
    const isAmid = told.underWay.filter((one) => one.ticket > ticket).length >= ENOUGH;
    if (isBeside && isAmid && RARE * beside.lostCount <= beside.sentCount)
      return this.#setAside(ticket, now, retryAfterMs ?? FIRST_PAUSE_MS);
    // With something left it may have been for want of either.
    if (refused && !isBeside && (answer.remaining ?? 0) > 0) beside.patience += 1;
    if (isBeside) beside.patience += told.refusals;
    const bare = { refused, retryAfterMs, limit: undefined, remaining: undefined };
    if (answer.resetMs !== undefined) told.resetMs = now + answer.resetMs;
    if (told.granted === undefined) beside.resetMs = told.resetMs;
    if (isLearnt(told)) beside.likely = { limit: told.limit, windowMs: told.windowMs };
    hear(told, ticket, now, isBeside ? undefined : isOther ? bare : answer);
    hear(beside, ticket, now, refused && !isBeside ? undefined : bare);
    heardOfNodes(told, said, now);
    told.workers = refused ? 0 : moreWorkers(told);
    told.silentUntilMs = Math.max(told.silentUntilMs, beside.silentUntilMs);
  }

  /** It was refused, and that tells of no limit. */
  #setAside(ticket: number, now: number, pauseMs: number): void {
    for (const limit of [this.#state, this.#beside]) hear(limit, ticket, now, undefined);
    this.#state.silentUntilMs = Math.max(this.#state.silentUntilMs, now + pauseMs);
  }

  /** Nothing is told, and a guess that was right explains a refusal no more: it takes the place of what is told. */
  #standIn(): void {
    const { beside: _, ...untold } = this.#state;
    [this.#state, this.#beside] = [this.#beside, { ...untold, isGuessed: true }];
    this.#state.beside = this.#beside;
  }

  /** The answer will never come. The service may have counted the request: it stays spent until an answer tells. */
  lost(ticket: number, now: number): void {
    for (const limit of [this.#state, this.#beside])
      if (settle(limit, ticket, now) !== undefined) limit.lostCount += 1;
  }

  /** Of the limit that is told, or else of the one that only refusals tell of. */
  budget(now: number): Budget {
    const [told, beside] = [budgetOf(this.#state, now), budgetOf(this.#beside, now)];
    if (told.limit === undefined) return beside;
    const rate = ({ limit = Number.POSITIVE_INFINITY, windowMs = 0 }: Budget): number => limit / windowMs;
    return rate(beside) < rate(told) ? { ...told, beside } : told;
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
  // Of what no refusal has told anything of yet the times matter little.
  const spanMs = state.isGuessed ? 8 * (now - (state.sendings[0]?.[0] ?? now)) : undefined;
  state.sendings = withSending(state.sendings, now, state.windowMs ?? spanMs);
  state.lastSentMs = now;
}

/** An answer, as far as it is about this limit; undefined when it is not: the request may have been counted. */
function hear(state: PacerState, ticket: number, now: number, answer: Answer | undefined): void {
  const request = settle(state, ticket, now);
  if (request === undefined) return;
  if (state.granted === undefined && request.sentMs === state.began.atMs) state.began.byMs = now;
  // What was refused is not counted where only refusals tell of a limit, nor what another one refused.
  const isCounted = answer !== undefined && !(state.isGuessed && answer.refused);
  if (!isCounted) state.sendings = without(state.sendings, request.sentMs);
  if (answer === undefined) {
    state.lostCount += 1;
    return;
  }
  if (isCounted) arrivedLate(state, request, now);
  timed(state, Math.max(0, now - request.sentMs));
  const remaining = isCount(answer.remaining) ? answer.remaining : undefined;
  if (remaining !== undefined && state.isGuessed) [state.isGuessed, state.isScouted] = [false, false];
  if (isCount(answer.limit) && answer.limit > 0) limited(state, answer.limit);
  // Who tells no limit had at least this one and what is left.
  else if (remaining !== undefined && !answer.refused)
    limited(state, Math.max(state.limit ?? 0, remaining + 1));
  if (answer.refused) refused(state, request, now, answer.retryAfterMs, remaining);
  else if (request.ticket > state.outdatedUpTo) accepted(state, request, now, remaining);
}

function settle(state: PacerState, ticket: number, now: number): UnderWay | undefined {
  const index = state.underWay.findIndex((request) => request.ticket === ticket);
  if (index < 0) return undefined;
  state.newsMs = now;
  return state.underWay.splice(index, 1)[0];
}

/** Another limit may come with another window. */
function limited(state: PacerState, limit: number): void {
  if (state.limit === limit) return;
  if (state.limit !== undefined) state.isSure = state.shape === 'flow';
  state.nodes = [];
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
  const off = ms - state.roundTripMs;
  state.jitterMs = isFirst ? ms / 5 : state.jitterMs + (Math.abs(off) - state.jitterMs) * NEW_SHARE;
  state.roundTripMs += isFirst ? ms : off * NEW_SHARE;
}

/** Whether it was refused at the door while others are worked on: so many at once are too many, unless one alone is, too. */
function isCrowd(state: PacerState, { sentMs }: UnderWay, now: number): boolean {
  const others = state.underWay.length - 1;
  const isAtDoor = state.atOnce > 0 && 2 * (now - sentMs) + LEAST_WORK_MS <= state.roundTripMs;
  if (isAtDoor || (others === 0 && state.atOnce < -NEVER_MS)) state.atOnce = Math.min(state.atOnce, others);
  return isAtDoor && others > 0;
}

/** Whether all that was guessed had come back before this request left. */
function isOverdue(state: PacerState, { sentMs }: UnderWay): boolean {
  if (!state.isGuessed || !state.isSure || !isLearnt(state) || state.shape === 'flow') return false;
  return state.refusals > 0 && sentMs - state.began.atMs >= OVERDUE * state.windowMs;
}

/** Whether a refusal is for want of another limit: so much of this one is left. */
function contradicts(told: PacerState, { remaining }: Answer): boolean {
  const left = told.granted === undefined ? remaining : (remaining ?? creditOf(told));
  return left === undefined || left > mostKept(told);
}

function budgetOf(state: PacerState, now: number): Budget {
  const { limit, isGuessed, granted, windowMs, confirmedMs, roundTripMs, silentUntilMs, workers } = state;
  const dueMs = Math.max(isLearnt(state) ? endOfSilenceMs(state, 0) : NEVER_MS, silentUntilMs);
  return {
    limit: isGuessed && (confirmedMs === undefined || isDoubtful(state)) ? undefined : limit,
    remaining: granted === undefined ? undefined : Math.max(0, Math.floor(creditOf(state))),
    share: shareOf(state),
    windowMs,
    refillsAtMs: isLearnt(state) || silentUntilMs > now ? Math.max(now, dueMs) : undefined,
    confirmedAtMs: confirmedMs,
    roundTripMs: roundTripMs > 0 ? roundTripMs : undefined,
    ...(workers > 0 && { workers }),
    ...(state.nodes.length > 0 && { nodes: state.nodes.length }),
  };
}

/** Whether an answer tells of another limit beside the one that is told: more of it is used than was sent in a window. */
function tellsOther(state: PacerState, { limit, remaining = 0 }: Answer): boolean {
  const { windowMs = Number.POSITIVE_INFINITY, sendings, lastSentMs, othersTook, othersPerWindow } = state;
  // After a rest the service may have changed.
  if (limit === undefined || state.limit === undefined || limit === state.limit || !state.isScouted)
    return false;
  const sent = countBetween(sendings, lastSentMs - windowMs, lastSentMs) + othersTook + othersPerWindow;
  return limit - remaining > sent + SPENT_MEANWHILE;
}

function isCount(value: number | undefined): value is number {
  return value !== undefined && value >= 0 && value <= LARGEST_COUNT;
}
