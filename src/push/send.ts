import { GaveUpError, InterruptedError, ServiceError } from '../errors.ts';
import type { Clock } from '../pacing/clock.ts';
import type { BudgetView, Reporter, Tally } from '../report/events.ts';
import type { RegistrationsClient, SendOutcome } from '../service/registrations.ts';
import { judgeConflict } from './compare-found.ts';
import {
  countRows,
  type Journal,
  type QueuedRow,
  queuedRows,
  type RowOutcome,
  writeIntent,
  writeOutcome,
} from './journal.ts';

export interface SendContext {
  journal: Journal;
  run: string;
  registrations: RegistrationsClient;
  clock: Clock;
  reporter: Reporter;
  /** Aborts on Ctrl-C: what is under way is finished, nothing new is begun. */
  stopping: AbortSignal;
  budget: () => BudgetView;
  /** Ends the waiting of requests that have not left: nothing more is to be sent. */
  halt: () => void;
}

/** Requests that may be under way at once; the pacer lets fewer go when the budget is small. */
const WORKERS = 8;
/** When this many rows are refused alike before one succeeds, the rest would be too. */
const ALIKE = 20;
/** When this many rows in a row end uncertain, the service is in no state to take any. */
const UNCERTAIN_IN_A_ROW = 20;

/** Sends every pending row, parents before members. Returns what stopped it, if anything did. */
export async function sendPending(context: SendContext): Promise<Error | undefined> {
  const state = new Sending(context);
  for (const depth of pendingDepths(context)) {
    if (blockOrphanedMembers(context, depth) > 0) state.recount();
    const queue = rowsOfDepth(context, depth);
    await Promise.all(Array.from({ length: WORKERS }, () => state.work(queue)));
    if (state.halted) break;
  }
  return state.error;
}

function pendingDepths({ journal, run }: SendContext): number[] {
  return journal
    .all<{ depth: number }>(
      `SELECT DISTINCT depth FROM row WHERE run = $run AND state = 'pending' ORDER BY depth`,
      {
        $run: run,
      },
    )
    .map((row) => row.depth);
}

/** Pending rows of one depth, read a page at a time. Shared by all workers: each row is taken once. */
function* rowsOfDepth({ journal, run }: SendContext, depth: number): Generator<QueuedRow> {
  for (let after = -1; ; ) {
    const page = queuedRows(journal, run, 'pending', { depth, after, limit: 200 });
    const last = page.at(-1);
    if (last === undefined) return;
    yield* page;
    after = last.seq;
  }
}

/** Members whose parent did not get through are not sent, and say why. Returns how many. */
function blockOrphanedMembers({ journal, run, clock }: SendContext, depth: number): number {
  if (depth === 0) return 0;
  return journal.run(
    `UPDATE row SET state = 'blocked', done_at = $now, message = (
       SELECT 'its parent (' || parent.file || ':' || coalesce(parent.sheet || ':', '') || parent.line || ') did not get through: '
         || coalesce(parent.message, 'it is ' || parent.state)
       FROM row AS parent WHERE parent.run = $run AND parent.barcode = row.parent_barcode)
     WHERE run = $run AND state = 'pending' AND depth = $depth AND EXISTS (
       SELECT 1 FROM row AS parent WHERE parent.run = $run AND parent.barcode = row.parent_barcode
         AND parent.state NOT IN ('done', 'accepted', 'unchanged'))`,
    { $run: run, $depth: depth, $now: clock.now() },
  );
}

/** The tally of a run as the journal has it. */
export function readTally(journal: Journal, run: string): Tally {
  const counts = countRows(journal, run);
  const sent = counts.done + counts.accepted;
  const failed = counts.failed + counts.conflict;
  const open = counts.pending + counts.sending;
  return {
    total: sent + failed + open + counts.uncertain + counts.blocked,
    sent,
    failed,
    uncertain: counts.uncertain,
    notSent: counts.blocked,
  };
}

class Sending {
  readonly #context: SendContext;
  #tally: Tally;
  error: Error | undefined;
  #firstFailure: string | undefined;
  #failedAlike = 0;
  /** True once a row got through, or was refused for another reason than the first. */
  #differ = false;
  #uncertainInARow = 0;

  constructor(context: SendContext) {
    this.#context = context;
    this.#tally = readTally(context.journal, context.run);
  }

  get halted(): boolean {
    return this.error !== undefined || this.#context.stopping.aborted;
  }

