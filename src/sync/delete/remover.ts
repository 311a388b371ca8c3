import { EventregError, EXIT, InterruptedError, SharedStateError } from '../../errors.ts';
import { DELETION_ENDED, OFF_THE_LIST } from '../../registration/model/row-states.ts';
import { TransportError } from '../../service/http/http.ts';
import { type Removal, RemovalError } from '../../service/remove-registration.ts';
import type { RowOutcome } from '../decide/judge-found.ts';
import { depthsAmong } from '../journal/rows-to-send.ts';
import { Lookup } from '../../registration/model/maps.ts';
import { type DeleteRow, deletions, writeDeletionOutcome } from '../journal/delete-rows.ts';
import { writeIntent } from '../journal/queued-rows.ts';
import type { SendContext } from '../journal/send-context.ts';
import { tellOutcome } from '../journal/told-rows.ts';
import { type Answered, StopRules } from '../perform/stop-rules.ts';
import { Crew } from '../perform/queue.ts';
import { type BarcodeWord, nameInPath, wordForBarcodes } from './names.ts';

export interface RemoverOptions {
  /** A parent is kept when one of its members could not be deleted; else it goes all the same. */
  keepParents: boolean;
}

/** Deletes what a run has on its list. */
export class Remover extends Crew {
  /** All deletions of the run, with what has become of them. */
  readonly rows: readonly DeleteRow[];
  readonly word: BarcodeWord;
  readonly #options: RemoverOptions;
  readonly #rules: StopRules;
  readonly #members = new Lookup<string, DeleteRow>();
  #done: number;

  constructor(context: SendContext, options: RemoverOptions) {
    super(context);
    const { journal, run, limits } = context;
    this.rows = deletions(journal, run);
    this.word = wordForBarcodes(context);
    this.#options = options;
    for (const row of this.rows)
      if (row.parentBarcode !== row.barcode) this.#members.add(row.parentBarcode, row);
    this.#done = this.rows.filter(({ state }) => DELETION_ENDED.has(state)).length;
    const open = this.pending.length;
    this.#rules = new StopRules({ what: 'deletion', maxFailures: limits.maxFailures, total: () => open });
  }

  get pending(): DeleteRow[] {
    return this.rows.filter(({ state }) => state === 'pending');
  }

  /** Deletes all that is left, members first. Ends early on Ctrl-C. Throws what stopped it, once nothing is under way. */
  async removeAll(): Promise<void> {
    for (const layer of membersFirst(this.pending)) {
      if (this.#options.keepParents) this.#keepParents(layer);
      const queue = layer.filter(({ state }) => state === 'pending').values();
      await this.work(this.context.limits.workers, async () => {
        const { value: row } = queue.next();
        if (row !== undefined) await this.#remove(row);
        return row && {};
      });
      if (this.halted) break;
    }
    if (this.error !== undefined) throw this.error;
  }

  /** Deletes one alone. Returns what became of it; undefined where it was not asked for. Throws what stopped it. */
  async removeOne(row: DeleteRow): Promise<RowOutcome | undefined> {
    const outcome = await this.#remove(row);
    if (this.error !== undefined) throw this.error;
    return outcome;
  }

  /** Parents with a member that is still there are left where they are, and say why. */
  #keepParents(layer: readonly DeleteRow[]): void {
    for (const row of layer) {
      const left = this.#members
        .of(row.barcode)
        .find(({ state }) => state !== 'pending' && !OFF_THE_LIST.has(state));
      if (left === undefined) continue;
      const message = `its member (registration ${left.id}) is still there`;
      this.#finish(row, { state: 'blocked', message });
    }
  }

  async #remove(row: DeleteRow): Promise<RowOutcome | undefined> {
    const name = nameInPath(this.word, row.before) ?? row.id;
    let intended: string | undefined;
    let times = 0;
    const intend = (requestId: string): void => {
      // Whatever halted the run while this row waited holds for it too.
      if (this.error !== undefined) throw new InterruptedError();
      const { journal, run, clock } = this.context;
      writeIntent(journal, run, row.seq, { at: clock.now(), requestId });
      intended = requestId;
      times += 1;
    };
    let outcome: RowOutcome;
    try {
      outcome = readRemoval(row, await this.context.registrations.remove(name, intend));
    } catch (error) {
      const stop = stopOf(error);
      if (stop !== undefined) this.halt(stop);
      if (intended === undefined) return undefined;
      // What others cannot know of has been kept back; an attempt before it was not.
      const isKept = times === 1 && error instanceof SharedStateError;
      outcome = { requestId: intended, ...(isKept ? { state: 'pending' } : readFailure(error)) };
    }
    this.#finish(row, outcome);
    return outcome;
  }

  /** Writes the outcome first, and tells of it only when it is on the disk. */
  #finish(row: DeleteRow, outcome: RowOutcome): void {
    writeDeletionOutcome(this.context, row, outcome, outcome.state === 'blocked' ? 'looked' : undefined);
    row.state = outcome.state;
    if (outcome.state === 'pending') return;
    this.#done += 1;
    const { reporter, budget } = this.context;
    tellOutcome(this.context, row.seq);
    reporter.report({ type: 'deleting', done: this.#done, total: this.rows.length, budget: budget() });
    const stop = outcome.state === 'blocked' ? undefined : this.#rules.book(answeredOf(row, outcome));
    if (stop !== undefined) this.halt(stop);
  }
}

/** Layers that may go side by side, the deepest members first. */
function membersFirst(rows: readonly DeleteRow[]): DeleteRow[][] {
  const layers: DeleteRow[][] = [];
  for (const [row, depth] of depthsAmong(rows)) (layers[depth] ??= []).push(row);
  return layers.filter((layer) => layer !== undefined).reverse();
}

/** What a delete that came to an end says about a registration. */
function readRemoval({ id }: DeleteRow, { result, status, requestId }: Removal): RowOutcome {
  if (result === 'deleted') return { state: 'deleted', status, requestId };
  const message = `Registration ${id} was listed, but the service says that it is not there: look again with \`eventreg list\`.`;
  return { state: 'unchanged', status, requestId, message };
}

/** Set when no other registration should be tried: the next one would fare no better. */
function stopOf(error: unknown): Error | undefined {
  const mayGoOn = error instanceof RemovalError && !error.stop && error.exitCode === EXIT.failed;
  if (mayGoOn && (error.mayBeGone || !(error.cause instanceof TransportError))) return undefined;
  return error instanceof Error ? error : new Error(String(error));
}

/** What an error says about the one registration that was asked for. */
function readFailure(error: unknown): RowOutcome {
  const message = error instanceof Error ? error.message : String(error);
  const requestId = error instanceof RemovalError ? { requestId: error.requestId } : {};
  if (!(error instanceof RemovalError) || error.mayBeGone) {
    // Also when it was broken off while waiting: an earlier attempt may have got through.
    return { state: 'uncertain', message, ...requestId };
  }
  // With a whole answer the service has refused it; without one it was never asked.
  const refused = !error.stop && !(error.cause instanceof TransportError) && error instanceof EventregError;
  return { state: refused ? 'failed' : 'pending', message: refused ? message : undefined, ...requestId };
}

/** The id is all that differs between two refusals of one kind. */
function answeredOf({ id }: DeleteRow, { state, message = '' }: RowOutcome): Answered {
  if (state === 'uncertain') return { kind: 'uncertain', message };
  if (state !== 'failed') return { kind: 'taken' };
  return { kind: 'refused', message, cause: message.replaceAll(id, '…') };
}
