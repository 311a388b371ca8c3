import { aspectsOf, type FieldsOf } from '../../registration/changes/aspect.ts';
import { fieldsOf, toChange } from '../../registration/changes/field-change.ts';
import type { RecordImage, RegistrationRecord } from '../../registration/model/registration.ts';
import type { KnownBase } from '../journal/base-codec.ts';
import { BaseStore } from '../journal/base-store.ts';
import { readLearned } from '../journal/learned.ts';
import type { SendContext } from '../journal/send-context.ts';
import { type Base, isAsSaid, unsaidPair } from '../decide/base.ts';
import {
  conflict,
  DELETED_SINCE,
  NOTHING,
  type PlanDecision,
  registrationOf,
  uncompared,
  type Winner,
} from '../decide/plan-decision.ts';
import { planAbsent, planRow } from '../decide/plan-row.ts';
import { OtherLists } from './other-lists.ts';
import type { ComparedRow } from './rows-to-plan.ts';
import { LateSends } from '../snapshot/late-sends.ts';
import type { ListReading } from '../snapshot/read-listed.ts';
import type { Answer, Left } from '../match/match.ts';
import { leftByAnother, otherPerson, personAspects, personsDigest } from '../decide/judge-person.ts';

type DecideContext = Pick<SendContext, 'journal' | 'event' | 'target' | 'clock' | 'limits'> & {
  /** Of the push. */
  files: readonly string[];
};

/** Says what becomes of a row of which it is known whom it is about, by what is known of that registration. */
export class RowDecider {
  readonly bases: BaseStore;
  /** Registrations beside which rows register somebody who was said to be another person. */
  readonly beside: RegistrationRecord[] = [];
  readonly #context: DecideContext;
  readonly #winner: Winner;
  readonly #reading: ListReading;
  readonly #fields: FieldsOf;
  /** What the files of the push go by. */
  readonly #files: string;
  readonly #mayLeave: boolean;
  readonly #others: OtherLists;
  readonly #late: LateSends;
  #lateUntilMs: number | undefined;

  constructor(context: DecideContext, winner: Winner, reading: ListReading) {
    const { journal, files, event, target, clock } = context;
    this.bases = new BaseStore(journal, target, event.endDate);
    this.#context = context;
    this.#winner = winner;
    this.#reading = reading;
    this.#fields = fieldsOf(event);
    this.#files = this.bases.filesOf(files);
    this.#mayLeave = readLearned(journal, target.service, 'leaves', clock.now())?.value !== 'no';
    this.#late = new LateSends(context);
    this.#others = new OtherLists({ journal, files, target, fields: this.#fields });
  }

  readonly #digest = (text: string): string => this.bases.digest(text);

  /** How what a row says is held against what was said. */
  get #saying() {
    return { fields: this.#fields, digest: this.#digest };
  }

  /** When the last of the rows that may just be listed late has to be listed as it was sent, in milliseconds since 1970. */
  get lateUntilMs(): number | undefined {
    return this.#lateUntilMs;
  }

