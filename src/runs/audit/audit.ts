import { MAY_BE_DELETED } from '../../registration/model/row-states.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { FieldsOf } from '../../registration/changes/aspect.ts';
import type { AuditResult } from '../../report/views/summary-view.ts';
import { findAppeared } from './audit-appeared.ts';
import { AuditReader, UnreadError } from './audit-reader.ts';
import { type AuditSearch, findForAudit } from './audit-find.ts';
import { noteLost } from './audit-lost.ts';
import { resendWrong, type ResentRows } from './audit-resend.ts';
import { type AuditRow, claimedRows, countClaimed } from '../journal/audit-rows.ts';
import { BaseStore } from '../journal/base-store.ts';
import { AuditTally } from './audit-tally.ts';
import { RegisteredTwice } from './audit-twice.ts';
import { writeFinding } from './audit-write.ts';
import { asRefused, isOwnDoing, isStillWrong, type WrongRow } from './audit-wrong.ts';
import { countDeletions } from '../journal/delete-rows.ts';
import type { ListReading } from '../listed/read-listed.ts';
import { type AuditFinding, type AuditThere, judgeAudit } from '../judge/judge-audit.ts';
import { KnownIds } from '../listed/known-ids.ts';
import { forgetUpdateRule, readUnsentRules } from '../journal/learned.ts';
import { NewProof } from './prove-new.ts';
import type { SendContext } from '../journal/send-context.ts';
import { CHEAP_PAGES } from '../listed/read-short-list.ts';
import { StoredFields } from './stored-fields.ts';
import { COMMS_THING } from '../judge/unsent-things.ts';

interface AuditOptions {
  /** What the plan read of the service; undefined when nothing was compared. */
  before: ListReading | undefined;
  /** It was said beforehand whom updates leave without messages, where those are not proven to stay. */
  tellsTakenBack?: boolean;
}

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
  return audit.tally.result(skipped);
}

class Audit {
  readonly tally = new AuditTally();
  readonly #context: SendContext;
  readonly #fields: FieldsOf;
  readonly #ids: KnownIds;
  readonly #bases: BaseStore;
  readonly #twice: RegisteredTwice;
  readonly #proof: NewProof;
  /** Rows that the service was seen to store wrongly right after they were sent, by their number. */
  readonly #wrong = new Map<number, WrongRow>();
  readonly #reader: AuditReader;
  readonly #before: ListReading | undefined;
  readonly #tellsTakenBack: boolean;

  constructor(context: SendContext, { before, tellsTakenBack = false }: AuditOptions) {
    this.#tellsTakenBack = tellsTakenBack;
    this.#before = before;
    this.#context = context;
    this.#proof = new NewProof(context, before);
    this.#fields = fieldsOf(context.event);
    this.#ids = new KnownIds(context.journal, context.run);
    this.#twice = new RegisteredTwice(context);
    this.#reader = new AuditReader(context);
    const { journal, target, event } = context;
    this.#bases = new BaseStore(journal, target, event.endDate);
  }

  async run(): Promise<void> {
    const { journal, run, limits } = this.#context;
    const before = this.#before;
    const { barcodes, others } = countClaimed(journal, run);
    const deleted = countDeletions(journal, run, MAY_BE_DELETED);
    if (barcodes + others + deleted === 0) return;
    // Rows without a barcode, and what has come in or gone meanwhile, show only in the whole list.
    const useful = others > 0 || before?.how === 'list';
    const pages = useful ? Math.max(CHEAP_PAGES, Math.ceil((barcodes + others + deleted) / 10)) : 0;
    const first = await this.#reader.read({ count: Math.max(barcodes, pages), whole: false });
    const again = this.#judgeRows(first, { last: limits.settleMs === 0 });
    this.#noteStrangers(first);
    const last = again.length > 0 ? await this.#lookAgain(again) : first;
    if (again.length > 0) this.#noteStrangers(last);
    await this.#resendWrong();
    this.#proof.finish(last.total);
  }

