import { EventregError, isCalledOff } from '../errors.ts';
import { noteLost } from './audit-lost.ts';
import { plural } from '../report/number.ts';
import { listedAs } from './delete-name.ts';
import { countDeletions, type DeleteRow, deletions } from './delete-rows.ts';
import { writeDeletionOutcome } from './delete-writing.ts';
import { type HeldReading, readHeld } from './held.ts';
import type { Journal, RowOutcome } from './journal.ts';
import type { SendContext } from './send-context.ts';
import { SECOND_LOOK_MS } from './settle.ts';
import { CHEAP_PAGES } from './sight.ts';
import { waitUntil } from './wait-until.ts';

const STILL_LISTED: RowOutcome = {
  state: 'uncertain',
  message: 'the service said that it deleted it, and still lists it',
};

/**
 * Reads back what a run has deleted, once more after the time that a list may lag behind. What is listed
 * still becomes uncertain, and is told to `onRow`. What else is gone since `before`, or has lost its parent, is
 * kept as a finding. That the service cannot be read is told, not thrown.
 */
export async function readBackDeletions(
  context: SendContext,
  onRow?: (row: DeleteRow, outcome: RowOutcome) => Promise<void> | void,
  before?: HeldReading,
): Promise<void> {
  const { journal, run, target, clock, reporter, stopping } = context;
  if (stopping.aborted || countDeletions(journal, run, ['deleted']) === 0) return;
  let rows: DeleteRow[];
  try {
    rows = await findListed(context, before);
  } catch (error) {
    if (stopping.aborted) return;
    if (!(error instanceof EventregError) || isCalledOff(error)) throw error;
    const text = `What was deleted could not be read back: ${error.message}`;
    reporter.report({ type: 'warning', text });
    return;
  }
  if (rows.length === 0) return;
  const about = { journal, run, service: target.service, now: clock.now() };
  journal.transaction(() => {
    for (const row of rows) writeDeletionOutcome(about, row, STILL_LISTED, 'looked');
  });
  const some = plural(rows.length, 'registration is', 'registrations are');
  const it = rows.length === 1 ? 'it' : 'them';
  const text = `${some} still listed although the service said that it deleted ${it}. Run the same command again to try once more.`;
  reporter.report({ type: 'warning', text });
  for (const row of rows) await onRow?.(row, STILL_LISTED);
}

/** Deletions of a run whose registrations are listed. */
async function findListed(context: SendContext, before: HeldReading | undefined): Promise<DeleteRow[]> {
  const { journal, run, clock, limits } = context;
  const first = await readListed(context, before);
  if (first.length === 0 || limits.settleMs === 0) return first;
  const now = clock.now();
  const last = journal.get<{ at: number | null }>(
    `SELECT max(done_at) AS at FROM row WHERE run = $run AND op = 'delete' AND state = 'deleted'`,
    { $run: run },
  );
  const landedMs = Math.min(last?.at ?? 0, now) + limits.settleMs;
  await waitUntil(context, Math.max(now + SECOND_LOOK_MS, landedMs));
  return await readListed(context, before);
}

async function readListed(context: SendContext, before: HeldReading | undefined): Promise<DeleteRow[]> {
  const { journal, run } = context;
  const reading = await read(context, before?.how === 'list' ? CHEAP_PAGES : 0);
  noteLost(journal, run, before, reading);
  const rows: DeleteRow[] = [];
  for (const row of deletions(journal, run, { states: ['deleted'] })) {
    if (listedAs(reading.held, row.before).length > 0) rows.push(row);
  }
  reading.held.clear();
  return rows;
}

/** The whole list where something can be found by its id only, or where it has so few pages. */
async function read(context: SendContext, pages: number): Promise<HeldReading> {
  const { journal, run } = context;
  const wish = {
    barcodes: () => deletedBarcodes(journal, run),
    count: Math.max(pages, countDeletions(journal, run, ['deleted'])),
  };
  const whole = hasBare(journal, run);
  const reading = await readHeld(context, { ...wish, whole });
  if (reading.how === 'list' || reading.barcodesShown) return reading;
  reading.held.clear();
  return await readHeld(context, { ...wish, whole: true });
}

function hasBare(journal: Journal, run: string): boolean {
  const row = journal.get(
    `SELECT 1 FROM row WHERE run = $run AND op = 'delete' AND state = 'deleted' AND barcode IS NULL LIMIT 1`,
    { $run: run },
  );
  return row !== undefined;
}

function* deletedBarcodes(journal: Journal, run: string): Generator<string> {
  for (const { barcode } of deletions(journal, run, { states: ['deleted'] }))
    if (barcode !== undefined) yield barcode;
}
