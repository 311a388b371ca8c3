import { among, THERE, UNFINISHED } from '../../registration/model/row-states.ts';
import { GuardError } from '../../errors.ts';
import { plural } from '../../report/words/number.ts';
import { countParents, keepChanged } from '../delete/delete-check.ts';
import { refuseIfBusy } from '../../sync/journal/busy-runs.ts';
import { deletePending } from '../delete/delete-pending.ts';
import { readBackDeletions } from '../delete/delete-read-back.ts';
import { countIn } from '../../sync/journal/queued-rows.ts';
import { imagesOf, deletions } from '../../sync/journal/delete-rows.ts';
import { tryBarcode } from '../delete/delete-trial.ts';
import { type ListReading, readListed } from '../../sync/snapshot/read-listed.ts';
import type { RecordImage } from '../../registration/model/registration.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';
import { SECOND_LOOK_MS, waitUntil } from '../../sync/snapshot/wait-until.ts';
import { fieldsOf } from '../../registration/changes/field-change.ts';
import { listedAs } from '../delete/delete-name.ts';
import { writeDeletionOutcome } from '../delete/delete-writing.ts';
import { emailOf } from '../../sync/decide/near.ts';
import { rowCodec, said, value } from '../../sqlite/row-codec.ts';

export { confirmPrune } from './prune-confirm.ts';

/** Writes what will be deleted where it can be brought back from; durable when it resolves. Returns where. */
export type BackUp = (records: Iterable<RecordImage>) => string;

/**
 * Deletes what was planned, once every row of the file got through: reads the service again, keeps what was
 * changed since, writes a backup, and deletes the rest, members before their parents. Ends early without an
 * error on Ctrl-C. Throws what stops it.
 */
export async function pruneRun(context: SendContext, { backUp }: { backUp: BackUp }): Promise<void> {
  const { journal, run, target, reporter } = context;
  if (countIn(journal, run, UNFINISHED, 'delete') === 0) return;
  const left = countLeft(journal, run);
  if (left > 0) {
    const rows = plural(left, 'row', 'rows');
    const text = `Nothing was deleted, because ${rows} of the file did not get through. Run the same command again.`;
    reporter.report({ type: 'warning', text });
    return;
  }
  refuseIfBusy(journal, target, run);
  const reading = await readRows(context);
  if (reading === undefined) return;
  keepWanted(context, reading);
  reading.listed.clear();
  if (countIn(journal, run, UNFINISHED, 'delete') === 0) return;
  reporter.report({ type: 'note', text: `Backup: ${backUp(imagesOf(journal, run, UNFINISHED))}` });
  await tryBarcode(context, { backUp });
  await deletePending(context, { keepParents: true });
  await readBackDeletions(context, { denied: true });
}

/**
 * Reads the list again, once more where it may lag behind: where rows are missing, or members that the file has
 * moved away are still there. Undefined when it does not show every row of the
 * file: the service may hold them as some of those that would be deleted.
 */
async function readRows(context: SendContext): Promise<ListReading | undefined> {
  const { journal, run, clock, limits, reporter } = context;
  let reading = await readStill(context);
  let unlisted = countUnlisted(context, reading);
  if (limits.settleMs > 0 && (unlisted > 0 || countParents(context, reading) > 0)) {
    reading.listed.clear();
    const now = clock.now();
    const landedMs = Math.min(lastSent(journal, run), now) + limits.settleMs;
    await waitUntil(context, Math.max(now + SECOND_LOOK_MS, landedMs));
    reading = await readStill(context);
    unlisted = countUnlisted(context, reading);
  }
  if (unlisted === 0) return reading;
  const rows = plural(unlisted, 'row of the file is', 'rows of the file are');
  const text = `Nothing was deleted: ${rows} not listed by the service, so it may hold them as registrations that would be deleted.`;
  reporter.report({ type: 'warning', text });
  journal.run(
    `UPDATE row SET state = 'postponed', message = 'the service does not list every row of the file'
     WHERE run = $run AND op = 'delete' AND state = 'pending'`,
    { run },
  );
  return undefined;
}

