import { among, THERE } from '../../registration/model/row-states.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import type { FieldsOf } from '../../registration/changes/aspect.ts';
import type { Registration, RegistrationRecord } from '../../registration/model/registration.ts';
import { isWhole } from '../../sync/snapshot/answers.ts';
import type { ListReading } from '../../sync/snapshot/read-listed.ts';
import { anotherNow, givenToAnother } from './given-to-another.ts';
import { GoneNames } from './gone-names.ts';
import { type GoneRow, isSamePerson, perhapsCorrected, readGoneRows, readKin } from './gone-rows.ts';
import { emailOf, isAlike, type Recognition } from '../../sync/decide/near.ts';
import { readPartedTwins, withholdParted } from './parted-twins.ts';
import { People } from './people.ts';
import { conflict, type PlanDecision, uncompared, type Winner } from '../../sync/decide/plan-decision.ts';
import { readRecognition } from '../../sync/journal/learned.ts';
import { notTakenBack } from '../../sync/journal/undo-rows.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';
import { RowDecider } from './row-decider.ts';
import { judgeNew, type NewVerdict } from './take-over.ts';
import type { ComparedRow } from '../../sync/journal/run-rows.ts';

/** How rows are compared. */
export interface CompareOptions {
  /**
   * Whom a row is about that the service does not list by barcode or by the id it gave it: somebody with its e-mail
   * and name, else people are asked; whoever has its e-mail; nobody.
   */
  match: 'barcode' | 'email' | 'none';
  /** Who is right where both have changed a value, and where nothing tells who has. */
  winner: Winner;
}

type CompareContext = Pick<SendContext, 'journal' | 'run' | 'event' | 'target' | 'clock' | 'limits'>;

/** Finds out which of the registrations that were read each row is about, and what becomes of it then. */
export class RowComparer {
  /** What becomes of a row once that is known. */
  readonly decider: RowDecider;
  readonly #context: CompareContext;
  readonly #options: CompareOptions;
  readonly #reading: ListReading;
  readonly #fields: FieldsOf;
  /** Undefined where not all of the list was read. */
  readonly #people: People | undefined;
  readonly #recognition: Recognition;
  #gone: readonly GoneRow[];
  readonly #goneNames: GoneNames;
  /** Why rows are not sent that were one person before. */
  readonly #parted: ReadonlyMap<number, string>;

  constructor(context: CompareContext, options: CompareOptions, reading: ListReading) {
    const { journal, run, event, target, clock } = context;
    this.#context = context;
    this.#options = options;
    this.#reading = reading;
    this.#fields = fieldsOf(event);
    this.#recognition = readRecognition(journal, target.service, clock.now());
    const fields = this.#fields;
    this.#people =
      reading.how === 'list' ? new People({ journal, run, fields }, reading, options.match) : undefined;
    const kin = this.#people === undefined ? [] : readKin(journal, reading, this.#people);
    this.decider = new RowDecider(context, options.winner, reading, kin);
    const past = { journal, run, target, fields, kin };
    this.#gone = this.#people === undefined ? [] : readGoneRows(past, reading, this.#people);
    this.#goneNames = new GoneNames(past, reading, this.#people);
    const isAsked = this.#people !== undefined && options.match !== 'none';
    this.#parted = isAsked ? readPartedTwins(past, this.#people) : new Map();
  }

