import { plural } from '../../report/words/number.ts';
import { deletions } from '../../sync/journal/delete-rows.ts';
import type { Share } from '../../sync/decide/delete-guard.ts';
import { stayingMembers } from './members.ts';
import { readShortList } from '../../sync/snapshot/read-now.ts';
import type { DeleteContext, DeleteFacts } from './delete-context.ts';
import { isNamed, type Wanted } from './delete-wish.ts';

/** How many registrations the service holds, of the persona where one was asked for. */
export async function countThere(
  { persona }: Wanted,
  count: number,
  context: DeleteContext,
): Promise<number> {
  return persona === undefined ? await countListed({}, context) : count;
}

/** Of each persona, how many there are, and how many of them a run has chosen; of none where each was named. */
export async function countShares(run: string, wanted: Wanted, context: DeleteContext): Promise<Share[]> {
  if (isNamed(wanted)) return [];
  const chosen = context.journal.all<{ persona: string; going: number }>(
    `SELECT persona, count(*) AS going FROM row
     WHERE run = $run AND op = 'delete' AND state = 'pending' AND persona IS NOT NULL GROUP BY persona ORDER BY persona`,
    { run },
  );
  const shares: Share[] = [];
  for (const { persona, going } of chosen) {
    const there = wanted.persona === undefined ? await countListed({ persona }, context) : going;
    shares.push({ persona, going, there });
  }
  return shares;
}

async function countListed(
  which: { persona?: string },
  { registrations }: Pick<DeleteContext, 'registrations'>,
): Promise<number> {
  const { total, mismatched } = await registrations.page(which, 1, 1);
  if (total !== undefined && mismatched === 0) return total;
  let there = 0;
  await registrations.readAll(which, ({ records, restart }) => {
    there = records.length + (restart ? 0 : there);
  });
  return there;
}

/** Says what is not there, what is gone, and what has come. */
export function tellFindings(
  { before, unknown, earlier, read }: DeleteFacts,
  { journal, reporter }: DeleteContext,
): void {
  for (const { name, run, at, isOwn } of before) {
    const how = isOwn ? `before, by run ${run}` : `with eventreg since run ${run}`;
    reporter.report({ type: 'note', text: `${name} was deleted ${how} (${minuteOf(at)} UTC).` });
  }
  for (const { name, seen } of unknown) {
    const last = seen === undefined ? '' : `, though run ${seen.run} saw it there (${minuteOf(seen.at)} UTC)`;
    const text = `No registration is listed with the id or barcode ${name}${last}.`;
    reporter.report({ type: 'warning', text });
  }
  if (earlier !== undefined && earlier.came > 0) {
    const some = plural(earlier.came, 'registration has', 'registrations have');
    const text = `${some} come since run ${earlier.run.id} was confirmed, and will stay: run the same command once more for those.`;
    reporter.report({ type: 'warning', text });
  }
  warnOfHidden(read, { journal, reporter });
}

const minuteOf = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');

/** Names what is to go and has members that are not to, where the list is short enough to be read for that. */
export async function warnOfMembers(run: string, context: DeleteContext): Promise<void> {
  const { journal, reporter } = context;
  const quiet = { ...reporter, report: () => undefined };
  const reading = await readShortList({ ...context, run, reporter: quiet });
  if (reading?.how !== 'list') {
    reporter.report({ type: 'warning', text: NOT_LOOKED });
    return;
  }
  const rows = [...deletions(journal, run)];
  const counts = new Map<string, number>();
  for (const { parentBarcode } of stayingMembers(reading, new Set(rows.map(({ id }) => id)))) {
    counts.set(parentBarcode, (counts.get(parentBarcode) ?? 0) + 1);
  }
  for (const { id, barcode } of rows) {
    const count = barcode === undefined ? 0 : (counts.get(barcode) ?? 0);
    if (count > 0) reporter.report({ type: 'warning', text: describeMembers(id, count) });
  }
}

const NOT_LOOKED =
  'Whether what is to be deleted has members was not looked at, as the list is too long: what the service deletes with its parent is not in the backup.';

function describeMembers(id: string, count: number): string {
  const some = plural(count, 'registration that is', 'registrations that are');
  const them = count === 1 ? 'it' : 'them';
  return `registration ${id} is the parent of ${some} not to be deleted: the service may delete ${them} as well, or leave ${them} without a parent; the backup has ${them}, too.`;
}

/** Where records show no fields, the backup holds who was there, but none of the values. */
function warnOfHidden(run: string, { journal, reporter }: Pick<DeleteContext, 'journal' | 'reporter'>): void {
  const hidden = journal.count(
    `FROM row WHERE run = $run
       AND (persona IS NULL OR json_extract(before, '$.fields') IS NULL)`,
    { run },
  );
  if (hidden === 0) return;
  const some = plural(hidden, 'registration', 'registrations');
  const text = `The service does not show persona and fields of ${some}: the backup cannot bring their values back.`;
  reporter.report({ type: 'warning', text });
}
