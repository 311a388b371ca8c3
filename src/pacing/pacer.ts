/**
 * Decides when the next request may go, from X-Ratelimit-Limit and X-Ratelimit-Remaining alone.
 * Pure: it is told what happened and when, and never waits itself.
 */
export interface Answer {
  refused: boolean;
  limit: number | undefined;
  remaining: number | undefined;
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

const NEVER = -1e15;
const INF = Number.POSITIVE_INFINITY;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const USUAL = [
  ...[1, 2, 3, 5, 10, 15, 20, 30].map((n) => n * SECOND),
  ...[1, 2, 3, 5, 10, 15, 20, 30, 60].map((n) => n * MINUTE),
  ...[2, 3, 4, 6, 12, 24].map((n) => n * 60 * MINUTE),
];
const PROBES = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400].map((s) => s * SECOND);

interface Ticket {
  at: number;
  /** own requests over (answered or lost) when it left */
  settled: number;
  hoped: boolean;
  alone: boolean;
  hopeless: boolean;
}

interface Opened {
  /** last time known to be before it opened */
  after: number;
  at: number;
  by: number;
}

export class Pacer {
  limit: number | undefined;
  sentCount = 0;
  granted: number | undefined;
  lostCount = 0;
  fresh = 0; // answers to requests up to this one tell of the time before the newest refill
  infoAt = NEVER;
  flying = new Map<number, Ticket>();
  history: number[] = [];
  base = NEVER;
  lastSentAt = NEVER;
  heard = false;

  windowMs: number | undefined;
  shape: 'window' | 'log' | 'flow' = 'window';
  dueHits = 0;
  sure = false;
  opened: Opened | undefined;
  quietAt = NEVER;
  burstEndAt = 0;
  widened = 1; // margin factor
  earlies = 0;
  latency = 0;
  jitter = 0;

  notBefore = NEVER;
  refusals = 0;

  flow: { since: number; back: number; firstAt: number; proof: boolean } | undefined;
  anchor: { at: number; seen: number } | undefined;
  fuzzy = 0.5;
  young = 0;
  youngHits = 0;
  others = 0;
  othersPerWindow = 0;
  demand = 0;
  falls = 0;
  rises = 0;
  countedFrom = NEVER;
  blurredUntil = NEVER;
  confirmedAt: number | undefined;
  deaf = false;
  lies = 0;
  refusedCount = 0;
  looked = false;
  doubt = 0;
  guessed = false;
  told: number | undefined;
  calmWindows = 0;
  sureWindowMs: number | undefined;

  constructor(memory?: unknown) {
    if (memory === undefined || memory === null || typeof memory !== 'object') return;
    const { flying, ...rest } = memory as { flying?: [number, Ticket][] };
    Object.assign(this, rest);
    this.flying = new Map(flying);
  }

  toJSON(): object {
    return { ...this, flying: [...this.flying] };
  }

  // ---------- deciding ----------

  delayMs(now: number, leave = 0, wanted = INF): number {
    if (now < this.notBefore) return this.notBefore - now;
    if (this.granted === undefined) return this.withoutNews();
    if (this.flying.size >= this.mostFlying()) return INF;
    if (this.stale(now) && this.flying.size > 0) return INF;
    const spendable = this.spendable(now, leave);
    if (wanted <= spendable + Math.max(0, this.reserve() - leave)) return 0;
    if (this.sure && (this.shape === 'log' || (this.shape === 'window' && now < this.blurredUntil)))
      return this.delayEven(now, leave);
    if (spendable >= 1) return Math.max(0, this.lastSentAt + this.gapMs(now, leave) - now);
    return this.delayOfHope(now, leave);
  }

  /** A log: at most the limit in any span of a window, evenly, whatever headers say. */
  delayEven(now: number, leave: number): number {
    const W = this.windowMs!;
    const limit = this.limit!;
    const kept = now < this.blurredUntil ? 0 : this.kept();
    const allowance = Math.max(1, Math.round(Math.max(limit / 2, limit - kept - this.doubt)) - leave);
    const oldest = this.history[this.history.length - allowance];
    const back = oldest === undefined ? now : oldest + W + this.marginMs();
    const slot = this.lastSentAt + (0.95 * W) / allowance;
    return Math.max(0, Math.max(back, slot) - now);
  }

  kept(): number {
    return this.othersPerWindow < 0.5 ? 0 : 1.25 * this.othersPerWindow + 1;
  }

