import { EventregError, isCalledOff } from '../errors.ts';
import { fieldsOf, type FieldsOf } from '../registration/field-change.ts';
import type { AuditResult } from '../report/summary-view.ts';
import { findAppeared } from './audit-appeared.ts';
import { findForAudit } from './audit-find.ts';
import { type AuditRow, claimedBarcodes, claimedRows, countClaimed } from './audit-rows.ts';
import { BaseStore } from './base-store.ts';
import { AuditTally } from './audit-tally.ts';
import { RegisteredTwice } from './audit-twice.ts';
import { writeFinding } from './audit-write.ts';
import { type HeldReading, readHeld } from './held.ts';
import { judgeAudit } from './judge-audit.ts';
import { KnownIds } from './known-ids.ts';
import type { OwnWay } from './own-way.ts';
import { NewProof } from './prove-new.ts';
import type { SendContext } from './send-context.ts';
import { SECOND_LOOK_MS } from './settle.ts';
import { CHEAP_PAGES } from './sight.ts';
import { knownUpdateRule } from './update-rule.ts';
import { waitUntil } from './wait-until.ts';

export interface AuditOptions {
  /** What the plan read of the service; undefined when nothing was compared. */
  before: HeldReading | undefined;
}

/**
 * Reads back the rows of a run that the service is said to hold, and holds them against what was sent. Rows
 * that are not there, or not as they were sent, are looked for once more after the time that a list may lag
 * behind. What it finds wrong becomes the state of the row, and what it cannot read is told, not thrown:
 * nothing that was sent depends on it. Throws as the journal does, and GaveUpError or GuardError: whoever
 * limited the requests is to know that it was not enough.
 */
export async function auditRun(context: SendContext, { before }: AuditOptions): Promise<AuditResult> {
  const audit = new Audit(context, before);
  let skipped: string | undefined;
  try {
    await audit.run(before);
  } catch (error) {
    if (!(error instanceof UnreadError)) throw error;
    skipped = context.stopping.aborted ? 'it was interrupted' : error.message;
  } finally {
    audit.close();
  }
  return audit.tally.result(skipped);
}

/** The service could not be read; the message is a clause. */
class UnreadError extends Error {}

class Audit {
  readonly tally = new AuditTally();
  readonly #context: SendContext;
  readonly #fields: FieldsOf;
  readonly #ids: KnownIds;
  readonly #bases: BaseStore;
  readonly #twice: RegisteredTwice;
  readonly #proof: NewProof;
  readonly #ownWays: readonly OwnWay[];
  #reading: HeldReading | undefined;

  constructor(context: SendContext, before: HeldReading | undefined) {
    this.#context = context;
    this.#proof = new NewProof(context, before);
    this.#fields = fieldsOf(context.event);
    this.#ids = new KnownIds(context.journal, context.run);
    this.#twice = new RegisteredTwice(context);
    const { journal, target, clock, event } = context;
    this.#bases = new BaseStore(journal, target, event.endDate);
    const updates = knownUpdateRule(journal, target.service, clock.now()) === 'update';
    this.#ownWays = updates ? ['spelling', 'dropped'] : ['spelling'];
  }

  async run(before: HeldReading | undefined): Promise<void> {
    const { journal, run, limits } = this.#context;
    const { barcodes, others } = countClaimed(journal, run);
    if (barcodes + others === 0) return;
    // Rows without a barcode, and what has come in meanwhile, show only in the whole list.
    const useful = others > 0 || before?.how === 'list';
    const pages = useful ? Math.max(CHEAP_PAGES, Math.ceil((barcodes + others) / 10)) : 0;
    const first = await this.#read({ count: Math.max(barcodes, pages), whole: false });
    const again = this.#judgeRows(first, { last: limits.settleMs === 0 });
    this.#noteAppeared(before, first);
    const last = again.length > 0 ? await this.#lookAgain(again) : first;
    if (again.length > 0) this.#noteAppeared(before, last);
    this.#proof.finish(last.total);
  }

  #noteAppeared(before: HeldReading | undefined, reading: HeldReading): void {
    const { journal, run } = this.#context;
    const ids = findAppeared(journal, run, before, reading);
    if (ids !== undefined) this.tally.appeared(ids.filter((id) => !this.#twice.has(id)));
  }

  /** Reads the rows that are left to be looked for, or those with some numbers. The reading before is forgotten. */
  async #read(wish: { count: number; whole: boolean; only?: readonly number[] }): Promise<HeldReading> {
    const { journal, run } = this.#context;
    const { count, whole, only } = wish;
    try {
      const reading = await readHeld(this.#context, {
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

  /**
   * Writes what is found of each row. Returns the numbers of the rows that may look otherwise once the list
   * has caught up, of which nothing is written; `last`: of none.
   */
  #judgeRows(reading: HeldReading, { last, only }: { last: boolean; only?: readonly number[] }): number[] {
    const { journal, run } = this.#context;
    const again: number[] = [];
    for (const page of claimedRows(journal, run, only)) {
      journal.transaction(() => {
        for (const row of page) if (!this.#judgeRow(reading, row, last)) again.push(row.seq);
      });
    }
    return again;
  }

  /** False when the row has to be looked for again. */
  #judgeRow(reading: HeldReading, row: AuditRow, last: boolean): boolean {
    const search = { reading, ids: this.#ids, fields: this.#fields };
    const found = findForAudit(search, row);
    const { parentsShown } = reading;
    // Before the last look, it may just be listed late.
    const ownWays = last ? this.#ownWays : [];
    const finding = found && judgeAudit({ ...row, found, fields: this.#fields, parentsShown, ownWays });
    if (!last && (finding?.kind === 'missing' || finding?.kind === 'unapplied')) return false;
    this.tally.count(finding);
    if (finding === undefined) return true;
    writeFinding({ ...this.#context, bases: this.#bases }, row, finding, this.#fields);
    if (finding.kind !== 'there') return true;
    this.#proof.see(row, finding.record);
    if (finding.record.id !== undefined) this.#ids.add(finding.record.id, row.seq);
    if (this.#twice.look(search, row)) this.tally.perhapsDoubled();
    return true;
  }

  /** Looks once more for some rows, after the time that a list may lag behind. */
  async #lookAgain(again: readonly number[]): Promise<HeldReading> {
    const { clock, limits } = this.#context;
    const now = clock.now();
    const landedMs = Math.min(lastDone(this.#context, again), now) + limits.settleMs;
    await this.#wait(Math.max(now + SECOND_LOOK_MS, landedMs));
    const { journal, run } = this.#context;
    const { barcodes, others } = countClaimed(journal, run, again);
    const reading = await this.#read({ count: barcodes, whole: others > 0, only: again });
    this.#judgeRows(reading, { last: true, only: again });
    return reading;
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
    this.#reading?.held.clear();
    this.#reading = undefined;
  }
}

/** When the last of some rows was said to be done, in milliseconds since 1970. */
function lastDone({ journal, run }: SendContext, seqs: readonly number[]): number {
  const row = journal.get<{ at: number | null }>(
    `SELECT max(done_at) AS at FROM row WHERE run = $run AND seq IN (SELECT value FROM json_each($seqs))`,
    { $run: run, $seqs: JSON.stringify(seqs) },
  );
  return row?.at ?? 0;
}
