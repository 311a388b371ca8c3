import { among, MAY_HAVE_LANDED, SENT } from '../../registration/model/row-states.ts';
import type { RecordImage, Registration } from '../../registration/model/registration.ts';
import type { Journal } from './journal.ts';
import type { PlanAction } from '../decide/plan-decision.ts';
import { flag, json, place, rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';

/** Of an undo, what the registration was before the run that it takes back. */
const UNDONE = `(SELECT undone.before FROM run JOIN row AS undone ON undone.run = run.undoes AND undone.seq = row.seq
  WHERE run.id = $run)`;

const CLAIMED_ROW = rowCodec({
  seq: value<number>(),
  place: place(),
  registration: json<Registration>('coalesce(ask, payload)'),
  plan: value<PlanAction | undefined>(),
  /** As the service listed it before the row was last sent, or before what an undo takes back. */
  before: json<RecordImage | undefined>(`coalesce(${UNDONE}, latest, before)`),
  /** Of an undo, as it was before it. */
  ownBefore: json<RecordImage | undefined>(
    `CASE WHEN (SELECT kind = 'undo' FROM run WHERE id = $run) THEN coalesce(latest, before) END`,
  ),
  isUndo: flag(`(SELECT kind = 'undo' FROM run WHERE id = $run)`),
  /** What shows that it has registered somebody new. */
  proof: value<'absent' | 'unlisted' | 'new' | 'not-new' | undefined>(),
  /** The step of its last intent. */
  sentNo: value<number>('coalesce(sent_no, 0)'),
  /** What was sent is noted in the bases already. */
  isBased: flag('based_no IS sent_no'),
  remoteId: value<string | undefined>(),
  state: value<'done' | 'accepted'>(),
  status: value<number | undefined>(),
  action: value<string | undefined>(),
});

/** A row that the service is said to hold. */
export type AuditRow = RowOf<typeof CLAIMED_ROW>;

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
const listOf = (only: readonly number[] | undefined): string | undefined => only && JSON.stringify(only);

/** Rows that are read, and written in one durable write: what is known of their values lies scattered on the disk. */
const PAGE = 2000;

/** Rows to read back, a page at a time: the journal may be written meanwhile. `only`: those with these numbers. */
export const claimedRows = (journal: Journal, run: string, only?: readonly number[]): Generator<AuditRow[]> =>
  journal.readPages(
    CLAIMED_ROW,
    `FROM row WHERE ${CLAIMED} AND ${AMONG} AND seq > $after ORDER BY seq`,
    { run, only: listOf(only) },
    'seq',
    PAGE,
  );

/** How many rows there are to read back, with a barcode and without. */
export function countClaimed(
  journal: Journal,
  run: string,
  only?: readonly number[],
): { barcodes: number; others: number } {
  const row = journal.get<{ barcodes: number; others: number }>(
    `SELECT count(barcode) AS barcodes, count(*) - count(barcode) AS others FROM row
     WHERE ${CLAIMED} AND ${AMONG}`,
    { run, only: listOf(only) },
  );
  return row ?? { barcodes: 0, others: 0 };
}

/** Barcodes of the rows to read back. */
export function* claimedBarcodes(journal: Journal, run: string, only?: readonly number[]): Generator<string> {
  const pages = journal.pages<{ seq: number; barcode: string }>(
    `SELECT seq, barcode FROM row WHERE ${CLAIMED} AND ${AMONG} AND barcode IS NOT NULL AND seq > $after ORDER BY seq`,
    { run, only: listOf(only) },
    'seq',
  );
  for (const page of pages) yield* page.map(({ barcode }) => barcode);
}