  /** Nothing is in hand: the next request looks whether something came back. */
  delayOfHope(now: number, leave: number): number {
    if (this.windowMs === undefined || !this.sure || this.loose()) {
      if (this.flying.size > 0) return INF;
      return Math.max(0, this.nextLook(now, leave) - now);
    }
    if (this.stale(now)) return 0;
    let hoped = 0;
    for (const { hoped: h } of this.flying.values()) if (h) hoped += 1;
    if (hoped >= this.mostHoped()) return INF;
    return Math.max(0, this.hopeAt(leave, now) - now);
  }

  mostHoped(): number {
    return Math.max(1, Math.min(3, Math.ceil((this.limit! / this.windowMs!) * this.latency)));
  }

  /** Nothing was heard for a whole window: one request looks first. */
  stale(now: number): boolean {
    return this.windowMs !== undefined && now - Math.max(this.infoAt, this.lastSentAt) > this.windowMs * 1.5;
  }

  withoutNews(): number {
    const most = !this.heard || this.refusals > 0 ? 1 : 8;
    return this.flying.size < most ? 0 : INF;
  }

  mostFlying(): number {
    if (this.windowMs === undefined || this.limit === undefined)
      return Math.min(64, 8 + (this.sentCount - this.flying.size) / 4);
    if (this.shape === 'flow' && this.credit() > this.limit / 4) return 64;
    return Math.max(8, Math.ceil((2 * this.limit * this.latency) / this.windowMs) + 2);
  }

  credit(): number {
    return this.granted! - this.sentCount;
  }

  reserve(): number {
    const limit = this.limit ?? 0;
    if (this.windowMs === undefined || this.loose()) return Math.min(7, Math.floor(limit * 0.3));
    return this.sure ? 0 : Math.min(4, Math.floor(limit * 0.3));
  }

  /** Whether the window's beginning is only roughly known. */
  loose(): boolean {
    const o = this.opened;
    if (o === undefined || this.windowMs === undefined) return true;
    if (this.shape !== 'window') return false;
    return o.by - o.after > Math.max(this.windowMs / 4, 3 * this.latency);
  }

  /** Credit that may be used now: what headers say, within a limit a window. */
  spendable(now: number, leave: number): number {
    let c = this.credit();
    if (this.windowMs !== undefined && this.shape !== 'flow' && this.limit !== undefined) {
      c = Math.min(c, this.limit - this.charged(now));
      c -= this.keptForOthers(now);
    }
    if (this.shape === 'flow') c -= this.fuzzy - 0.5;
    return c - Math.max(leave, this.reserve()) - Math.floor(this.doubt);
  }

  keptForOthers(now: number): number {
    if (this.othersPerWindow < 0.5 || this.opened === undefined) return 0;
    const left = Math.min(1, Math.max(0.25, (this.opened.at + this.windowMs! - now) / this.windowMs!));
    return (1.25 * this.othersPerWindow + 1) * left;
  }

  /** Own requests that the last window holds. */
  charged(now: number): number {
    const from = Math.max(now - this.windowMs! - this.marginMs(), this.base);
    let n = 0;
    for (let i = this.history.length - 1; i >= 0 && this.history[i]! >= from; i -= 1) n += 1;
    return n;
  }

  /** When the next request comes back, after the newest answer. */
  hopeAt(leave: number, _now: number): number {
    const W = this.windowMs!;
    const margin = this.marginMs();
    const need = 1 + leave - this.credit();
    if (this.shape === 'flow') {
      return this.infoAt + ((need + this.fuzzy) * W) / this.limit! + 2 * this.jitter;
    }
    // need-th own request, the return of which was not seen yet
    let count = 0;
    for (const at of this.history) {
      if (at < this.base || at + W <= this.infoAt) continue;
      count += 1;
      if (count >= need) return at + W + margin;
    }
    // all that we sent is back: others hold the rest
    return (this.opened?.at ?? this.infoAt) + W + margin;
  }

  gapMs(now: number, leave: number): number {
    if (this.windowMs === undefined || this.loose() || this.limit === undefined) return 0;
    const even = this.windowMs / this.limit;
    if (this.shape === 'flow') return this.credit() > this.limit / 4 ? 0 : even / 4;
    const end = this.opened!.at + 0.95 * this.windowMs;
    if (now > end) return even / 2;
    const units = this.spendable(now, leave);
    return Math.min(even, Math.max(even / 4, (end - now) / units));
  }

