import { randomUUID } from 'node:crypto';
import type { Arithmetic } from '../ledger.ts';
import { parseQuietly, type SharedRows } from './shared-rows.ts';
import { isSilent, type Member } from './shared-turns.ts';
import { SteadyTime } from '../steady-time.ts';

export type MakePacer = (memory?: unknown) => Arithmetic;

/** A sign of life is written with whatever else is written, and at least this often while others look. */
export const SIGN_MS = 1000;

/**
 * One account's budget as the pacing file has it, and this process as one of those who spend from it.
 * Each change is one short transaction: read what the others did, apply the change, write. Throws what
 * SQLite throws.
 *
 * A process that is silent for some seconds is taken to be dead, and its requests are booked as lost. A
 * lock held for life would tell of a death at once, but not of a process that is stopped; and to be wrong
 * costs little, as a lost request stays paid for and its late answer is left aside.
 */
export class SharedState {
  pacer: Arithmetic;
  /** Whether the service limits its requests; undefined until it has answered. */
  limited: boolean | undefined;
  me: Member;
  others: readonly Member[] = [];
  /** Tickets of one era mean nothing in another. */
  era: string = randomUUID();
  time = new SteadyTime();
  readonly #rows: SharedRows;
  readonly #makePacer: MakePacer;
  #version = 0;
  /** The memory of the last transaction that went well: something to go on with when one does not. */
  #memory: string | undefined;
  /** What `change` was told of and is not written yet. */
  readonly #unwritten = new Set<'budget' | 'me'>();

  constructor(rows: SharedRows, makePacer: MakePacer) {
    this.#rows = rows;
    this.#makePacer = makePacer;
    this.pacer = makePacer();
    this.me = newcomer(randomUUID(), []);
    this.read();
  }

  /** Whether another process has written since. */
  isNews(): boolean {
    return this.#rows.isNews();
  }

  transact<T>(now: number, work: (at: number) => T): T {
    return this.#rows.alone(() => {
      if (this.isNews()) this.read();
      const at = this.time.at(now);
      for (const member of this.others) if (isSilent(member, at)) this.bury(member, at);
      const result = work(at);
      this.#write(at);
      return result;
    });
  }

  /** Marks what the transaction has to write. */
  change(what: 'budget' | 'me'): void {
    this.#unwritten.add(what);
  }

  read(): void {
    const { budget, members } = this.#rows.read();
    if (budget !== undefined && (budget.era !== this.era || budget.version !== this.#version)) {
      this.pacer = this.#makePacer(parseQuietly(budget.memory));
      this.time = new SteadyTime(budget);
      this.era = budget.era;
      this.limited = budget.limited;
      this.#version = budget.version;
      this.#memory = budget.memory;
    }
    this.others = members.filter(({ id }) => id !== this.me.id);
    this.me = members.find(({ id }) => id === this.me.id) ?? newcomer(this.me.id, this.others);
  }

  /** Takes a process out. Its answers will never come, or too late. */
  bury(member: Member, at: number): void {
    for (const ticket of member.tickets) this.pacer.lost(ticket, at);
    if (member.tickets.length > 0) this.change('budget');
    this.#rows.removeMember(member.id);
    if (member.id === this.me.id) this.me = { ...member, tickets: [], seenAtMs: at };
    this.others = this.others.filter(({ id }) => id !== member.id);
  }

  /** Takes away another's place among those who wait; it comes back as soon as it looks. */
  passOver(member: Member): void {
    this.#replace({ ...member, waiting: false });
  }

  /** Begins anew with a pacer. Nobody's tickets are valid any more. */
  beginEra(pacer: Arithmetic): void {
    this.pacer = pacer;
    this.era = randomUUID();
    for (const member of this.others) this.#replace({ ...member, tickets: [] });
    this.me = { ...this.me, tickets: [] };
    this.change('budget');
    this.change('me');
  }

  beginAfresh(): void {
    this.beginEra(this.#makePacer());
  }

  /** A pacer that knows what is known here, the requests of others taken for lost. */
  copyPacer(): Arithmetic {
    const pacer = this.#makePacer(parseQuietly(this.#memory));
    const { lastMs } = this.time.mark();
    for (const { tickets } of this.others) for (const ticket of tickets) pacer.lost(ticket, lastMs);
    return pacer;
  }

  close(): void {
    this.#rows.close();
  }

  #replace(member: Member): void {
    this.#rows.writeMember(member);
    this.others = this.others.map((other) => (other.id === member.id ? member : other));
  }

  #write(at: number): void {
    if (this.#unwritten.has('budget')) {
      const { era, limited } = this;
      const version = this.#version + 1;
      const memory = JSON.stringify(this.pacer.toJSON());
      this.#rows.writeBudget({ era, version, limited, memory, ...this.time.mark() });
      this.#version = version;
      this.#memory = memory;
    }
    const isQuiet = this.others.length > 0 && at - this.me.seenAtMs >= SIGN_MS;
    if (this.#unwritten.has('me') || isQuiet) {
      this.me = { ...this.me, seenAtMs: at };
      this.#rows.writeMember(this.me);
    }
    this.#unwritten.clear();
  }
}

/** Nobody begins with turns saved up. */
function newcomer(id: string, others: readonly Member[]): Member {
  const taken = others.length === 0 ? 0 : Math.min(...others.map((other) => other.taken));
  return { id, seenAtMs: Number.NEGATIVE_INFINITY, waiting: false, leave: 0, taken, tickets: [] };
}