  /** What no row stands for: registrations that have appeared, and such as are gone or have lost their parent. */
  #noteStrangers(reading: ListReading): void {
    const { journal, run } = this.#context;
    const ids = findAppeared(journal, run, this.#before, reading);
    if (ids !== undefined) this.tally.appeared(ids.filter((id) => !this.#twice.has(id)));
    const lost = noteLost(journal, run, this.#before, reading);
    if (lost !== undefined) this.tally.lost(lost);
  }

  /**
   * Writes what is found of each row. Returns the numbers of the rows that may look otherwise once the list
   * has caught up, of which nothing is written; `last`: of none. Nothing is written either of those that the
   * service has stored wrongly, and that are to be sent again.
   */
  #judgeRows(reading: ListReading, { last, only }: { last: boolean; only?: readonly number[] }): number[] {
    const { journal, run, clock } = this.#context;
    const readAt = clock.now();
    const find = this.#finder(reading);
    const again: number[] = [];
    for (const page of claimedRows(journal, run, only)) {
      journal.transaction(() => {
        for (const row of page) {
          const finding = find(row);
          const isOpen = this.#isOpen(finding);
          if (this.#noteWrong(reading, { row, finding, readAt }) && last) continue;
          if (isOpen && !last) again.push(row.seq);
          else this.#finish(reading, row, finding);
        }
      });
    }
    return again;
  }

  /** Before the last look, a row that is not listed, or not as it was sent, may just be listed late. */
  #isOpen(finding: AuditFinding | undefined): boolean {
    return finding?.kind === 'missing' || (finding?.kind === 'there' && finding.differences.length > 0);
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
      mayBeSentAgain(row, reading) && !this.#isOfAnother(row, finding) && isOwnDoing(row, finding, readAt);
    if (known === undefined && !isOurs()) return false;
    this.#wrong.set(row.seq, { row, finding });
    return true;
  }

  /** Whether another row, or another person, may have taken the registration over. */
  #isOfAnother({ seq, registration }: AuditRow, { record, differences }: AuditThere): boolean {
    if (record.id !== undefined) return this.#ids.belongsToAnother(record.id, seq);
    const emails = this.#fields(registration.persona).filter(({ kind }) => kind === 'email');
    return differences.some(
      ({ field, found }) => found !== undefined && emails.some(({ slug }) => slug === field),
    );
  }

  #finder(reading: ListReading): (row: AuditRow) => AuditFinding | undefined {
    const search = this.#searchIn(reading);
    const stored = new StoredFields(reading);
    const isNeverStored = (persona: string, slug: string): boolean => stored.isNeverStored(persona, slug);
    const { parentsShown } = reading;
    const personas = this.#context.event.personas.map(({ slug }) => slug);
    const mayTakeBack = this.#tellsTakenBack && !this.#staysAsked();
    const how = { fields: this.#fields, personas, parentsShown, isNeverStored, mayTakeBack };
    return (row) => {
      const found = findForAudit(search, row);
      return found && judgeAudit({ ...row, ...how, found });
    };
  }

  #searchIn(reading: ListReading): AuditSearch {
    return { reading, before: this.#before, ids: this.#ids, fields: this.#fields };
  }

  /** Whether it is proven that an update keeps messages that it does not ask for. */
  #staysAsked(): boolean {
    const { journal, target, clock } = this.#context;
    return readUnsentRules(journal, target.service, clock.now()).get(COMMS_THING.name) === 'merge';
  }

  /** Writes what is found of a row. Call it in a transaction. */
  #finish(reading: ListReading, row: AuditRow, finding: AuditFinding | undefined): void {
    this.tally.count(finding);
    if (finding === undefined) return;
    writeFinding({ ...this.#context, bases: this.#bases }, row, finding);
    if (finding.kind !== 'there') return;
    this.#proof.see(row, finding.record);
    if (finding.record.id !== undefined) this.#ids.add(finding.record.id, row.seq);
    if (this.#twice.look(this.#searchIn(reading), row)) this.tally.perhapsDoubled();
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
      if (reading !== undefined) journal.transaction(() => this.#finish(reading, row, finding));
    };
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
    const find = this.#finder(reading);
    const open: number[] = [];
    journal.transaction(() => {
      for (const claimed of [...claimedRows(journal, run, only)].flat()) {
        const known = rows.get(claimed.seq);
        // It was read once more before it was sent again; what it was before that stays what was not sent.
        const row = { ...claimed, before: known?.row.before ?? claimed.before };
        const finding = find(row);
        if (this.#isOpen(finding) && !last) {
          open.push(row.seq);
          continue;
        }
        const isSame =
          known !== undefined && finding?.kind === 'there' && isStillWrong(known.finding, finding);
        this.#finish(reading, row, isSame ? asRefused(finding) : finding);
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