  /** When to look for a refill while the window or its beginning is not known. */
  nextLook(now: number, leave: number): number {
    const from = this.opened?.at ?? now;
    if (this.windowMs !== undefined) {
      const end = this.hopeAt(leave, now);
      const kept = this.credit() - leave - (this.sure ? 0 : 2);
      if (this.looked) return this.lastSentAt + this.windowMs / 64;
      if (this.lastSentAt >= end || kept < 1) return end;
      return Math.min(end, this.lastSentAt + (end - this.lastSentAt) / (kept + 1));
    }
    if (this.flow !== undefined && (this.flow.proof || this.flow.back >= 5 || this.credit() > leave)) {
      return this.lastSentAt + Math.max(2 * this.latency, this.lookAgainMs());
    }
    // the first usual length that has not been looked at yet
    const next = PROBES.find((ms) => from + ms > this.lastSentAt);
    return from + (next ?? 3600_000) + Math.max(5, this.latency / 2);
  }

  /** One token says little: look again soon. More of them say when the next one is due. */
  lookAgainMs(): number {
    const { since, back } = this.flow!;
    return back < 2 ? (this.lastSentAt - since) / 8 : (1.5 * (this.lastSentAt - since)) / back;
  }

  marginMs(): number {
    const W = this.windowMs ?? 0;
    return Math.min(W / 10, Math.max(2, this.jitter * 3, 0.0005 * W) * this.widened);
  }

  // ---------- events ----------

  sent(now: number): number {
    const hoped = this.granted !== undefined && this.windowMs !== undefined && this.credit() < 1;
    this.sentCount += 1;
    this.opened ??= { after: NEVER, at: now, by: now };
    const settled = this.sentCount - 1 - this.flying.size;
    this.flying.set(this.sentCount, {
      at: now,
      settled,
      hoped,
      alone: this.flying.size === 0,
      hopeless: this.granted !== undefined && this.granted < this.sentCount,
    });
    this.history.push(now);
    if (this.windowMs !== undefined && this.history.length > 64) {
      const from = now - 2 * this.windowMs;
      if (this.history[0]! < from) this.history = this.history.filter((at) => at >= from);
    }
    this.lastSentAt = now;
    return this.sentCount;
  }

  lost(ticket: number, _now: number): void {
    if (this.flying.delete(ticket)) this.lostCount += 1;
  }

  answered(number: number, now: number, answer: Answer): void {
    const ticket = this.flying.get(number);
    if (ticket === undefined) return;
    this.flying.delete(number);
    this.timed(now - ticket.at);
    if (!this.heard && this.opened) this.opened.by = now;
    this.heard = true;
    if (answer.limit !== undefined && answer.limit > 0) {
      if (this.told !== undefined && answer.limit !== this.told) this.sure = false;
      this.told = answer.limit;
      if (!this.guessed) this.limit = answer.limit;
    }
    const news = number > this.fresh;
    if (answer.refused) this.refused(ticket, now, answer, news);
    else if (news) this.accepted(number, ticket, now, answer.remaining);
  }

  timed(ms: number): void {
    if (this.latency === 0) {
      this.latency = ms;
      this.jitter = ms / 5;
      return;
    }
    this.jitter += (Math.abs(ms - this.latency) - this.jitter) / 16;
    this.latency += (ms - this.latency) / 16;
  }

  olderFlying(number: number): number {
    let n = 0;
    for (const key of this.flying.keys()) if (key < number) n += 1;
    return n;
  }

