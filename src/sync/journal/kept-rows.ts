import { hashOf } from '../../registration/model/registration.ts';
import type { Note, Reason } from '../../registration/model/row.ts';
import type { RowState } from '../../registration/model/row-states.ts';
import { json, rowCodec, type RowOf } from '../../sqlite/row-codec.ts';
import { type InputRow, isSendable } from '../ingest/input-row.ts';
import { rejectedRecords } from '../ingest/rejects.ts';
import type { Journal } from './journal.ts';
import { columns, changeRow } from './row-tables.ts';

/** What is kept of a row when its run begins. */
export interface KeptRow {
  row: InputRow;
  /** Where it stands in the list of the service, if it is updated and stands there. */
  position: number;
  fate: RowFate;
}

/** What comparing a row has come to, as it is kept. What has no value is undefined. */
export interface RowFate {
  state: RowState;
  barcode: string | undefined;
  plan?: string | undefined;
  ask?: string | undefined;
  verdicts?: string | undefined;
  message?: string | undefined;
  near?: string | undefined;
  proof?: string | undefined;
  remoteId?: string | undefined;
  /** The registration as it is listed. */
  before?: string | undefined;
  /** The same, where it is there and not as the row says. */
  after?: string | undefined;
  /** The step as of which it is known to be there as it is. */
  listedNo?: number | undefined;
  /** The row of an earlier run that this one is in doubt because of. */
  doubt?: string | undefined;
}

const INSERT_OPERATION = insertInto(
  'operation',
  `run, seq, state, barcode, parent_barcode, depth, position, plan, proof,
  remote_id, message, listed_no`,
);
const INSERT_SOURCE = insertInto(
  'source',
  `run, seq, file, sheet, line, part, row_key, hash, persona, enable_comms,
  payload, reasons, notes`,
);

function insertInto(table: string, columns: string): string {
  return `INSERT INTO ${table} (${columns}) VALUES (${columns.replaceAll(/\w+/g, '?')})`;
}

/** Puts a row of the files into a run. */
export function keepRow(journal: Journal, run: string, kept: KeptRow): void {
  const { row, position, fate } = kept;
  const { seq, part, notes, reasons, parentBarcode, depth, registration, place: at } = row;
  const { state, barcode, plan, proof, remoteId, message, listedNo } = fate;
  const { ask, verdicts, before, after, near, doubt } = fate;
  const isSent = isSendable(row);
  const names = [state, barcode, parentBarcode, depth, position, plan, proof, remoteId, message];
  journal.run(INSERT_OPERATION, [run, seq, ...names, listedNo]);
  journal.run(INSERT_SOURCE, [
    run,
    seq,
    at.file,
    at.sheet,
    at.line,
    part,
    isSent ? row.key : undefined,
    registration && !journal.isPassing ? hashOf(registration) : undefined,
    registration?.persona,
    registration?.enableComms === true ? 1 : 0,
    registration && JSON.stringify(registration),
    isSent ? undefined : JSON.stringify(reasons),
    part > 0 || notes.length === 0 ? undefined : JSON.stringify(notes),
  ]);
  if ((ask ?? verdicts ?? before ?? after ?? near ?? doubt) !== undefined)
    changeRow(journal, run, seq, { ask, verdicts, before, after, near, doubt });
}

/** Writes what comparing a row once more has come to: what it was before it was first sent stays known. */
export function changeFate(journal: Journal, run: string, seq: number, fate: RowFate): void {
  const { remoteId, before, ...rest } = fate;
  const isTried = journal.has('FROM operation WHERE run = ? AND seq = ? AND attempts > 0', [run, seq]);
  const listed = isTried ? { latest: before } : { before, latest: undefined };
  changeRow(journal, run, seq, {
    plan: undefined,
    ask: undefined,
    verdicts: undefined,
    message: undefined,
    near: undefined,
    proof: undefined,
    after: undefined,
    ...rest,
    ...(remoteId === undefined ? {} : { remoteId }),
    ...listed,
  });
}

const REJECT = rowCodec({
  ...columns('seq', 'part', 'place'),
  reasons: json<readonly Reason[]>('row.reasons'),
  notes: json<readonly Note[]>(`coalesce(own.notes, '[]')`),
});
type Rejected = RowOf<typeof REJECT>;

/** All rejected records of a run, in the order of the files. */
export const rejectedRows = (journal: Journal, run: string): Iterable<Rejected> =>
  rejectedRecords(storedRejects(journal, run));

function* storedRejects(journal: Journal, run: string): Generator<Rejected> {
  const pages = journal.readPages(
    REJECT,
    `FROM row LEFT JOIN row AS own ON own.run = row.run AND own.seq = row.seq - row.part
     WHERE row.run = $run AND row.state = 'rejected' AND row.seq > $after ORDER BY row.seq`,
    { run },
    'seq',
  );
  for (const page of pages) yield* page;
}
