import { among, IN_DOUBT, SHOWN } from '../../registration/model/row-states.ts';
import type { EarlierDelete } from './delete-claim.ts';
import type { Selection } from './delete-select.ts';
import type { Wanted } from './delete-wish.ts';
import type { Journal } from '../journal/journal.ts';
import type { Target } from '../journal/runs.ts';

/** A registration that was asked for, is not there, and that an earlier run has deleted or has known. */
interface GoneBefore {
  /** Id or barcode, as it was asked for. */
  name: string;
  /** The last run that had to do with it. */
  run: string;
  /** When that was, in milliseconds since 1970. */
  at: number;
  /** False when that run saw it there, and somebody else has deleted it since. */
  ours: boolean;
}

/** Of what was asked for and is not listed: what is gone, and what is not known at all. */
export interface AbsentNames {
  before: readonly GoneBefore[];
  unknown: readonly string[];
}

/**
 * Tells names that earlier runs have deleted or known from those that never were there. Of those that the interrupted run
 * which is gone on with had asked to delete, it tells by itself what became of them.
 */
export function sortAbsent(
  journal: Journal,
  target: Target,
  { absent }: Selection,
  earlier: EarlierDelete | undefined,
): AbsentNames {
  const before: GoneBefore[] = [];
  const unknown: string[] = [];
  for (const name of absent) {
    if (earlier?.open === true && isUnderWay(journal, earlier.run.id, name)) continue;
    const fate = lastSeen(journal, target, name);
    if (fate === undefined) unknown.push(name);
    else before.push({ name, run: fate.run, at: fate.at, ours: fate.ours === 1 });
  }
  return { before, unknown };
}

function isUnderWay(journal: Journal, run: string, name: string): boolean {
  return journal.has(
    `FROM row WHERE run = $run AND op = 'delete' AND state ${among(IN_DOUBT)}
       AND (barcode = $name OR remote_id = $name)`,
    { run, name },
  );
}

/** The last run that deleted a registration, or saw it in the service. */
function lastSeen(
  journal: Journal,
  { service, eventId }: Target,
  name: string,
): { run: string; at: number; ours: number } | undefined {
  return journal.get(
    `SELECT row.run, coalesce(row.done_at, run.started_at) AS at, row.state = 'deleted' AS ours FROM (
       SELECT run, seq FROM row WHERE remote_id = $name
       UNION SELECT row.run, row.seq FROM run
         CROSS JOIN row INDEXED BY row_barcode ON row.run = run.id AND row.barcode = $name) AS hit
     CROSS JOIN row ON row.run = hit.run AND row.seq = hit.seq JOIN run ON run.id = row.run
     WHERE run.service = $service AND run.event = $event AND row.state ${among([...SHOWN, 'deleted'])}
     ORDER BY max(coalesce(row.sent_no, 0), coalesce(row.listed_no, 0)) DESC LIMIT 1`,
    { service, event: eventId, name },
  );
}

/** How many registrations of a wish are gone by what was done before. */
export function countBefore(
  { persona }: Wanted,
  { before }: AbsentNames,
  earlier: EarlierDelete | undefined,
): number {
  return persona === undefined ? before.length : (earlier?.deleted ?? 0);
}
