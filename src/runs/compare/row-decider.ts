import { aspectsOf, type FieldsOf } from '../../registration/changes/aspect.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { RecordImage, RegistrationRecord } from '../../registration/model/registration.ts';
import { BaseStore } from '../../sync/journal/base-store.ts';
import { readLearned } from '../../sync/journal/learned.ts';
import type { ComparedRow } from '../../sync/journal/run-rows.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';
import { type Base, unsaidPair } from '../../sync/decide/base.ts';
import { conflict, type PlanDecision, type Winner } from '../../sync/decide/plan-decision.ts';
import { planRow } from '../../sync/decide/plan-row.ts';
import { OtherLists } from './other-lists.ts';
import { hasShownLike } from '../../sync/snapshot/answers.ts';
import { LateSends } from '../../sync/snapshot/late-sends.ts';
import type { ListReading } from '../../sync/snapshot/read-listed.ts';
import { namesOf } from './write-plan.ts';

type DecideContext = Pick<SendContext, 'journal' | 'run' | 'event' | 'target' | 'clock' | 'limits'>;

/** Says what becomes of a row of which it is known whom it is about, by what is known of that registration. */
export class RowDecider {
  readonly bases: BaseStore;
  readonly #context: DecideContext;
  readonly #winner: Winner;
  readonly #reading: ListReading;
  readonly #fields: FieldsOf;
  readonly #mayLeave: boolean;
  readonly #others: OtherLists;
  readonly #late: LateSends;
  #lateUntilMs: number | undefined;

  /** `kin`: see `readKin`. */
  constructor(context: DecideContext, winner: Winner, reading: ListReading, kin: readonly string[]) {
    const { journal, run, event, target, clock } = context;
    this.bases = new BaseStore(journal, target, event.endDate);
    this.#context = context;
    this.#winner = winner;
    this.#reading = reading;
    this.#fields = fieldsOf(event);
    this.#mayLeave = readLearned(journal, target.service, 'leaves', clock.now())?.value !== 'no';
    this.#late = new LateSends(context);
    this.#others = new OtherLists({ journal, run, target, fields: this.#fields, kin });
  }

  /** When the last of the rows that may just be listed late has to be listed as it was sent, in milliseconds since 1970. */
  get lateUntilMs(): number | undefined {
    return this.#lateUntilMs;
  }

  /** What becomes of a row for which the service lists these. Undefined: it may just be listed late. */
  decide(row: ComparedRow, found: readonly RegistrationRecord[]): PlanDecision | undefined {
    const base = this.#baseOf(row, found[0]);
    if (found.length === 0 && this.#isNeverShown(row, base)) return undefined;
    const decision = this.#plan(row, found, base);
    if (found.length > 1) return decision;
    if (this.#isListedLate(row, found[0])) return undefined;
    return decision.action !== 'unchanged' && this.mayBeListedLate(row) ? undefined : decision;
  }

  /** The service has taken it, nobody has ever seen it, and nothing of its kind is shown: that it is not there cannot be said. */
  #isNeverShown({ state, registration }: ComparedRow, base: Base | undefined): boolean {
    const wasTaken = state !== 'pending' || base !== undefined;
    const wasSeen = [...(base?.pairs.values() ?? [])].some(({ seen }) => seen !== undefined);
    return wasTaken && !wasSeen && !hasShownLike(this.#reading, registration);
  }

  /** What another file has sent a moment ago need not be in the list yet. */
  #isListedLate({ registration, remoteId }: ComparedRow, record: RegistrationRecord | undefined): boolean {
    const names = { barcode: record?.barcode ?? registration.barcode, id: record?.id ?? remoteId };
    const untilMs = this.#late.untilMs(names, record, this.#fields);
    if (untilMs !== undefined) this.#lateUntilMs = Math.max(this.#lateUntilMs ?? 0, untilMs);
    return untilMs !== undefined;
  }

  /** Also under the barcode that the registration had before. */
  #baseOf(row: ComparedRow, record: RegistrationRecord | undefined): Base | undefined {
    const base = this.bases.read(namesOf(row, record));
    const isRenamed = record?.barcode !== undefined && record.barcode !== row.registration.barcode;
    return base ?? (isRenamed ? this.bases.read(namesOf(row, undefined)) : undefined);
  }

  /**
   * What becomes of an update for which the service lists these by now. `seen` is how it was when it was planned:
   * somebody else has changed what is otherwise since.
   */
  decideAgain(row: ComparedRow, found: readonly RegistrationRecord[], seen: RecordImage): PlanDecision {
    if (found.length === 0 && this.#winner !== 'file') {
      return conflict('it has been deleted in the service since it was compared');
    }
    const known = this.bases.read(namesOf(row, found[0]));
    const digest = (text: string): string => this.bases.digest(text);
    const pairs = new Map(known?.pairs);
    for (const aspect of aspectsOf(row.registration, this.#fields)) {
      if (!pairs.has(aspect.key)) pairs.set(aspect.key, unsaidPair(aspect, seen, digest));
    }
    const decision = this.#plan(row, found, { pairs, gone: known?.gone ?? false });
    // What was only supposed for this comparison is not known.
    return { ...decision, base: undefined };
  }

  /** What becomes of a row for which the service lists nothing, and of which nothing is known. */
  decideUnlisted(row: ComparedRow): PlanDecision {
    return this.#plan(row, [], { pairs: new Map(), gone: false });
  }

  #plan(row: ComparedRow, found: readonly RegistrationRecord[], base: Base | undefined): PlanDecision {
    const digest = (text: string): string => this.bases.digest(text);
    const facts = {
      registration: row.registration,
      found,
      base,
      winner: this.#winner,
      fields: this.#fields,
      parentsShown: this.#reading.parentsShown,
      digest,
      leavingGroups: this.#mayLeave,
    };
    const decision = planRow(facts);
    const { record, verdicts } = decision;
    if (record === undefined || base === undefined) return decision;
    // Only what would be sent may put back what another list has changed.
    const keys = new Set([...verdicts].filter(([, verdict]) => verdict === 'send').map(([key]) => key));
    const saidBefore = this.#others.ownPairs(row, record, { base, keys, digest });
    return saidBefore.size === 0 ? decision : planRow({ ...facts, saidBefore });
  }

  /** What was sent a moment ago, as by a push that was interrupted, need not be in the list yet. */
  mayBeListedLate({ state, unseenSince }: ComparedRow): boolean {
    const { clock, limits } = this.#context;
    if (state === 'pending' || unseenSince === undefined) return false;
    const untilMs = unseenSince + limits.settleMs;
    if (clock.now() >= untilMs) return false;
    this.#lateUntilMs = Math.max(this.#lateUntilMs ?? 0, untilMs);
    return true;
  }
}
