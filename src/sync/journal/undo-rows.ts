import { among, IN_DOUBT, MAY_BE_LISTED, type RowState, SENT } from '../../registration/model/row-states.ts';
import type { RecordImage, Registration } from '../../registration/model/registration.ts';
import type { Journal } from './journal.ts';
import type { RowOp } from './run.ts';
import { flag, json, place, rowCodec, type RowCodec, value } from '../../sqlite/row-codec.ts';
import type { PlanAction } from '../decide/plan-decision.ts';
import type { UndoneRow } from '../decide/undo-unseen.ts';

/** Rows whose request has left, and was not refused. */
const ASKED = `run = $run AND attempts > 0 AND (
  (op = 'send' AND (state ${among([...MAY_BE_LISTED, 'deleted'])}
    OR (state = 'pending' AND listed_no IS NOT NULL)))
  OR (op = 'delete' AND state ${among(['deleted', ...IN_DOUBT])}))`;

const UNDONE: RowCodec<UndoneRow> = rowCodec({
  seq: value<number>(),
  op: value<RowOp>(),
  place: place(),
  part: value<number>(),
  state: value<RowState>(),
  plan: value<PlanAction | 'delete' | undefined>(),
  proof: value<'absent' | 'unlisted' | 'new' | 'not-new' | undefined>(),
  rowKey: value<string | undefined>(),
  barcode: value<string | undefined>(),
  persona: value<string | undefined>(),
  remoteId: value<string | undefined>(),
  sent: json<Registration | undefined>('coalesce(ask, payload)'),
  before: json<RecordImage | undefined>(),
  after: json<RecordImage | undefined>(),
  isReadBack: flag('checked_at >= sent_at'),
  sentAt: value<number | undefined>(),
  sentNo: value<number>('coalesce(sent_no, 0)'),
  message: value<string | undefined>(),
});

/** In SQL, of a row by its alias: no undo has brought back what its registration was before. */
export const notTakenBack = (row: string): string => `NOT EXISTS (
  SELECT 1 FROM run AS back CROSS JOIN main.row AS restored ON restored.run = back.id AND restored.seq = ${row}.seq
  WHERE back.undoes = ${row}.run AND restored.op = 'send' AND restored.plan = 'update'
    AND restored.state ${among(SENT)})`;

/** Rows of a run that there may be something to undo of, read a page at a time: the journal may be written meanwhile. */
export const undoneRows = (journal: Journal, run: string): Generator<UndoneRow> =>
  journal.readAll(UNDONE, `FROM row WHERE ${ASKED} AND seq > $after ORDER BY seq`, { run }, 'seq');

/** What has to be known to look the registrations of a run up. */
export interface UndoneCounts {
  barcodes: number;
  /** Rows that can be found by their id only, in the list of all. */
  others: number;
  /** Deletions: what is registered again has to be known not to be there. */
  deletions: number;
  /** When the last request left that was not read back since, in milliseconds since 1970. */
  doubtAt: number | undefined;
}

export function countUndone(journal: Journal, run: string): UndoneCounts {
  const row = journal.get<{ barcodes: number; others: number; deletions: number; doubt?: number }>(
    `SELECT count(barcode) AS barcodes, count(*) - count(barcode) AS others,
       count(*) FILTER (WHERE op = 'delete') AS deletions,
       max(sent_at) FILTER (WHERE op = 'send' AND checked_at IS NULL) AS doubt FROM row WHERE ${ASKED}`,
    { run },
  );
  const { barcodes = 0, others = 0, deletions = 0, doubt } = row ?? {};
  return { barcodes, others, deletions, doubtAt: doubt ?? undefined };
}
