import { EventregError, isCalledOff } from '../../errors.ts';
import type { FieldsOf } from '../../registration/changes/aspect.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { RegistrationRecord } from '../../registration/model/registration.ts';
import { MAY_BE_DELETED } from '../../registration/model/row-states.ts';
import type { AuditResult } from '../../report/views/summary-view.ts';
import { type AuditFinding, judgeAudit } from '../decide/judge-audit.ts';
import type { Near } from '../decide/judge-person.ts';
import { BaseStore } from '../journal/base-store.ts';
import { lateMs, learn, learnLate, readLearned } from '../journal/learned.ts';
import { countIn } from '../journal/queued-rows.ts';
import type { SendContext } from '../journal/send-context.ts';
import { settleFound } from '../perform/taken-for.ts';
import {
  type Claim,
  claimsOf,
  noteSeenThere,
  OwnRows,
  sentRows,
  type SentRow,
} from '../journal/sent-rows.ts';
import { CHEAP_PAGES, hasShownLike, isWhole, listedFields } from '../snapshot/read-now.ts';
import { kindOf } from '../snapshot/listed-records.ts';
import { type ListReading, readListed } from '../snapshot/read-listed.ts';
import { lookUntil } from '../snapshot/wait-until.ts';
import { areNewIds, findSent, isOpen } from './find-sent.ts';
import { findAppeared, noteLost, tellDoubles } from './strangers.ts';
import { Tally } from './tally.ts';
import { NewProof, withRefused, type WriteContext, writeFinding } from './write-verdict.ts';

interface ProveOptions {
  /** What the plan read of the service; undefined when nothing was compared. */
  before: ListReading | undefined;
  /** It was said beforehand whom updates leave without messages, where those are not proven to stay. */
  tellsTakenBack?: boolean;
}

/**
 * Reads back the rows of a run that the service is said to hold, and holds them against what was sent, and what
 * was not sent against what it was before. Rows that are not there, or that may be listed late, are looked for again
 * as long as a list may lag behind. Nothing is sent again: who has changed a value since it was sent cannot be told.
 * What it finds wrong is kept with the row, and what it cannot read is told, not thrown: nothing that was sent depends
 * on it. Throws as the journal does, and GaveUpError or GuardError: whoever limited the requests is to know that it was
 * not enough.
 */
export async function proveRun(context: SendContext, options: ProveOptions): Promise<AuditResult> {
  const proof = new Proof(context, options);
  try {
    await proof.run();
    return proof.tally.result();
  } catch (error) {
    if (context.stopping.aborted) return proof.tally.result('it was interrupted');
    if (!(error instanceof UnreadError)) throw error;
    return proof.tally.result(error.message);
  }
}

/** The service could not be read; the message is a clause. */
class UnreadError extends Error {}

/** What a look has shown. */
interface Seen {
  openUntilMs: number | undefined;
  /** Rows that may look otherwise later. */
  open: readonly Claim[];
  reading: ListReading;
}

type Find = (row: SentRow) => AuditFinding | undefined;

class Proof {
  readonly tally = new Tally();
  readonly #context: SendContext;
  readonly #before: ListReading | undefined;
  readonly #tellsTakenBack: boolean;
  readonly #fields: FieldsOf;
  readonly #rows: OwnRows;
  readonly #writing: WriteContext;
  readonly #new: NewProof;
  /** Of what kinds rows were seen. */
  readonly #kinds = new Set<string>();
  /** Whether any update was seen to keep the id of its registration; undefined while none was seen. */
  #keepsIds: boolean | undefined;
  /** Rows that were seen, and those for which the service may have taken them. */
  readonly #alike = new Set<number>();

  constructor(context: SendContext, { before, tellsTakenBack = false }: ProveOptions) {
    const { journal, run, target, event } = context;
    this.#context = context;
    this.#before = before;
    this.#tellsTakenBack = tellsTakenBack;
    this.#fields = fieldsOf(event);
    this.#rows = new OwnRows(journal, run);
    this.#writing = { ...context, bases: new BaseStore(journal, target, event.endDate), seen: [] };
    this.#new = new NewProof(context, before);
  }

