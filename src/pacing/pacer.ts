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
 * saw no refill and the one that did. From then on one pilot goes out as the window ends.
 */
export interface Answer {
  status: number;
  /** X-Ratelimit-Limit and X-Ratelimit-Remaining; undefined when absent or nonsense. */
  limit: number | undefined;
  remaining: number | undefined;
  /** From Retry-After. */
  retryAfterMs: number | undefined;
}

/** The request budget as far as it is known. Times in milliseconds. */
export interface Budget {
  limit: number | undefined;
  remaining: number | undefined;
  windowMs: number | undefined;
}

interface Ticket {
  sentAt: number;
  /** Answers that had come when this request left. */
  answersBefore: number;
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
const MAX_BACKOFF_MS = MINUTE;

/** Whether a status says that the request was refused for its rate and not processed. */
export function isRefusal(status: number): boolean {
  return status === 429;
}

export class Pacer {
  #sent = 0;
  #answers = 0;
  #granted: number | undefined;
  #limit: number | undefined;
  readonly #underWay = new Map<number, Ticket>();

  #windowMs: number | undefined;
  #windowStart = 0;
  /** Sending time of the newest request whose answer showed no refill. */
  #lastQuiet: number | undefined;
  #burstEnd = 0;
  #probe = 0;
  #early = 0;

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
    this.#underWay.set(this.#sent, { sentAt: now, answersBefore: this.#answers });
    return this.#sent;
  }

  /** Books an answer. */
  answered(number: number, now: number, answer: Answer): void {
    const ticket = this.#underWay.get(number);
    if (ticket === undefined) return;
    this.#underWay.delete(number);
    if (answer.limit !== undefined && answer.limit > 0) this.#limit = answer.limit;
    if (isRefusal(answer.status)) this.#refused(ticket, now, answer.retryAfterMs);
    else if (answer.remaining !== undefined) this.#learn(number, ticket, answer.remaining);
    if (!isRefusal(answer.status)) this.#refusals = 0;
    this.#answers += 1;
  }

  /** Books a request whose answer never came. It may have cost budget, so it stays paid for. */
  lost(number: number): void {
    if (this.#underWay.delete(number)) this.#answers += 1;
  }

  budget(): Budget {
    return {
      limit: this.#limit,
      remaining: this.#granted === undefined ? undefined : Math.max(0, this.#granted - this.#sent),
      windowMs: this.#windowMs,
    };
  }

  /** The first request goes alone. If its answer has no headers, only refusals slow us down. */
  #delayWithoutHeaders(): number {
    const most = this.#answers === 0 ? 1 : MAX_IN_FLIGHT;
    return this.#underWay.size < most ? 0 : Number.POSITIVE_INFINITY;
  }

  /** Kept back while the window is unknown, so that looking for the refill costs no refusal. */
  #reserve(): number {
    if (this.#windowMs !== undefined) return 0;
    return Math.min(7, Math.floor((this.#limit ?? 0) * 0.3));
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
    return Math.max(20, windowMs * 0.004) * 2 ** this.#early;
  }

  #learn(number: number, ticket: Ticket, remaining: number): void {
    const unanswered = [...this.#underWay.keys()].filter((older) => older < number).length;
    const granted = remaining + number - unanswered;
    if (this.#granted === undefined) {
      this.#granted = granted;
      this.#lastQuiet = ticket.sentAt;
      return;
    }
    if (remaining > this.#granted - ticket.answersBefore - 1) {
      this.#refilled(ticket);
      this.#granted = Math.max(this.#granted, granted);
      return;
    }
    this.#quiet(ticket);
    // Fewer left than our own requests explain: somebody else spends from the same budget.
    if (remaining < this.#granted - this.#sent) this.#granted = remaining + this.#sent;
  }

  /** An answer that showed no refill: the window is at least this old. */
  #quiet(ticket: Ticket): void {
    this.#lastQuiet = Math.max(this.#lastQuiet ?? 0, ticket.sentAt);
    if (this.#windowMs !== undefined && ticket.sentAt - this.#windowStart >= this.#windowMs) {
      this.#cameEarly(ticket.sentAt - this.#windowStart);
    }
  }

  #refilled(ticket: Ticket): void {
    const newest = ticket.sentAt - this.#windowStart;
    const oldest = Math.max(0, (this.#lastQuiet ?? this.#windowStart) - this.#windowStart);
    if (this.#windowMs === undefined && newest > 0) {
      const usual = USUAL_WINDOWS_MS.filter((ms) => ms > oldest && ms <= newest);
      this.#windowMs = usual.at(-1) ?? newest;
    }
    this.#windowStart = ticket.sentAt;
    this.#lastQuiet = undefined;
    this.#early = 0;
    this.#probe = 0;
  }

  /** A pilot that found nothing: first a wider margin, then a longer window. */
  #cameEarly(ageMs: number): void {
    this.#early += 1;
    if (this.#early < 3) return;
    this.#early = 0;
    this.#windowMs = USUAL_WINDOWS_MS.find((ms) => ms > ageMs * 1.3) ?? ageMs * 2;
  }

  #refused(ticket: Ticket, now: number, retryAfterMs: number | undefined): void {
    if (this.#granted !== undefined) this.#granted = Math.min(this.#granted, this.#sent);
    // Requests refused together are one piece of news.
    if (ticket.sentAt >= this.#notBefore) {
      this.#quiet(ticket);
      this.#refusals += 1;
    }
    const backoff = Math.min(MAX_BACKOFF_MS, 250 * 2 ** this.#refusals);
    this.#notBefore = Math.max(this.#notBefore, now + (retryAfterMs ?? backoff));
  }
}
