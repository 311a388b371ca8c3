import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Database } from './journal-schema.ts';

/** Rows that are packed together: more save little room, and reading one of them costs more. */
const AT_ONCE = 64;

interface Pack {
  no: number;
  /** Empty for a row without one. */
  payloads: string[];
}

/** The payloads of the rows of a dry run, in the temporary table `packed`: rows are alike, so that many fit into little room. */
export class PackedPayloads {
  readonly #write: ReturnType<Database['prepare']>;
  readonly #find: ReturnType<Database['prepare']>;
  /** The one that rows are added to, and the one that was read last. */
  #last: Pack = { no: 0, payloads: [] };
  #read: Pack = { no: -1, payloads: [] };

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
    const { payloads } = no === this.#last.no ? this.#last : this.#unpack(no);
    return payloads[seq % AT_ONCE] || undefined;
  }

  #unpack(no: number): Pack {
    if (no !== this.#read.no) {
      const row = this.#find.get(no) as { payloads: Uint8Array } | undefined;
      const text = row === undefined ? '' : inflateRawSync(row.payloads).toString();
      this.#read = { no, payloads: text.split('\n') };
    }
    return this.#read;
  }
}
