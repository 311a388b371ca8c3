import { type Arithmetic, budgetByClock, type Turn, type Wait } from '../ledger.ts';
import type { Answer, Budget } from '../pacer-state.ts';
import { SteadyTime } from '../steady-time.ts';
import type { SharedRow } from './shared-row.ts';
import { isSilent, type Member, readSharing, takenAtStart, whoGoesFirst } from './shared-turns.ts';

export type MakePacer = (memory?: unknown) => Arithmetic;

/** A sign of life is written with whatever else is written, and at least this often. */
export const SIGN_MS = 1000;
/** How often a process that waits looks what the others have done, while there are any. */
export const LOOK_MS = 10;
/** The same while there are none. */
const LOOK_ALONE_MS = 1000;
/** Whoever is first gets this long to use its turn; more than a process at work needs to look. */
const TURN_MS = 100;

/** One account's budget, and this process as one of those who spend from it. `now`: milliseconds since 1970. */
export class SharedBudget {
  /** Whether the service limits its requests; undefined until it has answered. */
  limited: boolean | undefined;
  readonly #id: string;
  readonly #makePacer: MakePacer;
  #pacer: Arithmetic;
  #time: SteadyTime;
  #members: Member[] = [];
  /** As text; the memory is undefined once the pacer was changed, the other is true before and after a transaction. */
  #memory: string | null | undefined;
  #sharing: string | null | undefined;
  /** Who is first and does not go, and since when. */
  #held: { id: string; taken: number; sinceMs: number } | undefined;

  constructor(id: string, makePacer: MakePacer, time = new SteadyTime()) {
    this.#time = time;
    this.#id = id;
    this.#makePacer = makePacer;
    this.#pacer = makePacer();
  }

