import { Lookup } from '../../registration/model/maps.ts';
import type { Registration } from '../../registration/model/registration.ts';
import type { Note, Place, Reason, SourceRow } from '../../registration/model/row.ts';
import type { EmailDomain } from '../../registration/reading/row-draft.ts';

/** One registration of the files, or why there is none. One record with companions is several, right behind one another. */
export interface InputRow {
  /** Counts all of them. */
  seq: number;
  place: Place;
  /** 0, or which companion of its record it is. */
  part: number;
  /** Its e-mail addresses, where their domains are looked up. */
  emails: readonly EmailDomain[];
  /** What it is known by in this push: its barcode, or what it holds. */
  key: string | undefined;
  /** Also of a record that cannot be read, where nothing is wrong with them: its members are told of it. */
  barcode: string | undefined;
  parentBarcode: string | undefined;
  /** How far below the first of its parents in the files it is; undefined where they make a circle. */
  depth: number | undefined;
  /** Why it cannot be sent; none: it can. */
  reasons: readonly Reason[];
  /** What was mended in its record. */
  notes: readonly Note[];
  /** Its record as it stands in the file, where that may be written once more. */
  source: SourceRow | undefined;
  /** What is sent of it; undefined where nothing is. */
  registration: Registration | undefined;
}

/** Rows by their barcodes. */
export type ByBarcode = Lookup<string, InputRow>;

/** Whether a row can be sent, as far as is known. */
export const isSendable = ({ reasons }: InputRow): boolean => reasons.length === 0;

/** Takes a row out of what will be sent. */
export function reject(row: InputRow, reason: Reason): void {
  row.reasons = [...row.reasons, reason];
}

/** What the columns of barcodes are called in the user's files. */
export interface BarcodeColumns {
  barcode: string;
  parentBarcode: string;
}

/** Rows by what they have in common, in their order; without those that have none of it. */
export function groupRows<Key>(
  rows: readonly InputRow[],
  keyOf: (row: InputRow) => Key | undefined,
): Lookup<Key, InputRow> {
  const groups = new Lookup<Key, InputRow>();
  for (const row of rows) groups.add(keyOf(row), row);
  return groups;
}

/** A note, and where its cell stands. */
interface Repair {
  place: Place;
  note: Note;
}

/** How often a repair was made in a column, with the first cell as an example. */
interface RepairCount extends Repair, Pick<Note, 'column' | 'repair'> {
  cells: number;
}

/** Notes that the summary for programs lists; the journal has all. */
const MOST_LISTED = 1000;

/** What was mended in the files. */
export interface Repairs {
  /** Cells in all. */
  readonly cells: number;
  /** By column and repair, the most frequent first. */
  counts: () => readonly RepairCount[];
  /** The first 1,000, in the order of the files. */
  listed: () => readonly Repair[];
}

export function repairsOf(rows: readonly InputRow[]): Repairs {
  const counts = new Map<string, RepairCount>();
  const listed: Repair[] = [];
  let cells = 0;
  for (const { place, notes, part } of rows) {
    for (const note of part === 0 ? notes : []) {
      cells += 1;
      if (listed.length < MOST_LISTED) listed.push({ place, note });
      const { column, repair } = note;
      const key = JSON.stringify([column, repair]);
      const known = counts.get(key);
      if (known === undefined) counts.set(key, { column, repair, cells: 1, place, note });
      else known.cells += 1;
    }
  }
  const sorted = [...counts.values()].sort((one, other) => other.cells - one.cells);
  return { cells, counts: () => sorted, listed: () => listed };
}
