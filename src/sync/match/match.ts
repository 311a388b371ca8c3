import { isMade } from '../../registration/reading/companions.ts';
import type { RegistrationRecord } from '../../registration/model/registration.ts';
import type { AskedOf } from '../decide/plan-decision.ts';
import { wasSeen } from '../decide/base.ts';
import {
  isAlike,
  isNamedOtherwise,
  type Near,
  otherPerson,
  type Recognition,
} from '../decide/judge-person.ts';
import type { KnownBase } from '../journal/base-codec.ts';
import type { Listed } from '../snapshot/listed-records.ts';
import { Candidates } from './candidates.ts';
import { claimAlike, claimAsSaid, claimByBarcode, claimDoubles, type ClaimFacts, claimOwn } from './claim.ts';
import { judgeNew, neighboursOf, type NewVerdict } from './judge-new.ts';
import { inSendingOrder, type PersonRow as Row } from './rows.ts';

export interface MatchFacts extends ClaimFacts {
  /** What the files go by among those that are known to have spoken of people. */
  files: string;
  /** Whom a row is about that is like somebody: people are asked; that one; nobody. */
  match: 'barcode' | 'email' | 'none';
  recognition: Recognition;
}

/** Whom a row is about. */
export type Answer =
  | { kind: 'same'; record: RegistrationRecord; base: KnownBase | undefined }
  /** Its barcode is that of several. */
  | { kind: 'several'; records: readonly RegistrationRecord[] }
  /** Its registration is another person's now, by these fields; none where the service gave it that one's id. */
  | {
      kind: 'someone-else';
      record: RegistrationRecord;
      base: KnownBase | undefined;
      fields: readonly string[];
    }
  /** It was registered before, and is listed no more; `isDeleted`: else nothing tells a deletion from another e-mail. */
  | { kind: 'left'; base: KnownBase; isDeleted: boolean }
  /** It may be about these: somebody has to say. `left`: whom it stood for before is gone. */
  | { kind: 'alike'; why: string; asked: AskedOf | undefined; left?: Left | undefined }
  /** `near`: what the service might change instead of registering it; `beside`: whom it is said not to be. */
  | { kind: 'new'; near: readonly Near[] | undefined; beside: readonly Listed[] }
  /** Nothing tells. */
  | { kind: 'unknown' };

/** That a row was registered before, and is listed no more. */
export type Left = Extract<Answer, { kind: 'left' }>;
/** Who is who, decided for all rows at once and before any value is compared. */
export class Matches {
  readonly #facts: MatchFacts;
  readonly #candidates: Candidates;
  readonly #bySeq: ReadonlyMap<number, Row>;
  /** What rows were given that has another name now. */
  readonly #others: ReadonlyMap<Row, Listed>;

  constructor(facts: MatchFacts) {
    this.#facts = facts;
    const { rows, match } = facts;
    this.#bySeq = new Map(rows.all.map((row) => [row.seq, row]));
    claimByBarcode(facts);
    this.#others = claimOwn(facts);
    claimAlike(facts);
    claimAsSaid(facts);
    claimDoubles(facts);
    for (const [row, listed] of this.#others) if (rows.isOpen(row)) rows.claim(row, listed);
    this.#candidates = new Candidates(facts, facts.files);
    if (match !== 'email' && !Object.values(facts.recognition).includes('yes')) return;
    let open = rows.all.filter((one) => rows.isOpen(one)).toSorted(inSendingOrder);
    // Whom one of them is about, no other is: that may leave another with one alone.
    for (let before = open.length + 1; open.length < before; ) {
      before = open.length;
      open = open.filter((row) => {
        const verdict = this.#isToJudge(row, this.#former(row)) ? this.#judge(row) : undefined;
        if (verdict?.kind === 'same') rows.claim(row, verdict.listed);
        return verdict?.kind !== 'same';
      });
    }
  }

  /** The rows with a barcode that are like nobody, where nothing is known of anybody. */
  get newRows(): number[] {
    const { rows, memory, shown } = this.#facts;
    if (!shown.isWhole || !shown.barcodes || !memory.isEmpty) return [];
    const isNew = (row: Row): boolean => !row.inDoubt && rows.isOpen(row) && !this.#candidates.isAlike(row);
    return rows.all.filter((row) => row.barcode !== undefined && isNew(row)).map(({ seq }) => seq);
  }

  /** Whom a row is about, by its number. */
  of(seq: number): Answer {
    const row = this.#bySeq.get(seq);
    if (row === undefined) throw new Error(`There is no row ${seq}.`);
    const own = this.#facts.rows.ownedBy(row);
    const [only, another] = own;
    if (only === undefined) return this.#unclaimed(row);
    if (another !== undefined) return { kind: 'several', records: own.map(({ record }) => record) };
    return this.#claimed(row, only);
  }

  #claimed(row: Row, listed: Listed): Answer {
    const { memory, fields } = this.#facts;
    const { record } = listed;
    const base = memory.ofListed(listed) ?? memory.ofRow(row);
    const known = base && { base, digest: memory.digest, isAnew: memory.hasOtherId(listed, base) };
    const moved = known && otherPerson({ ...known, registration: row.registration, record, fields });
    if (moved && moved.length > 0) return { kind: 'someone-else', record, base, fields: moved };
    return this.#others.has(row) && !(base && wasSeen(base))
      ? givenTo(listed)
      : { kind: 'same', record, base };
  }

