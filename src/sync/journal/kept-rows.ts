import { hashOf, type Registration } from '../../registration/model/registration.ts';
import type { Note, Reason } from '../../registration/model/row.ts';
import type { RowState } from '../../registration/model/row-states.ts';
import { assignments, json, place, rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';
import { type InputRow, isSendable } from '../ingest/input-row.ts';
import { rejectedRecords } from '../ingest/rejects.ts';
import type { Journal } from './journal.ts';

/** What is kept of a row when its run begins. */
export interface KeptRow {
  row: InputRow;
  /** What is sent of it, if anything. */
  registration: Registration | undefined;
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
  sentAt?: number | undefined;
  sentNo?: number | undefined;
}

const INSERT = `INSERT INTO row (run, seq, file, sheet, line, part, row_key, persona, parent_barcode, depth, enable_comms,
    notes, reasons, hash, payload, position, state, barcode, plan, ask, verdicts, message, near, proof, remote_id, before,
    after, listed_no, sent_at, sent_no)
  VALUES (${Array.from({ length: 30 }, () => '?').join(', ')})`;

/** Puts a row of the files into a run. */
export function keepRow(journal: Journal, run: string, kept: KeptRow): void {
  const { row, registration, position, fate } = kept;
  const { seq, part, notes, reasons, place: at } = row;
  const isSent = isSendable(row);
  journal.run(INSERT, [
    run,
    seq,
    at.file,
    at.sheet,
    at.line,
    part,
    isSent ? row.key : undefined,
    registration?.persona,
    row.parentBarcode,
    row.depth,
    registration?.enableComms === true ? 1 : 0,
    part > 0 || notes.length === 0 ? undefined : JSON.stringify(notes),
    isSent ? undefined : JSON.stringify(reasons),
    registration && hashOf(registration),
    registration && JSON.stringify(registration),
    position,
    fate.state,
    fate.barcode,
    fate.plan,
    fate.ask,
    fate.verdicts,
    fate.message,
    fate.near,
    fate.proof,
    fate.remoteId,
    fate.before,
    fate.after,
    fate.listedNo,
    fate.sentAt,
    fate.sentNo,
  ]);
}

/** Writes what comparing a row once more has come to: what it was before it was first sent stays known. */
export function changeFate(journal: Journal, run: string, seq: number, fate: RowFate): void {
  const { remoteId, before, ...rest } = fate;
  const cleared = {
    plan: undefined,
    ask: undefined,
    verdicts: undefined,
    message: undefined,
    near: undefined,
  };
  const { sql, values } = assignments({ ...cleared, proof: undefined, after: undefined, ...rest });
  journal.run(
    `UPDATE row SET ${sql}, remote_id = coalesce(?, remote_id), before = CASE WHEN attempts = 0 THEN ? ELSE before END,
       latest = CASE WHEN attempts = 0 THEN NULL ELSE ? END WHERE run = ? AND seq = ?`,
    [...values, remoteId, before, before, run, seq],
  );
}

const REJECT = rowCodec({
  seq: value<number>('row.seq'),
  part: value<number>('row.part'),
  place: place(),
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
