import { among, MAY_BE_LISTED } from '../../registration/model/row-states.ts';
import { rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';
import { Lookup } from '../decide/lookup.ts';
import { SINCE } from './doubts.ts';
import { columns } from './row-tables.ts';
import type { Journal } from './journal.ts';

const OWN = rowCodec({
  ...columns('seq', 'op', 'state', 'plan', 'attempts', 'barcode'),
  /** What a row without a barcode says. */
  hash: value<string | undefined>('CASE WHEN barcode IS NULL THEN hash END'),
  id: value<string | undefined>('remote_id'),
});
/** A row of a run, and what its registration is known by. */
export type OwnRow = RowOf<typeof OWN>;

type Names = Pick<OwnRow, 'id' | 'barcode'>;

/** The rows of a run in memory, by the names of their registrations. */
export class OwnRows {
  readonly #byId = new Lookup<string, OwnRow>();
  readonly #byBarcode = new Lookup<string, OwnRow>();
  /** Those without a barcode whose registrations may be listed, by what they say. */
  readonly #byHash = new Lookup<string, OwnRow>();
  readonly #bySeq = new Map<number, OwnRow>();

  constructor(journal: Journal, run: string) {
    for (const row of journal.read(OWN, 'FROM row WHERE run = $run ORDER BY seq', { run })) {
      this.#bySeq.set(row.seq, row);
      this.#byId.add(row.id, row);
      this.#byBarcode.add(row.barcode, row);
      if (row.op === 'send' && MAY_BE_LISTED.has(row.state)) this.#byHash.add(row.hash, row);
    }
  }

  /** A row was found to stand for a registration. */
  add(id: string, seq: number): void {
    const row = this.#bySeq.get(seq);
    if (row === undefined || this.#byId.of(id).includes(row)) return;
    this.#byId.add(id, row);
  }

  /** Those about a registration, in their order. */
  about({ id, barcode }: Names): OwnRow[] {
    const found = new Set([...this.#byId.of(id), ...this.#byBarcode.of(barcode)]);
    return [...found].sort((one, other) => one.seq - other.seq);
  }

  #sentAs(id: string | undefined, seq: number): OwnRow[] {
    return this.#byId.of(id).filter((row) => row.op === 'send' && row.seq !== seq);
  }

  /** Two guests may have one address: whether a registration is that of another row than this one. */
  belongsToAnother(id: string | undefined, seq: number): boolean {
    return this.#sentAs(id, seq).length > 0;
  }

  /** Whether a row with a barcode, or one that says something else than a row, stands for a registration. */
  isOfOther({ id, barcode }: Names, seq: number): boolean {
    const hash = this.#bySeq.get(seq)?.hash;
    return (
      this.#byBarcode.of(barcode).some(({ op }) => op === 'send') ||
      this.#sentAs(id, seq).some((other) => other.barcode !== undefined || other.hash !== hash)
    );
  }

  /** How many rows without a barcode say the same, as far as their registrations may be listed. */
  countAlike(hash: string): number {
    return this.#byHash.of(hash).length;
  }

  /** Whether the run has registered somebody new under just these names. */
  hasCreated({ id, barcode }: Names): boolean {
    return this.#byId
      .of(id)
      .some((row) => row.op === 'send' && row.plan === 'create' && row.barcode === barcode);
  }
}

/** The rows of a run whose doubts are settled: what rows of other people in later runs stand for is theirs. */
export class RowsSince extends OwnRows {
  readonly #isOfLater: (id: string | undefined, seq: number) => boolean;

  constructor(journal: Journal, run: string) {
    super(journal, run);
    this.#isOfLater = (id, seq) =>
      journal.has(
        `FROM row WHERE remote_id = $id AND run <> $run AND ${SINCE} AND op = 'send'
           AND state ${among(MAY_BE_LISTED)}
           AND row_key IS NOT (SELECT row_key FROM source WHERE run = $run AND seq = $seq)`,
        { run, seq, id },
      );
  }

  override belongsToAnother(id: string | undefined, seq: number): boolean {
    return super.belongsToAnother(id, seq) || this.#isOfLater(id, seq);
  }
}
