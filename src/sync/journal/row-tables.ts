import type { RecordImage, Registration } from '../../registration/model/registration.ts';
import { among, type RowState, SENT } from '../../registration/model/row-states.ts';
import { columnOf, insertion, json, place, toCell, value } from '../../sqlite/row-codec.ts';
import type { Near } from '../decide/judge-person.ts';
import type { ValueVerdict } from '../decide/decide.ts';
import type { PlanAction } from '../decide/plan-decision.ts';
import type { RowOp } from './run.ts';
import type { DatabaseFile } from '../../sqlite/database-file.ts';

/*
 * A row of a run is kept in three tables, and read as one, by the view `row`: `source` is what was read, written once;
 * `operation` is where it stands, written with every request, and holds no long texts; `sides` is what of the service it
 * was held against, of those rows that there was something to hold against.
 */

/** Rows that the service has taken, of which the bases do not know yet; `based_no` is below 0 once they were read back. */
export const UNBASED = `op = 'send' AND (state ${among(SENT)} OR state = 'conflict' AND based_no < 0) AND sent_no > coalesce(based_no, 0)`;

const SOURCE = [
  'file TEXT NOT NULL',
  'sheet TEXT',
  'line INTEGER NOT NULL',
  'part INTEGER NOT NULL DEFAULT 0',
  'row_key TEXT',
  'hash TEXT',
  'persona TEXT',
  'enable_comms INTEGER NOT NULL DEFAULT 0',
  'payload TEXT',
  'reasons TEXT',
  'notes TEXT',
];

const OPERATION = [
  `op TEXT NOT NULL DEFAULT 'send'`,
  'state TEXT NOT NULL',
  'barcode TEXT',
  'parent_barcode TEXT',
  'depth INTEGER',
  'position INTEGER NOT NULL DEFAULT 0',
  'plan TEXT',
  'proof TEXT',
  'remote_id TEXT',
  'message TEXT',
  'status INTEGER',
  'attempts INTEGER NOT NULL DEFAULT 0',
  'sends TEXT',
  'sent_at INTEGER',
  'sent_no INTEGER',
  'done_at INTEGER',
  'listed_no INTEGER',
  'checked_at INTEGER',
  'based_no INTEGER',
];

const SIDES = [
  'ask TEXT',
  'verdicts TEXT',
  'before TEXT',
  'latest TEXT',
  'after TEXT',
  'listed TEXT',
  'near TEXT',
  'differences TEXT',
  'doubt TEXT',
];

const nameOf = (column: string): string => column.slice(0, column.indexOf(' '));
const TABLES = { operation: OPERATION, source: SOURCE, sides: SIDES };
type Table = keyof typeof TABLES;

const tableOf = (table: Table, key: string): string => `CREATE TABLE ${table} (
  run TEXT NOT NULL ${key === '' ? 'REFERENCES run (id) ON DELETE CASCADE' : ''},
  seq INTEGER NOT NULL,
  ${TABLES[table].join(',\n  ')},
  PRIMARY KEY (run, seq)${key}
) STRICT, WITHOUT ROWID;`;

const OF_OPERATION = ',\n  FOREIGN KEY (run, seq) REFERENCES operation (run, seq) ON DELETE CASCADE';
const columnsOf = (table: Table): string =>
  TABLES[table].map((column) => `${table}.${nameOf(column)}`).join(', ');

export const ROW_TABLES = `
${tableOf('operation', '')}
${tableOf('source', OF_OPERATION)}
${tableOf('sides', OF_OPERATION)}
CREATE VIEW row AS SELECT operation.run, operation.seq, ${columnsOf('operation')}, ${columnsOf('source')}, ${columnsOf('sides')}
  FROM operation LEFT JOIN source ON source.run = operation.run AND source.seq = operation.seq
    LEFT JOIN sides ON sides.run = operation.run AND sides.seq = operation.seq;
`;

/** What rows are looked for by, but for their numbers. */
export const ROW_INDEXES = `
CREATE INDEX operation_queue ON operation (run, depth, position, seq, op) WHERE state = 'pending';
CREATE INDEX operation_barcode ON operation (run, barcode) WHERE barcode IS NOT NULL;
CREATE INDEX operation_parent ON operation (run, parent_barcode) WHERE parent_barcode IS NOT NULL;
CREATE INDEX operation_remote ON operation (remote_id) WHERE remote_id IS NOT NULL;
CREATE INDEX operation_unbased ON operation (run) WHERE ${UNBASED};
CREATE INDEX source_key ON source (row_key) WHERE row_key IS NOT NULL;
`;

