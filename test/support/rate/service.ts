import type { Answer } from '../../../src/pacing/pacer-state.ts';
import { createLimiter, type Limiter, type LimiterVerdict } from '../../../src/sandbox/limiter.ts';
import { seededRandom } from '../seeded-random.ts';
import { countingLog } from './counting-log.ts';
import { PastRemaining } from './past-remaining.ts';
import { apart, atOnce, costing, inARow } from './joined-limiters.ts';
import { type Change, type ServiceWorld, startOf } from './world.ts';

/** Each kind of chance draws from numbers of its own, so that two clients meet the same world. */
const CHANCE = { phase: 1, others: 2, blur: 3, node: 5 };

type LimiterKind = Pick<ServiceWorld, 'kind' | 'limit' | 'windowMs'>;

/** Numbers of one kind of chance in the world of the seed. */
export function chance(seed: number, kind: number): () => number {
  return seededRandom(Math.imul(seed + 1, 0x9e3779b1) + kind);
}

/** The service's side of a simulation: its limiter, the other client, and what the answers tell. */
export class SimulatedService {
  /** What the other client has asked for so far, and when it was granted something. */
  readonly others = { asked: 0, refused: 0, grantedMs: [] as number[], refusedMs: [] as number[] };
  readonly #world: ServiceWorld;
  readonly #phaseMs: number;
  readonly #othersChance: () => number;
  readonly #blurChance: () => number;
  readonly #changes: Change[];
  #now: Required<Pick<ServiceWorld, 'limit' | 'windowMs' | 'headers'>> & { stuckAt: number | undefined };
  #limiter: Limiter;
  #past: PastRemaining | undefined;
  #jumpedMs = 0;
  #asked = 0;
  readonly #nodeChance: () => number;
  readonly #toldBefore: number[] = [];
  #row: ReturnType<typeof inARow> | undefined;
  #windowMs = Number.NEGATIVE_INFINITY;
  #nextOtherMs: number;

  constructor(world: ServiceWorld) {
    this.#world = world;
    const { seed, limit, windowMs, headers = 'always', phaseMs, changes = [] } = world;
    this.#phaseMs = phaseMs ?? chance(seed, CHANCE.phase)() * windowMs;
    this.#othersChance = chance(seed, CHANCE.others);
    this.#blurChance = chance(seed, CHANCE.blur);
    this.#nodeChance = chance(seed, CHANCE.node);
    this.#changes = changes.toSorted((a, b) => a.atMs - b.atMs);
    this.#now = { limit, windowMs, headers, stuckAt: undefined };
    this.#limiter = this.#freshLimiter();
    this.#nextOtherMs = startOf(world) + this.#untilNextOther();
  }