async function readStill(context: SendContext): Promise<ListReading> {
  const reading = await readListed(context, { barcodes: () => [], count: 0, whole: true });
  if (!reading.moved) return reading;
  throw new GuardError(
    'moving-list',
    'Nothing was deleted: registrations came or went each time the list was read to see what has changed since the plan.',
    { hint: 'Run the same command again when fewer registrations come in.' },
  );
}

/** Takes off the list what rows stand for, and what was changed since the plan. */
function keepWanted(context: SendContext, reading: ListReading): void {
  const { journal, reporter } = context;
  const [own, kept] = journal.transaction(() => [keepOwn(context, reading), keepChanged(context, reading)]);
  const tell = (count: number, why: string): void => {
    if (count === 0) return;
    const some = plural(count, 'registration was', 'registrations were');
    reporter.report({ type: 'warning', text: `${some} kept: ${why}.` });
  };
  tell(own, 'the service took rows of the file for them, though under another barcode or e-mail address');
  tell(kept, 'changed in the service since the plan was made');
}

/** When the last row was said to be done, in milliseconds since 1970. */
function lastSent(journal: Journal, run: string): number {
  const row = journal.get<{ at?: number }>(
    `SELECT max(done_at) AS at FROM row WHERE run = $run AND op = 'send'`,
    { run },
  );
  return row?.at ?? 0;
}

/** Rows of the file that the service is not known to hold. */
function countLeft(journal: Journal, run: string): number {
  return journal.count(`FROM row WHERE run = $run AND op = 'send' AND state NOT ${among(THERE)}`, { run });
}

type CheckContext = Pick<SendContext, 'journal' | 'run' | 'event' | 'target' | 'clock'>;

/**
 * Takes off the list of a run what its rows have turned out to stand for: the service answered a row with its
 * id, or lists it under the barcode of a row by now. Returns how many.
 */
function keepOwn({ journal, run, target, clock }: CheckContext, { listed }: ListReading): number {
  const about = { journal, run, service: target.service, now: clock.now() };
  let kept = 0;
  for (const row of deletions(journal, run, { states: UNFINISHED })) {
    const barcodes = listedAs(listed, row.before).flatMap(({ barcode }) => barcode ?? []);
    if (!isSent(journal, run, row.id, barcodes)) continue;
    const message = 'stays: the service took it for a row of the file';
    writeDeletionOutcome(about, row, { state: 'unchanged', message }, 'looked');
    kept += 1;
  }
  return kept;
}

function isSent(journal: Journal, run: string, id: string, barcodes: readonly string[]): boolean {
  const byId = `FROM row WHERE remote_id = $id AND run = $run AND op = 'send'`;
  if (journal.has(byId, { run, id })) return true;
  return journal.has(
    `FROM row WHERE run = $run AND op = 'send' AND barcode IN (SELECT value FROM json_each($barcodes))`,
    { run, barcodes: JSON.stringify(barcodes) },
  );
}

/** Rows of a run that are not listed: not by barcode, nor by id, nor, where they have no barcode, by e-mail. */
function countUnlisted({ journal, run, event }: CheckContext, { listed }: ListReading): number {
  const fields = fieldsOf(event);
  const from = `FROM row WHERE run = $run AND seq > $after AND op = 'send' AND state <> 'rejected' ORDER BY seq`;
  let count = 0;
  for (const { barcode, remoteId, registration } of journal.readAll(ROW, from, { run }, 'seq')) {
    if (listed.hasBarcode(barcode ?? '') || listed.withId(remoteId).length > 0) continue;
    const email = barcode === undefined ? emailOf(registration, fields) : undefined;
    if (email === undefined || listed.byEmail(registration.persona, email).length === 0) count += 1;
  }
  return count;
}

const ROW = rowCodec({
  seq: value<number>('row.seq'),
  barcode: value<string | undefined>(),
  remoteId: value<string | undefined>(),
  registration: said(),
});
