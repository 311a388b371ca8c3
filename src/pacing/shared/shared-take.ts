import type { Turn, Wait } from '../ledger.ts';
import { SIGN_MS, type SharedState } from './shared-state.ts';
import { isSilent, takenAtStart, whoGoesFirst } from './shared-turns.ts';

/** How often a process looks whether another one has written, while there is one. */
export const LOOK_MS = 10;
/** The same while there is none. */
const LOOK_ALONE_MS = 1000;
/** Whoever is first gets this long to use its turn; more than a process at work needs to look. */
const TURN_MS = 100;

/** How a process asks for its turn, looking into the file only when something can have changed. */
export class TurnTaker {
  readonly #state: SharedState;
  /** The last no, which holds until `untilMs` unless another process writes. Steady times. */
  #denied: { delayUntilMs: number; untilMs: number; leave: number; wanted: number } | undefined;
  /** Since when another one is first and does not go. */
  #heldSinceMs: number | undefined;

  constructor(state: SharedState) {
    this.#state = state;
  }

  take(now: number, leave: number, wanted: number): Turn {
    const wait = this.#stillDenied(now, leave, wanted);
    if (wait !== undefined) return wait;
    if (this.#state.isNews()) this.#heldSinceMs = undefined;
    return this.#state.transact(now, (at) => this.#take(at, leave, wanted));
  }

  /** To be told of every change that this process makes. */
  forgetNo(): void {
    this.#denied = undefined;
    this.#heldSinceMs = undefined;
  }

  #take(at: number, leave: number, wanted: number): Turn {
    const state = this.#state;
    const delayMs = this.#delayMs(at, leave, wanted);
    if (delayMs <= 0 && this.#isMyTurn(at, leave)) return { ticket: this.#send(at, leave) };
    if (!state.me.waiting || state.me.leave !== leave) {
      const taken = takenAtStart(state.me, state.others, state.pacer.budget(at).limit);
      state.me = { ...state.me, waiting: true, leave, taken };
      state.change('me');
    }
    const delayUntilMs = delayMs <= 0 ? Number.POSITIVE_INFINITY : at + delayMs;
    const untilMs = this.#heldSinceMs === undefined ? delayUntilMs : this.#heldSinceMs + TURN_MS;
    this.#denied = { delayUntilMs, untilMs, leave, wanted };
    return this.#wait(delayUntilMs - at);
  }

  /** A request that nobody waits for holds nobody: what is remembered of it must be wrong. */
  #delayMs(at: number, leave: number, own: number): number {
    const { me, others } = this.#state;
    // How much the others want is not known.
    const wanted = others.some(({ waiting }) => waiting) ? Number.POSITIVE_INFINITY : own;
    const delayMs = this.#state.pacer.delayMs(at, leave, wanted);
    if (Number.isFinite(delayMs) || [me, ...others].some(({ tickets }) => tickets.length > 0)) return delayMs;
    this.#state.beginAfresh();
    return this.#state.pacer.delayMs(at, leave, wanted);
  }

  /** Whoever is first and does not go in its time has to line up anew. */
  #isMyTurn(at: number, leave: number): boolean {
    const { me, pacer } = this.#state;
    const rules = {
      limit: pacer.budget(at).limit,
      mayGo: (theirs: number) => pacer.delayMs(at, theirs) <= 0,
    };
    for (;;) {
      const first = whoGoesFirst({ ...me, leave }, this.#state.others, rules);
      if (first === undefined) return true;
      this.#heldSinceMs ??= at;
      if (at - this.#heldSinceMs < TURN_MS) return false;
      this.#state.passOver(first);
    }
  }

  #send(at: number, leave: number): number {
    const state = this.#state;
    const ticket = state.pacer.sent(at);
    const { me } = state;
    state.me = { ...me, waiting: false, leave, taken: me.taken + 1, tickets: [...me.tickets, ticket] };
    state.change('budget');
    state.change('me');
    this.forgetNo();
    return ticket;
  }

  /** The last no, as long as nothing can have changed it. */
  #stillDenied(now: number, leave: number, wanted: number): Wait | undefined {
    const { me, others, time } = this.#state;
    if (this.#denied === undefined || this.#state.isNews()) return undefined;
    // The last few may go at once where many would be spread.
    if (this.#denied.leave !== leave || wanted < this.#denied.wanted) return undefined;
    const at = time.at(now);
    if (at >= this.#denied.untilMs || others.some((member) => isSilent(member, at))) return undefined;
    if (others.length > 0 && at - me.seenAtMs >= SIGN_MS) return undefined;
    return this.#wait(this.#denied.delayUntilMs - at);
  }

  /** While this process is alone, only its own answers end a wait for one. */
  #wait(delayMs: number): Wait {
    if (this.#state.others.length > 0) return { delayMs, againMs: LOOK_MS };
    return { delayMs, againMs: Number.isFinite(delayMs) ? LOOK_ALONE_MS : Number.POSITIVE_INFINITY };
  }
}
