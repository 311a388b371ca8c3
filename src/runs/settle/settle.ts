import { fieldsOf } from '../../registration/changes/field-change.ts';
import { type Doubt, readDoubts } from './doubts.ts';
import { settleLikely } from './likely-there.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';
import { look } from './settle-look.ts';
import { SECOND_LOOK_MS, waitUntil } from '../../sync/snapshot/wait-until.ts';

export interface SettleOptions {
  /** How a row without a barcode is told from others: not at all, or by its e-mail address. */
  match?: 'barcode' | 'email';
  /** What becomes of rows that a delete has taken out of the service: they are sent again, or left deleted. */
  deleted?: 'send' | 'leave';
  /** For rows that nothing tells apart all of the list is read, however long it is, as it is to compare them. */
  whole?: boolean;
}

/**
 * Settles uncertain rows by reading the service: found as sent is done, found otherwise is a conflict.
 * Absent twice, after the time in which a late request may still land, goes back to be sent once more.
 * A row that nothing tells apart from others is done where just one registration can be its own; of the others it notes
 * what is likely, and they stay uncertain. A settle time
 * of 0 means that no request can land late, as in an embedded sandbox: one look is enough. Returns how many
 * rows it looked for.
 */
export async function settleUncertain(
  context: SendContext,
  { match = 'barcode', deleted = 'send', whole }: SettleOptions = {},
): Promise<number> {
  const { journal, run, event } = context;
  const doubts = readDoubts(journal, run, { match, fields: fieldsOf(event) });
  const known = doubts.filter(({ handle }) => handle !== undefined);
  await lookAtAll(context, known, deleted);
  await settleLikely(context, nameless(doubts), { whole });
  return known.length;
}

/** Looks once more for rows that nothing tells apart: what was listed late shows by now. */
export async function settleLikelyAgain(
  context: SendContext,
  { match = 'barcode', whole }: SettleOptions,
): Promise<void> {
  const doubts = readDoubts(context.journal, context.run, { match, fields: fieldsOf(context.event) });
  await settleLikely(context, nameless(doubts), { whole });
}

async function lookAtAll(
  context: SendContext,
  doubts: readonly Doubt[],
  deleted: 'send' | 'leave',
): Promise<void> {
  const { clock, limits } = context;
  const looking = { deleted, absent: new Set<number>() };
  let open = await look(context, doubts, { ...looking, turn: limits.settleMs === 0 ? 'last' : 'first' });
  if (open.length === 0) return;
  await waitForLateRequests(context, open);
  open = await look(context, open, { ...looking, turn: 'second' });
  if (open.length === 0) return;
  // The first look proved nothing of these: the list was behind, or moved.
  await waitUntil(context, clock.now() + SECOND_LOOK_MS);
  await look(context, open, { ...looking, turn: 'last' });
}

/** Those that nothing tells apart from others. */
const nameless = (doubts: readonly Doubt[]): Doubt[] => doubts.filter(({ handle }) => handle === undefined);

/** Until nothing that was sent can land any more, and long enough for a second look to be one. */
async function waitForLateRequests(context: SendContext, open: readonly Doubt[]): Promise<void> {
  const { settleMs } = context.limits;
  const now = context.clock.now();
  // When a delete was begun is not known here: it may have been this very moment.
  const lastMs = Math.max(...open.map(({ row, cause }) => (cause === 'deleting' ? now : (row.sentAt ?? 0))));
  // Never longer than a whole wait from now, whatever the clock has done since.
  const landedMs = Math.min(lastMs + settleMs, now + settleMs);
  await waitUntil(context, Math.max(now + SECOND_LOOK_MS, landedMs));
}