  accepted(number: number, ticket: Ticket, now: number, remaining: number | undefined): void {
    this.refusals = 0;
    this.doubt = Math.max(0, this.doubt - 0.03);
    this.fuzzy = Math.max(0.5, this.fuzzy - 0.01);
    if (this.deaf) remaining = undefined;
    if (remaining === undefined) {
      // what was sent in hope and taken shows that it was back
      if (this.granted !== undefined && this.granted < number) this.assumed(number, ticket, now);
      return;
    }
    const counted = number - this.olderFlying(number);
    if (this.granted === undefined) {
      this.granted = remaining + counted;
      this.infoAt = ticket.at;
      this.quietAt = ticket.at;
      return;
    }
    if (this.shape === 'flow' && this.windowMs !== undefined && !this.looksFull(ticket, remaining)) {
      this.mirrored(number, ticket, remaining);
      this.infoAt = Math.max(this.infoAt, ticket.at);
      this.quietAt = Math.max(this.quietAt, ticket.at);
      return;
    }
    const hi = this.granted - ticket.settled - 1 + this.lostCount;
    const lo = this.granted - this.sentCount;
    const rise = remaining - hi;
    if (this.shape === 'window' && this.windowMs !== undefined && remaining >= 2) {
      const age = ticket.at - this.opened!.at;
      this.demand = (this.others * this.windowMs) / Math.max(age, this.windowMs / 4);
    }
    if (rise > 0 && this.loose() && !(ticket.alone && number === this.sentCount)) {
      // answers that overtake each other and late counters look like this
    } else if (rise > 0)
      this.risen(number, ticket, now, remaining, rise, Math.max(0, (this.limit ?? 0) - hi));
    else {
      if (remaining < lo) {
        this.fallen(lo - remaining, ticket.at);
        this.granted = remaining + this.sentCount;
      } else if (this.lostCount > 0) this.granted = Math.max(this.granted, remaining + counted);
      this.quiet(ticket);
    }
    this.infoAt = Math.max(this.infoAt, ticket.at);
  }

  /** Both less and more than our own requests explain: what is told is late or blurred. */
  blur(at: number): void {
    if (this.windowMs === undefined) return;
    if (at - this.countedFrom > this.windowMs) {
      this.countedFrom = at;
      this.falls = 0;
      this.rises = 0;
    }
    if (this.falls >= 2 && this.rises >= 2) this.blurredUntil = at + 4 * this.windowMs;
  }

  /** Less is left than our own requests explain: somebody else spends, or the counter is blurred. */
  fallen(by: number, at: number): void {
    this.falls += 1;
    this.blur(at);
    this.dueHits = 0;
    this.others += by;
    this.young = Math.max(0, this.young - by);
    if (this.flow === undefined) return;
    this.flow.back -= by;
    if (this.flow.back < 1 && this.windowMs === undefined) this.flow = undefined;
  }

  /** Taken although nothing was left as far as we know, and the answer does not say how much came back. */
  assumed(number: number, ticket: Ticket, now: number): void {
    const age = ticket.at - this.opened!.at;
    if (this.windowMs === undefined || (this.guessed && age >= this.windowMs)) {
      this.refilled(number, ticket, now);
      this.calmWindows += 1;
      if (this.calmWindows >= (this.told === undefined ? 10 : 1)) {
        this.calmWindows = 0;
        this.limit = Math.min(this.limit! + 1, this.told ?? INF);
      }
      this.granted = number + this.limit! - 1;
    } else this.granted = number;
    this.infoAt = Math.max(this.infoAt, ticket.at);
  }

  quiet(ticket: Ticket): void {
    this.quietAt = Math.max(this.quietAt, ticket.at);
    if (this.windowMs !== undefined && this.shape !== 'flow' && this.opened !== undefined && !this.sure) {
      const age = ticket.at - this.opened.at;
      if (age >= this.windowMs && this.flying.size === 0) {
        // A counter that is told late shows the refill a little later: look twice.
        if (this.looked) this.cameEarly(age);
        else this.looked = true;
      }
    }
  }

  risen(number: number, ticket: Ticket, now: number, remaining: number, rise: number, missing: number): void {
    const due = this.windowMs === undefined || this.shape === 'flow' ? 0 : this.dueSince(ticket.at);
    const complete = remaining >= (this.limit ?? 0) - 1 - this.flying.size;
    const aged = this.windowMs === undefined || ticket.at - this.opened!.at >= 0.95 * this.windowMs;
    const full =
      ((complete && aged) || rise > 1.2 * due + 1) && rise >= Math.max(missing / 2, (this.limit ?? 0) / 4);
    const counted = number - this.olderFlying(number);
    if (full) {
      this.refilled(number, ticket, now);
      this.granted = remaining + counted;
      this.lostCount = 0;
      return;
    }
    if (this.windowMs === undefined) this.trickle(ticket, rise);
    else {
      if (due > 0) {
        this.confirm(ticket.at - this.opened!.at, now);
        this.dueHits += 1;
        if (this.dueHits >= 3 && this.shape === 'window') this.shape = 'log';
      }
      if (rise > due) {
        this.rises += 1;
        this.blur(ticket.at);
      }
      this.young = Math.max(0, this.young + rise - due);
      if (this.young === 0) this.youngHits = 0;
      else if (rise > due) this.youngHits += 1;
      this.others = Math.max(0, this.others - Math.max(0, rise - due));
      if (
        this.youngHits >= 3 &&
        ticket.at >= this.blurredUntil &&
        this.young > Math.min(6, this.limit! / 2) + 0.02 * this.limit!
      )
        this.becomeFlow();
    }
    this.granted = Math.max(this.granted!, remaining + counted);
    this.quietAt = Math.max(this.quietAt, ticket.at);
  }

