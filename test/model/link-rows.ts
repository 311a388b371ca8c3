import type { SandboxRegistration } from '../../src/sandbox/store/stored-row.ts';
import type { Switches } from '../../src/sandbox/store/switches.ts';
import type { Model } from './model.ts';
import type { LinkedRow, ObservedPush } from './observe.ts';
import type { FileRow, ModelFile } from './scenario.ts';
import { isSame } from './values.ts';
import { type Foreign, type Snapshot, withoutForeign } from './world.ts';

export const FILE = 'guests.csv';

/** What tells people apart where files have no barcodes. */
const PERSON = ['first_name', 'last_name', 'email'] as const;

/** Which registrations the rows of a file are about. */
export function linkRows(
  file: ModelFile,
  world: Snapshot,
  model: Model,
  {
    recognise,
    byEmail,
    foreign,
  }: Pick<Switches, 'recognise'> & { byEmail: boolean; foreign: readonly Foreign[] },
): LinkedRow[] {
  const spelt = (barcode: string): string =>
    recognise === 'barcode-any-case' ? barcode.toLowerCase() : barcode;
  const all = [...world.values()];
  // Somebody is told by what they were a moment ago, or else by what they are.
  const earlier = all.map((one) => withoutForeign(one, foreign));
  const people = new People(file, [...earlier, ...all], model);
  people.linkSame(earlier);
  people.linkSame(all);
  people.linkLeftOfFamilies();
  if (byEmail) people.linkByEmail();
  return file.rows.map((row, at) => {
    const ids =
      row.barcode === ''
        ? people.idsOf(row)
        : all.filter(({ barcode }) => spelt(barcode) === spelt(row.barcode)).map(({ id }) => id);
    return { row, place: `${FILE}:${at + 2}`, ids };
  });
}

/** Rows without barcodes, and the registrations that they stand for. */
class People {
  readonly #found = new Map<FileRow, string>();
  readonly #rows: readonly FileRow[];
  readonly #all: readonly SandboxRegistration[];
  readonly #model: Model;
  readonly #taken = new Set<string>();

  constructor({ rows }: ModelFile, all: readonly SandboxRegistration[], model: Model) {
    this.#rows = rows.filter(({ barcode }) => barcode === '');
    this.#all = all;
    this.#model = model;
  }

