import type { FieldsOf } from '../../registration/changes/aspect.ts';
import type { RecordImage } from '../../registration/model/registration.ts';
import { LEFT_ALONE, type RowState, THERE } from '../../registration/model/row-states.ts';
import { Lookup } from '../../registration/model/maps.ts';
import { emailOf } from '../../registration/changes/person.ts';
import type { StandingRow } from '../journal/queued-rows.ts';
import type { Listed, ListedRecords } from '../snapshot/listed-records.ts';
import { type Names, nameOf } from '../delete/names.ts';
import type { Allowance, Share } from '../decide/delete-guard.ts';
import type { Session } from '../journal/send-context.ts';
import type { ListReading } from '../snapshot/read-listed.ts';
import { deletedSince } from '../journal/delete-rows.ts';
import { holdParents, memberStays, withMembers } from '../delete/hold.ts';

/** A row as it tells whom it stands for; `email`: of one without a barcode, which stands for whoever has that address. */
type FileRow = Omit<StandingRow, 'registration' | 'near'> & { email: string | undefined };

const keysOf = ({ id, barcode }: Names): string[] => [
  ...(barcode === undefined ? [] : [`barcode ${barcode}`]),
  ...(id === undefined ? [] : [`id ${id}`]),
];

/** What the rows of a run say of whom they stand for, as far as that is known by now. */
export class FileRows {
  readonly #rows: FileRow[] = [];
  readonly personas = new Set<string | undefined>();
  readonly parents = new Set<string>();
  readonly #names = new Set<string>();
  /** Addresses of rows without a barcode, each behind its persona, and those personas. */
  readonly #sought = new Set<string | undefined>();
  /** Registrations that rows may be about: somebody has to say first. */
  readonly #asked = new Set<string | undefined>();
  /** To what parents rows move members, by what those are known by. */
  readonly #moves = new Lookup<string, { parent: string }>();

  constructor(rows: Iterable<StandingRow>, fields: FieldsOf) {
    for (const { registration, near = [], ...row } of rows) {
      const { state, persona, barcode, remoteId: id, parent } = row;
      const isBare = barcode === undefined && registration !== undefined;
      const email = isBare ? emailOf(registration, fields) : undefined;
      this.#rows.push({ ...row, email });
      this.personas.add(persona);
      for (const names of near) this.#asked.add(nameOf(names));
      for (const key of keysOf({ id, barcode })) {
        this.#names.add(key);
        if (parent !== undefined && !LEFT_ALONE.has(state)) this.#moves.add(key, { parent });
      }
      if (parent !== undefined) this.parents.add(parent);
      if (email !== undefined) this.#sought.add(persona).add(`${persona}\n${email}`);
    }
  }

  /** Whether a row may be about a registration, and somebody has to say. */
  mayBeAbout(names: Names): boolean {
    return this.#asked.has(nameOf(names));
  }

  /** How many rows pass a test. */
  count(test: (row: FileRow) => boolean): number {
    return this.#rows.filter(test).length;
  }

  /** Rows that the service is not known to hold. */
  get left(): number {
    return this.count(({ state }) => !THERE.has(state));
  }

  /** Whether a row stands for a registration, by its barcode or id. */
  has(names: Names): boolean {
    return keysOf(names).some((key) => this.#names.has(key));
  }

  /** Whether a row without a barcode stands for whoever has an address; whether there is any such row of a persona. */
  seeks({ persona, email }: Pick<Listed, 'persona' | 'email'>): boolean {
    return this.#sought.has(email === undefined ? persona : `${persona}\n${email}`);
  }

  /** Whether a row gives a member another parent: it is none any more when the deletions begin. */
  moves(record: RecordImage, from: string): boolean {
    return keysOf(record).some((key) => this.#moves.of(key).some(({ parent }) => parent !== from));
  }

  /** How many rows of some states are not listed: not by barcode, nor by id, nor, where they have no barcode, by e-mail. */
  countUnlisted(listed: ListedRecords, isMeant = (state: RowState): boolean => state !== 'rejected'): number {
    return this.count(({ state, persona = '', barcode = '', remoteId, email }) => {
      if (!isMeant(state) || listed.hasBarcode(barcode) || listed.withId(remoteId).length > 0) return false;
      return email === undefined || listed.byEmail(persona, email).length === 0;
    });
  }
}

/** What a registration that no row stands for is known by. */
interface Pruned extends Names {
  listed: Listed;
}

export interface PruneOptions {
  /** How rows are known to stand for a registration. */
  match: 'barcode' | 'email' | 'none';
  maxDelete: Allowance;
  /** Barcodes and addresses of rows that are left out by their values. */
  leftOut: ReadonlySet<string>;
}

/** What the service lists of the personas of some files, and no row of them stands for. */
export interface Prunable {
  /** What would be deleted. */
  going: readonly Pruned[];
  /** What stays all the same, and why. */
  kept: ReadonlyMap<Pruned, string>;
  /** How many show too little of themselves to tell whether the files have them. */
  hidden: { barcodes: number; emails: number };
  /** Of each persona in the files, how many there are, and how many would be deleted. */
  shares: readonly Share[];
}

/** Finds what is nobody's: by barcode, by id, or by e-mail where rows are matched so. */
export function findPrunable(
  context: Session,
  rows: FileRows,
  reading: ListReading,
  { match, leftOut }: PruneOptions,
): Prunable {
  const { journal, target, clock, limits } = context;
  const there = [...reading.listed.numbered()].filter(
    ({ persona }) => persona !== undefined && rows.personas.has(persona),
  );
  // Some services list for a while what is deleted: it goes without another request.
  const lagging = deletedSince(journal, target, clock.now() - limits.settleMs);
  const isNobodys = (one: Listed): boolean => {
    const isSought = match === 'email' && one.email !== undefined && rows.seeks(one);
    return !isSought && !rows.has(one.record) && !lagging.has(nameOf(one.record));
  };
  const pruned = there.filter(isNobodys).map((one): Pruned => {
    const { id, barcode } = one.record;
    return { id, barcode, listed: one };
  });
  const kept = new Map<Pruned, string>();
  for (const one of pruned) {
    const { barcode = '', listed } = one;
    if (rows.mayBeAbout(one)) kept.set(one, 'a row of the file may be about it');
    if ([barcode, listed.email ?? ''].some((name) => leftOut.has(name.toLowerCase())))
      kept.set(one, 'a row that is left out is about it: eventreg delete removes it');
    if (rows.parents.has(barcode)) kept.set(one, 'a row of the file names it as parent');
  }
  const all = withMembers(context, reading, pruned);
  holdParents(all, pruned, kept, memberStays, (member, parent) => !rows.moves(member, parent));
  const going = pruned.filter((one) => !kept.has(one));
  const gone = going.map(({ listed }) => listed);
  const personas = [...new Set(there.flatMap(({ persona }) => persona ?? []))].toSorted();
  const countOf = (some: readonly Listed[], persona: string): number =>
    some.filter((one) => one.persona === persona).length;
  return {
    going,
    kept,
    hidden: {
      barcodes: pruned.filter(({ barcode }) => barcode === undefined).length,
      emails: pruned.filter(
        ({ listed }) => match === 'email' && listed.email === undefined && rows.seeks(listed),
      ).length,
    },
    shares: personas.map((persona) => ({
      persona,
      there: countOf(there, persona),
      going: countOf(gone, persona),
    })),
  };
}
