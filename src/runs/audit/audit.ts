import { MAY_BE_DELETED } from '../../registration/model/row-states.ts';
import type { AuditResult } from '../../report/views/summary-view.ts';
import { AuditFindings, type AuditOptions, isOpen } from './audit-findings.ts';
import { AuditReader, UnreadError } from './audit-reader.ts';
import { claimedRows, countClaimed } from '../../sync/journal/audit-rows.ts';
import { countIn } from '../../sync/journal/queued-rows.ts';
import type { ListReading } from '../../sync/snapshot/read-listed.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';
import { CHEAP_PAGES } from '../../sync/snapshot/read-now.ts';

/**
 * Reads back the rows of a run that the service is said to hold, and holds them against what was sent, and what
 * was not sent against what it was before. Rows that are not there, or that may be listed late, are looked for once
 * more after the time that a list may lag behind. Nothing is sent again: who has changed a value since it was sent
 * cannot be told. What it finds wrong is kept with the row, and what it cannot read is told, not thrown: nothing that
 * was sent depends on it. Throws as the journal does, and GaveUpError or GuardError: whoever limited the requests is to
 * know that it was not enough.
 */
export async function auditRun(context: SendContext, options: AuditOptions): Promise<AuditResult> {
  const audit = new Audit(context, options);
  let skipped: string | undefined;
  try {
    await audit.run();
  } catch (error) {
    if (!(error instanceof UnreadError)) throw error;
    skipped = context.stopping.aborted ? 'it was interrupted' : error.message;
  }
  return audit.findings.tally.result(skipped);
}

class Audit {
  readonly findings: AuditFindings;
  readonly #context: SendContext;
  readonly #reader: AuditReader;
  readonly #before: ListReading | undefined;

  constructor(context: SendContext, options: AuditOptions) {
    this.#context = context;
    this.#before = options.before;
    this.findings = new AuditFindings(context, options);
    this.#reader = new AuditReader(context);
  }

  async run(): Promise<void> {
    const { journal, run, limits } = this.#context;
    const before = this.#before;
    const { barcodes, others } = countClaimed(journal, run);
    const deleted = countIn(journal, run, MAY_BE_DELETED, 'delete');
    if (barcodes + others + deleted === 0) return;
    // Rows without a barcode, and what has come in or gone meanwhile, show only in the whole list.
    const useful = others > 0 || before?.how === 'list';
    const pages = useful ? Math.max(CHEAP_PAGES, Math.ceil((barcodes + others + deleted) / 10)) : 0;
    const first = await this.#reader.read({ count: Math.max(barcodes, pages), whole: false });
    const again = this.#judgeRows(first, { last: limits.settleMs === 0 });
    this.findings.noteStrangers(first);
    const last = again.length > 0 ? await this.#lookAgain(again) : first;
    if (again.length > 0) this.findings.noteStrangers(last);
    this.findings.prove(last.total);
  }

  /**
   * Writes what is found of each row. Returns the numbers of the rows that may look otherwise once the list
   * has caught up, of which nothing is written; `last`: of none.
   */
  #judgeRows(reading: ListReading, { last, only }: { last: boolean; only?: readonly number[] }): number[] {
    const { journal, run } = this.#context;
    const find = this.findings.finder(reading);
    const again: number[] = [];
    for (const page of claimedRows(journal, run, only)) {
      journal.transaction(() => {
        for (const row of page) {
          const finding = find(row);
          if (!last && isOpen(row, finding)) again.push(row.seq);
          else this.findings.finish(reading, row, finding);
        }
      });
    }
    return again;
  }

  /** Looks once more for some rows, after the time that a list may lag behind. */
  async #lookAgain(again: readonly number[]): Promise<ListReading> {
    const reading = await this.#reader.readLate(again);
    this.#judgeRows(reading, { last: true, only: again });
    return reading;
  }
}
