import type { RecordImage, Registration } from '../../registration/model/registration.ts';
import type { Journal } from './journal.ts';
import type { PlanAction } from '../judge/plan-action.ts';
import { placeOf, type StoredPlace } from './stored-place.ts';

/** A row that the service is said to hold. */
export interface AuditRow {
  seq: number;
  place: string;
  registration: Registration;
  plan: PlanAction | undefined;
  /** As the service listed it before the row was last sent, or before what an undo takes back. */
  before: RecordImage | undefined;
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
const CLAIMED = `run = $run AND op = 'send' AND state IN ('done', 'accepted')
  AND (checked_at IS NULL OR checked_at < done_at)
  AND NOT EXISTS (
    SELECT 1 FROM row AS later JOIN run AS its ON its.id = later.run JOIN run AS own ON own.id = $run
    WHERE later.row_key = row.row_key AND later.run <> $run AND later.op = 'send'
      AND its.service = own.service AND its.event = own.event AND later.sent_no > row.sent_no
      AND later.state IN ('done', 'accepted', 'uncertain', 'sending'))`;

const AMONG = '($only IS NULL OR seq IN (SELECT value FROM json_each($only)))';
const listOf = (only: readonly number[] | undefined): string | null =>
  only === undefined ? null : JSON.stringify(only);

const PAGE = 500;

/** Of an undo, what the registration was before the run that it takes back. */
const UNDONE = `(SELECT undone.before FROM run JOIN row AS undone ON undone.run = run.undoes AND undone.seq = row.seq
  WHERE run.id = $run)`;

/** Rows to read back, a page at a time: the journal may be written meanwhile. `only`: those with these numbers. */
export function* claimedRows(journal: Journal, run: string, only?: readonly number[]): Generator<AuditRow[]> {
  for (let after = -1; ; ) {
    const page = journal.all<StoredRow>(
      `SELECT seq, file, sheet, line, coalesce(ask, payload) AS payload, plan,
         coalesce(${UNDONE}, latest, before) AS before, answer, remote_id, state, status, action, done_at
       FROM row WHERE ${CLAIMED} AND ${AMONG} AND seq > $after ORDER BY seq LIMIT ${PAGE}`,
      { $run: run, $after: after, $only: listOf(only) },
    );
    const last = page.at(-1);
    if (last === undefined) return;
    yield page.map(toAuditRow);
    after = last.seq;
  }
}

function toAuditRow(row: StoredRow): AuditRow {
  return {
    seq: row.seq,
    place: placeOf(row),
    registration: JSON.parse(row.payload) as Registration,
    plan: row.plan ?? undefined,
    before: row.before === null ? undefined : (JSON.parse(row.before) as RecordImage),
    answer: row.answer === null ? undefined : (JSON.parse(row.answer) as RecordImage),
    remoteId: row.remote_id ?? undefined,
    state: row.state,
    status: row.status ?? undefined,
    action: row.action ?? undefined,
    doneAt: row.done_at ?? 0,
  };
}

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
  for (let after = -1; ; ) {
    const page = journal.all<{ seq: number; barcode: string }>(
      `SELECT seq, barcode FROM row
       WHERE ${CLAIMED} AND ${AMONG} AND barcode IS NOT NULL AND seq > $after ORDER BY seq LIMIT ${PAGE}`,
      { $run: run, $after: after, $only: listOf(only) },
    );
    const last = page.at(-1);
    if (last === undefined) return;
    for (const { barcode } of page) yield barcode;
    after = last.seq;
  }
}
