import { among, DELETION_ENDED, IN_DOUBT, OFF_THE_LIST } from '../../registration/model/row-states.ts';
import { InterruptedError } from '../../errors.ts';
import { nameInPath } from './delete-name.ts';
import { readFailure, readRemoval, stopOf } from './delete-outcome.ts';
import { countIn } from '../../sync/journal/queued-rows.ts';
import { type DeleteRow, deletions } from '../../sync/journal/delete-rows.ts';
import { type Answered, StopRules } from '../../sync/perform/stop-rules.ts';
import { type DeletionOf, writeDeletionIntent, writeDeletionOutcome } from './delete-writing.ts';
import type { RowOutcome } from '../../sync/decide/judge-found.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';
import { tellOutcome } from '../../sync/journal/tell-outcomes.ts';
import { workTogether } from '../../sync/perform/workers.ts';

export interface DeletePendingOptions {
  /** A parent is kept when one of its members could not be deleted; else it goes all the same. */
  keepParents: boolean;
  /** Number of the one row to delete; undefined: all. */
  only?: number;
  /** Told of each registration once its fate is on the disk. */
  onRow?: (row: DeleteRow, outcome: RowOutcome) => Promise<void> | void;
}

/**
 * Deletes what a run has on its list and has not deleted yet, members before their parents. What an
 * interrupted process was about to delete is asked for again: that it is gone then was our doing.
 * Ends early without an error on Ctrl-C. Throws what stopped it, once all that is under way has ended.
 */
export async function deletePending(context: SendContext, options: DeletePendingOptions): Promise<void> {
  const { journal, run, limits } = context;
  reopen(context);
  const state = new Deleting(context, options);
  for (const depth of depthsOf(context)) {
    if (options.keepParents) await state.skipParents(depth);
    const queue = deletions(journal, run, { states: ['pending'], depth, seq: options.only });
    await workTogether(limits.workers, (goesOn) => state.work(queue, goesOn));
    if (state.halted) break;
  }
  if (state.error !== undefined) throw state.error;
}

function reopen({ journal, run }: SendContext): void {
  journal.run(
    `UPDATE row SET state = 'pending', message = NULL
     WHERE run = $run AND op = 'delete' AND state ${among([...IN_DOUBT, 'blocked', 'postponed'])}`,
    { run },
  );
}

/** Deepest first. */
function depthsOf({ journal, run }: SendContext): number[] {
  return journal
    .all<{ depth: number }>(
      `SELECT DISTINCT depth FROM row WHERE run = $run AND state = 'pending' AND op = 'delete' ORDER BY depth DESC`,
      { run },
    )
    .map((row) => row.depth);
}

class Deleting {
  readonly #context: SendContext;
  readonly #onRow: DeletePendingOptions['onRow'];
  readonly #rules: StopRules;
  readonly #total: number;
  #done: number;
  error: Error | undefined;

  constructor(context: SendContext, { onRow }: DeletePendingOptions) {
    const { journal, run, limits } = context;
    const open = countIn(journal, run, ['pending'], 'delete');
    this.#context = context;
    this.#onRow = onRow;
    this.#done = countIn(journal, run, DELETION_ENDED, 'delete');
    this.#total = this.#done + open;
    this.#rules = new StopRules({ what: 'deletion', maxFailures: limits.maxFailures, total: () => open });
  }

  get halted(): boolean {
    return this.error !== undefined || this.#context.stopping.aborted;
  }

  /** Parents with a member that is still there are left where they are, and say why. */
  async skipParents(depth: number): Promise<void> {
    const { journal, run } = this.#context;
    for (const row of deletions(journal, run, { states: ['pending'], depth })) {
      const member = row.barcode === undefined ? undefined : this.#memberLeft(row.barcode);
      if (member === undefined) continue;
      const message = `its member (registration ${member}) is still there`;
      await this.#finish(row, { state: 'blocked', message });
    }
  }

  #memberLeft(barcode: string): string | undefined {
    const { journal, run } = this.#context;
    return journal.get<{ id: string }>(
      `SELECT remote_id AS id FROM row WHERE run = $run AND parent_barcode = $barcode AND op = 'delete'
         AND barcode IS NOT $barcode AND state NOT ${among([...OFF_THE_LIST, 'pending'])} LIMIT 1`,
      { run, barcode },
    )?.id;
  }

  /** Takes registrations from the queue until it is empty, the run halts, or others are enough. */
  async work(queue: Generator<DeleteRow>, goesOn: () => boolean): Promise<void> {
    while (!this.halted) {
      try {
        if (!goesOn()) return;
        const next = queue.next();
        if (next.done) return;
        await this.#remove(next.value);
      } catch (error) {
        this.#halt(error);
      }
    }
  }

  async #remove(row: DeleteRow): Promise<void> {
    const { registrations } = this.#context;
    const name = nameInPath(registrations, row.before) ?? row.id;
    let intended: string | undefined;
    const intend = (requestId: string): void => {
      // Whatever halted the run while this row waited holds for it too.
      if (this.error !== undefined) throw new InterruptedError();
      writeDeletionIntent(this.#about(), row, requestId);
      intended = requestId;
    };
    let outcome: RowOutcome;
    try {
      outcome = readRemoval(row, await registrations.remove(name, intend));
    } catch (error) {
      const stop = stopOf(error);
      if (stop !== undefined) this.#halt(stop);
      if (intended === undefined) return;
      outcome = { requestId: intended, ...readFailure(error) };
    }
    await this.#finish(row, outcome);
  }

  #about(): DeletionOf {
    const { journal, run, target, clock } = this.#context;
    return { journal, run, service: target.service, now: clock.now() };
  }

  #halt(error: unknown): void {
    this.error ??= error instanceof Error ? error : new Error(String(error));
    this.#context.halt();
  }

  /** Writes the outcome first, and tells of it only when it is on the disk. */
  async #finish(row: DeleteRow, outcome: RowOutcome): Promise<void> {
    writeDeletionOutcome(this.#about(), row, outcome);
    if (outcome.state === 'pending') return;
    this.#done += 1;
    const { reporter, budget } = this.#context;
    tellOutcome(this.#context, row.seq);
    reporter.report({ type: 'deleting', done: this.#done, total: this.#total, budget: budget() });
    const stop = outcome.state === 'blocked' ? undefined : this.#rules.book(answeredOf(row, outcome));
    if (stop !== undefined) this.#halt(stop);
    await this.#onRow?.(row, outcome);
  }
}

/** The id is all that differs between two refusals of one kind. */
function answeredOf({ id }: DeleteRow, { state, message = '' }: RowOutcome): Answered {
  if (state === 'uncertain') return { kind: 'uncertain', message };
  if (state !== 'failed') return { kind: 'taken' };
  return { kind: 'refused', message, cause: message.replaceAll(id, '…') };
}
