import { givenBarcode } from '../../registration/reading/companions.ts';
import { firstOf, Lookup } from '../../registration/model/maps.ts';
import { fitsMasks, hasName, type PersonKey, sharedKey, speltBarcode } from '../decide/judge-person.ts';
import type { Listed } from '../snapshot/listed-records.ts';
import type { ClaimFacts } from './claim.ts';
import type { KnownBase } from '../journal/base-codec.ts';
import type { PersonRow as Row } from './rows.ts';

/** By what a row and a registration that nobody stands for are alike, the surest first. */
export type Likeness =
  | PersonKey
  /** The barcode without leading zeros. */
  | 'zeros'
  | 'name'
  /** The name that it had when these files last spoke of it; it has another one now. */
  | 'old-name'
  /** These files have spoken of it, and neither has an e-mail. */
  | 'files';

/** What likenesses rest on: a key by which a service may know people, a name, or that no other is left. */
export const GROUND = {
  case: 'key',
  zeros: 'key',
  email: 'key',
  'email-across': 'key',
  name: 'name',
  'old-name': 'name',
  files: 'rest',
} as const satisfies Record<Likeness, string>;
export type Ground = (typeof GROUND)[Likeness];

/** By what a row and somebody are alike. */
export interface Alike {
  by: Likeness;
  sameName: boolean;
}

/** A registration that a row may be about. */
export interface Candidate extends Alike {
  listed: Listed;
}

/** So many that are like a row tell enough. */
const MOST = 20;
/** More than these are no correction of a file, but another file. */
const LOOKED_AT = 1000;

/** Whom rows may be about for which nothing is listed by barcode or by what is known of them. */
export class Candidates {
  readonly #facts: ClaimFacts;
  readonly #own: string;
  readonly #openByName = new Lookup<string, Row>();
  readonly #spelt = new Lookup<string, Listed>();
  /** The files of the run, and others that have spoken of the same people: those may be the same, renamed. */
  #files: ReadonlySet<string> | undefined;
  #left: readonly Listed[] | undefined;
  #unshown: readonly KnownBase[] | undefined;

  /** Call it when all that is known otherwise is claimed. `own`: what the files of the run go by. */
  constructor(facts: ClaimFacts, own: string) {
    this.#facts = facts;
    this.#own = own;
    const { rows, listed } = facts;
    const spellings = new Set<string>();
    for (const row of rows.all.filter(rows.isOpen)) {
      this.#openByName.add(row.name, row);
      if (row.barcode !== undefined) spellings.add(speltBarcode(row.barcode));
    }
    if (spellings.size === 0) return;
    for (const one of listed.numbered()) {
      const { barcode } = one.record;
      const spelt = barcode && speltBarcode(barcode);
      if (spelt !== undefined && spellings.has(spelt) && rows.isFree(one)) this.#spelt.add(spelt, one);
    }
  }

  /** Whether anything is like a row at all: that is told without looking at it. */
  isAlike({ email, barcode, name }: Row): boolean {
    const { rows, listed } = this.#facts;
    const known = [
      listed.withEmail(email),
      listed.withFolded(barcode),
      this.#spelt.of(barcode && speltBarcode(barcode)),
      listed.withName(name).filter(rows.isFree),
    ];
    const others = [rows.withEmail(email), rows.withFolded(barcode)];
    return known.some((all) => all.length > 0) || others.some((all) => all.length > 1);
  }

