import { InterruptedError } from '../../errors.ts';
import { type RowState, SENT, UNANSWERED } from '../../registration/model/row-states.ts';
import type { Tally } from '../../report/views/events.ts';
import type { RowOutcome } from '../decide/judge-found.ts';
import type { Journal } from '../journal/journal.ts';
import { countTried } from '../journal/queued-rows.ts';
import { blockOrphanedMembers, depthsOf, hasWaiting } from '../journal/rows-to-send.ts';
import type { SendContext } from '../journal/send-context.ts';
import { tellOutcome } from '../journal/told-rows.ts';
import type { LookWish } from './looks.ts';
import { Crew, Queue, STEPS, WaitedTooLongError } from './queue.ts';
import { type AnsweredRow, askForRow } from './send-row.ts';
import { type Answered, StopRules } from './stop-rules.ts';

/** As long as all rows may be refused alike, no more are under way at once. */
const WORKERS_AT_FIRST = 8;

/**
 * Sends every pending row, parents before members, and the first of each kind alone. `wish`: how updates are looked at
 * again right before they are sent; undefined: they are not. Throws what stopped it, once all that is under way has
 * ended.
 */
export async function performAll(context: SendContext, wish?: LookWish): Promise<void> {
  const { journal, run, clock } = context;
  const state = new Sending(context);
  for (const depth of depthsOf(journal, run)) {
    blockOrphanedMembers(journal, run, depth, clock.now());
    const queue = new Queue(context, depth, wish);
    await goFirst(context, queue, state.judge);
    // They change rows that are not sent below.
    state.recount();
    await performStepwise(context, queue, state);
    if (state.halted) break;
  }
  if (state.error !== undefined) throw state.error;
}

/** What shows the way for others goes alone; what looks at it is loaded only where there is any. */
async function goFirst(context: SendContext, queue: Queue, judge: Sending['judge']): Promise<void> {
  const { journal, run } = context;
  if (!hasWaiting(journal, run, 'update') && !hasWaiting(journal, run, 'create')) return;
  const { sendFirsts } = await import('./go-first.ts');
  await sendFirsts(context, { lookedAt: (row) => queue.lookedAt(row), judge });
}

/** Some of what may do harm, then more, each time after a look at those before. */
async function performStepwise(context: SendContext, queue: Queue, state: Sending): Promise<void> {
  for (let step = 0; step <= STEPS.length; step += 1) {
    await state.work(state.workers, () => state.next(queue));
    if (state.halted || queue.isEmpty) return;
    const { lookAtStep } = await import('./look-back.ts');
    await lookAtStep(context, queue.nextStep(), queue.looks);
    state.recount();
  }
}

/** The tally of a run as the journal has it. */
export function readTally(journal: Journal, run: string): Tally {
  const counts = countTried(journal, run);
  const sum = (...states: RowState[]): number =>
    states.reduce((total, state) => total + (counts.get(state) ?? 0), 0);
  const [sent, open, failed] = [sum(...SENT), sum(...UNANSWERED), sum('failed') + sum('conflict')];
  const [uncertain, notSent] = [sum('uncertain'), sum('blocked')];
  return { total: sent + failed + open + uncertain + notSent, sent, failed, uncertain, notSent };
}

class Sending extends Crew {
  readonly #rules: StopRules;
  #tally: Tally;

  constructor(context: SendContext) {
    super(context);
    this.#tally = readTally(context.journal, context.run);
    const { maxFailures } = context.limits;
    this.#rules = new StopRules({ what: 'row', maxFailures, total: () => this.#tally.total });
  }

  /** Takes the tally from the journal again, after rows were changed there. */
  recount(): void {
    this.#tally = readTally(this.context.journal, this.context.run);
  }

  /** How many rows should be under way at once. */
  readonly workers = (): number => {
    const wanted = this.context.limits.workers();
    return this.#rules.differ ? wanted : Math.min(WORKERS_AT_FIRST, wanted);
  };

  /** Sends the next row, and draws its conclusions; undefined when there is none. */
  async next(queue: Queue): Promise<{ told: Promise<void> } | undefined> {
    const answered = await this.#sendNext(queue);
    return answered && { told: this.#book(answered) };
  }

  /** One that waited too long is put back, and may be the next. */
  async #sendNext(queue: Queue): Promise<AnsweredRow | undefined> {
    while (!this.halted) {
      const row = await queue.next();
      if (row === undefined) break;
      // Whatever halted the run while a row waited holds for it too.
      const whyNot = (): Error | undefined => (this.halted ? new InterruptedError() : queue.whyNot(row));
      const answered = await askForRow(this.context, row, whyNot);
      if (!(answered.stop instanceof WaitedTooLongError)) return answered;
      queue.putBack(row);
    }
    return undefined;
  }

  /**
   * Draws the conclusions from an answer at once, so that no further row leaves against them, and tells of it
   * when it is on the disk. The next row need not wait for that: its intent comes after this outcome.
   */
  async #book({ seq, outcome, stop, written }: AnsweredRow): Promise<void> {
    if (stop !== undefined) this.halt(stop);
    const settled = outcome?.state === 'pending' ? undefined : outcome;
    const halts = settled && this.judge(settled);
    if (halts !== undefined) this.halt(halts);
    try {
      await written;
      if (settled !== undefined) this.#report(seq, settled);
    } catch (error) {
      // A disk that fails is worse than whatever else has stopped the run.
      this.error = undefined;
      this.halt(error);
    }
  }

  /** Counts an outcome. Returns why the rest would fare no better; undefined where it may. */
  readonly judge = (outcome: RowOutcome): Error | undefined => this.#rules.book(answeredOf(outcome));

  /** Counts an outcome that is on the disk, and tells of it. */
  #report(seq: number, { state }: RowOutcome): void {
    if (SENT.has(state)) this.#tally.sent += 1;
    else if (state === 'uncertain') this.#tally.uncertain += 1;
    else this.#tally.failed += 1;
    const { reporter, budget } = this.context;
    tellOutcome(this.context, seq);
    reporter.report({ type: 'sending', tally: { ...this.#tally }, budget });
  }
}

/** A row in conflict says something about one registration, not about all. */
function answeredOf({ state, status, message }: RowOutcome): Answered {
  if (SENT.has(state)) return { kind: 'taken' };
  if (state === 'uncertain') return { kind: 'uncertain', message };
  const failure = `${status}: ${message}`;
  return { kind: 'refused', message: failure, cause: state === 'conflict' ? undefined : failure };
}
