import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Database } from '../../sqlite/private-database.ts';

/** Rows that are packed together: more save little room, and reading one of them costs more. */
const AT_ONCE = 128;

/** So many packs are in memory at most: some 20 MB. */
const KEPT = 500;

interface Pack {
  no: number;
  /** Empty for a row without one. */
  payloads: string[];
}

/** The payloads of the rows of a dry run, in the temporary table `packed`: rows are alike, so that many fit into little room. */
export class PackedPayloads {
  readonly #write: ReturnType<Database['prepare']>;
  readonly #find: ReturnType<Database['prepare']>;
  /** The one that rows are added to. */
  #last: Pack = { no: 0, payloads: [] };
  /** Those that were read last: rows are also looked up by whom they are like, in whatever order. */
  readonly #read = new Map<number, readonly string[]>();

  constructor(db: Database) {
    this.#write = db.prepare('INSERT INTO temp.packed VALUES (?, ?)');
    this.#find = db.prepare('SELECT payloads FROM temp.packed WHERE no = ?');
  }

  /** Rows come in their order. */
  add(seq: number, payload: string): void {
    const no = Math.floor(seq / AT_ONCE);
    if (no !== this.#last.no) {
      this.#write.run(this.#last.no, deflateRawSync(this.#last.payloads.join('\n'), { level: 1 }));
      this.#last = { no, payloads: [] };
    }
    while (this.#last.payloads.length < seq % AT_ONCE) this.#last.payloads.push('');
    this.#last.payloads.push(payload);
  }

  get(seq: number): string | undefined {
    const no = Math.floor(seq / AT_ONCE);
    const payloads = no === this.#last.no ? this.#last.payloads : (this.#read.get(no) ?? this.#unpack(no));
    return payloads[seq % AT_ONCE] || undefined;
  }

  #unpack(no: number): readonly string[] {
    const row = this.#find.get(no) as { payloads: Uint8Array } | undefined;
    const payloads = row === undefined ? [] : inflateRawSync(row.payloads).toString().split('\n');
    const [first] = this.#read.keys();
    if (first !== undefined && this.#read.size === KEPT) this.#read.delete(first);
    this.#read.set(no, payloads);
    return payloads;
  }
}
