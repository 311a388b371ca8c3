import { allAsSent, type AuditSearch } from './audit-find.ts';
import type { AuditRow } from '../journal/audit-rows.ts';
import type { SendContext } from '../journal/send-context.ts';
import { addFinding } from '../journal/findings.ts';
import { addStep } from '../journal/steps.ts';

/** Warnings about single rows that are shown; all are in the journal. */
const WARNINGS_SHOWN = 20;

/**
 * Rows without a barcode of which more registrations are listed than there are such rows, without those of other
 * rows, which may say all of it and more. Nothing tells which of them is too many, or whether two people are alike:
 * it is said, and the rows stay as they are.
 */
export class RegisteredTwice {
  readonly #context: SendContext;
  readonly #ids = new Set<string>();
  #found = 0;

  constructor(context: SendContext) {
    this.#context = context;
  }

  /** Looks for others like a row that is there. Whether there are too many that were not told of before. */
  look(search: AuditSearch, { registration, seq, place }: AuditRow): boolean {
    const { reading, ids: known } = search;
    if (registration.barcode !== undefined || reading.how !== 'list') return false;
    const found = allAsSent(search, registration).filter((record) => !known.isOfOther(record, seq));
    const ids = found.flatMap(({ id, barcode }) => id ?? barcode ?? []);
    if (ids.length < 2 || ids.some((id) => this.#ids.has(id)) || ids.length <= this.#alike(seq)) return false;
    for (const id of ids) this.#ids.add(id);
    this.#found += 1;
    this.#tell(seq, place, `it may be registered twice: ${ids.join(', ')} have all that was sent`);
    return true;
  }

  /** How many rows of the run are the same to the letter, this one included. */
  #alike(seq: number): number {
    const { journal, run } = this.#context;
    const row = journal.get<{ n: number }>(
      `SELECT count(*) AS n FROM row AS mine JOIN row ON row.run = mine.run
         AND row.row_key >= 'h:' || mine.hash || ':' AND row.row_key < 'h:' || mine.hash || ';'
       WHERE mine.run = $run AND mine.seq = $seq AND row.op = 'send'`,
      { $run: run, $seq: seq },
    );
    return row?.n ?? 1;
  }

  #tell(seq: number, place: string, message: string): void {
    const { journal, run, clock, reporter } = this.#context;
    addStep(journal, run, seq, { at: clock.now(), what: 'audited', detail: message });
    journal.run('UPDATE row SET message = $message WHERE run = $run AND seq = $seq', {
      $run: run,
      $seq: seq,
      $message: message,
    });
    addFinding(journal, run, { kind: 'doubled', seq, id: undefined, barcode: undefined, message });
    if (this.#found <= WARNINGS_SHOWN) reporter.report({ type: 'warning', text: `${place}: ${message}.` });
  }

  /** Whether a registration is one of several that stand for one row. */
  has(id: string): boolean {
    return this.#ids.has(id);
  }
}
