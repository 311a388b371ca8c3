import { flag, rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';
import type { Journal } from '../journal/journal.ts';
import { Lookup } from '../decide/lookup.ts';

const KNOWN = rowCodec({ id: value<string>('remote_id'), seq: value<number>() });
const ROW = rowCodec({
  hash: value<string | undefined>(),
  hasBarcode: flag('barcode IS NOT NULL'),
});

/** Which registrations the rows of a run stand for, by id, in memory: the journal has no index of them. */
export class KnownIds {
  readonly #journal: Journal;
  readonly #run: string;
  readonly #rows = new Lookup<string, { seq: number }>();

  constructor(journal: Journal, run: string) {
    this.#journal = journal;
    this.#run = run;
    const from = `FROM row WHERE run = $run AND op = 'send' AND remote_id IS NOT NULL`;
    for (const { id, seq } of journal.read(KNOWN, from, { run })) this.add(id, seq);
  }

  /** A row was found to stand for a registration. */
  add(id: string, seq: number): void {
    this.#rows.add(id, { seq });
  }

  #others(id: string | undefined, seq: number): { seq: number }[] {
    return this.#rows.of(id).filter((row) => row.seq !== seq);
  }

  #read(seq: number): RowOf<typeof ROW> | undefined {
    return this.#journal.readOne(ROW, 'FROM row WHERE run = $run AND seq = $seq', { run: this.#run, seq });
  }

  /** Two guests may have one address: whether a registration is that of another row than this one. */
  belongsToAnother(id: string, seq: number): boolean {
    return this.#others(id, seq).length > 0;
  }

  /** Whether a row with a barcode, or one that says something else than a row, stands for a registration. */
  isOfOther({ id, barcode }: { id: string | undefined; barcode: string | undefined }, seq: number): boolean {
    const has = `FROM row WHERE run = $run AND barcode = $barcode AND op = 'send'`;
    if (this.#journal.has(has, { run: this.#run, barcode })) return true;
    const own = this.#read(seq)?.hash;
    return this.#others(id, seq)
      .flatMap((other) => this.#read(other.seq) ?? [])
      .some(({ hash, hasBarcode }) => hasBarcode || hash !== own);
  }
}