  /** Free registrations that a row may be about, each by what is surest. */
  of(row: Row): Candidate[] {
    const { rows, listed, fields } = this.#facts;
    const found = new Map<Listed, Likeness>();
    const add = (all: Iterable<Listed>, by: (one: Listed) => Likeness | undefined): void => {
      for (const one of firstOf(all, MOST, rows.isFree)) {
        const likeness = found.has(one) ? undefined : by(one);
        if (likeness !== undefined) found.set(one, likeness);
      }
    };
    const isNamed = (one: Listed): boolean => this.#isNamed(row, one);
    const shared = ({ record }: Listed): PersonKey | undefined => sharedKey(row.registration, record, fields);
    add(listed.withFolded(row.barcode), shared);
    add(this.#spelt.of(row.barcode && speltBarcode(row.barcode)), () => 'zeros');
    add(listed.withEmail(row.email), shared);
    add(listed.withName(row.name), (one) => (this.#isOneByName(row, one) ? 'name' : undefined));
    add(this.#once(row), (one) => (isNamed(one) ? 'name' : 'old-name'));
    if (givenBarcode(row) === undefined) {
      const left = this.#leftOfFiles(row);
      if (!this.#hasWholeName(row)) add(left.filter(isNamed), () => 'name');
      const isUnknown = (one: Listed): boolean => row.email === undefined && one.email === undefined;
      add(left.filter(isUnknown), () => 'files');
    }
    return [...found].map(([one, by]) => ({
      by,
      listed: one,
      sameName: hasName(row.registration, one.record, fields),
    }));
  }

  /** Like whom a row is that was sent before, and of whom the list cannot say whether it is there. */
  unshown(row: Row): Alike[] {
    const { rows, memory } = this.#facts;
    const own = memory.ofRow(row)?.no;
    const bases = [...memory.of('email', row.email), ...memory.of('name', row.name), ...this.#beside(row)];
    return bases.flatMap((base): Alike[] => {
      if (base.gone || base.no === own || memory.isVisible(base)) return [];
      const sameName = row.name !== undefined && memory.has(base, 'name', row.name);
      if (row.email !== undefined && memory.has(base, 'email', row.email))
        return [{ by: memory.isOfPersona(base, row.persona) ? 'email' : 'email-across', sameName }];
      // Somebody has said that it is another person.
      if (base.files.length === 0 || memory.isOfRows(base, rows.all)) return [];
      const areBare = base.email === undefined && row.email === undefined;
      const isOne = areBare || (this.#isOfFiles(base) && givenBarcode(row) === undefined);
      return isOne ? [{ by: sameName ? 'name' : 'files', sameName }] : [];
    });
  }

  /** One of the group of a row whom these files do not name any more, where neither has an e-mail. */
  #beside(row: Row): KnownBase[] {
    const { rows, memory } = this.#facts;
    if (row.email !== undefined || givenBarcode(row) !== undefined) return [];
    const isLeft = (base: KnownBase): boolean => !memory.isVisible(base) && !memory.isOfRows(base, rows.all);
    this.#unshown ??= firstOf(memory.bareOf(this.#own), LOOKED_AT, isLeft);
    return firstOf(this.#unshown, 1, (base) => memory.isOfGroup(base, row.registration));
  }

  /** Whether other rows that stand for nobody have in common with a row, or with whom it is like, what that rests on, or more. */
  hasRivals(row: Row, ground: Ground, one: Pick<Listed, 'email'>): boolean {
    const { rows } = this.#facts;
    const isRival = (other: Row): boolean => other.seq !== row.seq && rows.isOpen(other);
    const hasEmail = rows.withEmail(ground === 'key' ? row.email : one.email).some(isRival);
    if (hasEmail || ground === 'key') return hasEmail;
    if (ground === 'name') return this.#openByName.of(row.name).some(isRival);
    return rows.all.some(
      (other) => givenBarcode(other) === undefined && other.email === undefined && isRival(other),
    );
  }

  /** A name alone tells only where neither has an e-mail, or these files stood for the registration. */
  #isOneByName(row: Row, one: Listed): boolean {
    const { memory, shown, fields } = this.#facts;
    const base = memory.ofListed(one, row.persona);
    // Somebody has said that it is another person.
    if (base?.files.length === 0) return false;
    if (base !== undefined && this.#isOfFiles(base)) return !this.#areTwo(row, one, base);
    const isBare = one.email === undefined && this.#hasWholeName(row);
    // Nobody can see that the e-mail is another one.
    if (row.email !== undefined)
      return isBare && !shown.emails && fitsMasks(row.registration, one.record, fields);
    return row.barcode === undefined || isBare;
  }

  #isOfFiles({ files }: KnownBase): boolean {
    const own = (this.#files ??= this.#readKin());
    return files.some((one) => own.has(one));
  }

  /** Under a barcode that the files gave it, and with another e-mail, somebody of one name is another person. */
  #areTwo(row: Row, one: Listed, base: KnownBase): boolean {
    const hasOtherEmail = row.email !== undefined && one.email !== undefined && row.email !== one.email;
    return hasOtherEmail && givenBarcode(row) !== undefined && this.#facts.memory.isOfBarcode(base, one);
  }

  /** A first name beside a barcode is that of many. */
  #hasWholeName({ persona, registration }: Row): boolean {
    const names = this.#facts.fields(persona).filter(({ kind }) => kind === 'name');
    return names.length > 1 && names.every(({ slug }) => (registration.fields[slug] ?? '').length > 0);
  }

  #isNamed(row: Row, { record }: Listed): boolean {
    return row.name !== undefined && hasName(row.registration, record, this.#facts.fields);
  }

  /** Those that had the name of a row when these files last spoke of them, and by an id alone have it still. */
  #once(row: Row): Listed[] {
    const { memory } = this.#facts;
    return memory.of('name', row.name).flatMap((base) => {
      const one = this.#isOfFiles(base) ? memory.listedOf(base) : undefined;
      if (one === undefined || !(memory.hasBarcodeOf(one, base) || this.#isNamed(row, one))) return [];
      return this.#areTwo(row, one, base) ? [] : one;
    });
  }

  #leftOfFiles(row: Row): readonly Listed[] {
    this.#left ??= this.#readLeft();
    return this.#left.filter(({ record }) => (record.persona ?? row.persona) === row.persona);
  }

  #readLeft(): Listed[] {
    const { rows, listed, memory } = this.#facts;
    if (memory.isEmpty) return [];
    const free = firstOf(listed.numbered(), LOOKED_AT, rows.isFree);
    return free.filter((one) => memory.ofListed(one)?.files.includes(this.#own) === true);
  }

  /** Some of the people without barcodes tell. */
  #readKin(): ReadonlySet<string> {
    const { rows, memory } = this.#facts;
    const files = new Set([this.#own]);
    const some = firstOf(rows.all, LOOKED_AT, (row) => row.barcode === undefined && !rows.isOpen(row));
    for (const row of some)
      for (const one of rows.ownedBy(row))
        for (const name of memory.ofListed(one)?.files ?? []) files.add(name);
    return files;
  }
}
