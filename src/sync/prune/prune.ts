import { UNFINISHED } from '../../registration/model/row-states.ts';
import { GuardError } from '../../errors.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import { visible } from '../../report/words/escape.ts';
import { formatCount, plural } from '../../report/words/number.ts';
import { nameSome, whoAre } from '../../report/words/who.ts';
import { refuseIfBusy } from '../journal/runs.ts';
import { deletions, writeDeletionOutcome } from '../journal/delete-rows.ts';
import { standingRows } from '../journal/queued-rows.ts';
import { setAside } from '../journal/rows-to-send.ts';
import type { SendContext, WorkContext } from '../journal/send-context.ts';
import type { ListReading } from '../snapshot/read-listed.ts';
import { readWhole } from '../snapshot/read-now.ts';
import { SECOND_LOOK_MS, waitUntil } from '../snapshot/wait-until.ts';
import { stayingMembers } from '../delete/hold.ts';
import { listedAs } from '../delete/names.ts';
import type { BackUp } from '../delete/backup.ts';
import { removeAll } from '../delete/remove-all.ts';
import { FileRows } from './prunable.ts';
import { type PrunePlan, whyUnlisted } from './prune-plan.ts';

/** Deleting needs a yes of its own. Throws GuardError without one. */
export async function confirmPrune(
  { going, deletes, shares }: PrunePlan,
  { confirm, showValues, event }: Pick<WorkContext, 'confirm' | 'showValues' | 'event'>,
): Promise<void> {
  if (deletes === 0) return;
  const there = shares.reduce((sum, share) => sum + share.there, 0);
  const some = `${formatCount(going.length)} of ${formatCount(there)} registrations`;
  // Of several personas who loses how many: `exhibitor (1 of 1), visitor (5 of 100)`.
  const whose = shares.map(({ persona, going: gone, there: all }) =>
    shares.length === 1 ? persona : `${persona} (${formatCount(gone)} of ${formatCount(all)})`,
  );
  const who = nameSome(whoAre(going, fieldsOf(event)), showValues);
  const question = `Delete ${some} of ${whose.join(', ')} that the file does not have (--prune): ${who}?`;
  const hint = 'Leave --prune out to send without deleting.';
  if (!(await confirm(visible(question))))
    throw new GuardError('confirmation', 'Nothing was sent or deleted.', { hint });
}

/** Deletes what was planned, once every row got through and is listed. Ends early on Ctrl-C. Throws what stops it. */
export async function pruneRun(context: SendContext & { backUp: BackUp }): Promise<void> {
  const { journal, run, target, reporter, backUp } = context;
  if (deletions(journal, run, UNFINISHED).length === 0) return;
  const rows = new FileRows(standingRows(journal, run), fieldsOf(context.event));
  const { left } = rows;
  if (left > 0) {
    const some = plural(left, 'row', 'rows');
    const text = `Nothing was deleted, because ${some} of the file did not get through. Once all have, run the same command again.`;
    reporter.report({ type: 'warning', text });
    return;
  }
  refuseIfBusy(journal, target, run);
  const before = await readRows(context, rows);
  if (before === undefined) return;
  keepOwn(context, rows, before);
  await removeAll(context, { before, keepParents: true, backUp, backUpMore: backUp });
}

/**
 * Reads the list again, once more where it may lag behind: where rows are missing, or members that the file has moved
 * away are still there. Undefined when it does not show every row of the file: the service may hold them as some of
 * those that would be deleted.
 */
async function readRows(context: SendContext, rows: FileRows): Promise<ListReading | undefined> {
  const { journal, run, clock, limits, reporter } = context;
  const going = deletions(journal, run, UNFINISHED);
  let reading = await readWhole(context, 'Nothing was deleted', CHANGED);
  const staying = stayingMembers(reading.listed.all(), going);
  const mayLag =
    rows.countUnlisted(reading.listed) > 0 || going.some(({ barcode }) => staying.of(barcode).length > 0);
  if (limits.settleMs > 0 && mayLag) {
    const text = 'Not all is listed yet as it was sent: the list is read once more.';
    reporter.report({ type: 'note', text });
    await waitUntil(context, clock.now() + Math.max(SECOND_LOOK_MS, limits.settleMs));
    reading = await readWhole(context, 'Nothing was deleted', CHANGED);
  }
  const unlisted = rows.countUnlisted(reading.listed);
  if (unlisted === 0) return reading;
  reporter.report({ type: 'warning', text: `Nothing was deleted: ${whyUnlisted(unlisted)}.` });
  const why = 'the service does not list every row of the file';
  const seqs = going.map(({ seq }) => seq);
  setAside(journal, run, seqs, { state: 'postponed', why, now: clock.now() });
  return undefined;
}

const CHANGED = ' to see what has changed since the plan';

/** Takes off the list of a run whom its rows stand for: by the id of an answer, or under the barcode of a row by now. */
function keepOwn(context: SendContext, rows: FileRows, { listed }: ListReading): void {
  const { journal, run, reporter } = context;
  const message = 'stays: the service took it for a row of the file';
  const own = deletions(journal, run, UNFINISHED).filter((row) =>
    [row.before, ...listedAs(listed, row.before)].some((names) => rows.has(names)),
  );
  journal.transaction(() => {
    for (const row of own) writeDeletionOutcome(context, row, { state: 'unchanged', message }, 'looked');
  });
  if (own.length === 0) return;
  const some = plural(own.length, 'registration was', 'registrations were');
  const text = `${some} kept: the service took rows of the file for them, though under another barcode or e-mail address.`;
  reporter.report({ type: 'warning', text });
}