  /** The usual window after which all that came back so far was due, if there is one. */
  explains(at: number): number | undefined {
    const { since, firstAt, back } = this.flow!;
    const o = this.opened!;
    const W = USUAL.findLast((ms) => ms > since - o.by && ms <= firstAt - o.at + 5);
    if (W === undefined) return undefined;
    let due = 0;
    for (const s of this.history) if (s + W <= at + this.jitter) due += 1;
    return back >= 0.6 * due && due >= 0.5 * back ? W : undefined;
  }

  becomeFlow(): void {
    this.shape = 'flow';
    this.young = 0;
    this.youngHits = 0;
    this.anchor = undefined;
  }

  dueSince(at: number): number {
    const W = this.windowMs!;
    let n = 0;
    for (const s of this.history)
      if (s + W > this.infoAt - this.jitter && s + W <= at + 4 * this.jitter + 2) n += 1;
    return n;
  }

  /** A little came back: a bucket that fills steadily, or a log whose first requests have left it. */
  trickle(ticket: Ticket, rise: number): void {
    this.flow ??= { since: this.quietAt, back: 0, firstAt: ticket.at, proof: ticket.hopeless };
    this.flow.back += rise;
    const limit = this.limit ?? 1;
    const { since, back, firstAt } = this.flow;
    if (back < Math.min(8, limit / 2)) return;
    this.windowMs = this.explains(ticket.at);
    this.sure = true;
    this.confirmedAt = ticket.at;
    this.flow = undefined;
    if (this.windowMs !== undefined) {
      this.opened = { after: firstAt, at: firstAt, by: firstAt + this.latency };
      this.shape = 'log';
      return;
    }
    this.windowMs = nearest(((ticket.at - since) * limit) / back, 2 / back);
    this.shape = 'flow';
  }

  /** Everything at once after a silence: no bucket does that. */
  looksFull(ticket: Ticket, remaining: number): boolean {
    const expected = this.granted! - this.sentCount + this.rate() * Math.max(0, ticket.at - this.infoAt);
    return remaining - expected > this.limit! / 2 && remaining >= this.limit! - 1 - this.flying.size;
  }

  rate(): number {
    return this.limit! / this.windowMs!;
  }

  /** What a bucket holds follows its rate; what answers say corrects that, the more the further off it is. */
  mirrored(number: number, ticket: Ticket, remaining: number): void {
    const seen = remaining + number - this.olderFlying(number);
    const predicted = this.granted! + this.rate() * Math.max(0, ticket.at - this.infoAt);
    const off = seen - predicted;
    this.granted = predicted + (Math.abs(off) > 3 ? off : off / 4);
    this.measure(ticket.at, seen - this.refusedCount, remaining);
  }

  /** The rate is what was granted since an earlier answer. A full bucket takes nothing more, so it tells nothing. */
  measure(at: number, seen: number, remaining: number): void {
    const limit = this.limit!;
    if (this.anchor === undefined || remaining > 0.75 * limit) {
      this.anchor = { at, seen };
      return;
    }
    const back = seen - this.anchor.seen;
    const tookMs = at - this.anchor.at;
    if (back < Math.min(8, limit) || tookMs < Math.max(this.windowMs! / 8, 8 * this.latency)) return;
    const measured = (tookMs * limit) / back;
    if (Math.abs(measured / this.windowMs! - 1) > 2.5 / back) this.windowMs = nearest(measured, 2.5 / back);
    this.confirmedAt = at;
    if (back >= limit * 4) this.anchor = { at, seen };
  }

