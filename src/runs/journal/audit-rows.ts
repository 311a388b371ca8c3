import { among, MAY_HAVE_LANDED, SENT } from '../../registration/model/row-states.ts';
import type { RecordImage, Registration } from '../../registration/model/registration.ts';
import type { Journal } from './journal.ts';
import type { PlanAction } from '../judge/plan-decision.ts';
import { placeOf, type StoredPlace } from './stored-place.ts';

/** A row that the service is said to hold. */
export interface AuditRow {
  seq: number;
  place: string;
  registration: Registration;
  plan: PlanAction | undefined;
  /** As the service listed it before the row was last sent, or before what an undo takes back. */
  before: RecordImage | undefined;
  /** Of an undo, as it was before it; undefined for rows of other runs. */
  undone: { before: RecordImage | undefined } | undefined;
  /** What shows that it has registered somebody new. */
  proof: 'absent' | 'unlisted' | 'new' | undefined;
  /** The step of its last intent. */
  sentNo: number;
  /** As the service showed it right after, where that was not as sent. */
  answer: RecordImage | undefined;
  remoteId: string | undefined;
  state: 'done' | 'accepted';
  status: number | undefined;
  action: string | undefined;
  /** When the service said so, in milliseconds since 1970. */
  doneAt: number;
}

interface StoredRow extends StoredPlace {
  seq: number;
  payload: string;
  plan: PlanAction | null;
  before: string | null;
  own_before: string | null;
  is_undo: number;
  proof: 'absent' | 'unlisted' | 'new' | null;
  sent_no: number | null;
  answer: string | null;
  remote_id: string | null;
  state: 'done' | 'accepted';
  status: number | null;
  action: string | null;
  done_at: number | null;
}

/**
 * Rows that are said to be there, and that nobody has read back since. What another run has sent again is no
 * longer as this one sent it.
 */
const CLAIMED = `run = $run AND op = 'send' AND state ${among(SENT)}
  AND (checked_at IS NULL OR checked_at < done_at)
  AND NOT EXISTS (
    SELECT 1 FROM row AS later JOIN run AS its ON its.id = later.run JOIN run AS own ON own.id = $run
    WHERE later.row_key = row.row_key AND later.run <> $run AND later.op = 'send'
      AND its.service = own.service AND its.event = own.event AND later.sent_no > row.sent_no
      AND later.state ${among(MAY_HAVE_LANDED)})`;

const AMONG = '($only IS NULL OR seq IN (SELECT value FROM json_each($only)))';
const listOf = (only: readonly number[] | undefined): string | null =>
  only === undefined ? null : JSON.stringify(only);

/** Rows that are read, and written in one durable write: what is known of their values lies scattered on the disk. */
const PAGE = 2000;

/** Of an undo, what the registration was before the run that it takes back. */
const UNDONE = `(SELECT undone.before FROM run JOIN row AS undone ON undone.run = run.undoes AND undone.seq = row.seq
  WHERE run.id = $run)`;

/** Rows to read back, a page at a time: the journal may be written meanwhile. `only`: those with these numbers. */
export function* claimedRows(journal: Journal, run: string, only?: readonly number[]): Generator<AuditRow[]> {
  const pages = journal.pages<StoredRow>(
    `SELECT seq, file, sheet, line, coalesce(ask, payload) AS payload, plan,
       coalesce(${UNDONE}, latest, before) AS before, coalesce(latest, before) AS own_before,
       (SELECT kind = 'undo' FROM run WHERE id = $run) AS is_undo, proof, sent_no, answer, remote_id, state, status, action, done_at
     FROM row WHERE ${CLAIMED} AND ${AMONG} AND seq > $after ORDER BY seq`,
    { $run: run, $only: listOf(only) },
    'seq',
    PAGE,
  );
  for (const page of pages) yield page.map(toAuditRow);
}

function toAuditRow(row: StoredRow): AuditRow {
  return {
    seq: row.seq,
    place: placeOf(row),
    registration: JSON.parse(row.payload) as Registration,
    plan: row.plan ?? undefined,
    before: imageIn(row.before),
    undone: row.is_undo === 1 ? { before: imageIn(row.own_before) } : undefined,
    proof: row.proof ?? undefined,
    sentNo: row.sent_no ?? 0,
    answer: imageIn(row.answer),
    remoteId: row.remote_id ?? undefined,
    state: row.state,
    status: row.status ?? undefined,
    action: row.action ?? undefined,
    doneAt: row.done_at ?? 0,
  };
}

const imageIn = (json: string | null): RecordImage | undefined =>
  json === null ? undefined : (JSON.parse(json) as RecordImage);

/** How many rows there are to read back, with a barcode and without. */
export function countClaimed(
  journal: Journal,
  run: string,
  only?: readonly number[],
): { barcodes: number; others: number } {
  const row = journal.get<{ barcodes: number; others: number }>(
    `SELECT count(barcode) AS barcodes, count(*) - count(barcode) AS others FROM row
     WHERE ${CLAIMED} AND ${AMONG}`,
    { $run: run, $only: listOf(only) },
  );
  return row ?? { barcodes: 0, others: 0 };
}

/** Barcodes of the rows to read back. */
export function* claimedBarcodes(journal: Journal, run: string, only?: readonly number[]): Generator<string> {
  const pages = journal.pages<{ seq: number; barcode: string }>(
    `SELECT seq, barcode FROM row WHERE ${CLAIMED} AND ${AMONG} AND barcode IS NOT NULL AND seq > $after ORDER BY seq`,
    { $run: run, $only: listOf(only) },
    'seq',
  );
  for (const page of pages) yield* page.map(({ barcode }) => barcode);
}
