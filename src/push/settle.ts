import { compareFound, readTally, type SendContext } from './send.ts';
import { type QueuedRow, writeOutcome } from './journal.ts';
import type { Registration } from '../registration/registration.ts';

/** Between two reads that both have to find nothing. */
const SECOND_LOOK_MS = 10_000;

/**
 * Settles uncertain rows by reading the service: found as sent is done, found otherwise is a conflict.
 * Absent twice, after the time in which a late request may still land, goes back to be sent once more.
 * Rows without a barcode stay uncertain: nothing tells them apart from others.
 * `settleMs` 0 means that no request can land late, as in an embedded sandbox: one look is enough.
 */
export async function settleUncertain(context: SendContext, settleMs: number): Promise<void> {
  const open = await look(context, uncertainRows(context), settleMs > 0 ? 'keep' : 'resend');
  if (open.length === 0 || settleMs === 0) return;
  const { clock, reporter, journal, run, budget, stopping } = context;
  const lastSent = Math.max(...open.map((row) => row.sentAt ?? 0));
  const untilMs = Math.max(clock.now() + SECOND_LOOK_MS, lastSent + settleMs);
  reporter.report({
    type: 'waiting',
    untilMs,
    why: 'retry',
    tally: readTally(journal, run),
    budget: budget(),
  });
  await clock.sleep(untilMs - clock.now(), stopping);
  await look(context, open, 'resend');
}

/** Uncertain rows that have a barcode to look for. */
function uncertainRows({ journal, run }: SendContext): QueuedRow[] {
  const rows = journal.all<{
    seq: number;
    file: string;
    line: number;
    payload: string;
    sent_at: number | null;
  }>(
    `SELECT seq, file, line, payload, sent_at FROM row
     WHERE run = $run AND state = 'uncertain' AND barcode IS NOT NULL ORDER BY seq`,
    { $run: run },
  );
  return rows.map((row) => ({
    seq: row.seq,
    place: { file: row.file, line: row.line },
    registration: JSON.parse(row.payload) as Registration,
    sentAt: row.sent_at ?? undefined,
  }));
}

/** Reads once and writes what it finds; returns the rows that were absent, unless they are to be sent again. */
async function look(
  context: SendContext,
  rows: readonly QueuedRow[],
  absent: 'keep' | 'resend',
): Promise<QueuedRow[]> {
  if (rows.length === 0) return [];
  const { journal, run, registrations, clock } = context;
  const found = await registrations.findByBarcode(rows.map((row) => row.registration.barcode ?? ''));
  return rows.filter((row) => {
    const verdict = compareFound(row, found.get(row.registration.barcode ?? '') ?? []);
    if (verdict.state === 'pending' && absent === 'keep') return true;
    writeOutcome(journal, run, row.seq, verdict, clock.now());
    return false;
  });
}