  /** Takes the tally from the journal again, after rows were changed there. */
  recount(): void {
    this.#tally = readTally(this.#context.journal, this.#context.run);
  }

  /** Takes rows from the queue until it is empty or the run halts. */
  async work(queue: Generator<QueuedRow>): Promise<void> {
    while (!this.halted) {
      try {
        const next = queue.next();
        if (next.done) return;
        await this.#sendRow(next.value);
      } catch (error) {
        this.#halt(error);
      }
    }
  }

  #halt(error: unknown): void {
    this.error ??= error instanceof Error ? error : new Error(String(error));
    this.#context.halt();
  }

  async #sendRow(row: QueuedRow): Promise<void> {
    const { journal, run, registrations, clock } = this.#context;
    let intended = false;
    const intend = (): void => {
      // Whatever halted the run while this row waited holds for it too.
      if (this.error !== undefined) throw new InterruptedError();
      writeIntent(journal, run, row.seq, clock.now());
      intended = true;
    };
    let outcome: SendOutcome;
    try {
      outcome = await registrations.send(row.registration, intend);
    } catch (error) {
      this.#halt(error);
      if (!intended) return;
      // Broken off while waiting: what left before was refused unprocessed. Anything else says nothing.
      const waiting = error instanceof InterruptedError || error instanceof GaveUpError;
      this.#write(row, waiting ? { state: 'pending' } : { state: 'uncertain', message: String(error) });
      return;
    }
    await this.#settle(row, outcome);
  }

  async #settle(row: QueuedRow, outcome: SendOutcome): Promise<void> {
    switch (outcome.kind) {
      case 'stopped':
        this.#halt(outcome.error);
        this.#write(row, { state: 'pending' });
        return;
      case 'uncertain':
        if (outcome.stop !== undefined) this.#halt(outcome.stop);
        this.#finish(row, { state: 'uncertain', status: outcome.status, message: outcome.message });
        return;
      case 'conflict':
        this.#finish(row, await judgeConflict(this.#context.registrations, row, outcome));
        return;
      case 'failed':
        this.#finish(row, { state: 'failed', status: outcome.status, message: outcome.message });
        this.#stopWhenAllFailAlike(`${outcome.status}: ${outcome.message}`);
        return;
      case 'accepted':
        this.#finish(row, { state: 'accepted', status: outcome.status });
        return;
      case 'done':
        this.#finish(row, {
          state: 'done',
          status: outcome.status,
          remoteId: outcome.id,
          action: outcome.action,
        });
    }
  }

  #stopWhenAllFailAlike(failure: string): void {
    this.#firstFailure ??= failure;
    if (failure !== this.#firstFailure) this.#differ = true;
    this.#failedAlike += 1;
    if (this.#differ || this.#failedAlike < ALIKE) return;
    this.#halt(
      new ServiceError(
        `The first ${ALIKE} rows were all refused alike, so the rest was not tried: ${failure}`,
        {
          hint: 'Mend the cause and run the same command again.',
        },
      ),
    );
  }

  #stopWhenAllAreUncertain({ state, message }: RowOutcome): void {
    this.#uncertainInARow = state === 'uncertain' ? this.#uncertainInARow + 1 : 0;
    if (this.#uncertainInARow < UNCERTAIN_IN_A_ROW) return;
    this.#halt(
      new ServiceError(
        `${UNCERTAIN_IN_A_ROW} rows one after the other got no certain answer, so the rest was not tried: ${message}`,
        { hint: 'Run the same command again when the service is well.' },
      ),
    );
  }

  #write({ seq }: QueuedRow, outcome: RowOutcome): void {
    const { journal, run, clock } = this.#context;
    writeOutcome(journal, run, seq, outcome, clock.now());
  }

  /** Writes the outcome first, and reports it only when it is on the disk. */
  #finish(row: QueuedRow, outcome: RowOutcome): void {
    this.#write(row, outcome);
    if (outcome.state === 'done' || outcome.state === 'accepted') {
      this.#tally.sent += 1;
      this.#differ = true;
    } else if (outcome.state === 'uncertain') this.#tally.uncertain += 1;
    else this.#tally.failed += 1;
    this.#stopWhenAllAreUncertain(outcome);
    const { reporter, budget } = this.#context;
    reporter.report({ type: 'sending', tally: { ...this.#tally }, budget: budget() });
  }
}