  #unclaimed(row: Row): Answer {
    const other = this.#others.get(row);
    if (other !== undefined) return givenTo(other);
    const former = this.#former(row);
    const beside = former === undefined && this.#mayBeNew(row) ? this.#besideOf(row) : undefined;
    if (beside !== undefined) return { kind: 'alike', why: whyBeside(row, beside), asked: BESIDE };
    const verdict = this.#isToJudge(row, former) ? this.#judge(row) : undefined;
    // Of whom it is claimed meanwhile that another row stands for it, nothing can be told.
    const judged: Answer | undefined = verdict?.kind === 'same' ? { kind: 'unknown' } : verdict;
    // Who may be there in place of whom the row stood for comes before what became of that one.
    if (judged?.kind === 'alike' && former?.base.gone !== true) return { ...judged, left: former };
    const told = former ?? judged;
    if (told !== undefined) return told;
    const isNew = this.#mayBeNew(row) && (row.barcode === undefined || this.#facts.shown.barcodes);
    return isNew ? { kind: 'new', near: undefined, beside: [] } : { kind: 'unknown' };
  }

  /** Another row of the files that names the same person, one of the two by a barcode, and that is sent. */
  #besideOf({ seq, email, name, persona, barcode }: Row): Row | undefined {
    const { rows, match } = this.#facts;
    if (match === 'none' || name === undefined) return undefined;
    return rows.withEmail(email).find((other) => {
      const isSame = other.seq !== seq && other.name === name && other.persona === persona;
      const isOneBare = (other.barcode === undefined) !== (barcode === undefined);
      return isSame && isOneBare && (barcode === undefined || !rows.isOpen(other));
    });
  }

  /** Nothing is known of it from before. */
  #mayBeNew(row: Row): boolean {
    return !row.inDoubt && this.#facts.memory.ofRow(row) === undefined;
  }

  /** What became of the registration that a row stood for, where that is told. */
  #former(row: Row): Left | undefined {
    const { rows, memory, match, shown, files } = this.#facts;
    const own = memory.ofRow(row);
    if (own !== undefined) {
      // Nobody has seen it, and where it was moved to is not where it would have been seen.
      if (!wasSeen(own) && !memory.isOfKindSaid(own, row.registration)) return undefined;
      const isTold = row.barcode !== undefined && shown.barcodes && memory.isKindShown(own);
      return isTold ? { kind: 'left', base: own, isDeleted: true } : this.#fateOf(row, own);
    }
    const known = match === 'none' ? [] : memory.of('name', row.name);
    for (const base of known) {
      if (memory.isOfRows(base, rows.all)) continue;
      // These files may have got, or lost, the e-mail since.
      const isOpen = (row.email === undefined || base.email === undefined) && base.files.includes(files);
      const fate = isOpen || memory.has(base, 'email', row.email) ? this.#fateOf(row, base) : undefined;
      if (fate !== undefined) return fate;
    }
    return undefined;
  }

  /** Whether a registration is gone; undefined where it is that one's, or nothing tells. */
  #fateOf(row: Row, base: KnownBase): Left | undefined {
    const { memory, fields, shown, listed: all } = this.#facts;
    const { registration, persona, email } = row;
    const isKnown = memory.isKnownByName(base);
    const listed = memory.listedOf(base);
    if (listed === undefined) {
      // An e-mail that is new in the file says nothing of whoever had another one.
      const isOwn = email !== undefined && memory.has(base, 'email', email);
      const isUnlisted = shown.emails && isOwn && all.byEmail(persona, email).length === 0;
      const staysSo = shown.idsStay || (shown.barcodes && base.barcode !== undefined);
      return memory.isVisible(base) && (isKnown || isUnlisted)
        ? { kind: 'left', base, isDeleted: isKnown && staysSo }
        : undefined;
    }
    if (isAlike(registration, listed.record, fields)) return undefined;
    // Its id may be another's by now, and so may its ticket: then it has another name, or is gone.
    const isTicket = memory.hasBarcodeOf(listed, base);
    if (isTicket && !isNamedOtherwise(registration, listed.record, fields)) return undefined;
    return { kind: 'left', base, isDeleted: !isTicket };
  }

  /** Whether a row that stands for nobody may register somebody, and may be about somebody who is listed. */
  #isToJudge(row: Row, former: Left | undefined): boolean {
    const { rows, shown } = this.#facts;
    if (!shown.isList || row.inDoubt || !rows.isOpen(row)) return false;
    return (row.barcode === undefined || shown.barcodes) && (this.#mayBeNew(row) || former !== undefined);
  }

  #judge(row: Row): NewVerdict {
    const { match, recognition } = this.#facts;
    return judgeNew({
      hasBarcode: row.barcode !== undefined,
      isMade: row.barcode !== undefined && isMade(row.barcode),
      candidates: this.#candidates.of(row),
      unshown: this.#candidates.unshown(row),
      neighbours: neighboursOf(this.#facts, row),
      hasRivals: (ground, listed) => this.#candidates.hasRivals(row, ground, listed),
      match,
      recognition,
    });
  }
}

/** That a registration is another person's. */
const givenTo = ({ record }: Listed): Answer => ({
  kind: 'someone-else',
  record,
  base: undefined,
  fields: [],
});

const BESIDE: AskedOf = { records: [], haveEmail: true, mayUpdate: false };
const whyBeside = ({ barcode }: Row, { place }: Row): string =>
  `${place} has its e-mail and name ${barcode === undefined ? 'and' : 'without'} a barcode: if they are one person, take one of the two rows out; --match none registers both`;
