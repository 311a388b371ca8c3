import { type Arithmetic, budgetByClock, type Turn } from '../ledger.ts';
import type { Answer } from '../pacer.ts';
import type { Budget } from '../pacer-state.ts';
import type { SharedState } from './shared-state.ts';
import { TurnTaker } from './shared-take.ts';
import { SteadyTime } from '../steady-time.ts';

/** A request of this process that is under way. */
export interface UnderWay {
  ticket: number;
  /** In which the ticket is valid. */
  era: string | undefined;
  sentAtMs: number;
}

/** One account's budget, spent by all processes of the machine in turns. Throws what SQLite throws. */
export class SharedBudget {
  readonly #state: SharedState;
  readonly #turns: TurnTaker;

  constructor(state: SharedState) {
    this.#state = state;
    this.#turns = new TurnTaker(state);
  }

  /** Whether the service limits its requests; undefined until it has answered. */
  get limited(): boolean | undefined {
    return this.#state.limited;
  }

  get era(): string {
    return this.#state.era;
  }

  take(now: number, leave: number, wanted: number): Turn {
    return this.#turns.take(now, leave, wanted);
  }

  answered(request: UnderWay, now: number, answer: Answer): void {
    this.#settle(request, now, (ticket, at) => {
      this.#state.limited = isLimiting(answer) || (this.#state.limited ?? false);
      this.#state.pacer.answered(ticket, at, answer);
    });
  }

  lost(request: UnderWay, now: number): void {
    this.#settle(request, now, (ticket, at) => this.#state.pacer.lost(ticket, at));
  }

  budget(now: number): Budget {
    if (this.#state.isNews()) {
      this.#state.read();
      this.#turns.forgetNo();
    }
    const { pacer, time } = this.#state;
    return budgetByClock(pacer.budget(time.at(now)), time);
  }

  /** Tells the others that this process is alive. */
  giveSign(now: number): void {
    this.#state.transact(now, () => this.#state.change('me'));
  }

  /** What is known, for a process that goes on alone. */
  copy(): { pacer: Arithmetic; time: SteadyTime } {
    return { pacer: this.#state.copyPacer(), time: new SteadyTime(this.#state.time.mark()) };
  }

  /**
   * Brings in what this process did alone. Unless others have found a limit since, all that it learnt
   * counts, otherwise only its requests under way. Gives these the tickets that are valid here.
   */
  bringIn(now: number, pacer: Arithmetic, underWay: readonly UnderWay[]): number[] {
    const state = this.#state;
    return state.transact(now, () => {
      const isKnown = state.limited === true;
      if (!isKnown) {
        state.beginEra(pacer);
        state.limited = true;
      }
      const { aheadMs } = state.time.mark();
      const tickets = underWay.map((one) =>
        isKnown ? state.pacer.sent(one.sentAtMs + aheadMs) : one.ticket,
      );
      state.me = { ...state.me, tickets: [...state.me.tickets, ...tickets] };
      state.change('budget');
      state.change('me');
      return tickets;
    });
  }

  /** Lets go of the file as it is. */
  abandon(): void {
    this.#state.close();
  }

  /** Takes this process out; its requests that are under way are lost. */
  close(now: number): void {
    try {
      this.#state.transact(now, (at) => this.#state.bury(this.#state.me, at));
    } finally {
      this.#state.close();
    }
  }

  /** What happened to a request of an earlier era is no longer of use. */
  #settle({ ticket, era }: UnderWay, now: number, book: (ticket: number, at: number) => void): void {
    const state = this.#state;
    state.transact(now, (at) => {
      if (era !== state.era) return;
      book(ticket, at);
      state.me = { ...state.me, tickets: state.me.tickets.filter((other) => other !== ticket) };
      state.change('budget');
      state.change('me');
      this.#turns.forgetNo();
    });
  }
}

/** A service that names no limit and refuses nothing has nothing to share. */
export function isLimiting({ refused, limit, remaining }: Answer): boolean {
  return refused || limit !== undefined || remaining !== undefined;
}
