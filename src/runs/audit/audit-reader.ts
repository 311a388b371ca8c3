import { EventregError, isCalledOff } from '../../errors.ts';
import { claimedBarcodes, countClaimed } from '../journal/audit-rows.ts';
import { type ListReading, readListed } from '../listed/read-listed.ts';
import type { SendContext } from '../journal/send-context.ts';
import { SECOND_LOOK_MS, waitUntil } from '../listed/wait-until.ts';

/** The service could not be read; the message is a clause. */
export class UnreadError extends Error {}

/** Reads what the service lists for the rows of a run, one reading at a time. */
export class AuditReader {
  readonly #context: SendContext;
  #reading: ListReading | undefined;

  constructor(context: SendContext) {
    this.#context = context;
  }

  /** Reads the rows that are left to be looked for, or those with some numbers. The reading before is forgotten. */
  async read(wish: { count: number; whole: boolean; only?: readonly number[] }): Promise<ListReading> {
    const { journal, run } = this.#context;
    const { count, whole, only } = wish;
    try {
      const reading = await readListed(this.#context, {
        barcodes: () => claimedBarcodes(journal, run, only),
        count,
        whole,
      });
      this.close();
      this.#reading = reading;
      return reading;
    } catch (error) {
      if (isCalledOff(error)) throw error;
      if (!this.#context.stopping.aborted && !(error instanceof EventregError)) throw error;
      throw new UnreadError((error as Error).message.replace(/\.$/, ''), { cause: error });
    }
  }

  /** Reads some rows once nothing of them can be listed late any more. */
  async readLate(seqs: readonly number[]): Promise<ListReading> {
    const { clock, limits } = this.#context;
    const now = clock.now();
    const landedMs = Math.min(lastDone(this.#context, seqs), now) + limits.settleMs;
    await this.#wait(Math.max(now + SECOND_LOOK_MS, landedMs));
    return await this.readOnly(seqs);
  }

  async readOnly(seqs: readonly number[]): Promise<ListReading> {
    const { journal, run } = this.#context;
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

  /** Forgets what was read. */
  close(): void {
    this.#reading?.listed.clear();
    this.#reading = undefined;
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