  /** Rows with a barcode that need not be compared: nothing is known of earlier pushes, and they are like nobody. */
  get newRows(): ReadonlySet<number> {
    if (!isWhole(this.#reading) || !this.#reading.barcodesShown || this.#gone.length > 0) return new Set();
    return new Set(this.#goneNames.isEmpty && this.decider.bases.isEmpty ? this.#people?.newRows : []);
  }

  /** An e-mail is said to be one person. */
  get byEmail(): boolean {
    return this.#options.match === 'email';
  }

  /** What becomes of a row; undefined when nothing tells which registration is its own. */
  compare(row: ComparedRow): PlanDecision | undefined {
    const { barcode } = row.registration;
    const own = this.#people?.ownOf(row.seq);
    if (barcode === undefined) {
      const decision = this.#people && this.#compareBare(row, this.#people, own);
      return withholdParted(this.#parted.get(row.seq), decision, own);
    }
    if (!this.#reading.barcodesShown) return this.#compareHidden(row, barcode);
    const found = this.#reading.listed.byBarcode(barcode);
    const another = found.length === 0 ? givenToAnother(row, this.#reading, this.#fields) : undefined;
    if (another !== undefined) return this.#isAnother(row, another);
    const renamed = found.length === 0 ? (own ?? this.#renamed(row, barcode)) : undefined;
    if (renamed !== undefined) return this.#update(row, renamed);
    const decision = this.decider.decide(row, found);
    return decision?.action === 'create' && this.#people !== undefined
      ? this.#register(row, this.#people)
      : decision;
  }

  #isAnother(row: ComparedRow, record: RegistrationRecord): PlanDecision | undefined {
    return this.decider.mayBeListedLate(row) ? undefined : conflict(anotherNow(record), record);
  }

  /** The registration that had the barcode when it was last sent, and has another one now. */
  #renamed({ registration }: ComparedRow, barcode: string): RegistrationRecord | undefined {
    const id = this.#people !== undefined && this.#reading.idsShown ? this.#idOf(barcode) : undefined;
    const record = id === undefined ? undefined : this.#people?.freeById(id);
    return record !== undefined && isAlike(registration, record, this.#fields) ? record : undefined;
  }

  /** Where no barcodes are shown, a row is known by the id that the service gave for its barcode before. */
  #compareHidden(row: ComparedRow, barcode: string): PlanDecision | undefined {
    const { listed, idsShown, how, moved } = this.#reading;
    const id = idsShown && how === 'list' ? this.#idOf(barcode) : undefined;
    const [record, another] = id === undefined ? [] : listed.byId(id);
    if (id === undefined || another !== undefined) return undefined;
    if (record === undefined) return moved ? undefined : this.decider.decide(row, []);
    return isAlike(row.registration, record, this.#fields) ? this.decider.decide(row, [record]) : undefined;
  }

  /** What an undo has brought back as it was tells nothing of whom the row is about; what it registered again does. */
  #idOf(barcode: string): string | undefined {
    const { journal, target } = this.#context;
    return journal.get<{ id: string }>(
      `SELECT row.remote_id AS id FROM main.row CROSS JOIN run ON run.id = row.run
       WHERE row.row_key = 'b:' || $barcode AND row.remote_id IS NOT NULL AND row.op = 'send'
         AND row.state ${among(THERE)} AND run.service = $service AND run.event = $event
         AND (run.kind <> 'undo' OR row.plan = 'create') AND ${notTakenBack('row')}
       ORDER BY max(coalesce(sent_no, 0), coalesce(listed_no, 0)) DESC LIMIT 1`,
      { barcode, service: target.service, event: target.eventId },
    )?.id;
  }

  #compareBare(
    row: ComparedRow,
    people: People,
    own: RegistrationRecord | undefined,
  ): PlanDecision | undefined {
    const another = givenToAnother(row, this.#reading, this.#fields);
    if (another !== undefined) return this.#isAnother(row, another);
    if (own !== undefined) return this.#update(row, own);
    const isOpen = row.state === 'pending';
    const { moved, idsShown } = this.#reading;
    if (row.remoteId !== undefined && idsShown && !moved) {
      const decision = this.decider.decide(row, []);
      if (decision?.action !== 'create') return decision;
    }
    // What is known of it may go by the barcode that the platform had given it.
    if (!isOpen) return this.#isGone(row, people) ? this.decider.decideUnlisted(row) : undefined;
    if (this.byEmail && !people.canTell) return conflict(NO_EMAILS);
    if (moved && this.#options.match !== 'none') {
      return conflict('the list of registrations changed while it was read, so it may be in it already');
    }
    const decision = this.#register(row, people);
    // It may still be the one whose row is gone.
    const cannotTell = this.byEmail && emailOf(row.registration, this.#fields) === undefined;
    return cannotTell && decision?.action === 'create' ? conflict(UNKNOWN_PERSON) : decision;
  }

  /** Whether a row that the service was said to hold is proven not to be listed any more. */
  #isGone(row: ComparedRow, { canTell }: People): boolean {
    const { listed, moved, idsShown } = this.#reading;
    if (moved || this.decider.mayBeListedLate(row)) return false;
    if (row.remoteId !== undefined && idsShown) return listed.byId(row.remoteId).length === 0;
    const email = emailOf(row.registration, this.#fields);
    return canTell && email !== undefined && listed.byEmail(row.registration.persona, email).length === 0;
  }

  /** A registration that was found otherwise than by the barcode of the row is changed under its own. */
  #update(row: ComparedRow, record: RegistrationRecord): PlanDecision | undefined {
    const decision = this.decider.decide(row, [record]);
    if (decision === undefined) return undefined;
    const sends = decision.action === 'update' || (decision.action === 'unknown' && row.state === 'pending');
    if (!sends || record.barcode !== undefined) return decision;
    return conflict('its registration shows no barcode, without which it cannot be updated', record);
  }

  /** A row that nothing is listed for by its barcode, or its id, registers somebody, unless that one is there. */
  #register(row: ComparedRow, people: People): PlanDecision | undefined {
    const { registration, part } = row;
    const email = emailOf(registration, this.#fields);
    const gone = this.#goneFor(registration, people);
    const verdict = judgeNew({
      part,
      hasBarcode: registration.barcode !== undefined,
      neighbours: people.neighbours.of(row),
      namesakes: people.namesakes.of(row),
      hasRivals: people.hasRivals(row),
      gone,
      hasNewEmail: gone.every((one) => email !== undefined && ![undefined, email].includes(one.email)),
      known: gone.filter((one) => isSamePerson(registration, one, this.#fields)),
      match: this.#options.match,
      recognition: this.#recognition,
    });
    if (verdict.kind === 'same') return this.#same(row, verdict, people);
    if (verdict.kind === 'create')
      return this.#deletedBefore(row) ?? { ...uncompared('create'), near: verdict.near };
    return { ...conflict(verdict.why), asked: verdict.asked };
  }

  /** Rows of earlier pushes of the files that a new row may be: corrected since, or with a barcode now. */
  #goneFor(registration: Registration, { canTell }: People): readonly GoneRow[] {
    if (this.#options.match === 'none') return [];
    if (registration.barcode !== undefined) return this.#goneNames.find(registration).there;
    return perhapsCorrected(registration, this.#gone, { fields: this.#fields, canTell });
  }

  /** What becomes of a row that has a barcode now, and whose registration was deleted; undefined: it is created. */
  #deletedBefore(row: ComparedRow): PlanDecision | undefined {
    const { registration } = row;
    if (registration.barcode === undefined || this.#options.match === 'none') return undefined;
    const { deleted } = this.#goneNames.find(registration);
    if (deleted === undefined) return undefined;
    const decision = this.decider.decideUnlisted(row);
    if (decision.action === 'create') return undefined;
    const { what, of } = deleted.place;
    return { ...decision, why: `${what} ${of} has its name: ${decision.why}` };
  }

  #same(
    row: ComparedRow,
    { record, gone }: Extract<NewVerdict, { kind: 'same' }>,
    people: People,
  ): PlanDecision | undefined {
    this.#gone = this.#gone.filter((one) => one !== gone);
    people.claim(row.seq, record);
    const { barcode } = row.registration;
    if (barcode !== undefined && this.#hasMembers(barcode)) {
      const other = record.barcode ?? 'another barcode';
      return conflict(
        `its registration has barcode ${other}, and rows of the files name it as parent by this one`,
        record,
      );
    }
    return this.#update(row, record);
  }

  #hasMembers(barcode: string): boolean {
    const { journal, run } = this.#context;
    return journal.has(
      `FROM row WHERE run = $run AND parent_barcode = $barcode AND op = 'send' AND state <> 'rejected'`,
      { run, barcode },
    );
  }
}

const UNKNOWN_PERSON =
  'it has neither barcode nor e-mail to find its person by: give it one, or --match none registers another person';
const NO_EMAILS = 'the service lists no e-mail addresses, so it cannot be told whether it is there';
