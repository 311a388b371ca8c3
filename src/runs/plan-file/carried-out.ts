import type { Journal } from '../journal/journal.ts';
import type { PlanEntry } from '../compare/plan-entries.ts';
import type { Target } from '../journal/runs.ts';

/**
 * Whether runs of this machine have done since a time what a plan says of a registration, so that it needs doing
 * no more: its row was sent as it is, or it was deleted. `since` is in milliseconds since 1970.
 */
export function isCarriedOutSince(
  journal: Journal,
  { service, eventId }: Target,
  run: string,
  { action, key, id, barcode }: PlanEntry,
  since: number,
): boolean {
  if (action !== 'delete') {
    const row = journal.get(
      `SELECT 1 FROM row WHERE row_key = $key AND run = $run AND state = 'unchanged' AND sent_at >= $since`,
      { $key: key, $run: run, $since: since },
    );
    return row !== undefined;
  }
  const deleted = journal.get(
    `SELECT 1 FROM run CROSS JOIN main.row ON row.run = run.id AND row.state = 'deleted' AND row.op = 'delete'
     WHERE run.service = $service AND run.event = $event AND run.ended_at >= $since
       AND row.done_at >= $since AND (row.remote_id = $id OR row.barcode = $barcode) LIMIT 1`,
    { $service: service, $event: eventId, $since: since, $id: id, $barcode: barcode },
  );
  return deleted !== undefined;
}
