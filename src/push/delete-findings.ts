import { plural } from '../report/number.ts';
import type { DeleteContext, DeleteFacts } from './delete-run.ts';
import type { Wanted } from './delete-select.ts';

/** How many registrations the service holds, of the persona where one was asked for. */
export async function countThere(
  { persona }: Wanted,
  count: number,
  { registrations }: DeleteContext,
): Promise<number> {
  if (persona !== undefined) return count;
  const { total } = await registrations.page({}, 1, 1);
  if (total !== undefined) return total;
  let there = 0;
  await registrations.readAll({}, ({ records, restart }) => {
    there = records.length + (restart ? 0 : there);
  });
  return there;
}

/** Says what is not there, what is gone, and what has come. */
export function tellFindings(
  { before, unknown, earlier, read }: DeleteFacts,
  moved: boolean,
  { journal, reporter }: DeleteContext,
): void {
  for (const { name, run, at } of before) {
    const day = new Date(at).toISOString().slice(0, 16).replace('T', ' ');
    reporter.report({ type: 'note', text: `${name} was deleted before, by run ${run} (${day} UTC).` });
  }
  for (const name of unknown) {
    reporter.report({ type: 'warning', text: `No registration has the id or barcode ${name}.` });
  }
  if (moved) {
    const text = 'Registrations came or went each time the list was read: some may be missing here.';
    reporter.report({ type: 'warning', text });
  }
  if (earlier !== undefined && earlier.came > 0) {
    const some = plural(earlier.came, 'registration has', 'registrations have');
    const text = `${some} come since run ${earlier.run.id} was confirmed, and will stay: run the same command once more for those.`;
    reporter.report({ type: 'warning', text });
  }
  warnOfHidden(read, { journal, reporter });
}

/** Where records show no fields, the backup holds who was there, but none of the values. */
function warnOfHidden(run: string, { journal, reporter }: Pick<DeleteContext, 'journal' | 'reporter'>): void {
  const row = journal.get<{ n: number }>(
    `SELECT count(*) AS n FROM row WHERE run = $run
       AND (persona IS NULL OR json_extract(before, '$.fields') IS NULL)`,
    { $run: run },
  );
  if (row === undefined || row.n === 0) return;
  const some = plural(row.n, 'registration', 'registrations');
  const text = `The service does not show persona and fields of ${some}: the backup cannot bring their values back.`;
  reporter.report({ type: 'warning', text });
}
