import type { FieldsOf } from '../../registration/changes/aspect.ts';
import type { RecordImage } from '../../registration/model/registration.ts';
import { LEFT_ALONE, type RowState, THERE } from '../../registration/model/row-states.ts';
import { Lookup } from '../decide/lookup.ts';
import { emailOf } from '../../registration/changes/person.ts';
import type { StandingRow } from '../journal/queued-rows.ts';
import type { Listed, ListedRecords } from '../snapshot/listed-records.ts';
import { nameOf, type Names } from '../delete/names.ts';

interface FileRow {
  state: RowState;
  persona: string | undefined;
  barcode: string | undefined;
  remoteId: string | undefined;
  parent: string | undefined;
  /** Of a row without a barcode: it stands for whoever has that address, also where that is more than one. */
  email: string | undefined;
}

/** What the rows of a run say of whom they stand for, as far as that is known by now. */
export class FileRows {
  readonly #rows: FileRow[] = [];
  readonly personas = new Set<string>();
  readonly parents = new Set<string>();
  readonly #barcodes = new Set<string>();
  readonly #ids = new Set<string>();
  /** Addresses of rows without a barcode, by their personas. */
  readonly #sought = new Map<string, Set<string>>();
  /** Registrations that rows may be about: somebody has to say first. */
  readonly #asked = new Set<string | undefined>();
  /** To what parents rows move members, by what those are known by. */
  readonly #moves = new Lookup<string, { parent: string }>();

  constructor(rows: Iterable<StandingRow>, fields: FieldsOf) {
    for (const { registration, near = [], ...row } of rows) {
      for (const names of near) this.#asked.add(nameOf(names));
      const isBare = row.barcode === undefined && registration !== undefined;
      this.#add({ ...row, email: isBare ? emailOf(registration, fields) : undefined });
    }
  }

  #add(row: FileRow): void {
    const { state, persona, barcode, remoteId, parent, email } = row;
    this.#rows.push(row);
    if (persona !== undefined) this.personas.add(persona);
    if (barcode !== undefined) this.#barcodes.add(barcode);
    if (remoteId !== undefined) this.#ids.add(remoteId);
    if (persona !== undefined && email !== undefined)
      this.#sought.set(persona, (this.#sought.get(persona) ?? new Set()).add(email));
    if (parent === undefined) return;
    this.parents.add(parent);
    if (LEFT_ALONE.has(state)) return;
    this.#moves.add(barcode && `barcode ${barcode}`, { parent });
    this.#moves.add(remoteId && `id ${remoteId}`, { parent });
  }

  /** Whether a row may be about a registration, and somebody has to say. */
  mayBeAbout(names: Names): boolean {
    return this.#asked.has(nameOf(names));
  }

  /** How many rows pass a test. */
  count(test: (row: Omit<FileRow, 'email'>) => boolean): number {
    return this.#rows.filter(test).length;
  }

  /** Rows that the service is not known to hold. */
  get left(): number {
    return this.count(({ state }) => !THERE.has(state));
  }

  /** Whether a row stands for a registration, by its barcode or id. */
  has({ id, barcode }: Names): boolean {
    return (barcode !== undefined && this.#barcodes.has(barcode)) || (id !== undefined && this.#ids.has(id));
  }

  /** Whether a row without a barcode stands for whoever has an address. */
  seeks({ persona = '', email = '' }: Pick<Listed, 'persona' | 'email'>): boolean {
    return this.#sought.get(persona)?.has(email) === true;
  }

  /** Whether rows of a persona are known by their addresses. */
  seeksIn(persona: string | undefined): boolean {
    return persona !== undefined && this.#sought.has(persona);
  }

  /** Whether a row gives a member another parent: it is none any more when the deletions begin. */
  moves({ id, barcode }: RecordImage, from: string): boolean {
    const to = [...this.#moves.of(barcode && `barcode ${barcode}`), ...this.#moves.of(id && `id ${id}`)];
    return to.some(({ parent }) => parent !== from);
  }

  /** How many rows are not listed: not by barcode, nor by id, nor, where they have no barcode, by e-mail. */
  countUnlisted(listed: ListedRecords): number {
    return this.#rows.filter(({ state, persona, barcode, remoteId, email }) => {
      if (state === 'rejected' || listed.hasBarcode(barcode ?? '') || listed.withId(remoteId).length > 0)
        return false;
      return email === undefined || listed.byEmail(persona ?? '', email).length === 0;
    }).length;
  }
}
