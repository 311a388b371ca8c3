import { PARENT } from '../../registration/changes/aspect.ts';
import { type Base, type Pair, UNSAID } from '../decide/base.ts';
import { Lookup } from '../../registration/model/maps.ts';
import {
  BASE,
  type BaseNames,
  digestOf,
  keyOf,
  type KnownBase,
  knownAmong,
  NAMED_BASE,
  type NamedBase,
  type Near,
  ownAmong,
  pack,
  unpack,
} from './base-codec.ts';
import type { Journal } from './journal.ts';
import type { Target } from './runs.ts';

/** Columns by which bases are looked for. */
const KEYS = {
  barcode: 'barcode',
  id: 'remote_id',
  rowKey: 'row_key',
  email: 'email',
  name: 'name',
} as const;
/** The columns of a base, besides whose it is. */
const KEPT = 'barcode, remote_id, row_key, email, name, parent, files, gone, told, pairs, at, expires_at';
export type BaseKey = keyof typeof KEYS;

const DAY_MS = 24 * 60 * 60 * 1000;
/** So long after the end of its event nobody needs to know any more what changed. */
const KEPT_MS = 30 * DAY_MS;
const DIGESTS_KEPT = 10_000;
/** So many of one name, and so many files of one guest, tell enough. */
const MOST = 20;

const soughtBy = ({ barcode, id, rowKey }: Near['by']): string[] =>
  [barcode, id, rowKey].filter((name) => name !== undefined);

/** What is to be noted of a registration that is there. */
export interface BaseNote {
  names: BaseNames;
  /** What becomes of what is known of its values. */
  change: (pairs: Map<string, Pair>) => void;
}

/** Keeps the bases of one event in the journal, apart from its runs. */
export class BaseStore {
  readonly #journal: Journal;
  readonly #target: { service: string; event: string };
  readonly #expiresAt: number | undefined;
  readonly #key: string;
  /** Of texts seen lately: most are those of other rows too, or both said and seen. */
  readonly #digests = new Map<string, string>();

  /** `endDate` of the event, as the service tells it: 30 days after it the bases are forgotten. */
  constructor(journal: Journal, { service, eventId }: Pick<Target, 'service' | 'eventId'>, endDate?: string) {
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
    return this.digest(`${key}:${name}`);
  }

  /** What files of a run go by; as text as they are kept. */
  filesOf(files: readonly string[] | string): string {
    return this.nameOf('files', typeof files === 'string' ? files : JSON.stringify(files));
  }

  /** Whether nothing is known of anybody. */
  get isEmpty(): boolean {
    return !this.#journal.has('FROM base WHERE service = $service AND event = $event', this.#target);
  }