  async run(): Promise<void> {
    const { journal, run, limits } = this.#context;
    const all = claimsOf(journal, run);
    const count = all.length + countIn(journal, run, MAY_BE_DELETED, 'delete');
    let reading = this.#before;
    if (count > 0) {
      ({ reading } = await lookUntil<Seen>(this.#context, async (isLast, earlier) => {
        const claims = earlier?.open ?? all;
        const now = await this.#read(claims, earlier === undefined ? count : undefined);
        const open = await this.#judgeRows(now, claims, isLast);
        this.#noteStrangers(now);
        const shown = new Set(claims);
        for (const claim of open) shown.delete(claim);
        if (earlier?.reading.moved === false && !isLast) learnLate(this.#context, shown, limits.settleMs);
        const lastMs = open.reduce((last, { doneAt }) => Math.max(last, doneAt), 0);
        return { openUntilMs: open.length === 0 ? undefined : lastMs + limits.settleMs, open, reading: now };
      }));
      this.#new.finish(reading);
      if (this.#keepsIds !== undefined) learn(this.#context, 'ids', this.#keepsIds ? 'kept' : 'new');
    }
    if (reading === undefined) return;
    const doubles = tellDoubles(this.#context, reading, this.#rows);
    this.tally.perhapsDoubled(doubles.count, doubles.names);
  }

  /** `count`: how many rows are looked for in all; undefined after the first look. */
  async #read(claims: readonly Claim[], count: number | undefined): Promise<ListReading> {
    const { stopping } = this.#context;
    const wanted = claims.flatMap(({ barcode }) => barcode ?? []);
    const areBare = wanted.length < claims.length;
    // Rows without a barcode, and what has come in or gone meanwhile, show only in the whole list.
    const isOfUse = count !== undefined && (areBare || this.#before?.how === 'list');
    const pages = isOfUse ? Math.max(CHEAP_PAGES, Math.ceil(count / 10)) : 0;
    try {
      return await readListed(this.#context, {
        barcodes: wanted,
        pages: Math.max(wanted.length, pages),
        whole: count === undefined && areBare,
      });
    } catch (error) {
      if (stopping.aborted || isCalledOff(error) || !(error instanceof EventregError)) throw error;
      throw new UnreadError((error as Error).message.replace(/\.$/, ''), { cause: error });
    }
  }

  /** Writes what is found of each row. Returns those that may look otherwise later; at the last look none. */
  async #judgeRows(reading: ListReading, claims: readonly Claim[], isLast: boolean): Promise<Claim[]> {
    const { journal, run, clock } = this.#context;
    const writeSeen = (): void => noteSeenThere(journal, run, this.#writing.seen.splice(0), clock.now());
    const find = this.#finder(reading, claims, isLast);
    const lateSince = clock.now() - lateMs(this.#context);
    const open = new Set<number>();
    const absent: SentRow[] = [];
    const contested: { row: SentRow; finding: AuditFinding; found: readonly RegistrationRecord[] }[] = [];
    const seqs = claims.map(({ seq }) => seq);
    for (const page of sentRows(journal, run, seqs)) {
      journal.transaction(() => {
        for (const row of page) {
          const finding = find(row);
          // A list that moves may show later what it does not show now.
          const isLate = finding === undefined ? reading.moved : isOpen(row, finding, lateSince);
          if (!isLast && isLate) open.add(row.seq);
          else if (finding?.kind === 'missing') absent.push(row);
          else if (finding?.kind === 'doubled') contested.push({ row, finding, found: finding.found });
          else if (finding?.kind === 'there' && this.#wasOfOther(row, finding.record, reading))
            contested.push({ row, finding, found: [finding.record] });
          else this.#finish(row, finding);
        }
        writeSeen();
      });
    }
    const others = new Set<SentRow>();
    for (const { row, found } of contested) if (await this.#isOfOther(row, found)) others.add(row);
    journal.transaction(() => {
      for (const { row, finding } of contested) if (!others.has(row)) this.#finish(row, finding);
      for (const row of absent)
        this.#finish(row, this.#isMissing(reading, row) ? { kind: 'missing' } : undefined);
      writeSeen();
    });
    return claims.filter(({ seq }) => open.has(seq));
  }

  /** Whether a new one has the id of somebody who was listed before under a barcode that nobody has any more. */
  #wasOfOther({ plan }: SentRow, { id, barcode }: RegistrationRecord, { listed }: ListReading): boolean {
    const was = plan === 'create' && id !== undefined ? this.#before?.listed.byId(id)[0]?.barcode : undefined;
    return was !== undefined && was !== barcode && !listed.hasBarcode(was);
  }

  /** Whether a row has given its barcode and values to somebody else who was listed before. */
  async #isOfOther(row: SentRow, found: readonly RegistrationRecord[]): Promise<boolean> {
    const context = { ...this.#context, before: this.#before };
    const { state, status, remoteId } = row;
    const queued = { ...row, position: 0, sentAt: undefined, near: undefined };
    const stop = await settleFound(context, queued, { state, status, remoteId }, found);
    if (stop !== undefined) this.tally.takenOver();
    return stop !== undefined;
  }

  /** It is said by a look that has shown something of its kind, or somebody whom the service may have taken it for. */
  #isMissing(reading: ListReading, { registration, seq, near = [] }: SentRow): boolean {
    const isKindShown = this.#kinds.has(kindOf(registration)) || hasShownLike(reading, registration);
    const isThere = (one: Near): boolean => one.image !== undefined || this.#alike.has(one.seq ?? seq);
    return isKindShown || this.#alike.has(seq) || near.some(isThere);
  }

  /** What a reading shows of a row; undefined where that is nothing to go by. */
  #finder(reading: ListReading, claims: readonly Claim[], isLast: boolean): Find {
    const { journal, run, takesOther } = this.#context;
    const fields = this.#fields;
    const search = { reading, before: this.#before, rows: this.#rows, fields, isLast };
    const { listed, parentsShown, fieldsShown } = reading;
    const isListed = listedFields(() => listed.all());
    const isNeverStored = (persona: string, slug: string): boolean =>
      isWhole(reading) && fieldsShown && !isListed(persona, slug);
    const personas = this.#context.event.personas.map(({ slug }) => slug);
    const mayTakeBack = this.#tellsTakenBack && readLearned(this.#context, 'messages')?.value !== 'kept';
    const seqs = claims.map(({ seq }) => seq);
    const known = readLearned(this.#context, 'ids')?.value ?? (this.#keepsIds === true ? 'kept' : undefined);
    let newIds = known && known === 'new';
    const givesNewIds = (): boolean => (newIds ??= areNewIds(sentRows(journal, run, seqs), reading));
    const sight = takesOther === undefined ? this.#before?.sight : undefined;
    const around = { isNeverStored, mayTakeBack, givesNewIds };
    const how = { takesOther, sight, fields, personas, parentsShown, ...around };
    return (row) => {
      const found = findSent(search, row);
      if (found === undefined) return undefined;
      return withRefused(this.#writing, row, judgeAudit({ ...row, found, ...how }));
    };
  }

  #finish(row: SentRow, finding: AuditFinding | undefined): void {
    this.tally.count(finding);
    if (finding === undefined) return;
    writeFinding(this.#writing, row, finding);
    if (finding.kind !== 'there') return;
    const was = row.plan === 'update' ? row.before?.id : undefined;
    if (was !== undefined && finding.record.id !== undefined) this.#keepsIds ||= was === finding.record.id;
    this.#kinds.add(kindOf(row.registration));
    for (const { seq } of [row, ...(row.near ?? [])]) if (seq !== undefined) this.#alike.add(seq);
    this.#new.see(row, finding.record);
    if (finding.record.id !== undefined) this.#rows.add(finding.record.id, row.seq);
  }

  /** What no row stands for: registrations that have appeared, and such as are gone or have lost their parent. */
  #noteStrangers(now: ListReading): void {
    const { journal, run } = this.#context;
    const lists = { before: this.#before, now };
    const appeared = findAppeared(journal, run, lists, this.#rows);
    if (appeared !== undefined) this.tally.unexpected = appeared;
    const lost = noteLost(journal, run, lists, this.#rows);
    if (lost !== undefined) this.tally.lost(lost);
  }
}
