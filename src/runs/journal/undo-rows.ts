import { among, IN_DOUBT, MAY_BE_LISTED, type RowState } from '../../registration/model/row-states.ts';
import { type Journal, rowReader } from './journal.ts';
import type { RowOp } from './run.ts';
import { type StoredPlace, toPlace } from './stored-place.ts';
import type { UndoneRow } from '../judge/undo-unseen.ts';

/** Rows whose request has left, and was not refused. */
const ASKED = `run = $run AND attempts > 0 AND (
  (op = 'send' AND (state ${among([...MAY_BE_LISTED, 'deleted'])}
    OR (state = 'pending' AND listed_no IS NOT NULL)))
  OR (op = 'delete' AND state ${among(['deleted', ...IN_DOUBT])}))`;

/** Rows of a run that there may be something to undo of, read a page at a time: the journal may be written meanwhile. */
export function* undoneRows(journal: Journal, run: string): Generator<UndoneRow> {
  const pages = journal.pages<StoredPlace & { seq: number }>(
    `SELECT seq, op, file, sheet, line, part, state, plan, proof, row_key AS rowKey, barcode, persona,
       remote_id AS remoteId, coalesce(ask, payload) AS sent, before, after,
       coalesce(checked_at >= sent_at, 0) AS isReadBack, sent_at AS sentAt, coalesce(sent_no, 0) AS sentNo, message
     FROM row WHERE ${ASKED} AND seq > $after ORDER BY seq`,
    { $run: run },
    'seq',
  );
  for (const page of pages) yield* page.map(toUndoneRow);
}

const withoutPlace = rowReader<Omit<UndoneRow, 'place'>>({
  json: ['sent', 'before', 'after'],
  flags: ['isReadBack'],
});

function toUndoneRow({ file, sheet, line, ...row }: StoredPlace): UndoneRow {
  return { ...withoutPlace(row), place: toPlace({ file, sheet, line }) };
}

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
  const row = journal.get<{ barcodes: number; others: number; deletions: number; doubt: number | null }>(
    `SELECT count(barcode) AS barcodes, count(*) - count(barcode) AS others,
       count(*) FILTER (WHERE op = 'delete') AS deletions,
       max(sent_at) FILTER (WHERE op = 'send' AND checked_at IS NULL) AS doubt FROM row WHERE ${ASKED}`,
    { $run: run },
  );
  const { barcodes = 0, others = 0, deletions = 0, doubt } = row ?? {};
  return { barcodes, others, deletions, doubtAt: doubt ?? undefined };
}

/** Rows of an undo in some states, of one kind when given. */
export function countUndo(journal: Journal, run: string, states: Iterable<RowState>, op?: RowOp): number {
  const row = journal.get<{ n: number }>(
    `SELECT count(*) AS n FROM row WHERE run = $run AND state IN (SELECT value FROM json_each($states))
       AND ($op IS NULL OR op = $op)`,
    { $run: run, $states: JSON.stringify([...states]), $op: op },
  );
  return row?.n ?? 0;
}
