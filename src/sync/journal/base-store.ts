import type { Base, Pair } from '../decide/base.ts';
import {
  BASE,
  digestOf,
  keyOf,
  type KnownBase,
  NAMED_BASE,
  type NamedBase,
  pack,
  unpack,
} from './base-codec.ts';
import type { Journal } from './journal.ts';

/** By what a registration and its person are known. */
export interface BaseNames {
  barcode: string | undefined;
  id: string | undefined;
  /** That of the row which stands for it; null: none does any more. */
  rowKey?: string | null | undefined;
  /** As `emailOf` gives it. */
  email?: string | undefined;
  /** As `nameKeyOf` gives it. */
  name?: string | undefined;
  /** What the files of the run that speaks of it go by: see `filesOf`. */
  files?: string | undefined;
}

/** Columns by which bases are looked for. */
const KEYS = {
  barcode: 'barcode',
  id: 'remote_id',
  rowKey: 'row_key',
  email: 'email',
  name: 'name',
} as const;
export type BaseKey = keyof typeof KEYS;

const DAY_MS = 24 * 60 * 60 * 1000;
/** So long after the end of its event nobody needs to know any more what changed. */
const KEPT_MS = 30 * DAY_MS;
const DIGESTS_KEPT = 1000;
/** So many of one name, and so many files of one guest, tell enough. */
const MOST = 20;

/** Keeps the bases of one event in the journal, apart from its runs. */
export class BaseStore {
  readonly #journal: Journal;
  readonly #target: { service: string; event: string };
  readonly #expiresAt: number | undefined;
  readonly #key: string;
  /** Of texts seen lately: most are those of other rows too, or both said and seen. */
  readonly #digests = new Map<string, string>();

  /** `endDate` of the event, as the service tells it: 30 days after it the bases are forgotten. */
  constructor(
    journal: Journal,
    { service, eventId }: { service: string; eventId: string },
    endDate?: string,
  ) {
    this.#journal = journal;
    this.#target = { service, event: eventId };
    const endMs = endDate === undefined ? Number.NaN : Date.parse(endDate);
    this.#expiresAt = Number.isNaN(endMs) ? undefined : endMs + KEPT_MS;
    this.#key = keyOf(journal);
  }

  /** A short text that tells values apart and does not tell them. */
  digest(text: string): string {
    let digest = this.#digests.get(text);
    if (digest === undefined) {
      digest = digestOf(this.#key, text);
      if (this.#digests.size === DIGESTS_KEPT) this.#digests.clear();
      this.#digests.set(text, digest);
    }
    return digest;
  }

  /** The digest of a name: that of another kind is another. */
  nameOf(key: BaseKey | 'files', name: string): string {
    return digestOf(this.#key, `${key}:${name}`);
  }

  /** What files of a run go by. */
  filesOf(files: readonly string[]): string {
    return this.nameOf('files', JSON.stringify(files));
  }

  /** Whether nothing is known of anybody. */
  get isEmpty(): boolean {
    return !this.#journal.has('FROM base WHERE service = $service AND event = $event', this.#target);
  }

  /** That of a registration. */
  read(names: Pick<BaseNames, 'barcode' | 'id'>): KnownBase | undefined {
    return baseOf(this, names);
  }

  /** Those of whom some files have spoken, or any. */
  ofFiles(files = ''): NamedBase[] {
    const from = `FROM base WHERE service = $service AND event = $event AND files <> '[]' AND instr(files, $files) > 0 ORDER BY no`;
    return this.#journal.read(NAMED_BASE, from, { ...this.#target, files });
  }

  /** Those that have a name, what was written last first; none for no name. */
  find(key: BaseKey, name: string | undefined): KnownBase[] {
    return name === undefined ? [] : this.#find(key, this.nameOf(key, name));
  }

  #find(key: BaseKey, digest: string): KnownBase[] {
    const found = this.#journal.read(
      BASE,
      `FROM base WHERE service = $service AND event = $event AND ${KEYS[key]} = $digest
       ORDER BY at DESC, no DESC LIMIT ${MOST}`,
      { ...this.#target, digest },
    );
    return found.map(unpack);
  }

  /**
   * Writes what is known of a registration by now, over all that was known: of a base that was read, else of that which
   * has the names. Call it in a transaction.
   */
  write(names: BaseNames, base: Base | KnownBase, now: number): void {
    this.#write(names, base, 'no' in base ? base : (this.read(names) ?? this.#ofRow(names)), now);
  }

  /** Notes of a registration that is there what `change` makes of its values. Call it in a transaction. */
  note(names: BaseNames, change: (pairs: Map<string, Pair>) => void, now: number): void {
    const own = this.read(names);
    const pairs = new Map(own?.pairs);
    change(pairs);
    this.#write(names, { pairs, gone: false }, own ?? this.#ofRow(names), now);
  }

  #write(names: BaseNames, base: Base, known: KnownBase | undefined, now: number): void {
    const to = this.#digestsOf(names, known);
    if ((to.barcode ?? to.id ?? to.rowKey) === undefined) return;
    // It is one registration's, whoever was known by it before.
    if (to.id !== known?.id) this.#free('id', to.id);
    if (to.rowKey !== known?.rowKey) this.#free('rowKey', to.rowKey);
    const { service, event } = this.#target;
    this.#journal.run(
      `INSERT INTO base (no, service, event, barcode, remote_id, row_key, email, name, files, gone, told, pairs, at, expires_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (no) DO UPDATE SET (barcode, remote_id, row_key, email, name, files, gone, told, pairs, at, expires_at) =
         (excluded.barcode, excluded.remote_id, excluded.row_key, excluded.email, excluded.name, excluded.files,
          excluded.gone, excluded.told, excluded.pairs, excluded.at, excluded.expires_at)`,
      [known?.no, service, event, to.barcode, to.id, to.rowKey, to.email, to.name].concat([
        JSON.stringify(to.files),
        base.gone ? 1 : 0,
        base.told,
        pack(base),
        now,
        this.#expiresAt,
      ]),
    );
  }

