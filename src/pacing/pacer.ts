/**
 * Decides when the next request may go, from X-Ratelimit-Limit and X-Ratelimit-Remaining alone.
 * Pure: it is told what happened and when, and never waits itself.
 *
 * Credit: after an answer to our i-th request with `remaining` R, the service will grant R + i of our
 * requests before the next refill. Credit is that sum less what was sent, so requests that are under
 * way are paid for already, whatever the order of the answers.
 *
 * Window: its length is never told. Once the credit is down to a reserve, single requests probe at
 * growing gaps until Remaining rises; the length is then the usual one between the last probe that
 * saw no refill and the one that did. From then on one pilot goes out as the window ends. Until a
 * pilot has confirmed the length, a few requests stay in reserve, so that a wrong guess costs none.
 */
export interface Answer {
  /** Whether it was refused for its rate, and not processed. */
  refused: boolean;
  /** X-Ratelimit-Limit and X-Ratelimit-Remaining; undefined when absent or nonsense. */
  limit: number | undefined;
  remaining: number | undefined;
  /** From Retry-After. */
  retryAfterMs: number | undefined;
}

/** The request budget as far as it is known. Times in milliseconds. */
export interface Budget {
  limit: number | undefined;
  /** Requests that may go now, those under way taken off. */
  remaining: number | undefined;
  /** Time in which `limit` requests come back, as learnt. */
  windowMs: number | undefined;
  /** When the next of them are expected back, in milliseconds since 1970; undefined when nothing tells. */
  refillsAtMs: number | undefined;
  /** When the window was last seen to be right, in milliseconds since 1970. */
  confirmedAtMs: number | undefined;
}

interface Ticket {
  sentAt: number;
  /** Earlier requests that were over, answered or lost, when this one left. */
  settledBefore: number;
  /** Whether nothing else was under way. */
  alone: boolean;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** Lengths that people configure. A window is taken to be one of them when the evidence allows. */
const USUAL_WINDOWS_MS = [
  ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30, 60].map((n) => n * MINUTE),
];
/** Gaps after the first burst at which single requests look for a refill. */
const PROBES_MS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600].map((s) => s * SECOND);
const MAX_IN_FLIGHT = 8;
/** Pilots in a row that may come early before the window is taken to be longer. */
const MAX_EARLY = 3;
const MAX_BACKOFF_MS = MINUTE;

export class Pacer {
  #sent = 0;
  /** Whether any answer has come. */
  #heard = false;
  /** Requests lost since the newest refill: they may or may not have cost budget. */
  #lost = 0;
  #granted: number | undefined;
  #limit: number | undefined;
  /** Answers up to this request tell of the time before the newest refill or refusal. */
  #stale = 0;
  readonly #underWay = new Map<number, Ticket>();

  #windowMs: number | undefined;
  /** Whether a pilot has found the refill where the window's length said. */
  #sure = false;
  #windowStart = 0;
  /** Sending time of the newest request whose answer showed no refill. */
  #lastQuiet: number | undefined;
  #burstEnd = 0;
  #probe = 0;
  #early = 0;
  /** How often the margin was doubled. Kept from window to window. */
  #widened = 0;

  #notBefore = 0;
  #refusals = 0;