  /** Somebody who is the same; else whom an earlier push made or found, unless that is plainly another person now. */
  linkSame(all: readonly SandboxRegistration[]): void {
    const { links } = this.#model;
    const linkedTo = ({ guest }: FileRow): SandboxRegistration[] =>
      all.filter(({ id }) => id === links.get(guest) && !this.#taken.has(id));
    const linkFirst = (row: FileRow, [first]: readonly SandboxRegistration[]): void => {
      if (first !== undefined) this.#link(row, first.id);
    };
    for (const row of this.#open())
      linkFirst(
        row,
        linkedTo(row).filter((one) => isSamePerson(one, row) && mayBeOf(one, row)),
      );
    for (const row of this.#open())
      linkFirst(
        row,
        this.#free(row, all).filter((one) => isSamePerson(one, row) && mayBeOf(one, row)),
      );
    for (const row of this.#open())
      linkFirst(
        row,
        linkedTo(row).filter((one) => mayBeOf(one, row)),
      );
  }

  /** Of a family, the one row that is left is the one registration that is left. */
  linkLeftOfFamilies(): void {
    for (const row of this.#open()) {
      if (this.#rowsOf(row).length > 1) this.#linkOnly(row, this.#withEmailOf(row));
    }
  }

  /**
   * What `--match email` says: the one registration that has the e-mail; where none has it, the one with the name,
   * of somebody whom a file had before and none has now.
   */
  linkByEmail(): void {
    for (const row of this.#open()) {
      const listed = this.#withEmailOf(row);
      const link = this.#model.links.get(row.guest);
      const gone = this.#free(row).filter(
        ({ id, fields }) => (id === link || this.#isGone(id)) && isNamed(row) && hasNameOf(fields, row),
      );
      this.#linkOnly(row, listed.length > 0 ? listed : gone);
    }
  }

  /** Of rows that nothing tells apart, each may stand for any of what they stand for. */
  idsOf(row: FileRow): string[] {
    const own = this.#found.get(row);
    if (own === undefined) return [];
    const alike = this.#rows.filter((other) => other !== row && isNamedAlike(other, row));
    const ids = alike.map((other) => this.#found.get(other));
    return ids.includes(undefined) ? [own] : [own, ...ids.filter((id) => id !== undefined)];
  }

  #open(): FileRow[] {
    return this.#rows.filter((row) => !this.#found.has(row));
  }

  #free({ persona }: FileRow, all = this.#all): readonly SandboxRegistration[] {
    return all.filter((one) => !this.#taken.has(one.id) && one.persona === persona);
  }

  /** Empty when the row has no e-mail, or another row is left that has it too. */
  #withEmailOf(row: FileRow): readonly SandboxRegistration[] {
    const { email = '' } = row.cells;
    if (email === '' || this.#isShared(row)) return [];
    return this.#free(row).filter(({ fields }) => isSame(fields['email'], email));
  }

  #isShared(row: FileRow): boolean {
    return this.#rowsOf(row).some(
      (other) => other !== row && other.persona === row.persona && !this.#found.has(other),
    );
  }

  #rowsOf({ cells }: FileRow): FileRow[] {
    return this.#rows.filter((other) => isSame(other.cells.email, cells.email));
  }

  #isGone(id: string): boolean {
    const guest = [...this.#model.links].find(([, linked]) => linked === id)?.[0];
    return guest !== undefined && this.#rows.every((row) => row.guest !== guest);
  }

  #linkOnly(row: FileRow, perhaps: readonly SandboxRegistration[]): void {
    const [id, ...more] = new Set(perhaps.map((one) => one.id));
    if (id !== undefined && more.length === 0) this.#link(row, id);
  }

  #link(row: FileRow, id: string): void {
    this.#found.set(row, id);
    this.#taken.add(id);
  }
}

/** Two e-mails are two people, as are one with and one without, and another name where files have no e-mails. */
function mayBeOf({ fields }: SandboxRegistration, row: FileRow): boolean {
  const { email = '' } = row.cells;
  if (fields['email'] === undefined) return true;
  return row.cells.email === undefined ? hasNameOf(fields, row) : isSame(fields['email'], email);
}

/** By all that files without barcodes say of who somebody is. */
export function isSamePerson({ fields }: SandboxRegistration, row: FileRow): boolean {
  const { email = '' } = row.cells;
  return hasNameOf(fields, row) && (email === '' || isSame(fields['email'], email));
}

/** Somebody made another person of a registration meanwhile that the row may have been about: who saw which is not known. */
export function mayBeRenamed({ cells }: FileRow, { foreign, world, after }: ObservedPush): boolean {
  const renamed = foreign.filter(({ change }) => PERSON.some((slug) => slug === change?.attribute));
  return renamed.some(({ id }) =>
    [world.get(id), after.get(id)].some((one) => one && isSame(one.fields['email'], cells.email)),
  );
}

const isNamed = ({ cells }: FileRow): boolean => `${cells.first_name ?? ''}${cells.last_name ?? ''}` !== '';

function hasNameOf(fields: SandboxRegistration['fields'], { cells }: FileRow): boolean {
  return (['first_name', 'last_name'] as const).every(
    (slug) => (cells[slug] ?? '') === '' || isSame(fields[slug], cells[slug]),
  );
}

/** Whether nothing that tells people apart is different. */
export function isNamedAlike(one: FileRow, other: FileRow): boolean {
  return one.persona === other.persona && PERSON.every((slug) => isSame(one.cells[slug], other.cells[slug]));
}