  /** That of a registration. */
  read({ barcode, id }: Pick<BaseNames, 'barcode' | 'id'>): KnownBase | undefined {
    return ownAmong(this.#near(this.#digested({ barcode, id })));
  }

  /** Those of whom some files have spoken, or any. */
  ofFiles(files = ''): NamedBase[] {
    const from = `FROM base WHERE service = $service AND event = $event AND files <> '[]' AND instr(files, $files) > 0 ORDER BY no`;
    return this.#journal.read(NAMED_BASE, from, { ...this.#target, files });
  }

  /** Those without an e-mail of whom some files have spoken. */
  bareOf(files: string): KnownBase[] {
    return this.#read('email IS NULL AND instr(files, $files) > 0 ORDER BY no', { files });
  }

  /** Those that have a name, what was written last first; none for no name. */
  find(key: BaseKey, name: string | undefined): KnownBase[] {
    if (name === undefined) return [];
    const digest = this.nameOf(key, name);
    return this.#read(`${KEYS[key]} = $digest ORDER BY at DESC, no DESC LIMIT ${MOST}`, { digest });
  }

  /** Writes what is known by now, over all that a base that was read, or the one of the names, had. In a transaction. */
  write(names: BaseNames, base: Base | KnownBase, now: number): void {
    const near = this.#near(this.#digested(names));
    this.#write(names, base, { near, known: 'no' in base ? base : knownAmong(near) }, now);
  }

  /** Notes all of it, one after the other. Call it in a transaction. */
  note(notes: readonly BaseNote[], now: number): void {
    const all = notes.map(({ names, change }) => ({ names, change, by: this.#digested(names) }));
    const read = new Lookup<string, KnownBase>();
    for (const base of this.#sharing(all.map(({ by }) => by)))
      for (const name of soughtBy(base)) read.add(name, base);
    const written = new Set<string>();
    for (const { names, change, by } of all) {
      const own = soughtBy(by);
      const found = [...new Set(own.flatMap((name) => read.of(name)))];
      // What was written since, and which of several comes first, is asked once more.
      const isAsRead = found.length < 2 && own.every((name) => !written.has(name));
      const near = isAsRead ? { by, found } : this.#near(by);
      for (const name of [...own, ...near.found.flatMap(soughtBy)]) written.add(name);
      const pairs = new Map(ownAmong(near)?.pairs);
      change(pairs);
      this.#write(names, { pairs, gone: false }, { near, known: knownAmong(near) }, now);
    }
  }

  #digested(names: BaseNames): Near['by'] {
    const digest = (key: BaseKey): string | undefined => {
      const name = names[key] ?? undefined;
      return name === undefined ? undefined : this.nameOf(key, name);
    };
    const [barcode, id, rowKey] = [digest('barcode'), digest('id'), digest('rowKey')];
    return { barcode, id, rowKey, email: digest('email'), name: digest('name') };
  }

  #near(by: Near['by']): Near {
    return { by, found: this.#sharing([by]) };
  }

  /** All that share a name with some registrations by which these may be known, what was written last first. */
  #sharing(all: readonly Near['by'][]): KnownBase[] {
    const named = (key: keyof Near['by']): string => JSON.stringify(all.flatMap((by) => by[key] ?? []));
    return this.#read(
      `(barcode IN (SELECT value FROM json_each($barcode)) OR remote_id IN (SELECT value FROM json_each($id))
         OR row_key IN (SELECT value FROM json_each($rowKey))) ORDER BY at DESC, no DESC`,
      { barcode: named('barcode'), id: named('id'), rowKey: named('rowKey') },
    );
  }

  #read(which: string, by: Readonly<Record<string, string>>): KnownBase[] {
    const from = `FROM base WHERE service = $service AND event = $event AND ${which}`;
    return this.#journal.read(BASE, from, { ...this.#target, ...by }).map(unpack);
  }

  #write(
    names: BaseNames,
    base: Base,
    { near, known }: { near: Near; known: KnownBase | undefined },
    now: number,
  ): void {
    const to = this.#digestsOf(names, near.by, known);
    if ((to.barcode ?? to.id ?? to.rowKey) === undefined) return;
    const { service, event } = this.#target;
    const parent = base.pairs.get(PARENT.key)?.said;
    // An id and a row are one registration's, whoever was known by them before.
    const others = near.found.filter(({ no }) => no !== known?.no);
    for (const { no } of others)
      this.#journal.run(
        'UPDATE base SET remote_id = nullif(remote_id, ?), row_key = nullif(row_key, ?) WHERE no = ?',
        [to.id, to.rowKey, no],
      );
    const own = [known?.no, service, event, to.barcode, to.id, to.rowKey, to.email, to.name];
    const kept = [JSON.stringify(to.files), base.gone ? 1 : 0, base.told, pack(base), now, this.#expiresAt];
    this.#journal.run(
      `INSERT OR REPLACE INTO base (no, service, event, ${KEPT}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [...own, parent === UNSAID ? undefined : parent, ...kept],
    );
  }

  /** These files do not stand for a registration: a new row of its name was said to be somebody else. */
  leave(names: Pick<BaseNames, 'barcode' | 'id'>, now: number): void {
    const known = this.read(names);
    this.write({ ...names, rowKey: null }, { pairs: new Map(), gone: false, ...known, files: [] }, now);
  }

  #digestsOf(
    names: BaseNames,
    by: Near['by'],
    known: KnownBase | undefined,
  ): Omit<KnownBase, 'no' | 'pairs' | 'gone'> {
    const own = (key: BaseKey): string | undefined => (names[key] === undefined ? known?.[key] : by[key]);
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
}

/** That of whom a row stood for when it was last sent or seen. */
export function baseOfRow(
  bases: Pick<BaseStore, 'find'>,
  { rowKey, barcode }: { rowKey: string; barcode: string | undefined },
): KnownBase | undefined {
  const [own] = bases.find('rowKey', rowKey);
  return own ?? bases.find('barcode', barcode)[0];
}

/** Takes along what is known of an event to another service, which is new. Call it in a transaction. */
export function copyBases(
  memory: Journal,
  journal: Journal,
  { service, eventId }: Pick<Target, 'service' | 'eventId'>,
  to: string,
): void {
  const rows = `SELECT event, ${KEPT} FROM base WHERE service = $service AND event = $eventId`;
  for (const row of memory.all(rows, { service, eventId })) journal.add('base', { service: to, ...row });
}