  /** Takes over what the row holds. */
  load({ memory, sharing, ...mark }: SharedRow): void {
    this.#time.follow(mark);
    if (memory !== this.#memory) this.#pacer = this.#makePacer(parseQuietly(memory));
    if (sharing !== this.#sharing)
      ({ limited: this.limited, members: this.#members } = readSharing(parseQuietly(sharing)));
    this.#memory = memory;
    this.#sharing = sharing;
  }

  /** The row that holds all this. */
  save(): SharedRow {
    this.#memory ??= JSON.stringify(this.#pacer.toJSON());
    this.#sharing = JSON.stringify({ limited: this.limited, members: this.#members });
    return { memory: this.#memory, sharing: this.#sharing, ...this.#time.mark() };
  }

  /** How many requests of this process are under way. */
  get underWay(): number {
    return this.#me?.requests.length ?? 0;
  }

  /** Books the request `number` if it may go, otherwise that this process waits. See `Ledger.take`. */
  take(number: number, now: number, leave: number, own: number, leadMs: number): Turn {
    const at = this.#time.at(now);
    this.#buryDead(at);
    const me = this.#me ?? this.#join(at);
    // How much the others want is not known.
    const wanted = this.#others.some(({ waiting }) => waiting) ? Number.POSITIVE_INFINITY : own;
    const delayMs = this.#delayMs(at + leadMs, leave, wanted);
    if (at - me.seenAtMs >= SIGN_MS) me.seenAtMs = at;
    me.leave = leave;
    if (delayMs <= 0 && this.#isMyTurn(me, at)) {
      me.waiting = false;
      me.taken += 1;
      this.#send(me, number, at + leadMs);
      return { ticket: number };
    }
    if (!me.waiting) me.taken = takenAtStart(me, this.#others, this.#pacer.budget(at).limit);
    me.waiting = true;
    return this.#wait(delayMs <= 0 ? Number.POSITIVE_INFINITY : delayMs);
  }

  /** While this process is alone, only its own answers end a wait for one. */
  #wait(delayMs: number): Wait {
    if (this.#others.length > 0) return { delayMs, againMs: LOOK_MS };
    return { delayMs, againMs: Number.isFinite(delayMs) ? LOOK_ALONE_MS : Number.POSITIVE_INFINITY };
  }

  /** What happened to a request that was taken for lost is no longer of use. */
  answered(number: number, now: number, answer: Answer): void {
    const ticket = this.#settle(number);
    if (ticket === undefined) return;
    this.limited = isLimiting(answer) || (this.limited ?? false);
    this.#change().answered(ticket, this.#time.at(now), answer);
  }

  lost(number: number, now: number): void {
    const ticket = this.#settle(number);
    if (ticket !== undefined) this.#change().lost(ticket, this.#time.at(now));
  }

  /** Tells the others that this process is alive. */
  sign(now: number): void {
    const me = this.#me;
    if (me !== undefined) me.seenAtMs = this.#time.at(now);
  }

  budget(now: number): Budget {
    const at = this.#time.at(now);
    const budget = this.#pacer.budget(at);
    const alive = this.#others.filter((other) => !isSilent(other, at)).length;
    return budgetByClock({ ...budget, share: budget.share / (1 + alive) }, this.#time);
  }

  /** Takes this process out; its requests that are under way are lost. */
  leave(now: number): void {
    const at = this.#time.at(now);
    this.#buryDead(at);
    if (this.#me !== undefined) this.#bury(this.#me, at);
  }

  /** Goes on without the others. */
  part(now: number): void {
    for (const other of this.#others) this.#bury(other, this.#time.at(now));
  }

  /** Brings in what this process did apart: all that it learnt, or its requests only where others found a limit since. */
  bringIn(apart: SharedBudget, now: number): void {
    const requests = apart.#me?.requests ?? [];
    if (this.limited === true) {
      this.leave(now);
      const at = this.#time.at(now);
      const me = this.#join(at);
      for (const { number, sentMs } of requests) this.#send(me, number, Math.min(sentMs, at));
      return;
    }
    [this.#pacer, this.#time, this.#members] = [apart.#pacer, apart.#time, apart.#members];
    this.#memory = undefined;
    this.limited = true;
  }

  get #me(): Member | undefined {
    return this.#members.find(({ id }) => id === this.#id);
  }

  get #isAlone(): boolean {
    return this.#members.length === 1 && this.#members[0]?.id === this.#id;
  }

  get #others(): Member[] {
    return this.#isAlone ? [] : this.#members.filter(({ id }) => id !== this.#id);
  }

  /** Nobody begins with turns saved up. */
  #join(at: number): Member {
    const taken = this.#members.length === 0 ? 0 : Math.min(...this.#members.map((other) => other.taken));
    const me = { id: this.#id, seenAtMs: at, waiting: false, leave: 0, taken, requests: [] };
    this.#members.push(me);
    return me;
  }

  /** A request that nobody waits for holds nobody: what is remembered of it must be wrong. */
  #delayMs(at: number, leave: number, wanted: number): number {
    const delayMs = this.#pacer.delayMs(at, leave, wanted);
    if (Number.isFinite(delayMs) || this.#members.some(({ requests }) => requests.length > 0)) return delayMs;
    this.#memory = undefined;
    this.#pacer = this.#makePacer();
    return this.#pacer.delayMs(at, leave, wanted);
  }

  /** Whoever is first and does not go in its time has to line up anew. */
  #isMyTurn(me: Member, at: number): boolean {
    if (this.#isAlone) return true;
    const rules = {
      limit: this.#pacer.budget(at).limit,
      mayGo: (leave: number) => this.#pacer.delayMs(at, leave) <= 0,
    };
    for (;;) {
      const first = whoGoesFirst(me, this.#others, rules);
      if (first === undefined) return true;
      const { id, taken } = first;
      if (this.#held?.id !== id || this.#held.taken !== taken) this.#held = { id, taken, sinceMs: at };
      if (at - this.#held.sinceMs < TURN_MS) return false;
      first.waiting = false;
    }
  }

  #send(me: Member, number: number, at: number): void {
    me.requests.push({ number, ticket: this.#change().sent(at), sentMs: at });
  }

  #settle(number: number): number | undefined {
    const { requests = [] } = this.#me ?? {};
    const index = requests.findIndex((request) => request.number === number);
    return index < 0 ? undefined : requests.splice(index, 1)[0]?.ticket;
  }

  #buryDead(at: number): void {
    for (const other of this.#others) if (isSilent(other, at)) this.#bury(other, at);
  }

  /** Takes a process out. Its answers will never come, or too late. */
  #bury(member: Member, at: number): void {
    for (const { ticket } of member.requests) this.#change().lost(ticket, at);
    this.#members = this.#members.filter((other) => other !== member);
  }

  /** The pacer, to be changed. */
  #change(): Arithmetic {
    this.#memory = undefined;
    return this.#pacer;
  }
}

/** A service that names no limit and refuses nothing has nothing to share. */
export function isLimiting({ refused, limit, remaining }: Answer): boolean {
  return refused || limit !== undefined || remaining !== undefined;
}

/** JSON, or undefined for anything else. */
function parseQuietly(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '') as unknown;
  } catch {
    return undefined;
  }
}
