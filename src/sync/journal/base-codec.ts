import { hash, randomBytes } from 'node:crypto';
import { recordOf } from '../../registration/model/maps.ts';
import { flag, json, rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';
import type { Base, Pair } from '../decide/base.ts';
import type { Journal } from './journal.ts';

/** What is known of a registration, with its names as digests. */
export interface KnownBase extends Base {
  /** Tells bases apart. */
  no: number;
  barcode?: string | undefined;
  id?: string | undefined;
  rowKey?: string | undefined;
  email?: string | undefined;
  name?: string | undefined;
  /** Those that have spoken of it, the last ones first. */
  files: readonly string[];
}

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

/** The bases that share a name with a registration, and its names as digests. */
export interface Near {
  by: Pick<KnownBase, 'barcode' | 'id' | 'rowKey' | 'email' | 'name'>;
  found: readonly KnownBase[];
}

/** That of the registration itself, by the barcode wherever there is one: ids may be hidden, and used again. */
export function ownAmong({ by: { barcode, id }, found }: Near): KnownBase | undefined {
  const own = found.find((base) => barcode !== undefined && base.barcode === barcode);
  return own ?? found.find((base) => id !== undefined && base.id === id && oneHasNone(barcode, base.barcode));
}

/** The same, or that of its row where the service shows neither barcodes nor ids. */
export function knownAmong(near: Near): KnownBase | undefined {
  const { barcode, id, rowKey } = near.by;
  const ofRow = near.found.filter((base) => rowKey !== undefined && base.rowKey === rowKey);
  return ownAmong(near) ?? ofRow.find((base) => oneHasNone(barcode, base.barcode) && oneHasNone(id, base.id));
}

const oneHasNone = (one: string | undefined, other: string | undefined): boolean =>
  one === undefined || other === undefined;

/**
 * One text where both digests are the same, two where they are not, one alone in a list where nothing was seen;
 * behind them 1 where the service has refused it, and 2 where it writes it its own way.
 */
type StoredPair = string | readonly [said: string, seen?: string, how?: 1 | 2];

const NAMES = {
  barcode: value<string | undefined>(),
  id: value<string | undefined>('remote_id'),
  rowKey: value<string | undefined>(),
  files: json<readonly string[]>(),
  gone: flag(),
};

/** Whom a base is of. */
export const NAMED_BASE = rowCodec(NAMES);
export type NamedBase = RowOf<typeof NAMED_BASE>;

/** How a base is kept. */
export const BASE = rowCodec({
  ...NAMES,
  no: value<number>(),
  email: value<string | undefined>(),
  name: value<string | undefined>(),
  told: value<string | undefined>(),
  pairs: json<Readonly<Record<string, StoredPair>>>(),
});

/** What is known of the values of a registration, as it is kept. */
export const pack = ({ pairs }: Base): string =>
  JSON.stringify(recordOf([...pairs].map(([field, pair]) => [field, packPair(pair)])));

function packPair({ said, seen, refused, rewritten }: Pair): StoredPair {
  if (seen === undefined) return [said];
  if (refused === true) return [said, seen, 1];
  if (rewritten === true) return [said, seen, 2];
  return said === seen ? said : [said, seen];
}

/** A base as it is kept. */
export function unpack({ pairs, ...base }: RowOf<typeof BASE>): KnownBase {
  return { ...base, pairs: new Map(Object.entries(pairs).map(([field, pair]) => [field, unpackPair(pair)])) };
}

function unpackPair(stored: StoredPair): Pair {
  if (typeof stored === 'string') return { said: stored, seen: stored };
  const [said, seen, how] = stored;
  if (how === 1) return { said, seen, refused: true, rewritten: true };
  return how === 2 ? { said, seen, rewritten: true } : { said, seen };
}

const KEY_BYTES = 32;
/** Characters of base64url: 96 bits. */
const DIGEST_CHARACTERS = 16;

/** A short text that tells texts apart and does not tell them. */
export const digestOf = (key: string, text: string): string =>
  hash('sha256', `${key}\n${text}`, 'base64url').slice(0, DIGEST_CHARACTERS);

/** By which texts are digested in a journal: by `first` where it has no key yet. */
export function keyOf(journal: Journal, first = randomBytes(KEY_BYTES).toString('hex')): string {
  const read = () => journal.get<{ key: Uint8Array }>('SELECT key FROM base_key');
  // Another process may be first.
  const insert = 'INSERT OR IGNORE INTO base_key (no, key) VALUES (1, ?)';
  if (read() === undefined) journal.run(insert, [Buffer.from(first, 'hex')]);
  return Buffer.from(read()?.key ?? new Uint8Array()).toString('hex');
}
