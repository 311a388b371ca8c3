import { UNFINISHED } from '../../registration/model/row-states.ts';
import type { AuditResult } from '../../report/views/summary-view.ts';
import { proveRun } from '../prove/prove-run.ts';
import { deletions } from '../journal/delete-rows.ts';
import { unblockSends } from '../journal/rows-to-send.ts';
import { type ListReading, readListed } from '../snapshot/read-listed.ts';
import { addHolders } from '../delete/hold.ts';
import { keepIn, type RemovalContext } from '../delete/removal-run.ts';
import { removeAll } from '../delete/removal.ts';
import { performAll } from '../perform/perform.ts';
import type { SendContext } from '../journal/send-context.ts';
import { settleUncertain } from '../prove/settle.ts';
import { sendWithoutRefused } from './undo-left.ts';

/**
 * Does what an undo has on its list. Brings back first, then deletes: what was made a member of a registration that goes
 * has its own parent again by then. `before`: what was read to plan it. Throws what stops it.
 */
export async function carryOutUndo(
  sending: SendContext & RemovalContext,
  before: ListReading,
): Promise<AuditResult | undefined> {
  const { journal, run, stopping } = sending;
  await settleUncertain(sending);
  await performAll(sending);
  if (stopping.aborted) return undefined;
  let isSettled = (await settleUncertain(sending)) > 0;
  while (sendWithoutRefused(sending) || isSettled) {
    isSettled = false;
    unblockSends(journal, run);
    await performAll(sending);
    if (stopping.aborted) return undefined;
  }
  await deleteCreated(sending);
  return stopping.aborted ? undefined : await proveRun(sending, { before });
}

/** Reads the service again, and deletes what was not changed meanwhile. */
async function deleteCreated(sending: SendContext & RemovalContext): Promise<void> {
  const rows = deletions(sending.journal, sending.run, UNFINISHED);
  if (rows.length === 0) return;
  const barcodes = rows.flatMap(({ barcode }) => barcode ?? []);
  const before = await readListed(sending, {
    barcodes: () => barcodes,
    count: rows.length,
    // Something can be found by its id only, in the list of all.
    whole: barcodes.length < rows.length,
  });
  await addHolders(sending, before, rows);
  await removeAll(sending, { before, keepParents: true, ...keepIn(sending) });
}
