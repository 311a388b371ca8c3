import { among, IN_DOUBT, SHOWN } from '../../registration/model/row-states.ts';
import type { EarlierDelete } from './delete-claim.ts';
import type { Selection } from './delete-select.ts';
import type { Wanted } from './delete-wish.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import type { Target } from '../../sync/journal/runs.ts';

/** The last run that had to do with a registration. */
interface LastSeen {
  run: string;
  /** When that was, in milliseconds since 1970. */
  at: number;
}

/** A registration that was asked for, is not listed, and that an earlier run has deleted. */
interface GoneBefore extends LastSeen {
  /** Id or barcode, as it was asked for. */
  name: string;
  /** By the run itself; else it has gone with another since that run sent it. */
  isOwn: boolean;
}

/** One that is not listed, and that nobody is known to have deleted: a list may be late, or hold back some. */
interface Unlisted {
  name: string;
  /** Undefined: no run has ever seen it. */
  seen: LastSeen | undefined;
}

/** What was asked for and is not listed. */
export interface AbsentNames {
  before: readonly GoneBefore[];
  unknown: readonly Unlisted[];
}

/**
 * Tells names that earlier runs have deleted from those of which nobody knows why they are not listed. Of those that the interrupted run
 * which is gone on with had asked to delete, it tells by itself what became of them.
 */
export function sortAbsent(
  journal: Journal,
  target: Target,
  { absent }: Selection,
  earlier: EarlierDelete | undefined,
): AbsentNames {
  const before: GoneBefore[] = [];
  const unknown: Unlisted[] = [];
  for (const name of absent) {
    if (earlier?.open === true && isUnderWay(journal, earlier.run.id, name)) continue;
    const fate = lastSeen(journal, target, name);
    const seen = fate && { run: fate.run, at: fate.at };
    if (seen !== undefined && fate?.isGone === 1) before.push({ name, ...seen, isOwn: fate.op === 'delete' });
    else unknown.push({ name, seen });
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
): (LastSeen & { isGone: number; op: string }) | undefined {
  return journal.get(
    `SELECT row.run, coalesce(row.done_at, run.started_at) AS at, row.op,
       row.state = 'deleted' AS isGone FROM (
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
