import { GuardError } from '../errors.ts';
import { visible } from '../report/escape.ts';
import { formatCount, plural } from '../report/number.ts';
import { keepChanged } from './delete-check.ts';
import { refuseIfBusy } from './delete-busy.ts';
import { deletePending } from './delete-pending.ts';
import { countDeletions, deletions } from './delete-rows.ts';
import { type HeldReading, readHeld } from './held.ts';
import type { PushContext } from './push-options.ts';
import type { RecordImage } from '../registration/registration.ts';
import type { Journal } from './journal.ts';
import type { SendContext } from './send-context.ts';

export type { PruneOptions } from './prune-obstacles.ts';
export { forgetPrune, planPrune, type PruneFinding } from './prune-plan.ts';

/** What is on the list and not deleted yet. */
const OPEN = ['pending', 'sending', 'uncertain', 'blocked'] as const;

/** Registrations that are on the list of a run, and not deleted yet. */
export function countOpenDeletions(journal: Journal, run: string): number {
  return countDeletions(journal, run, OPEN);
}

/** Deleting needs a yes of its own. Throws GuardError without one. `reading`: what the plan was made from. */
export async function confirmPrune(
  { journal, run }: Pick<SendContext, 'journal' | 'run'>,
  { confirm }: Pick<PushContext, 'confirm'>,
  reading: Pick<HeldReading, 'held'> | undefined,
): Promise<void> {
  const count = countDeletions(journal, run, OPEN);
  if (count === 0) return;
  const personas = journal
    .all<{ persona: string }>(
      `SELECT DISTINCT persona FROM row WHERE run = $run AND op = 'send' AND persona IS NOT NULL ORDER BY persona`,
      { $run: run },
    )
    .map(({ persona }) => persona);
  const there = reading === undefined ? '' : ` of ${formatCount(countHeld(journal, reading, personas))}`;
  const some = `${formatCount(count)}${there} ${count === 1 && there === '' ? 'registration' : 'registrations'}`;
  const question = `Delete ${some} of ${personas.join(', ')} that the file does not have (--prune)?`;
  if (await confirm(visible(question))) return;
  throw new GuardError('Nothing was sent or deleted.', {
    hint: 'Leave --prune out to send without deleting.',
  });
}

function countHeld(
  journal: Journal,
  { held }: Pick<HeldReading, 'held'>,
  personas: readonly string[],
): number {
  const row = journal.get<{ n: number }>(
    `SELECT count(*) AS n FROM temp.held WHERE reading = $reading
       AND persona IN (SELECT value FROM json_each($personas))`,
    { $reading: held.reading, $personas: JSON.stringify(personas) },
  );
  return row?.n ?? 0;
}

/**
 * Deletes what was planned, once every row of the file got through: reads the service again, keeps what was
 * changed since, writes a backup, and deletes the rest, members before their parents. Ends early without an
 * error on Ctrl-C. Throws what stops it.
 */
export async function pruneRun(context: SendContext, { backUp }: Pick<PushContext, 'backUp'>): Promise<void> {
  const { journal, run, target, reporter } = context;
  if (countDeletions(journal, run, OPEN) === 0) return;
  const left = countLeft(journal, run);
  if (left > 0) {
    const rows = plural(left, 'row', 'rows');
    const text = `Nothing was deleted, because ${rows} of the file did not get through. Run the same command again.`;
    reporter.report({ type: 'warning', text });
    return;
  }
  refuseIfBusy(journal, target, run);
  const reading = await readHeld(context, { barcodes: () => [], count: 0, whole: true });
  if (reading.moved) {
    throw new GuardError(
      'Nothing was deleted: registrations came or went each time the list was read to see what has changed since the plan.',
      { hint: 'Run the same command again when fewer registrations come in.' },
    );
  }
  const kept = journal.transaction(() => keepChanged(context, reading));
  if (kept > 0) {
    const some = plural(kept, 'registration was', 'registrations were');
    reporter.report({
      type: 'warning',
      text: `${some} kept: changed in the service since the plan was made.`,
    });
  }
  if (countDeletions(journal, run, OPEN) === 0) return;
  reporter.report({ type: 'note', text: `Backup: ${backUp(imagesOf(journal, run))}` });
  await deletePending(context, { keepParents: true });
}

/** Rows of the file that the service is not known to hold. */
function countLeft(journal: Journal, run: string): number {
  const row = journal.get<{ n: number }>(
    `SELECT count(*) AS n FROM row WHERE run = $run AND op = 'send' AND state NOT IN ('done', 'accepted', 'unchanged')`,
    { $run: run },
  );
  return row?.n ?? 0;
}

function* imagesOf(journal: Journal, run: string): Generator<RecordImage> {
  for (const { before } of deletions(journal, run, { states: OPEN })) yield before;
}
