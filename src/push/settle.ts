import { BarcodesHiddenError } from '../service/registrations.ts';
import { compareFound } from './compare-found.ts';
import type { Target } from './runs.ts';
import { readTally, type SendContext } from './send.ts';
import { type QueuedRow, type RowOutcome, uncertainRows, writeOutcome } from './journal.ts';

/** Between two reads that both have to find nothing. */
const SECOND_LOOK_MS = 10_000;

/**
 * Settles uncertain rows by reading the service: found as sent is done, found otherwise is a conflict.
 * Absent twice, after the time in which a late request may still land, goes back to be sent once more.
 * Rows without a barcode stay uncertain: nothing tells them apart from others.
 * `settleMs` 0 means that no request can land late, as in an embedded sandbox: one look is enough.
 * Returns how many rows it looked for.
 */
export async function settleUncertain(context: SendContext, settleMs: number): Promise<number> {
  const rows = uncertainRows(context.journal, context.run);
  try {
    const open = await look(context, rows, settleMs > 0 ? 'first' : 'last');
    if (open.length > 0) {
      await waitForLateRequests(context, open, settleMs);
      await look(context, open, 'last');
    }
    return rows.length;
  } catch (error) {
    // Nothing can be settled, and nothing is guessed: the rows stay uncertain.
    if (!(error instanceof BarcodesHiddenError)) throw error;
    context.reporter.report({ type: 'warning', text: error.message });
    return 0;
  }
}

/** Until nothing that was sent can land any more, and long enough for a second look to be one. */
async function waitForLateRequests(
  context: SendContext,
  open: readonly QueuedRow[],
  settleMs: number,
): Promise<void> {
  const lastSent = Math.max(...open.map((row) => row.sentAt ?? 0));
  const now = context.clock.now();
  // Never longer than a whole wait from now, whatever the clock has done since.
  const landedMs = Math.min(lastSent + settleMs, now + settleMs);
  const untilMs = Math.max(now + SECOND_LOOK_MS, landedMs);
  await waitUntil(context, untilMs);
}

/**
 * Waits until no request can land any more that another run sent for one of the pending rows and got no
 * answer to: it would put the old values over the new ones.
 */
export async function waitForOvertaken(
  context: SendContext,
  { service, eventId }: Target,
  settleMs: number,
): Promise<void> {
  const { clock, journal, run } = context;
  const row = journal.get<{ at: number | null }>(
    `SELECT max(past.sent_at) AS at FROM row AS mine
       JOIN row AS past ON past.row_key = mine.row_key AND past.run <> mine.run
       JOIN run ON run.id = past.run AND run.service = $service AND run.event = $event
     WHERE mine.run = $run AND mine.state = 'pending' AND past.state IN ('sending', 'uncertain')`,
    { $service: service, $event: eventId, $run: run },
  );
  const now = clock.now();
  const untilMs = Math.min((row?.at ?? Number.NEGATIVE_INFINITY) + settleMs, now + settleMs);
  if (untilMs <= now) return;
  await waitUntil(context, untilMs);
}

/** Waits, and says so; ends at once on Ctrl-C. */
async function waitUntil(
  { clock, reporter, journal, run, budget, stopping }: SendContext,
  untilMs: number,
): Promise<void> {
  reporter.report({
    type: 'waiting',
    untilMs,
    why: 'retry',
    tally: readTally(journal, run),
    budget: budget(),
  });
  await clock.sleep(untilMs - clock.now(), stopping);
}

const UNPROVEN: RowOutcome = {
  state: 'uncertain',
  message: 'not listed, but neither is what the service has taken for certain: that proves nothing',
};

/** Barcode of the row that was done last, if any: a list without it cannot show that another is absent. */
function newestDone({ journal, run }: SendContext): string[] {
  return journal
    .all<{ barcode: string }>(
      `SELECT barcode FROM row WHERE run = $run AND state = 'done' AND barcode IS NOT NULL
       ORDER BY done_at DESC, seq DESC LIMIT 1`,
      { $run: run },
    )
    .map((row) => row.barcode);
}

/**
 * Reads once and writes what it finds. The first look settles only rows that are there as sent: what is
 * absent or different now may yet change. Returns the rows left open; the last look leaves none.
 */
async function look(
  context: SendContext,
  rows: readonly QueuedRow[],
  which: 'first' | 'last',
): Promise<QueuedRow[]> {
  if (rows.length === 0) return [];
  const { journal, run, registrations, clock } = context;
  const witness = newestDone(context);
  const barcodes = rows.map((row) => row.registration.barcode ?? '');
  const found = await registrations.findByBarcode([...barcodes, ...witness]);
  const credible = witness.every((barcode) => (found.get(barcode) ?? []).length > 0);
  return rows.filter((row) => {
    const sight = compareFound(row, found.get(row.registration.barcode ?? '') ?? []);
    const verdict = sight.state === 'pending' && !credible ? UNPROVEN : sight;
    if (verdict.state !== 'done' && which === 'first') return true;
    writeOutcome(journal, run, row.seq, verdict, clock.now());
    return false;
  });
}
