import { flag, json, rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';
import type { Base, Pair } from '../decide/base.ts';

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

/**
 * One text where both digests are the same, two where they are not, one alone in a list where nothing was seen;
 * behind them 1 where the service has refused it, and 2 where it writes it its own way.
 */
type StoredPair = string | readonly [said: string, seen?: string, how?: 1 | 2];

/** How a base is kept. */
export const BASE = rowCodec({
  no: value<number>(),
  barcode: value<string | undefined>(),
  id: value<string | undefined>('remote_id'),
  rowKey: value<string | undefined>(),
  email: value<string | undefined>(),
  name: value<string | undefined>(),
  files: json<readonly string[]>(),
  gone: flag(),
  told: value<string | undefined>(),
  pairs: json<Readonly<Record<string, StoredPair>>>(),
});

/** What is known of the values of a registration, as it is kept. */
export function pack({ pairs }: Base): string {
  // fromEntries defines keys, so that a field called __proto__ is a key like any other.
  return JSON.stringify(Object.fromEntries([...pairs].map(([field, pair]) => [field, packPair(pair)])));
}

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
