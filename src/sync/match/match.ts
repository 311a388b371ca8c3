import { isMade } from '../../registration/reading/made-barcode.ts';
import type { RecordImage, RegistrationRecord } from '../../registration/model/registration.ts';
import { wasSeen } from '../decide/base.ts';
import { isAlike, isNamedOtherwise, type Near } from '../decide/near.ts';
import type { Recognition } from '../decide/near.ts';
import type { KnownBase } from '../journal/base-codec.ts';
import type { Listed } from '../snapshot/listed-records.ts';
import { Candidates } from './candidates.ts';
import { claimAlike, claimAsSaid, claimByBarcode, claimDoubles, type ClaimFacts, claimOwn } from './claim.ts';
import { Neighbours } from './neighbours.ts';
import { judgeNew, type NewVerdict } from './judge-new.ts';
import { inSendingOrder, type PersonRow as Row } from './rows.ts';
import { otherPerson } from './someone-else.ts';

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
  /** It was registered before, and somebody else has deleted it. */
  | { kind: 'left'; base: KnownBase }
  /** It may be about these: somebody has to say. */
  | { kind: 'alike'; why: string; asked: readonly RecordImage[] | undefined }
  /** `near`: what the service might change instead of registering it; `beside`: whom it is said not to be. */
  | { kind: 'new'; near: readonly Near[] | undefined; beside: readonly Listed[] }
  /** Nothing tells. */
  | { kind: 'unknown' };

/** Who is who, decided for all rows at once and before any value is compared. */
export class Matches {
  readonly #facts: MatchFacts;
  readonly #candidates: Candidates;
  readonly #neighbours: Neighbours;
  #keys: ReadonlySet<string> | undefined;
  readonly #bySeq: ReadonlyMap<number, Row>;
  /** What rows were given that has another name now. */
  readonly #others: ReadonlyMap<Row, Listed>;

  constructor(facts: MatchFacts) {
    this.#facts = facts;
    const { rows, match } = facts;
    this.#bySeq = new Map(rows.all.map((row) => [row.seq, row]));
    claimByBarcode(facts);
    const others = claimOwn(facts);
    claimAlike(facts);
    claimAsSaid(facts);
    claimDoubles(facts);
    this.#others = others;
    for (const [row, listed] of others) if (rows.isOpen(row)) rows.claim(row, listed);
    this.#candidates = new Candidates(facts, facts.files);
    this.#neighbours = new Neighbours(facts);
    if (match !== 'email' && !Object.values(facts.recognition).includes('yes')) return;
    for (const row of rows.all.filter((one) => this.#isToJudge(one)).toSorted(inSendingOrder)) {
      const verdict = this.#judge(row);
      if (verdict.kind === 'same') rows.claim(row, verdict.listed);
    }
  }

  /** The rows with a barcode that are like nobody, where nothing is known of anybody. */
  get newRows(): number[] {
    const { rows, memory, shown } = this.#facts;
    if (!shown.isWhole || !shown.barcodes || !memory.isEmpty) return [];
    return rows.all.flatMap((row) =>
      row.barcode !== undefined && !row.inDoubt && rows.isOpen(row) && !this.#candidates.isAlike(row)
        ? row.seq
        : [],
    );
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
    const { registration } = row;
    const base = memory.ofListed(listed) ?? memory.ofRow(row);
    const { digest } = memory;
    const moved = base === undefined ? [] : otherPerson({ registration, record, base, fields, digest });
    if (moved.length > 0) return { kind: 'someone-else', record, base, fields: moved };
    if (this.#isUnseen(row) && this.#others.has(row))
      return { kind: 'someone-else', record, base: undefined, fields: [] };
    return { kind: 'same', record, base };
  }

  #unclaimed(row: Row): Answer {
    const other = this.#others.get(row);
    if (other !== undefined && this.#isUnseen(row))
      return { kind: 'someone-else', record: other.record, base: undefined, fields: [] };
    const left = this.#left(row);
    if (left !== undefined) return { kind: 'left', base: left };
    const beside = this.#mayBeNew(row) ? this.#besideOf(row) : undefined;
    if (beside !== undefined) return { kind: 'alike', why: whyBeside(row, beside), asked: [] };
    if (this.#isToJudge(row)) return answerOf(this.#judge(row));
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

  /** It was sent, and nobody has seen it in the service. */
  #isUnseen(row: Row): boolean {
    const base = this.#facts.memory.ofRow(row);
    return base !== undefined && !wasSeen(base);
  }

  /** What is known of a row whose registration is not listed any more. */
  #left(row: Row): KnownBase | undefined {
    const { memory, listed, match, shown, files, fields } = this.#facts;
    const isThere = (email: string): boolean => listed.byEmail(row.persona, email).length > 0;
    // Its id may be another's by now, and so may its ticket.
    const isAnother = (one: Listed, base: KnownBase): boolean =>
      !isAlike(row.registration, one.record, fields) &&
      (!memory.hasBarcodeOf(one, base) || isNamedOtherwise(row.registration, one.record, fields));
    const isGone = (base: KnownBase): boolean => memory.isGone(base, row.email, { isThere, isAnother });
    const own = memory.ofRow(row);
    if (own !== undefined)
      return (row.barcode !== undefined && shown.barcodes) || isGone(own) ? own : undefined;
    if (match === 'none') return undefined;
    return memory.ofName(row.name).find((base) => {
      if (base.rowKey !== undefined && this.#rowKeys().has(base.rowKey)) return false;
      // These files may have got, or lost, the e-mail since.
      const isOpen = (row.email === undefined || base.email === undefined) && base.files.includes(files);
      return (isOpen || memory.hasEmail(base, row.email)) && isGone(base);
    });
  }

  /** Whether a row that stands for nobody may register somebody, and may be about somebody who is listed. */
  #isToJudge(row: Row): boolean {
    const { rows, shown } = this.#facts;
    if (!shown.isList || !this.#mayBeNew(row) || !rows.isOpen(row)) return false;
    return (row.barcode === undefined || shown.barcodes) && this.#left(row) === undefined;
  }

  /** Of rows that are in the files themselves. */
  #rowKeys(): ReadonlySet<string> {
    return (this.#keys ??= this.#facts.memory.rowKeys(this.#facts.rows.all));
  }

  #judge(row: Row): NewVerdict {
    const { match, recognition } = this.#facts;
    return judgeNew({
      hasBarcode: row.barcode !== undefined,
      isMade: row.barcode !== undefined && isMade(row.barcode),
      candidates: this.#candidates.of(row),
      neighbours: this.#neighbours.of(row),
      hasRivals: (ground) => this.#candidates.hasRivals(row, ground),
      match,
      recognition,
    });
  }
}

/** Of whom it is claimed meanwhile that another row stands for it, nothing can be told. */
function answerOf(verdict: NewVerdict): Answer {
  return verdict.kind === 'same' ? { kind: 'unknown' } : verdict;
}

const whyBeside = ({ barcode }: Row, { place }: Row): string =>
  `${place} has its e-mail and name ${barcode === undefined ? 'and' : 'without'} a barcode: if they are one person, take one of the two rows out; --match none registers both`;