  /** What becomes of a row for which the service lists these; `base` is what is known of its registration. */
  decide(row: ComparedRow, found: readonly RegistrationRecord[], base: KnownBase | undefined): PlanDecision {
    if (found.length === 1 && this.#isListedLate(row, found[0])) return this.untold(row, base);
    const decision = this.#plan(row, found, base);
    if (decision.action === 'unknown' && base !== undefined && isAsSaid(row.registration, base, this.#saying))
      return UNCHANGED;
    const isNews = base !== undefined && found.length === 1 && !base.files.includes(this.#files);
    const after = decision.base ?? (isNews ? base : undefined);
    // It is the same registration, by whatever name.
    return after === undefined ? decision : { ...decision, base: { ...base, ...after } };
  }

  /** What becomes of a row whose registration is gone. */
  decideLeft(row: ComparedRow, { base, isDeleted }: Left): PlanDecision {
    if (this.#isListedLate(row, undefined)) return this.untold(row, base);
    const decision = planAbsent(base, this.#winner, isDeleted);
    return decision.action === 'kept' && !base.gone
      ? { ...decision, base: { ...base, gone: true } }
      : decision;
  }

  /** What becomes of a row of which the service tells nothing: what it has taken as it is need not be sent again. */
  untold({ registration }: ComparedRow, base: Base | undefined): PlanDecision {
    if (base !== undefined && isAsSaid(registration, base, this.#saying)) return UNCHANGED;
    if (registration.barcode !== undefined) return uncompared('unknown');
    return base === undefined ? uncompared('create') : conflict(SENT_OTHERWISE);
  }

  /** What another file has sent a moment ago need not be in the list yet. */
  #isListedLate({ registration, rowKey }: ComparedRow, record: RegistrationRecord | undefined): boolean {
    const names = { barcode: record?.barcode ?? registration.barcode, id: record?.id, rowKey };
    const untilMs = this.#late.untilMs(names, record, this.#fields);
    if (untilMs !== undefined) this.#lateUntilMs = Math.max(this.#lateUntilMs ?? 0, untilMs);
    return untilMs !== undefined;
  }

  /** What becomes of a row whose registration is another person's now. It is told once, which moves nothing that is known. */
  decideOther(
    row: ComparedRow,
    { record, base, fields: slugs }: Extract<Answer, { kind: 'someone-else' }>,
  ): PlanDecision {
    if (base === undefined) return conflict(whyGiven(record), record);
    if (this.#isListedLate(row, record)) return this.untold(row, base);
    const { registration } = row;
    const fields = this.#fields;
    if (this.#winner === 'file') {
      const decision = this.decide(row, [record], base);
      return { ...decision, leftByAnother: leftByAnother(registration, record, fields) };
    }
    const told = personsDigest(registration, record, { fields, digest: this.#digest });
    const isSettled = this.#winner === 'service' || base.told === `${SETTLED}${told}`;
    const isKept = isSettled || (base.told === told && isAsSaid(registration, base, this.#saying));
    const person = aspectsOf(registration, fields).filter(({ key }) => slugs.includes(key));
    return {
      ...conflict(whyOther(record, slugs, isKept ? '' : WAYS), record),
      action: isKept ? 'kept' : 'conflict',
      changes: person.map((aspect) => toChange(aspect, registration, record)),
      verdicts: new Map(person.map(({ key }) => [key, isKept ? 'kept' : 'conflict'])),
      base: { ...base, told: isSettled ? `${SETTLED}${told}` : told },
    };
  }

  /** Keeps the answer that those are other people: they are asked about no more. */
  keepAnswers(): void {
    const { journal, clock } = this.#context;
    journal.transaction(() => {
      for (const record of this.beside) this.bases.leave(record, clock.now());
    });
  }

  /**
   * What becomes of an update for which the service lists these by now. `seen` is how it was when it was planned:
   * somebody else has changed what is otherwise since.
   */
  decideAgain(row: ComparedRow, found: readonly RegistrationRecord[], seen: RecordImage): PlanDecision {
    if (found.length === 0 && this.#winner !== 'file') {
      return conflict(DELETED_SINCE);
    }
    const [record] = found;
    const known = this.bases.read({
      barcode: record?.barcode ?? row.registration.barcode,
      id: record?.id ?? seen.id,
    });
    const pairs = new Map(known?.pairs);
    for (const aspect of [
      ...aspectsOf(row.registration, this.#fields),
      ...personAspects(seen, this.#fields),
    ]) {
      if (!pairs.has(aspect.key)) pairs.set(aspect.key, unsaidPair(aspect, seen, this.#digest));
    }
    const base = { pairs, gone: known?.gone ?? false };
    const facts = { registration: row.registration, base, fields: this.#fields, digest: this.#digest };
    const slugs = record === undefined || this.#winner === 'file' ? [] : otherPerson({ ...facts, record });
    if (record !== undefined && slugs.length > 0) return conflict(whyOther(record, slugs), record);
    // What was only supposed for this comparison is not known.
    return { ...this.#plan(row, found, base), base: undefined };
  }

  #plan(row: ComparedRow, found: readonly RegistrationRecord[], base: Base | undefined): PlanDecision {
    const digest = this.#digest;
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
}

const UNCHANGED: PlanDecision = { ...NOTHING, action: 'unchanged' };

const SENT_OTHERWISE =
  'it was sent before with other values, and the service shows no registration of its kind: without a barcode it cannot be updated, and would be registered once more';

/** Of a person whom somebody has said to leave there. */
const SETTLED = '=';

/** That the ticket of a row is another person's, as a clause; `ways`: what settles that. */
const whyOther = (record: RegistrationRecord, slugs: readonly string[], ways = WAYS): string =>
  `${registrationOf(record)} is another person now, changed in the service by ${slugs.join(', ')}: nothing of the row is sent to that one${ways}`;

const WAYS = '; --overwrite gives the ticket to the person of the file, --keep leaves it';

/** Why a row is not sent whose registration has another name since it was sent, as a clause. */
const whyGiven = (record: RegistrationRecord): string =>
  `the service gave it ${registrationOf(record)}, which has another name now: it is not sent over that one; if they are one person, give the row its barcode, else an e-mail address of its own`;
