import { deflateRawSync, inflateRawSync } from 'node:zlib';
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
}

/** Rows that are packed together: more save little room, and reading one of them costs more. */
const AT_ONCE = 128;

/** What is sent of the rows of files, by their numbers: rows are alike, so that many fit into little room. */
export class PackedPayloads {
  readonly #packs = new Map<number, Uint8Array>();
  /** The one that rows are added to; empty texts for rows of which nothing is sent. */
  #last: { no: number; payloads: string[] } = { no: 0, payloads: [] };
  /** Those that were read last. */
  readonly #read = new Map<number, readonly string[]>();
  /** So many stay unpacked at most: one is enough for rows in their order. */
  unpackedAtOnce = 1;

  /** Rows come in their order. */
  add(seq: number, registration: Registration): void {
    const no = Math.floor(seq / AT_ONCE);
    if (no !== this.#last.no) {
      // A copy, since the bytes lie in a larger buffer.
      const bytes = new Uint8Array(deflateRawSync(this.#last.payloads.join('\n'), { level: 1 }));
      this.#packs.set(this.#last.no, bytes);
      this.#last = { no, payloads: [] };
    }
    while (this.#last.payloads.length < seq % AT_ONCE) this.#last.payloads.push('');
    this.#last.payloads.push(JSON.stringify(registration));
  }

  /** As JSON. */
  get(seq: number): string | undefined {
    const no = Math.floor(seq / AT_ONCE);
    const payloads = no === this.#last.no ? this.#last.payloads : (this.#read.get(no) ?? this.#unpack(no));
    return payloads[seq % AT_ONCE] || undefined;
  }

  /** Undefined for a row of which nothing is sent. */
  registrationOf({ seq }: { seq: number }): Registration | undefined {
    const payload = this.get(seq);
    return payload === undefined ? undefined : (JSON.parse(payload) as Registration);
  }

  #unpack(no: number): readonly string[] {
    const bytes = this.#packs.get(no);
    const payloads = bytes === undefined ? [] : inflateRawSync(bytes).toString().split('\n');
    const [first] = this.#read.keys();
    if (first !== undefined && this.#read.size >= this.unpackedAtOnce) this.#read.delete(first);
    this.#read.set(no, payloads);
    return payloads;
  }
}

/** Rows, and what is sent of them. */
export interface ReadTogether {
  rows: readonly InputRow[];
  payloads: PackedPayloads;
}

/** Rows by their barcodes. */
export type ByBarcode = ReadonlyMap<string, readonly InputRow[]>;

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
): Map<Key, InputRow[]> {
  const groups = new Map<Key, InputRow[]>();
  for (const row of rows) {
    const key = keyOf(row);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
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
