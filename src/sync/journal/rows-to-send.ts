import { among, THERE } from '../../registration/model/row-states.ts';
import { PER_PAGE_MAX } from '../../service/list/page-walk.ts';
import type { Journal } from './journal.ts';

/** Pending rows of a run whose barcode the service has already. */
export const UPDATES = `run = $run AND state = 'pending' AND op = 'send'
  AND (plan = 'update' OR (plan = 'unknown' AND before IS NOT NULL))`;

/** Pending rows of a run that register somebody. */
export const CREATES = `run = $run AND op = 'send' AND state = 'pending' AND plan = 'create'`;

/** Of these, those that register somebody who is like others. */
export const LIKE_OTHERS = `${CREATES} AND near IS NOT NULL`;

/** The parent lets its members be sent. */
export const PARENT_IS_THERE = `NOT EXISTS (
  SELECT 1 FROM row AS parent INDEXED BY row_barcode
  WHERE parent.run = row.run AND parent.barcode = row.parent_barcode AND parent.op = 'send'
    AND parent.state NOT ${among(THERE)}
    AND NOT (parent.state = 'conflict' AND parent.before IS NOT NULL))`;

/** Depths of which rows are to be sent, parents first. */
export function depthsOf(journal: Journal, run: string): number[] {
  return journal
    .all<{ depth: number }>(
      `SELECT DISTINCT depth FROM row WHERE run = $run AND state = 'pending' AND op = 'send' ORDER BY depth`,
      { run },
    )
    .map(({ depth }) => depth);
}

/** How many updates of a depth there are on each page of the list; 0 is none. */
export function updatesByPage(journal: Journal, run: string, depth: number): Map<number, number> {
  const rows = journal.all<{ page: number; n: number }>(
    `SELECT (position + ${PER_PAGE_MAX - 1}) / ${PER_PAGE_MAX} AS page, count(*) AS n FROM row
     WHERE run = $run AND state = 'pending' AND depth = $depth AND op = 'send' AND plan = 'update' GROUP BY page`,
    { run, depth },
  );
  return new Map(rows.map(({ page, n }) => [page, n]));
}

/** Members of a depth whose parent did not get through are not sent, and say why. */
export function blockOrphanedMembers(journal: Journal, run: string, depth: number, now: number): void {
  if (depth === 0) return;
  journal.run(
    `UPDATE row SET state = 'blocked', done_at = $now, message = (
       SELECT 'its parent (' || parent.file || ':' || coalesce(parent.sheet || ':', '') || parent.line || ') did not get through: '
         || coalesce(parent.message, 'it is ' || parent.state)
       FROM row AS parent WHERE parent.run = $run AND parent.barcode = row.parent_barcode AND parent.op = 'send')
     WHERE run = $run AND state = 'pending' AND op = 'send' AND depth = $depth AND EXISTS (
       SELECT 1 FROM row AS parent WHERE parent.run = $run AND parent.barcode = row.parent_barcode
         AND parent.op = 'send' AND parent.state NOT ${among(THERE)}
         AND NOT (parent.state = 'conflict' AND coalesce(parent.latest, parent.before) IS NOT NULL))`,
    { run, depth, now },
  );
}

/** Rows that an undo leaves alone: they were not tried. */
export function countLeftAlone(journal: Journal, run: string): number {
  return journal.count(
    `FROM row JOIN run ON run.id = row.run
     WHERE row.run = $run AND run.kind = 'undo' AND op = 'send' AND row.state = 'conflict' AND attempts = 0`,
    { run },
  );
}
