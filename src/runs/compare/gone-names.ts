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
import { json, rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';
import type { ListReading } from '../../sync/snapshot/read-listed.ts';
import type { People } from './people.ts';
import { hasName, nameOf } from '../../sync/decide/near.ts';

const PAGE = 500;
/** So many of one name tell enough. */
const MOST = 20;

/** By the index of what rows are known by: bare rows of the whole journal, then those of the files. */
const BARE_ROWS = `main.row AS gone CROSS JOIN run AS past ON past.id = gone.run
  WHERE gone.row_key >= 'h:' AND gone.row_key < 'h;' AND ${PUSHES} AND ${GONE}`;

const BARE = rowCodec({
  key: value<string>('gone.row_key'),
  past: value<string>('gone.run'),
  seq: value<number>('gone.seq'),
  registration: json<Registration>('gone.payload'),
  runNo: value<number>('max(past.rowid)'),
});

type BareRow = Pick<RowOf<typeof BARE>, 'past' | 'seq' | 'runNo'>;

/** What became of the registrations of gone rows. */
interface FoundByName {
  /** Those that are still there, and that nobody stands for. */
  there: readonly GoneRow[];
  /** One that somebody else has deleted: rows of what this machine deleted are not gone ones. */
  deleted: GoneRow | undefined;
}

/** Rows without a barcode that pushes of the same files had, by name: a new row with a barcode may be one of them. */
export class GoneNames {
  readonly #context: GoneContext;
  readonly #reading: ListReading;
  readonly #people: People | undefined;
  /** Undefined until they are noted. */
  #noted: Map<string, BareRow[]> | undefined;

  constructor(context: GoneContext, reading: ListReading, people: People | undefined) {
    this.#context = context;
    this.#reading = reading;
    this.#people = people;
  }

  get isEmpty(): boolean {
    return this.#names.size === 0;
  }

  get #names(): Map<string, BareRow[]> {
    return (this.#noted ??= noteNames(this.#context));
  }

  /** Those with all the names of a row. */
  find(registration: Registration): FoundByName {
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
    const from = `FROM main.row AS gone JOIN run AS past ON past.id = gone.run
      WHERE gone.run = $past AND gone.seq = $seq`;
    const rows = (this.#names.get(name) ?? []).flatMap(
      ({ past, seq }) =>
        this.#context.journal.readOne(GONE_ROW, from, { past, seq, run: this.#context.run }) ?? [],
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
}

/** By name, the newest first; `MOST` of each. */
function noteNames(context: GoneContext): Map<string, BareRow[]> {
  const { journal, fields } = context;
  const from = `FROM ${BARE_ROWS} AND gone.row_key > $after GROUP BY gone.row_key ORDER BY gone.row_key`;
  const names = new Map<string, BareRow[]>();
  let first = Number.MAX_SAFE_INTEGER;
  for (const bare of journal.readAll(BARE, from, { ...ownValues(context), after: '' }, 'key')) {
    const name = nameOf(bare.registration, fields);
    if (name === undefined) continue;
    const { past, seq, runNo } = bare;
    const named = names.get(name) ?? [];
    names.set(name, named);
    named.push({ past, seq, runNo });
    first = Math.min(first, runNo);
  }
  if (names.size > 0) forgetAnswered(context, names, first);
  for (const rows of names.values())
    rows.sort((one, other) => other.runNo - one.runNo || one.seq - other.seq).splice(MOST);
  return names;
}

/** Where a row of that name was registered beside it later, somebody has said that it is another person. `first` is the first push that had one of them. */
function forgetAnswered(context: GoneContext, names: Map<string, BareRow[]>, first: number): void {
  const { journal, fields } = context;
  let after = { runNo: first, seq: Number.MAX_SAFE_INTEGER };
  for (;;) {
    const page = journal.read(
      REGISTERED,
      `FROM run AS past CROSS JOIN main.row ON row.run = past.id
       WHERE ${PUSHES} AND (past.rowid, row.seq) > ($no, $seq) AND row.op = 'send'
         AND row.plan = 'create' AND row.state ${among(SENT)}
       ORDER BY past.rowid, row.seq LIMIT ${PAGE}`,
      { ...ownValues(context), no: after.runNo, seq: after.seq },
    );
    const last = page.at(-1);
    if (last === undefined) return;
    for (const { registration, runNo } of page) {
      const name = nameOf(registration, fields) ?? '';
      const left = names.get(name)?.filter((row) => row.runNo >= runNo);
      if (left !== undefined) names.set(name, left);
    }
    after = last;
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