  /** Milliseconds until the next request may go. Infinity only while an answer is outstanding. */
  delayMs(now: number): number {
    if (now < this.#notBefore) return this.#notBefore - now;
    if (this.#granted === undefined) return this.#delayWithoutHeaders();
    if (this.#granted - this.#sent > this.#reserve()) {
      return this.#underWay.size < MAX_IN_FLIGHT ? 0 : Number.POSITIVE_INFINITY;
    }
    if (this.#underWay.size > 0) return Number.POSITIVE_INFINITY;
    return Math.max(0, this.#nextLook() - now);
  }

  /** Books a request that leaves now; the ticket goes back with its answer. */
  sent(now: number): number {
    this.#sent += 1;
    if (this.#sent === 1) this.#windowStart = now;
    if (this.#inReserve()) this.#probe += 1;
    else this.#burstEnd = now;
    const settledBefore = this.#sent - 1 - this.#underWay.size;
    this.#underWay.set(this.#sent, { sentAt: now, settledBefore, alone: this.#underWay.size === 0 });
    return this.#sent;
  }

  /** Books an answer. */
  answered(number: number, now: number, answer: Answer): void {
    const ticket = this.#underWay.get(number);
    if (ticket === undefined) return;
    this.#underWay.delete(number);
    if (answer.limit !== undefined && answer.limit > 0) this.#limit = answer.limit;
    const news = number > this.#stale;
    if (answer.refused) this.#refused(ticket, now, answer.retryAfterMs, news);
    else if (news) this.#accepted(number, ticket, answer.remaining);
    this.#heard = true;
  }

  /** Books a request whose answer never came. It may have cost budget, so it stays paid for. */
  lost(number: number, _now: number): void {
    if (this.#underWay.delete(number)) this.#lost += 1;
  }

  budget(_now: number): Budget {
    return {
      limit: this.#limit,
      remaining: this.#granted === undefined ? undefined : Math.max(0, this.#granted - this.#sent),
      windowMs: this.#windowMs,
      refillsAtMs: undefined,
      confirmedAtMs: undefined,
    };
  }

  /** The first request goes alone. If answers have no headers, refusals make the next one go alone. */
  #delayWithoutHeaders(): number {
    const most = !this.#heard || this.#refusals > 0 ? 1 : MAX_IN_FLIGHT;
    return this.#underWay.size < most ? 0 : Number.POSITIVE_INFINITY;
  }

  /** Kept back until the window is known for sure, so that looking for the refill costs no refusal. */
  #reserve(): number {
    if (this.#sure) return 0;
    return Math.min(this.#windowMs === undefined ? 7 : 4, Math.floor((this.#limit ?? 0) * 0.3));
  }

  #inReserve(): boolean {
    return this.#granted !== undefined && this.#granted - this.#sent < this.#reserve();
  }

  /** When to send the one request that looks whether the budget is back. */
  #nextLook(): number {
    if (this.#windowMs !== undefined)
      return this.#windowStart + this.#windowMs + this.#marginMs(this.#windowMs);
    const gap = PROBES_MS[Math.min(this.#probe, PROBES_MS.length - 1)] ?? MINUTE;
    return this.#burstEnd + gap;
  }

  /** A pilot that arrives a moment early is refused, so it leaves a moment late. */
  #marginMs(windowMs: number): number {
    return Math.min(Math.max(20, windowMs * 0.004) * 2 ** this.#widened, windowMs / 10);
  }

  #accepted(number: number, ticket: Ticket, remaining: number | undefined): void {
    this.#refusals = 0;
    if (remaining === undefined) return;
    if (this.#granted === undefined) {
      this.#granted = remaining + number - this.#olderUnderWay(number);
      this.#lastQuiet = ticket.sentAt;
      return;
    }
    if (remaining > this.#granted - ticket.settledBefore - 1 + this.#lost) {
      this.#refilled(number, ticket);
      this.#granted = Math.max(this.#granted, remaining + number - this.#olderUnderWay(number));
      return;
    }
    this.#quiet(ticket);
    // Lost requests that cost nothing come back.
    this.#granted = Math.max(this.#granted, remaining + ticket.settledBefore + 1);
    // Fewer left than our own requests explain: somebody else spends from the same budget.
    this.#granted = Math.min(this.#granted, remaining + this.#sent);
  }

  #olderUnderWay(number: number): number {
    return [...this.#underWay.keys()].filter((older) => older < number).length;
  }

  /** An answer that showed no refill: the window is at least this old. */
  #quiet(ticket: Ticket): void {
    this.#lastQuiet = Math.max(this.#lastQuiet ?? 0, ticket.sentAt);
    const age = ticket.sentAt - this.#windowStart;
    if (this.#windowMs !== undefined && ticket.alone && age >= this.#windowMs) this.#cameEarly(age);
  }

  #refilled(number: number, ticket: Ticket): void {
    const newest = ticket.sentAt - this.#windowStart;
    const oldest = Math.max(0, (this.#lastQuiet ?? this.#windowStart) - this.#windowStart);
    this.#early = Math.max(0, this.#early - 1);
    if (this.#windowMs !== undefined && newest >= this.#windowMs) this.#confirm(this.#windowMs, newest);
    if (this.#windowMs === undefined && newest > 0) this.#guess(usualWithin(oldest, newest));
    this.#windowStart = ticket.sentAt;
    this.#stale = number;
    this.#lost = 0;
  }

  /** A guess gets a wide margin but no second try: a pilot that finds nothing shows that it was wrong. */
  #guess(windowMs: number): void {
    this.#windowMs = windowMs;
    this.#sure = false;
    this.#early = MAX_EARLY - 1;
    this.#widened = Math.max(this.#widened, 2);
  }

  /** A refill long after the window's end says nothing of its length. */
  #confirm(windowMs: number, ageMs: number): void {
    if (this.#sure || ageMs > windowMs * 1.3) return;
    this.#sure = true;
    this.#early = 0;
    this.#widened = 0;
  }

  /** A pilot that found nothing: first a wider margin, then a longer window. */
  #cameEarly(ageMs: number): void {
    this.#early += 1;
    this.#widened += 1;
    if (this.#early < MAX_EARLY) return;
    this.#guess(USUAL_WINDOWS_MS.find((ms) => ms > ageMs) ?? ageMs * 2);
  }

  #refused(ticket: Ticket, now: number, retryAfterMs: number | undefined, news: boolean): void {
    // Requests refused together are one piece of news.
    if (news) {
      if (this.#granted !== undefined) this.#granted = Math.min(this.#granted, this.#sent);
      this.#stale = this.#sent;
      this.#refusals += 1;
      this.#quiet(ticket);
    }
    const backoff = Math.min(MAX_BACKOFF_MS, 250 * 2 ** this.#refusals);
    this.#notBefore = Math.max(this.#notBefore, now + (retryAfterMs ?? backoff));
  }
}

/** The usual length after `oldestMs` and up to `newestMs`, or else `newestMs` itself. */
function usualWithin(oldestMs: number, newestMs: number): number {
  return USUAL_WINDOWS_MS.findLast((ms) => ms > oldestMs && ms <= newestMs) ?? newestMs;
}
