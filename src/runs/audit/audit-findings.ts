import type { FieldsOf } from '../../registration/changes/aspect.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { AuditRow } from '../../sync/journal/audit-rows.ts';
import { BaseStore } from '../../sync/journal/base-store.ts';
import { readLearned } from '../../sync/journal/learned.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';
import { type AuditFinding, judgeAudit } from '../../sync/decide/judge-audit.ts';
import { KnownIds } from '../../sync/snapshot/known-ids.ts';
import { isWhole, type ListReading } from '../../sync/snapshot/read-listed.ts';
import { listedFields } from '../../sync/snapshot/listed-fields.ts';
import { findAppeared, noteLost } from './audit-lost.ts';
import { type AuditSearch, findForAudit, RegisteredTwice } from './audit-find.ts';
import { AuditTally } from './audit-tally.ts';
import { withRefused, type WriteContext, writeFinding } from './audit-write.ts';
import { NewProof } from './prove-new.ts';

export interface AuditOptions {
  /** What the plan read of the service; undefined when nothing was compared. */
  before: ListReading | undefined;
  /** It was said beforehand whom updates leave without messages, where those are not proven to stay. */
  tellsTakenBack?: boolean;
}

/** Finds out what a reading shows of rows, and keeps it with them. */
export class AuditFindings {
  readonly tally = new AuditTally();
  readonly #context: SendContext;
  readonly #fields: FieldsOf;
  readonly #ids: KnownIds;
  readonly #writing: WriteContext;
  readonly #twice: RegisteredTwice;
  readonly #proof: NewProof;
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
    const { journal, target, event } = context;
    this.#writing = { ...context, bases: new BaseStore(journal, target, event.endDate) };
  }

  /** What a reading shows of a row; undefined where that is nothing to go by. */
  finder(reading: ListReading): (row: AuditRow) => AuditFinding | undefined {
    const search = this.#searchIn(reading);
    const { listed, parentsShown, fieldsShown } = reading;
    const isListed = listedFields(() => listed.all());
    const isNeverStored = (persona: string, slug: string): boolean =>
      isWhole(reading) && fieldsShown && !isListed(persona, slug);
    const personas = this.#context.event.personas.map(({ slug }) => slug);
    const mayTakeBack = this.#tellsTakenBack && !this.#staysAsked();
    const how = { fields: this.#fields, personas, parentsShown, isNeverStored, mayTakeBack };
    return (row) => {
      const found = findForAudit(search, row);
      if (found === undefined) return undefined;
      const { registration, plan, before } = row;
      return withRefused(this.#writing, row, judgeAudit({ registration, plan, before, found, ...how }));
    };
  }

  #searchIn(reading: ListReading): AuditSearch {
    return { reading, before: this.#before, ids: this.#ids, fields: this.#fields };
  }

  /** Whether it is proven that an update keeps messages that it does not ask for. */
  #staysAsked(): boolean {
    const { journal, target, clock } = this.#context;
    return readLearned(journal, target.service, 'messages', clock.now())?.value === 'kept';
  }

  /** Writes what is found of a row. Call it in a transaction. */
  finish(reading: ListReading, row: AuditRow, finding: AuditFinding | undefined): void {
    this.tally.count(finding);
    if (finding === undefined) return;
    writeFinding(this.#writing, row, finding);
    if (finding.kind !== 'there') return;
    this.#proof.see(row, finding.record);
    if (finding.record.id !== undefined) this.#ids.add(finding.record.id, row.seq);
    if (this.#twice.look(this.#searchIn(reading), row)) this.tally.perhapsDoubled();
  }

  /** What no row stands for: registrations that have appeared, and such as are gone or have lost their parent. */
  noteStrangers(reading: ListReading): void {
    const { journal, run } = this.#context;
    const ids = findAppeared(journal, run, this.#before, reading);
    if (ids !== undefined) this.tally.appeared(ids.filter((id) => !this.#twice.has(id)));
    const lost = noteLost(journal, run, this.#before, reading);
    if (lost !== undefined) this.tally.lost(lost);
  }

  /** Proves who is new, once all rows were seen; `total`: how many registrations the service has now. */
  prove(total: number | undefined): void {
    this.#proof.finish(total);
  }
}

/**
 * Before the last look, a row may just be listed late: not there, with what it was to change as it was before, or empty
 * where an update of ours has taken something away that a later one has given back.
 */
export function isOpen({ plan, before }: AuditRow, finding: AuditFinding | undefined): boolean {
  if (finding?.kind !== 'there') return finding?.kind === 'missing';
  const { differences, isOld } = finding;
  const mayBeOlder = plan !== 'create' && before === undefined;
  return (
    differences.length > 0 && (isOld || mayBeOlder || differences.some(({ found }) => found === undefined))
  );
}