  /** These files do not stand for a registration: a new row of its name was said to be somebody else. */
  leave(names: Pick<BaseNames, 'barcode' | 'id'>, now: number): void {
    const known = this.read(names);
    this.write({ ...names, rowKey: null }, { pairs: new Map(), gone: false, ...known, files: [] }, now);
  }

  /** Of a registration whose service shows neither barcodes nor ids. */
  #ofRow({ barcode, id, rowKey }: BaseNames): KnownBase | undefined {
    const isNameless = (base: KnownBase): boolean =>
      (base.barcode === undefined || barcode === undefined) && (base.id === undefined || id === undefined);
    return this.find('rowKey', rowKey ?? undefined).find(isNameless);
  }

  #digestsOf(names: BaseNames, known: KnownBase | undefined): Omit<KnownBase, 'no' | 'pairs' | 'gone'> {
    const own = (key: BaseKey): string | undefined => {
      const name = names[key];
      return name === undefined ? known?.[key] : name === null ? undefined : this.nameOf(key, name);
    };
    const files = names.files === undefined ? [] : [names.files];
    return {
      barcode: own('barcode'),
      id: own('id'),
      rowKey: this.#isByBarcode(names, known) ? known?.rowKey : own('rowKey'),
      email: own('email'),
      name: own('name'),
      files: [...new Set([...files, ...(known?.files ?? [])])].slice(0, MOST),
    };
  }

  /** Who is known by a row without a barcode stays so: a row with its barcode finds it all the same. */
  #isByBarcode({ rowKey, barcode }: BaseNames, known: KnownBase | undefined): boolean {
    return known?.rowKey !== undefined && barcode !== undefined && rowKey === `b:${barcode}`;
  }

  #free(key: 'id' | 'rowKey', digest: string | undefined): void {
    if (digest === undefined) return;
    const { service, event } = this.#target;
    this.#journal.run(
      `UPDATE base SET ${KEYS[key]} = NULL WHERE service = $service AND event = $event AND ${KEYS[key]} = $digest`,
      { service, event, digest },
    );
  }
}

type Finder = Pick<BaseStore, 'find'>;

/** That of a registration, by the barcode wherever there is one: ids may be hidden, and used again. */
export function baseOf(
  bases: Finder,
  { barcode, id }: Pick<BaseNames, 'barcode' | 'id'>,
): KnownBase | undefined {
  const [own] = bases.find('barcode', barcode);
  return own ?? bases.find('id', id).find((base) => barcode === undefined || base.barcode === undefined);
}

/** That of whom a row stood for when it was last sent or seen. */
export function baseOfRow(
  bases: Finder,
  { rowKey, barcode }: { rowKey: string; barcode: string | undefined },
): KnownBase | undefined {
  const [own] = bases.find('rowKey', rowKey);
  return own ?? bases.find('barcode', barcode)[0];
}

/** Nothing is known of a registration any more, in whatever event of the service: it was deleted from here. */
export function forgetBase(journal: Journal, service: string, { barcode, id }: BaseNames): void {
  const key = keyOf(journal);
  const digest = (kind: BaseKey, name: string | undefined): string | undefined =>
    name === undefined ? undefined : digestOf(key, `${kind}:${name}`);
  journal.run(
    `DELETE FROM base WHERE service = $service AND (
       barcode = $barcode OR (remote_id = $id AND (barcode IS NULL OR $barcode IS NULL)))`,
    { service, barcode: digest('barcode', barcode), id: digest('id', id) },
  );
}

/** Takes along what is known of an event to another service. Call it in a transaction. */
export function copyBases(journal: Journal, from: { service: string; eventId: string }, to: string): void {
  journal.run(
    `INSERT INTO base (service, event, barcode, remote_id, row_key, email, name, files, gone, told, pairs, at, expires_at)
     SELECT ?, event, barcode, remote_id, row_key, email, name, files, gone, told, pairs, at, expires_at FROM base AS mine
     WHERE service = ? AND event = ? AND NOT EXISTS (
       SELECT 1 FROM base AS theirs WHERE theirs.service = ? AND theirs.event = mine.event)`,
    [to, from.service, from.eventId, to],
  );
}

/** Forgets the bases of events that are long over. */
export function forgetBases(journal: Journal, now: number): void {
  journal.run('DELETE FROM base WHERE expires_at < $now', { now });
}
