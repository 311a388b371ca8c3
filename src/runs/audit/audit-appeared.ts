import { type ListReading, isWhole } from '../listed/read-listed.ts';
import type { Journal } from '../journal/journal.ts';

/**
 * Ids of the registrations that are listed now, were not before, and that no row of the run stands for.
 * Undefined where either list was not read whole, or does not show ids.
 */
export function findAppeared(
  journal: Journal,
  run: string,
  before: ListReading | undefined,
  now: ListReading,
): string[] | undefined {
  if (before === undefined || ![before, now].every((one) => isWhole(one) && one.idsShown)) return undefined;
  return journal
    .all<{ id: string }>(
      `SELECT id FROM temp.listed AS now WHERE reading = $now
         AND NOT EXISTS (SELECT 1 FROM temp.listed AS old WHERE old.reading = $before AND old.id = now.id)
         AND id NOT IN (SELECT remote_id FROM row WHERE run = $run AND op = 'send' AND remote_id IS NOT NULL)
         AND NOT EXISTS (SELECT 1 FROM row WHERE run = $run AND op = 'send' AND barcode = now.barcode)
       ORDER BY no`,
      { $run: run, $before: before.listed.reading, $now: now.listed.reading },
    )
    .map(({ id }) => id);
}
