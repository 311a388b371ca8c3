import { among, SENT, THERE } from '../../registration/model/row-states.ts';
import type { RecordImage, Registration } from '../../registration/model/registration.ts';
import {
  GONE,
  GONE_ROW,
  type GoneContext,
  type GoneRow,
  lastPush,
  ownValues,
  PUSHES,
  REGISTERED,
  toGoneRow,
} from './gone-rows.ts';
import { json, rowCodec, value } from '../../sqlite/row-codec.ts';
import type { ListReading } from '../listed/read-listed.ts';
import { HeldTables } from '../journal/held-tables.ts';
import type { People } from './people.ts';
import { hasName, nameOf } from '../judge/near.ts';

const TABLES = [
  `CREATE TEMP TABLE IF NOT EXISTS gone_name (name TEXT NOT NULL, run TEXT NOT NULL, seq INTEGER NOT NULL,
     run_no INTEGER NOT NULL)`,
  'CREATE INDEX IF NOT EXISTS temp.gone_name_name ON gone_name (name)',
  'DELETE FROM temp.gone_name',
];
const PAGE = 500;
/** So many of one name tell enough. */
const MOST = 20;

/** By the index of what rows are known by: bare rows of the whole journal, then those of the files. */
const BARE_ROWS = `main.row AS gone CROSS JOIN run AS past ON past.id = gone.run
  WHERE gone.row_key >= 'h:' AND gone.row_key < 'h;' AND ${PUSHES} AND ${GONE}`;

const BARE = rowCodec({
  key: value<string>('gone.row_key'),
  run: value<string>('gone.run'),
  seq: value<number>('gone.seq'),
  registration: json<Registration>('gone.payload'),
  runNo: value<number>('max(past.rowid)'),
});

/** What became of the registrations of gone rows. */
interface FoundByName {
  /** Those that are still there, and that nobody stands for. */
  there: readonly GoneRow[];
  /** One that somebody else has deleted: rows of what this machine deleted are not gone ones. */
  deleted: GoneRow | undefined;
}

const NOBODY: FoundByName = { there: [], deleted: undefined };

/** Rows without a barcode that pushes of the same files had, by name: a new row with a barcode may be one of them. */
export class GoneNames {
  readonly #context: GoneContext;
  readonly #reading: ListReading;
  readonly #people: People | undefined;
  readonly #tables: HeldTables;
  /** Undefined until they are noted. */
  #hasNone: boolean | undefined;

  constructor(context: GoneContext, reading: ListReading, people: People | undefined) {
    this.#context = context;
    this.#reading = reading;
    this.#people = people;
    this.#tables = new HeldTables(context.journal, 'names of gone rows', TABLES);
  }

  get isEmpty(): boolean {
    this.#hasNone ??= !this.#note();
    return this.#hasNone;
  }

  /** Those with all the names of a row. */
  find(registration: Registration): FoundByName {
    if (this.isEmpty) return NOBODY;
    const { fields } = this.#context;
    const name = nameOf(registration, fields);
    const named = name === undefined ? [] : this.#read(name);
    const found = named.filter((one) =>
      hasName(registration, one.registration satisfies RecordImage, fields),
    );
    const { idsShown, moved } = this.#reading;
    return {
      there: found.filter((one) => !idsShown || (one.record !== undefined && !one.isTaken)),
      deleted: found.find(
        ({ remoteId, record }) => idsShown && !moved && remoteId !== undefined && record === undefined,
      ),
    };
  }

  /** Newest first, one of each registration. */
  #read(name: string): Named[] {
    const { fields } = this.#context;
    const rows = this.#tables.journal.read(
      GONE_ROW,
      `FROM temp.gone_name JOIN main.row AS gone ON gone.run = gone_name.run AND gone.seq = gone_name.seq
         JOIN run AS past ON past.id = gone_name.run
       WHERE name = $name ORDER BY run_no DESC, gone_name.seq LIMIT ${MOST}`,
      { name, run: this.#context.run },
    );
    const last = lastPush(this.#context);
    const known = new Set<string>();
    return rows.flatMap((row) => {
      const { remoteId } = row;
      if (remoteId !== undefined && known.has(remoteId)) return [];
      if (remoteId !== undefined) known.add(remoteId);
      const [record] = remoteId === undefined ? [] : this.#reading.listed.byId(remoteId);
      return [
        {
          ...toGoneRow(row, { fields, last, record }),
          remoteId,
          isTaken: this.#people?.isTaken(remoteId) === true,
        },
      ];
    });
  }

  /** Whether there were any. */
  #note(): boolean {
    const first = this.#noteGone();
    if (first !== undefined) this.#forgetAnswered(first);
    return first !== undefined;
  }

  /** The number of the first push that had one of them. */
  #noteGone(): number | undefined {
    const { journal, fields } = this.#context;
    let first: number | undefined;
    const bare = journal.readAll(
      BARE,
      `FROM ${BARE_ROWS} AND gone.row_key > $after GROUP BY gone.row_key ORDER BY gone.row_key`,
      { ...ownValues(this.#context), after: '' },
      'key',
    );
    for (const { run, seq, registration, runNo } of bare) {
      const name = nameOf(registration, fields);
      if (name === undefined) continue;
      this.#tables.journal.run('INSERT INTO temp.gone_name VALUES (?, ?, ?, ?)', [name, run, seq, runNo]);
      first = Math.min(first ?? runNo, runNo);
    }
    return first;
  }

  /** Where a row of that name was registered beside it later, somebody has said that it is another person. */
  #forgetAnswered(first: number): void {
    const { journal, fields } = this.#context;
    let after = { runNo: first, seq: Number.MAX_SAFE_INTEGER };
    for (;;) {
      const page = journal.read(
        REGISTERED,
        `FROM run AS past CROSS JOIN main.row ON row.run = past.id
         WHERE ${PUSHES} AND (past.rowid, row.seq) > ($no, $seq) AND row.op = 'send'
           AND row.plan = 'create' AND row.state ${among(SENT)}
         ORDER BY past.rowid, row.seq LIMIT ${PAGE}`,
        { ...ownValues(this.#context), no: after.runNo, seq: after.seq },
      );
      const last = page.at(-1);
      if (last === undefined) return;
      for (const { registration, runNo } of page) {
        const name = nameOf(registration, fields);
        this.#tables.journal.run('DELETE FROM temp.gone_name WHERE name = ? AND run_no < ?', [
          name ?? '',
          runNo,
        ]);
      }
      after = last;
    }
  }
}

type Named = GoneRow & { remoteId: string | undefined; isTaken: boolean };

const NEW_BARCODE = `FROM row AS mine WHERE mine.run = $run AND mine.op = 'send' AND mine.state = 'pending'
  AND mine.barcode IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM main.row AS known JOIN run ON run.id = known.run AND run.service = $service AND run.event = $event
    WHERE known.row_key = mine.row_key AND known.run <> $run AND known.state ${among(THERE)})`;

/** Whether the files have barcodes that are new to this machine, and lack rows without one that they had. */
export function mayHaveBarcodesNow(context: Omit<GoneContext, 'fields' | 'kin'>): boolean {
  const { journal } = context;
  const { kin, ...own } = ownValues({ ...context, kin: [] });
  const hasGone = journal.has(`FROM ${BARE_ROWS}`, { ...own, kin });
  return hasGone && journal.has(NEW_BARCODE, own);
}
