import { EventregError, isCalledOff } from '../../errors.ts';
import { claimedBarcodes, countClaimed } from '../../sync/journal/audit-rows.ts';
import { type ListReading, readListed } from '../../sync/snapshot/read-listed.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';
import { SECOND_LOOK_MS, waitUntil } from '../../sync/snapshot/wait-until.ts';

/** The service could not be read; the message is a clause. */
export class UnreadError extends Error {}

/** Reads what the service lists for the rows of a run. */
export class AuditReader {
  readonly #context: SendContext;

  constructor(context: SendContext) {
    this.#context = context;
  }

  /** Reads the rows that are left to be looked for, or those with some numbers. */
  async read(wish: { count: number; whole: boolean; only?: readonly number[] }): Promise<ListReading> {
    const { journal, run } = this.#context;
    const { count, whole, only } = wish;
    try {
      const barcodes = (): Iterable<string> => claimedBarcodes(journal, run, only);
      return await readListed(this.#context, { barcodes, count, whole });
    } catch (error) {
      if (isCalledOff(error)) throw error;
      if (!this.#context.stopping.aborted && !(error instanceof EventregError)) throw error;
      throw new UnreadError((error as Error).message.replace(/\.$/, ''), { cause: error });
    }
  }

  /** Reads some rows once nothing of them can be listed late any more. */
  async readLate(seqs: readonly number[]): Promise<ListReading> {
    const { journal, run, clock, limits } = this.#context;
    const now = clock.now();
    const landedMs = Math.min(lastDone(this.#context, seqs), now) + limits.settleMs;
    await this.#wait(Math.max(now + SECOND_LOOK_MS, landedMs));
    const { barcodes, others } = countClaimed(journal, run, seqs);
    return await this.read({ count: barcodes, whole: others > 0, only: seqs });
  }

  async #wait(untilMs: number): Promise<void> {
    try {
      await waitUntil(this.#context, untilMs);
    } catch (error) {
      throw this.#context.stopping.aborted ? new UnreadError('it was interrupted', { cause: error }) : error;
    }
  }
}

/** When the last of some rows was said to be done, in milliseconds since 1970. */
function lastDone({ journal, run }: SendContext, seqs: readonly number[]): number {
  const row = journal.get<{ at?: number }>(
    `SELECT max(done_at) AS at FROM row WHERE run = $run AND seq IN (SELECT value FROM json_each($seqs))`,
    { run, seqs: JSON.stringify(seqs) },
  );
  return row?.at ?? 0;
}