  refilled(number: number, ticket: Ticket, now: number): void {
    const o = this.opened!;
    const x = ticket.at - o.at;
    const lo = Math.max(0, this.quietAt - o.by);
    const known = o.after > NEVER;
    const W = this.windowMs;
    if (this.shape === 'flow' && W !== undefined) {
      this.shape = 'window';
      this.sure = false;
    } else if (W === undefined) {
      this.windowMs = USUAL.findLast((ms) => ms > lo && ms <= x + 5) ?? x;
      this.sure = false;
    } else if (x >= W) {
      this.confirm(x, now);
    } else if (known && x < 0.97 * W) {
      const hi = ticket.at + this.latency - o.after;
      this.windowMs = USUAL.findLast((ms) => ms > lo && ms <= hi) ?? x;
      this.sure = false;
    }
    this.opened = { after: this.quietAt, at: ticket.at, by: now };
    this.fresh = number;
    this.base = ticket.at;
    this.dueHits = 0;
    if (this.shape === 'log') this.shape = 'window';
    this.looked = false;
    this.othersPerWindow = (this.othersPerWindow + this.demand) / 2;
    this.demand = 0;
    this.others = 0;
    this.young = 0;
    this.youngHits = 0;
    this.flow = undefined;
  }

  confirm(age: number, now: number): void {
    const W = this.windowMs!;
    if (age < W || (!this.sure && age > W * 1.3)) return;
    this.sure = true;
    this.sureWindowMs = W;
    this.confirmedAt = now;
    this.earlies = 0;
    this.widened = Math.max(1, this.widened * 0.98);
  }

  cameEarly(age: number): void {
    this.looked = false;
    this.sure = false;
    this.earlies = 0;
    this.windowMs = USUAL.find((ms) => ms >= age * 1.3) ?? age * 2;
  }

  refused(ticket: Ticket, now: number, { retryAfterMs, remaining }: Answer, news: boolean): void {
    this.unsend(ticket.at);
    let backoff = 0;
    if (news) {
      this.refusals += 1;
      this.fresh = this.sentCount;
      if (this.granted === undefined) this.guess();
      if (this.windowMs === undefined) this.flow = undefined;
      this.granted = Math.min(this.granted!, this.sentCount);
      this.infoAt = Math.max(this.infoAt, ticket.at);
      this.quietAt = Math.max(this.quietAt, ticket.at);
      if (!this.deaf && remaining !== undefined && remaining >= 3) this.liedTo();
      if (this.windowMs !== undefined && ticket.hoped) {
        if (this.shape === 'flow') this.fuzzy = Math.min(3, this.fuzzy + 0.5);
        else {
          this.earlies += 1;
          this.widened *= 2;
        }
        if (this.shape !== 'flow' && this.earlies >= 3) this.cameEarly(ticket.at - (this.opened?.at ?? 0));
        // One that begins its window again at each refusal is only got out of by a whole window of silence.
        backoff =
          this.shape !== 'flow' && this.earlies >= 2
            ? this.windowMs + this.marginMs()
            : 10 * 2 ** this.refusals;
      } else {
        this.doubt = Math.min((this.limit ?? 0) / 2, this.doubt + 1);
        this.calmWindows = 0;
        if (this.guessed && this.windowMs !== undefined) this.limit = Math.max(1, this.limit! - 1);
        backoff = 250 * 2 ** (this.refusals - 1);
      }
    }
    this.notBefore = Math.max(this.notBefore, now + (retryAfterMs ?? Math.min(MINUTE, backoff)));
  }

  /** No headers: what was taken until the first refusal is the limit. */
  guess(): void {
    this.guessed = true;
    this.limit ??= Math.max(1, this.sentCount - this.flying.size - 1);
    this.granted = this.sentCount;
  }

  /** Refused although Remaining says that there is some: it is not to be trusted. */
  liedTo(): void {
    this.lies += 1;
    if (this.lies < 2) return;
    this.deaf = true;
    this.guessed = true;
    this.shape = 'window';
    this.windowMs = this.sureWindowMs ?? this.windowMs;
  }

  unsend(at: number): void {
    this.refusedCount += 1;
    const i = this.history.lastIndexOf(at);
    if (i >= 0) this.history.splice(i, 1);
  }

  budget(now: number): Budget {
    const remaining = this.granted === undefined ? undefined : Math.max(0, Math.floor(this.credit()));
    return {
      limit: this.limit,
      remaining,
      windowMs: this.windowMs,
      refillsAtMs: this.windowMs === undefined ? undefined : Math.max(now, this.hopeAt(0, now)),
      confirmedAtMs: this.confirmedAt,
    };
  }
}

function nearest(ms: number, tolerance: number): number {
  let best = ms;
  let off = tolerance;
  for (const usual of USUAL) {
    const d = Math.abs(usual / ms - 1);
    if (d < off) {
      off = d;
      best = usual;
    }
  }
  return best;
}