  /** A request arrives. Arrivals must come in order of time. */
  receive(nowMs: number): Answer {
    this.#asked += 1;
    const verdict = this.#refusedForNoReason(nowMs) ?? this.take(nowMs);
    const { headers } = this.#now;
    const isQuiet = this.#isQuiet();
    const told = !isQuiet && (headers === 'good-only' ? verdict.allowed : headers !== 'never');
    const remaining = this.#late(this.#remaining(nowMs, verdict));
    const retryAfter = !verdict.allowed && this.#world.retryAfter === true;
    return {
      refused: !verdict.allowed,
      limit: told && headers !== 'remaining-only' ? this.#toldLimit(nowMs) : undefined,
      remaining: told ? remaining : undefined,
      retryAfterMs: retryAfter ? Math.ceil(verdict.retryAfterMs / 1000) * 1000 : undefined,
      ...(this.#world.resets === true && { resetMs: this.#untilReset(nowMs) }),
    };
  }

  #refusedForNoReason(nowMs: number): LimiterVerdict | undefined {
    const { at = [], retryAfterMs = 0 } = this.#world.noReason ?? {};
    if (!at.includes(this.#asked)) return undefined;
    return { allowed: false, remaining: this.#limiter.remaining(nowMs + this.#jumpedMs), retryAfterMs };
  }

  #toldLimit(nowMs: number): number {
    const { told = 0, also = [] } = this.#world;
    const at = told === 'least' ? (this.#row?.told(nowMs + this.#jumpedMs) ?? 0) : told;
    return also[at - 1]?.limit ?? this.#now.limit;
  }

  #late(remaining: number): number {
    const { answersLate = 0 } = this.#world;
    this.#toldBefore.push(remaining);
    return this.#toldBefore[Math.max(0, this.#toldBefore.length - 1 - answersLate)] ?? remaining;
  }

  /** Whole seconds, rounded up: of a window of the clock, or of one that the first request began. */
  #untilReset(nowMs: number): number {
    const { windowMs } = this.#now;
    if (this.#world.kind === 'aligned') this.#windowMs = nowMs - ((nowMs - this.#phaseMs) % windowMs);
    else if (nowMs >= this.#windowMs + windowMs) this.#windowMs = nowMs;
    return Math.ceil((this.#windowMs + windowMs - nowMs) / 1000) * 1000;
  }

  #isQuiet(): boolean {
    const { quiet } = this.#world;
    if (quiet === undefined) return false;
    return this.#asked <= quiet.first || (quiet.every !== undefined && this.#asked % quiet.every === 0);
  }

  /** What the limiter itself says about a request that arrives. */
  take(nowMs: number): LimiterVerdict {
    this.#catchUp(nowMs);
    return this.#take(nowMs);
  }

  /** Lets happen what has happened by now: requests of the other client, and changes, in order of time. */
  #catchUp(nowMs: number): void {
    while (this.#nextOtherMs <= nowMs) {
      const atMs = this.#nextOtherMs;
      this.#changeUpTo(atMs);
      this.others.asked += 1;
      if (this.#take(atMs).allowed) this.others.grantedMs.push(atMs);
      else {
        this.others.refused += 1;
        this.others.refusedMs.push(atMs);
      }
      this.#nextOtherMs += this.#untilNextOther();
    }
    this.#changeUpTo(nowMs);
  }

  #untilNextOther(): number {
    const { share = 0, steadily = false } = this.#world;
    if (share === 0) return Number.POSITIVE_INFINITY;
    const meanMs = this.#now.windowMs / (share * this.#now.limit);
    if (steadily) return this.others.asked === 0 ? this.#othersChance() * meanMs : meanMs;
    return -Math.log(1 - this.#othersChance()) * meanMs;
  }

  #changeUpTo(nowMs: number): void {
    while ((this.#changes[0]?.atMs ?? Number.POSITIVE_INFINITY) <= nowMs - startOf(this.#world)) {
      const { clockJumpMs = 0, ...change } = this.#changes.shift() as Change;
      this.#now = { ...this.#now, ...change };
      this.#jumpedMs += clockJumpMs;
      if (change.limit !== undefined || change.windowMs !== undefined) this.#limiter = this.#freshLimiter();
    }
  }

  #freshLimiter(): Limiter {
    const { kind, staleMs = 0 } = this.#world;
    const { limit, windowMs } = this.#now;
    const create = () => this.#joined({ kind, limit, windowMs });
    this.#past = staleMs > 0 ? new PastRemaining(create(), staleMs) : undefined;
    return create();
  }

  /** The limiter with all that stands beside it. */
  #joined(first: LimiterKind): Limiter {
    const { also = [], told = 0, nodes, costs, atOnce: work } = this.#world;
    let asked = 0;
    const route = () => (nodes?.inTurn === true ? (asked += 1) : Math.floor(this.#nodeChance() * 1e6));
    const alone = (): Limiter => {
      const limiters = [first, ...also].map((one) => this.#single(one));
      return limiters.length === 1 ? (limiters[0] as Limiter) : (this.#row = inARow(limiters, told));
    };
    const counted = nodes === undefined ? alone() : apart(Array.from({ length: nodes.count }, alone), route);
    const priced = costs === undefined ? counted : costing(counted, costs);
    return work === undefined ? priced : atOnce(priced, work);
  }

  #single({ kind, limit, windowMs }: LimiterKind): Limiter {
    if (kind === 'counting-log') return countingLog(limit, windowMs);
    return createLimiter(kind, limit, windowMs, this.#phaseMs);
  }

  #take(nowMs: number): LimiterVerdict {
    this.#past?.note(nowMs + this.#jumpedMs);
    return this.#limiter.take(nowMs + this.#jumpedMs);
  }

  /** Remaining as the answer tells it. */
  #remaining(nowMs: number, verdict: LimiterVerdict): number {
    const { stuckAt } = this.#now;
    if (stuckAt !== undefined) return stuckAt;
    const { blur = 0 } = this.#world;
    const off = blur === 0 ? 0 : Math.floor(this.#blurChance() * (2 * blur + 1)) - blur;
    const known = this.#past?.remaining(nowMs + this.#jumpedMs) ?? verdict.remaining;
    return Math.min(this.#toldLimit(nowMs), Math.max(0, known + off));
  }
}
