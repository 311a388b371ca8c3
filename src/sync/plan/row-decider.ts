import { aspectsOf, type FieldsOf } from '../../registration/changes/aspect.ts';
import { fieldsOf, toChange } from '../../registration/changes/field-change.ts';
import { emailOf } from '../../registration/changes/person.ts';
import type { RecordImage, RegistrationRecord } from '../../registration/model/registration.ts';
import type { KnownBase } from '../journal/base-codec.ts';
import { baseOfRow, BaseStore } from '../journal/base-store.ts';
import { readLearned } from '../journal/learned.ts';
import type { Session } from '../journal/send-context.ts';
import { addUnsaid, type Base, isAsSaid } from '../decide/base.ts';
import {
  conflict,
  NOT_LISTED,
  NOTHING,
  type PlanDecision,
  uncompared,
  WHY,
  whyAbsent,
  whyGiven,
  whyNamedAsParent,
  whyOther,
} from '../decide/plan-decision.ts';
import { planAbsent, planRow } from '../decide/plan-row.ts';
import { OtherLists } from './other-lists.ts';
import type { CompareOptions, ComparedRow, RowsToPlan } from './rows-to-plan.ts';
import { LateSends } from '../snapshot/wait-until.ts';
import type { ListReading } from '../snapshot/read-listed.ts';
import type { Answer, Left } from '../match/match.ts';
import { otherPerson, personAspects, personsDigest } from '../decide/judge-person.ts';

/** An answer of one kind. */
type AnswerOf<Kind extends Answer['kind']> = Extract<Answer, { kind: Kind }>;

/** Says what becomes of a row, from whom it is about, by what is known of that registration. */
export class RowDecider {
  readonly bases: BaseStore;
  /** When the last of the rows that may just be listed late has to be listed as it was sent, in milliseconds since 1970. */
  lateUntilMs: number | undefined;
  /** Registrations beside which rows register somebody who was said to be another person. */
  readonly beside: RegistrationRecord[] = [];
  readonly #rows: Pick<RowsToPlan, 'files' | 'sendable'>;
  readonly #options: CompareOptions;
  /** Undefined: nothing can be read, so that who was sent before is known, and nobody has looked whether others are there. */
  readonly #reading: ListReading | undefined;
  /** How what a row says is held against what was said. */
  readonly #saying: { fields: FieldsOf; digest: (text: string) => string };
  /** What the files of the push go by. */
  readonly #files: string;
  readonly #mayLeave: boolean;
  readonly #others: OtherLists;
  readonly #late: LateSends;
  #parents: ReadonlySet<string | undefined> | undefined;

  constructor(
    context: Session,
    rows: Pick<RowsToPlan, 'files' | 'sendable'>,
    options: CompareOptions,
    reading: ListReading | undefined,
  ) {
    const { journal, event, target } = context;
    const { files } = rows;
    this.bases = new BaseStore(journal, target, event.endDate);
    this.#rows = rows;
    this.#options = options;
    this.#reading = reading;
    this.#saying = { fields: fieldsOf(event), digest: (text) => this.bases.digest(text) };
    this.#files = this.bases.filesOf(files);
    this.#mayLeave = readLearned(context, 'leaves')?.value !== 'no';
    this.#late = new LateSends(context);
    this.#others = new OtherLists(context, files);
  }

  /** What becomes of a row, from whom it is about. */
  decide(row: ComparedRow, answer: Answer): PlanDecision {
    switch (answer.kind) {
      case 'several':
        return this.#held(row, answer.records, undefined);
      case 'left':
        return this.#left(row, answer);
      case 'same':
        return this.#same(row, answer);
      case 'someone-else':
        return this.#someoneElse(row, answer);
      case 'alike':
        return this.#alike(row, answer);
      case 'new':
        return this.#new(row, answer);
      default:
        return this.#untold(row, baseOfRow(this.bases, { ...row, barcode: row.registration.barcode }));
    }
  }

