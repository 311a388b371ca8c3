import { HeldTables } from '../journal/held-tables.ts';
import type { Journal } from '../journal/journal.ts';
import { rowCodec, said } from '../../sqlite/row-codec.ts';
import type { Registration } from '../../registration/model/registration.ts';

const ROW = rowCodec({ registration: said() });
const TABLES = [
  'CREATE TEMP TABLE IF NOT EXISTS known_id (id TEXT NOT NULL, seq INTEGER NOT NULL)',
  'CREATE INDEX IF NOT EXISTS temp.known_id_id ON known_id (id)',
  'DELETE FROM temp.known_id',
];

/**
 * Which registrations the rows of a run stand for, by id, in a temporary table: the journal has no index of
 * them.
 */
export class KnownIds {
  readonly #tables: HeldTables;
  readonly #run: string;

  constructor(journal: Journal, run: string) {
    this.#run = run;
    this.#tables = new HeldTables(journal, 'known ids', TABLES);
    this.#tables.journal.run(
      `INSERT INTO temp.known_id SELECT remote_id, seq FROM row
       WHERE run = $run AND op = 'send' AND remote_id IS NOT NULL`,
      { run },
    );
  }

  /** A row was found to stand for a registration. */
  add(id: string, seq: number): void {
    this.#tables.journal.run('INSERT INTO temp.known_id VALUES ($id, $seq)', { id, seq });
  }

  /** Two guests may have one address: whether a registration is that of another row than this one. */
  belongsToAnother(id: string, seq: number): boolean {
    return this.#tables.journal.has('FROM temp.known_id WHERE id = $id AND seq <> $seq', { id, seq });
  }

  /** What the other rows say that stand for a registration. */
  othersWith(id: string, seq: number): Registration[] {
    const from = `FROM temp.known_id JOIN row ON row.run = $run AND row.seq = known_id.seq
      WHERE id = $id AND known_id.seq <> $seq`;
    const rows = this.#tables.journal.read(ROW, from, { run: this.#run, id, seq });
    return rows.map(({ registration }) => registration);
  }

  /** Whether a row with a barcode, or one that says something else than a row, stands for a registration. */
  isOfOther({ id, barcode }: { id: string | undefined; barcode: string | undefined }, seq: number): boolean {
    return this.#tables.journal.has(
      `FROM row WHERE run = $run AND barcode = $barcode AND op = 'send'
       UNION ALL SELECT 1 FROM temp.known_id JOIN row ON row.run = $run AND row.seq = known_id.seq
         WHERE known_id.id = $id AND (row.barcode IS NOT NULL
           OR row.hash IS NOT (SELECT hash FROM row AS mine WHERE mine.run = $run AND mine.seq = $seq))`,
      { run: this.#run, barcode, id, seq },
    );
  }
}
