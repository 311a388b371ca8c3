import { createHash } from 'node:crypto';
import type { RecordImage, RegistrationRecord } from '../../registration/model/registration.ts';
import { IN_DOUBT, OPEN, TRIED_AGAIN } from '../../registration/model/row-states.ts';
import {
  deletions,
  lastSeen,
  type LastSeen,
  renewDeletion,
  writeDeletionOutcome,
} from '../journal/delete-rows.ts';
import type { SendContext } from '../journal/send-context.ts';
import { goneOutcome } from './hold.ts';
import { nameOf } from './names.ts';
import type { Wanted } from './select.ts';

/** The same for the same wish, in whatever order it names registrations. */
export function wishKey({ ids, barcodes, persona }: Wanted): string {
  const wish = JSON.stringify([[...ids].sort(), [...barcodes].sort(), persona ?? null]);
  return `delete:${createHash('sha256').update(wish).digest('hex')}`;
}

/**
 * Brings an interrupted delete up to date with what is listed: what is not listed any more is gone, by our doing if a
 * request for it had left. Returns what of the records is still to go, of those only that were chosen then, and how many
 * match the wish by now, and did not then. Some services list for a while what is deleted.
 */
export function goOnWith(
  context: SendContext,
  records: readonly RegistrationRecord[],
): { records: readonly RegistrationRecord[]; came: number } {
  const { journal, run } = context;
  const listed = new Map<string, RegistrationRecord>(records.map((record) => [nameOf(record), record]));
  const rows = deletions(journal, run);
  const tried = rows.filter(({ state }) => OPEN.has(state) || TRIED_AGAIN.has(state));
  journal.transaction(() => {
    for (const row of tried) {
      const record: RecordImage | undefined = listed.get(row.id);
      if (record === undefined) writeDeletionOutcome(context, row, goneOutcome(row), 'looked');
      else renewDeletion(journal, run, row.seq, record);
    }
  });
  const known = new Set(rows.map(({ id }) => id));
  return {
    records: tried.flatMap(({ id }) => listed.get(id) ?? []),
    came: records.filter((record) => !known.has(nameOf(record))).length,
  };
}

/** What was asked for and is not listed. */
export interface AbsentNames {
  /** What an earlier run has deleted; by what it was asked for. */
  before: readonly (LastSeen & { name: string })[];
  /** What nobody is known to have deleted: a list may be late, or hold back some. Undefined: no run has ever seen it. */
  unknown: readonly { name: string; seen: LastSeen | undefined }[];
}

/**
 * Tells names that earlier runs have deleted from those of which nobody knows why they are not listed. Of those that the
 * run itself has asked to delete, it tells what became of them.
 */
export function sortAbsent({ journal, run, target }: SendContext, absent: readonly string[]): AbsentNames {
  const asked = deletions(journal, run, IN_DOUBT);
  const all = absent
    .filter((name) => !asked.some(({ id, barcode }) => id === name || barcode === name))
    .map((name) => ({ name, seen: lastSeen(journal, target, name) }));
  return {
    before: all.flatMap(({ name, seen }) => (seen?.isGone === 1 ? [{ ...seen, name }] : [])),
    unknown: all.filter(({ seen }) => seen?.isGone !== 1),
  };
}
