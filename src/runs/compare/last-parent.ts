import { among, SENT } from '../../registration/model/row-states.ts';
import type { Journal } from '../journal/journal.ts';
import type { Target } from '../journal/runs.ts';

/**
 * The parent that this machine itself sent last for a registration, which rows that name none have left as it
 * is; undefined when there is none, or the registration was taken out of its group or deleted since.
 */
export function lastParent(
  journal: Journal,
  { service, eventId }: Pick<Target, 'service' | 'eventId'>,
  barcode: string,
): string | undefined {
  const row = journal.get<{ parent: string | null }>(
    `SELECT CASE WHEN op = 'send' THEN coalesce(ask, payload) ->> '$.parentBarcode' END AS parent
     FROM run CROSS JOIN main.row ON row.run = run.id AND row.barcode = $barcode
     WHERE run.service = $service AND run.event = $event AND (
       (op = 'delete' AND row.state = 'deleted') OR (op = 'send' AND row.state ${among(SENT)} AND (
         coalesce(ask, payload) ->> '$.parentBarcode' IS NOT NULL OR coalesce(ask, payload) ->> '$.leavesGroup' = 1)))
     ORDER BY coalesce(sent_at, done_at) DESC, coalesce(sent_no, 0) DESC LIMIT 1`,
    { $service: service, $event: eventId, $barcode: barcode },
  );
  return row?.parent ?? undefined;
}
