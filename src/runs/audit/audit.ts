import { MAY_BE_DELETED } from '../../registration/model/row-states.ts';
import type { AuditResult } from '../../report/views/summary-view.ts';
import { AuditFindings, type AuditOptions, isOpen } from './audit-findings.ts';
import { AuditReader, UnreadError } from './audit-reader.ts';
import type { ResentRows } from './audit-resend.ts';
import { type AuditRow, claimedRows, countClaimed } from '../journal/audit-rows.ts';
import { asRefused, isOwnDoing, isStillWrong, type WrongRow } from './audit-wrong.ts';
import { countIn } from '../journal/queued-rows.ts';
import type { ListReading } from '../listed/read-listed.ts';
import type { AuditFinding } from '../judge/judge-audit.ts';
import { forgetUpdateRule } from '../journal/learned.ts';
import type { SendContext } from '../journal/send-context.ts';
import { CHEAP_PAGES } from '../listed/read-now.ts';

/**
 * Reads back the rows of a run that the service is said to hold, and holds them against what was sent, and what
 * was not sent against what it was before. Rows that are not there, or not so, are looked for once more after
 * the time that a list may lag behind; those that the service has stored wrongly are sent once more. What it
 * finds wrong is kept with the row, and what it cannot read is told, not thrown: nothing that was sent depends on
 * it. Throws as the journal does, what stops the sending, and GaveUpError or GuardError: whoever limited the
 * requests is to know that it was not enough.
 */
export async function auditRun(context: SendContext, options: AuditOptions): Promise<AuditResult> {
  const audit = new Audit(context, options);
  let skipped: string | undefined;
  try {
    await audit.run();
  } catch (error) {
    if (!(error instanceof UnreadError)) throw error;
    skipped = context.stopping.aborted ? 'it was interrupted' : error.message;
  } finally {
    audit.close();
  }
  return audit.findings.tally.result(skipped);
}

class Audit {
  readonly findings: AuditFindings;
  readonly #context: SendContext;
  /** Rows that the service was seen to store wrongly right after they were sent, by their number. */
  readonly #wrong = new Map<number, WrongRow>();
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
    await this.#resendWrong();
    this.findings.prove(last.total);
  }

  /**
   * Writes what is found of each row. Returns the numbers of the rows that may look otherwise once the list
   * has caught up, of which nothing is written; `last`: of none. Nothing is written either of those that the
   * service has stored wrongly, and that are to be sent again.
   */
  #judgeRows(reading: ListReading, { last, only }: { last: boolean; only?: readonly number[] }): number[] {
    const { journal, run, clock } = this.#context;
    const readAt = clock.now();
    const find = this.findings.finder(reading);
    const again: number[] = [];
    for (const page of claimedRows(journal, run, only)) {
      journal.transaction(() => {
        for (const row of page) {
          const finding = find(row);
          if (this.#noteWrong(reading, { row, finding, readAt }) && last) continue;
          if (isOpen(finding) && !last) again.push(row.seq);
          else this.findings.finish(reading, row, finding);
        }
      });
    }
    return again;
  }

  /** Whether the service has stored the row wrongly: it was seen to right after, and still does. */
  #noteWrong(
    reading: ListReading,
    { row, finding, readAt }: { row: AuditRow; finding: AuditFinding | undefined; readAt: number },
  ): boolean {
    const known = this.#wrong.get(row.seq);
    if (finding?.kind !== 'there' || (known !== undefined && !isStillWrong(known.finding, finding))) {
      this.#wrong.delete(row.seq);
      return false;
    }
    const isOurs = (): boolean =>
      isOwnDoing(row, finding, readAt) &&
      mayBeSentAgain(row, reading) &&
      !this.findings.isOfAnother(row, finding);
    if (known === undefined && !isOurs()) return false;
    this.#wrong.set(row.seq, { row, finding });
    return true;
  }

  close(): void {
    this.#reader.close();
  }

  /** Looks once more for some rows, after the time that a list may lag behind. */
  async #lookAgain(again: readonly number[]): Promise<ListReading> {
    const reading = await this.#reader.readLate(again);
    this.#judgeRows(reading, { last: true, only: again });
    return reading;
  }

  /** Sends once more what the service has stored wrongly, and reads that back. */
  async #resendWrong(): Promise<void> {
    const { journal, target } = this.#context;
    const rows = [...this.#wrong.values()];
    if (rows.length === 0) return;
    const finish = ({ row, finding }: WrongRow): void => {
      const { reading } = this.#reader;
      if (reading !== undefined) journal.transaction(() => this.findings.finish(reading, row, finding));
    };
    const { resendWrong } = await import('./audit-resend.ts');
    await resendWrong(this.#context, rows, {
      finish,
      readBack: async (some) => await this.#readBack(some),
    });
    // Where nothing has changed in spite of two requests, the next update is to be read back before the others.
    if (rows.some(({ finding }) => finding.isOld)) forgetUpdateRule(journal, target.service);
  }

  async #readBack(some: readonly WrongRow[]): Promise<ResentRows> {
    const rows = new Map(some.map((one) => [one.row.seq, one]));
    const seen = { mended: 0, doubled: 0 };
    const { limits } = this.#context;
    const first = await this.#reader.readOnly([...rows.keys()]);
    const open = this.#judgeResent(first, rows, { seen, last: limits.settleMs === 0 });
    if (open.length === 0) return seen;
    const late = await this.#reader.readLate(open);
    this.#judgeResent(late, rows, { seen, last: true, only: open });
    return seen;
  }

  /** Returns the numbers of the rows that may look otherwise later; `last`: of none. */
  #judgeResent(
    reading: ListReading,
    rows: ReadonlyMap<number, WrongRow>,
    { seen, last, only = [...rows.keys()] }: { seen: ResentRows; last: boolean; only?: readonly number[] },
  ): number[] {
    const { journal, run } = this.#context;
    const find = this.findings.finder(reading);
    const open: number[] = [];
    journal.transaction(() => {
      for (const claimed of [...claimedRows(journal, run, only)].flat()) {
        const known = rows.get(claimed.seq);
        // It was read once more before it was sent again; what it was before that stays what was not sent.
        const row = { ...claimed, before: known?.row.before ?? claimed.before };
        const finding = find(row);
        if (isOpen(finding) && !last) {
          open.push(row.seq);
          continue;
        }
        const isSame =
          known !== undefined && finding?.kind === 'there' && isStillWrong(known.finding, finding);
        this.findings.finish(reading, row, isSame ? asRefused(finding) : finding);
        if (finding?.kind === 'doubled') seen.doubled += 1;
        else if (finding?.kind === 'there' && !isSame) seen.mended += 1;
      }
    });
    return open;
  }
}

/** It is known by its barcode, and asks for no messages to people. */
function mayBeSentAgain({ registration }: AuditRow, { barcodesShown }: ListReading): boolean {
  return registration.barcode !== undefined && barcodesShown && !registration.enableComms;
}
