import { type Registration, type RegistrationRecord } from '../../registration/model/registration.ts';
import type { EventInfo } from '../../registration/model/persona.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import { emailOf } from '../../registration/changes/person.ts';
import { conflict, type PlanDecision, uncompared, whyAbsent, type Winner } from '../decide/plan-decision.ts';
import { baseOfRow } from '../journal/base-store.ts';
import { readRecognition } from '../journal/learned.ts';
import type { SendContext } from '../journal/send-context.ts';
import { type Answer, Matches } from '../match/match.ts';
import { Memory } from '../match/memory.ts';
import { type PersonRow, Rows } from '../match/rows.ts';
import { isWhole } from '../snapshot/answers.ts';
import { type ListReading, nothingRead } from '../snapshot/read-listed.ts';
import { RowDecider } from './row-decider.ts';
import type { ComparedRow } from './rows-to-plan.ts';

/** How rows are compared. */
export interface CompareOptions {
  /**
   * Whom a row is about that is like somebody whom no row stands for: people are asked; that one, where there is only
   * one; somebody new.
   */
  match: 'barcode' | 'email' | 'none';
  /** Who is right where both have changed a value, and where nothing tells who has. */
  winner: Winner;
}

type CompareContext = Pick<SendContext, 'journal' | 'event' | 'target' | 'clock' | 'limits'> & {
  files: readonly string[];
};

/** Says what becomes of each row, from whom it is about. */
export class RowComparer {
  /** What becomes of a row once that is known. */
  readonly decider: RowDecider;
  readonly #event: EventInfo;
  readonly #people: readonly PersonRow[];
  #parents: ReadonlySet<string> | undefined;
  readonly #options: CompareOptions;
  readonly #reading: ListReading;
  /** Nothing can be read of the service: who was sent before is known, and nobody has looked whether others are there. */
  readonly #isBlind: boolean;
  readonly #matches: Matches;
  /** None of the registrations shows an e-mail address, so that none can be found by its own. */
  readonly #emailsHidden: boolean;

  constructor(
    context: CompareContext,
    options: CompareOptions,
    { people, reading: read }: { people: readonly PersonRow[]; reading: ListReading | undefined },
  ) {
    const { journal, files, event, target, clock } = context;
    this.#event = event;
    this.#people = people;
    this.#options = options;
    const reading = read ?? nothingRead(fieldsOf(event));
    this.#reading = reading;
    this.#isBlind = read === undefined;
    this.decider = new RowDecider(context, options.winner, reading);
    const fields = fieldsOf(event);
    const { listed, idsShown, barcodesShown } = reading;
    this.#emailsHidden = listed.count > 0 && !listed.showsEmails;
    const { bases } = this.decider;
    const shown = {
      ids: idsShown,
      barcodes: barcodesShown,
      emails: !this.#emailsHidden,
      values: reading.fieldsShown,
      isList: reading.how === 'list' || this.#isBlind,
      isWhole: isWhole(reading),
      kinds: reading.kinds,
    };
    this.#matches = new Matches({
      listed,
      fields,
      shown,
      match: options.match,
      rows: new Rows(people),
      memory: new Memory(bases, () => listed.numbered(), shown),
      files: bases.filesOf(files),
      recognition: readRecognition(journal, target.service, clock.now()),
    });
  }

  /** Rows with a barcode that need not be compared: nothing is known of earlier pushes, and they are like nobody. */
  get newRows(): ReadonlySet<number> {
    return new Set(this.#matches.newRows);
  }

  /** What becomes of a row. */
  readonly compare = (row: ComparedRow): PlanDecision => {
    const { decider } = this;
    const answer = this.#matches.of(row.seq);
    switch (answer.kind) {
      case 'several':
        return decider.decide(row, answer.records, undefined);
      case 'left':
        return decider.decideLeft(row, answer);
      case 'same':
        return this.#same(row, answer);
      case 'someone-else':
        return decider.decideOther(row, answer);
      case 'alike':
        return this.#alike(row, answer);
      case 'new':
        return this.#new(row, answer);
      default:
        return decider.untold(row, baseOfRow(decider.bases, { ...row, barcode: row.registration.barcode }));
    }
  };

  #same(row: ComparedRow, { record, base }: Extract<Answer, { kind: 'same' }>): PlanDecision {
    const { barcode } = row.registration;
    const other = record.barcode ?? barcode;
    if (barcode !== undefined && other !== undefined && barcode !== other && this.#hasMembers(barcode)) {
      return conflict(
        `its registration has barcode ${other}, and rows of the files name it as parent by this one`,
        record,
      );
    }
    return refuseNameless(row, record, this.decider.decide(row, [record], base));
  }

  /** Who says that the service is right leaves it as it is there, whoever has come in the place of whom the row stood for. */
  #alike(row: ComparedRow, { why, asked, left }: Extract<Answer, { kind: 'alike' }>): PlanDecision {
    if (left === undefined) return { ...conflict(`${companionOf(row)}${why}`), asked };
    if (this.#options.winner === 'service') return this.decider.decideLeft(row, left);
    const told = `${whyAbsent(left.isDeleted)}; ${why}; --keep leaves it so`;
    return { ...conflict(`${companionOf(row)}${told}`), asked };
  }

  #hasMembers(barcode: string): boolean {
    this.#parents ??= new Set(this.#people.flatMap(({ registration }) => registration.parentBarcode ?? []));
    return this.#parents.has(barcode);
  }

  /** A row without a barcode registers somebody only where it is certain that nobody there can be that one. */
  #new(row: ComparedRow, { near, beside }: Extract<Answer, { kind: 'new' }>): PlanDecision {
    if (this.#isBlind) return uncompared('unknown');
    const { registration } = row;
    const why = registration.barcode === undefined ? this.#whyUncertain(registration) : undefined;
    if (why !== undefined) return conflict(why);
    if (this.#options.match === 'none') this.decider.beside.push(...beside.map(({ record }) => record));
    return { ...uncompared('create'), near };
  }

  #whyUncertain(registration: Registration): string | undefined {
    const { match } = this.#options;
    if (match === 'email' && this.#emailsHidden) return NO_EMAILS;
    if (this.#reading.moved && match !== 'none') return MOVED;
    const email = emailOf(registration, fieldsOf(this.#event));
    return match === 'email' && email === undefined ? UNKNOWN_PERSON : undefined;
  }
}

/** An update is sent under a barcode. */
function refuseNameless(row: ComparedRow, record: RegistrationRecord, decision: PlanDecision): PlanDecision {
  const sends = decision.action === 'update' || decision.action === 'unknown';
  if (!sends || (record.barcode ?? row.registration.barcode) !== undefined) return decision;
  const why = 'its registration shows no barcode, without which it cannot be updated';
  return { ...conflict(why, record), base: decision.base };
}

const companionOf = ({ part }: ComparedRow): string => (part === 0 ? '' : `companion ${part} of this row: `);

const MOVED = 'the list of registrations changed while it was read, so it may be in it already';
const UNKNOWN_PERSON =
  'it has neither barcode nor e-mail to find its person by: give it one, or --match none registers another person';
const NO_EMAILS = 'the service lists no e-mail addresses, so it cannot be told whether it is there';