/** How many rows there are to a value: see `STATISTICS`. */
export const ROW_STATISTICS = `
  ('operation', 'operation', '1000000 100000 1'),
  ('operation', 'operation_queue', '200000 20000 20000 1 1 1'),
  ('operation', 'operation_barcode', '1000000 100000 1 1'),
  ('operation', 'operation_parent', '1000000 100000 5 1'),
  ('operation', 'operation_remote', '1000000 10 1 1'),
  ('source', 'source', '1000000 100000 1'),
  ('source', 'source_key', '1000000 10 1 1'),
  ('sides', 'sides', '100000 10000 1')`;

/** What is read of a row, however it is chosen: `FROM row`. */
const COLUMNS = {
  run: value<string>('row.run'),
  seq: value<number>('row.seq'),
  place: place(),
  part: value<number>('row.part'),
  op: value<RowOp>('row.op'),
  state: value<RowState>('row.state'),
  /** What comparing came to; undefined when nothing was compared. */
  plan: value<PlanAction | undefined>('row.plan'),
  /** What shows that it has registered somebody new. */
  proof: value<'absent' | 'unlisted' | 'new' | 'not-new' | undefined>('row.proof'),
  /** What tells it from the other rows of its files. */
  rowKey: value<string | undefined>('row.row_key'),
  /** Of what a row of the files says. */
  hash: value<string>('row.hash'),
  persona: value<string | undefined>('row.persona'),
  barcode: value<string | undefined>('row.barcode'),
  parentBarcode: value<string | undefined>('row.parent_barcode'),
  remoteId: value<string | undefined>('row.remote_id'),
  /** What is asked for: the row as the file has it, without values that are kept or in conflict. */
  registration: json<Registration>('coalesce(row.ask, row.payload)'),
  /** The registration as the service listed it before this row was sent; undefined when it did not, or nobody looked. */
  before: json<RecordImage | undefined>('coalesce(row.latest, row.before)'),
  /** As it has listed it since, where that is not what was sent. */
  after: json<RecordImage | undefined>('row.after'),
  /** What becomes of each value that it was to change, by key of the aspect. */
  verdicts: json<Readonly<Record<string, ValueVerdict>> | undefined>('row.verdicts'),
  /** Whom the service might take it for. */
  near: json<readonly Near[] | undefined>('row.near'),
  /** Where the service lists its registration, from 1; 0 when it does not, or not all of the list was read. */
  position: value<number>('row.position'),
  message: value<string | undefined>('row.message'),
  /** HTTP status of the last answer. */
  status: value<number | undefined>('row.status'),
  attempts: value<number>('row.attempts'),
  sentAt: value<number | undefined>('row.sent_at'),
  /** The number of its last request. */
  sentNo: value<number>('coalesce(row.sent_no, 0)'),
  doneAt: value<number | undefined>('row.done_at'),
  checkedAt: value<number | undefined>('row.checked_at'),
};

/** Some of them, for a codec. */
export const columns = <Name extends keyof typeof COLUMNS>(...names: Name[]): Pick<typeof COLUMNS, Name> =>
  Object.fromEntries(names.map((name) => [name, COLUMNS[name]])) as Pick<typeof COLUMNS, Name>;

type Values = Readonly<Record<string, unknown>>;

const NAMES = (Object.keys(TABLES) as Table[]).map(
  (table) => [table, new Set(TABLES[table].map(nameOf))] as const,
);

/** What of a row is in which table, where anything is. */
function* partsOf(row: Values): Generator<[Table, [string, unknown][]]> {
  for (const [table, names] of NAMES) {
    const part = Object.entries(row).filter(([key]) => names.has(columnOf(key)));
    if (part.length > 0) yield [table, part];
  }
}

/** Puts a row into a run; names and values as of `insertion`. */
export function addRow(
  journal: DatabaseFile,
  { run, seq, ...row }: Values & { run: string; seq: number },
): void {
  for (const [table, part] of partsOf(row)) {
    const isEmpty = table === 'sides' && part.every(([, value]) => value === undefined);
    if (!isEmpty) journal.add(table, { run, seq, ...Object.fromEntries(part) });
  }
}

/** Changes some values of a row. */
export function changeRow(journal: DatabaseFile, run: string, seq: number, values: Values): void {
  for (const [table, part] of partsOf(values)) {
    if (table === 'sides') changeSides(journal, { run, seq, ...Object.fromEntries(part) });
    else {
      const sets = part.map(([key]) => `${columnOf(key)} = ?`).join(', ');
      const cells = part.map(([, value]) => toCell(value));
      journal.run(`UPDATE ${table} SET ${sets} WHERE run = ? AND seq = ?`, [...cells, run, seq]);
    }
  }
}

function changeSides(journal: DatabaseFile, row: Values): void {
  const { sql, values } = insertion('sides', row);
  const sets = Object.keys(row).map((key) => `${columnOf(key)} = excluded.${columnOf(key)}`);
  journal.run(`${sql} ON CONFLICT (run, seq) DO UPDATE SET ${sets.join(', ')}`, values);
}