  #same(row: ComparedRow, { record, base }: AnswerOf<'same'>): PlanDecision {
    const { barcode } = row.registration;
    const listed = record.barcode ?? barcode;
    if (barcode !== undefined && barcode !== listed && this.#hasMembers(barcode))
      return conflict(whyNamedAsParent(listed), record);
    const decision = this.#held(row, [record], base);
    const sends = decision.action === 'update' || decision.action === 'unknown';
    // An update is sent under a barcode.
    return sends && listed === undefined
      ? { ...conflict(WHY.nameless, record), base: decision.base }
      : decision;
  }

  #hasMembers(barcode: string): boolean {
    this.#parents ??= new Set(this.#rows.sendable.map(({ parentBarcode }) => parentBarcode));
    return this.#parents.has(barcode);
  }

  /** Who says that the service is right leaves it as it is there, whoever has come in the place of whom the row stood for. */
  #alike(row: ComparedRow, { why, asked, left }: AnswerOf<'alike'>): PlanDecision {
    if (left !== undefined && this.#options.winner === 'service') return this.#left(row, left);
    const told = left === undefined ? why : `${whyAbsent(left.isDeleted)}; ${why}; --keep leaves it so`;
    const whose = row.part === 0 ? '' : `companion ${row.part} of this row: `;
    return { ...conflict(`${whose}${told}`), asked };
  }

  /** A row without a barcode registers somebody only where it is certain that nobody there can be that one. */
  #new({ registration }: ComparedRow, { near, beside }: AnswerOf<'new'>): PlanDecision {
    if (this.#reading === undefined) return uncompared('unknown');
    const { listed, moved } = this.#reading;
    const { match } = this.#options;
    if (registration.barcode === undefined) {
      if (match === 'email' && !listed.showsEmails) return conflict(WHY.noEmails);
      if (match !== 'none' && moved) return conflict(WHY.moved);
      if (match === 'email' && emailOf(registration, this.#saying.fields) === undefined)
        return conflict(WHY.unknownPerson);
    }
    if (match === 'none') this.beside.push(...beside.map(({ record }) => record));
    return { ...uncompared('create'), near };
  }

  /** What becomes of a row for which the service lists these; `base` is what is known of its registration. */
  #held(row: ComparedRow, found: readonly RegistrationRecord[], base: KnownBase | undefined): PlanDecision {
    if (found.length === 1 && this.#isListedLate(row, found[0])) return this.#untold(row, base);
    const decision = this.#plan(row, found, base);
    if (decision.action === 'unknown' && base !== undefined && isAsSaid(row.registration, base, this.#saying))
      return UNCHANGED;
    const isNews = base !== undefined && found.length === 1 && !base.files.includes(this.#files);
    const after = decision.base ?? (isNews ? base : undefined);
    // It is the same registration, by whatever name.
    return after === undefined ? decision : { ...decision, base: { ...base, ...after } };
  }

  /** What becomes of a row whose registration is gone. */
  #left(row: ComparedRow, { base, isDeleted }: Left): PlanDecision {
    if (this.#isListedLate(row, undefined)) return this.#untold(row, base);
    const decision = planAbsent(base, this.#options.winner, isDeleted);
    return decision.action === 'kept' && !base.gone
      ? { ...decision, base: { ...base, gone: true } }
      : decision;
  }

  /** What becomes of a row of which the service tells nothing: what it has taken as it is need not be sent again. */
  #untold({ registration }: ComparedRow, base: Base | undefined): PlanDecision {
    if (base !== undefined && isAsSaid(registration, base, this.#saying)) return UNCHANGED;
    if (registration.barcode !== undefined) return uncompared('unknown');
    return base === undefined ? uncompared('create') : conflict(WHY.sentOtherwise);
  }

  /** What another file has sent a moment ago need not be in the list yet. */
  #isListedLate({ registration, rowKey }: ComparedRow, record: RegistrationRecord | undefined): boolean {
    const names = { barcode: record?.barcode ?? registration.barcode, id: record?.id, rowKey };
    const untilMs = this.#late.untilMs(names, record, this.#saying.fields);
    if (untilMs !== undefined) this.lateUntilMs = Math.max(this.lateUntilMs ?? 0, untilMs);
    return untilMs !== undefined;
  }

  /** What becomes of a row whose registration is another person's now. It is told once, which moves nothing that is known. */
  #someoneElse(row: ComparedRow, { record, base, fields: slugs }: AnswerOf<'someone-else'>): PlanDecision {
    if (base === undefined) return conflict(whyGiven(record), record);
    if (this.#isListedLate(row, record)) return this.#untold(row, base);
    const { registration } = row;
    const { fields } = this.#saying;
    if (this.#options.winner === 'file')
      return { ...this.#held(row, [record], base), toAnother: slugs.length };
    const told = personsDigest(registration, record, this.#saying);
    const isSettled = this.#options.winner === 'service' || base.told === `${SETTLED}${told}`;
    const isKept = isSettled || (base.told === told && isAsSaid(registration, base, this.#saying));
    const person = aspectsOf(registration, fields).filter(({ key }) => slugs.includes(key));
    return {
      ...conflict(whyOther(record, slugs, !isKept), record),
      action: isKept ? 'kept' : 'conflict',
      changes: person.map((aspect) => toChange(aspect, registration, record)),
      verdicts: new Map(person.map(({ key }) => [key, isKept ? 'kept' : 'conflict'])),
      base: { ...base, told: isSettled ? `${SETTLED}${told}` : told },
    };
  }

  /** What becomes of an update for which the service lists these by now; `seen`: how it was when it was planned. */
  decideAgain(row: ComparedRow, found: readonly RegistrationRecord[], seen: RecordImage): PlanDecision {
    if (found.length === 0 && this.#options.winner !== 'file') return conflict(NOT_LISTED);
    const [record] = found;
    const known = this.bases.read({
      barcode: record?.barcode ?? row.registration.barcode,
      id: record?.id ?? seen.id,
    });
    const pairs = new Map(known?.pairs);
    const { fields, digest } = this.#saying;
    const aspects = [...aspectsOf(row.registration, fields), ...personAspects(seen, fields)];
    addUnsaid(pairs, aspects, { record: seen, digest });
    const base = { pairs, gone: known?.gone ?? false };
    const facts = { registration: row.registration, base, ...this.#saying };
    const slugs =
      record === undefined || this.#options.winner === 'file' ? [] : otherPerson({ ...facts, record });
    if (record !== undefined && slugs.length > 0) return conflict(whyOther(record, slugs, true), record);
    // What was only supposed for this comparison is not known.
    return { ...this.#plan(row, found, base), base: undefined };
  }

  #plan(row: ComparedRow, found: readonly RegistrationRecord[], base: Base | undefined): PlanDecision {
    const facts = {
      registration: row.registration,
      found,
      base,
      winner: this.#options.winner,
      ...this.#saying,
      parentsShown: this.#reading?.parentsShown ?? true,
      fieldsListed: this.#reading?.fieldsListed,
      sight: this.#reading?.sight,
      leavingGroups: this.#mayLeave,
    };
    const decision = planRow(facts);
    const { record, verdicts } = decision;
    if (record === undefined || base === undefined) return decision;
    // Only what would be sent may put back what another list has changed.
    const keys = new Set([...verdicts].filter(([, verdict]) => verdict === 'send').map(([key]) => key));
    const saidBefore = this.#others.ownPairs(row, record, { base, keys, digest: this.#saying.digest });
    return saidBefore.size === 0 ? decision : planRow({ ...facts, saidBefore });
  }
}

const UNCHANGED: PlanDecision = { ...NOTHING, action: 'unchanged' };

/** Of a person whom somebody has said to leave there. */
const SETTLED = '=';
