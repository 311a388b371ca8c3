import { among, OPEN, type RowState, TRIED_AGAIN } from '../../registration/model/row-states.ts';
import { createHash } from 'node:crypto';
import { heldBy, refuseIfBusy } from '../../sync/journal/busy-runs.ts';
import { countIn } from '../../sync/journal/queued-rows.ts';
import { type DeleteRow, deletions } from '../../sync/journal/delete-rows.ts';
import { goneOutcome } from './delete-outcome.ts';
import type { Wanted } from './delete-wish.ts';
import { writeDeletionOutcome } from './delete-writing.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import type { Run } from '../../sync/journal/run.ts';
import type { RowOutcome } from '../../sync/decide/judge-found.ts';
import { layerByParent } from '../../sync/journal/layer-by-parent.ts';
import {
  deleteRun,
  findRunByContent,
  type ProcessFacts,
  takeRun,
  type Target,
  claimContent,
  reopenRun,
} from '../../sync/journal/runs.ts';

/** What an interrupted delete tries once it is gone on with. */
const RETRIED: readonly RowState[] = [...OPEN, ...TRIED_AGAIN];

/** What a registration is known by on a list: its id, or its barcode where it shows none. */
const NAME = 'coalesce(remote_id, barcode)';

/** The same for the same wish, in whatever order it names registrations. */
export function wishKey({ ids, barcodes, persona }: Wanted): string {
  const wish = JSON.stringify([[...ids].sort(), [...barcodes].sort(), persona ?? null]);
  return `delete:${createHash('sha256').update(wish).digest('hex')}`;
}

/** What an earlier delete of the same wish has left. */
export interface EarlierDelete {
  run: Run;
  /** It was interrupted, and is gone on with. */
  open: boolean;
  /** How many it has deleted. */
  deleted: number;
  /** Registrations that match the wish by now, but did not when it was confirmed: they are left alone. */
  came: number;
}

/**
 * Finds the earlier delete of the same wish. When it was interrupted, this process takes it, and the freshly
 * read registrations are narrowed down to what it has still to delete: nothing goes that was not chosen then.
 * Throws GuardError when another process is at it.
 */
export function findEarlierDelete(
  journal: Journal,
  target: Target,
  { read, key }: { read: string; key: string },
): EarlierDelete | undefined {
  const run = findRunByContent(journal, target, key);
  if (run === undefined) return undefined;
  if (!takeRun(journal, run.id)) {
    throw heldBy('The same registrations are being deleted', run.holder, { run: run.id });
  }
  const open = countIn(journal, run.id, OPEN, 'delete') > 0;
  const deleted = countIn(journal, run.id, ['deleted'], 'delete');
  if (!open) {
    journal.locks.release(run.id);
    return { run, open, deleted, came: 0 };
  }
  const came = journal.run(
    `DELETE FROM row WHERE run = $read AND ${NAME} NOT IN (SELECT ${NAME} FROM row WHERE run = $run)`,
    { read, run: run.id },
  );
  // Some services list for a while what is deleted.
  journal.run(
    `DELETE FROM row WHERE run = $read AND ${NAME} IN (
       SELECT ${NAME} FROM row WHERE run = $run AND state NOT IN (SELECT value FROM json_each($states)))`,
    { read, run: run.id, states: JSON.stringify(RETRIED) },
  );
  return { run, open, deleted, came };
}

/** The run to work on. */
export interface ClaimedDelete {
  id: string;
  /** What reading the service has settled. */
  settled: readonly { row: DeleteRow; outcome: RowOutcome }[];
  /** Registrations that are listed otherwise than when they were last written to a backup. */
  changed: number;
}

interface ClaimFacts {
  read: string;
  key: string;
  earlier: EarlierDelete | undefined;
  now: number;
  self: ProcessFacts;
}

/**
 * Makes the freshly read registrations a run that can be resumed, or brings the interrupted one up to date
 * with them. Throws GuardError when another process is about to send or delete some of them. Call it in a
 * transaction.
 */
export function claimDelete(journal: Journal, target: Target, facts: ClaimFacts): ClaimedDelete {
  const { read, key, earlier } = facts;
  refuseIfBusy(journal, target, read);
  if (earlier?.open === true) return resumeDelete(journal, target, earlier.run, facts);
  claimContent(journal, target, read, key);
  layerByParent(journal, read, 'delete');
  return { id: read, settled: [], changed: 0 };
}

/** What is not listed any more is gone: by our doing, if a request for it had left. */
function resumeDelete(
  journal: Journal,
  target: Target,
  { id }: Run,
  { read, now, self }: ClaimFacts,
): ClaimedDelete {
  const listed = new Set(
    journal
      .all<{ name: string }>(`SELECT ${NAME} AS name FROM row WHERE run = $read`, { read })
      .map(({ name }) => name),
  );
  const about = { journal, run: id, service: target.service, now };
  const settled: { row: DeleteRow; outcome: RowOutcome }[] = [];
  for (const row of deletions(journal, id, { states: RETRIED })) {
    if (listed.has(row.id)) continue;
    const outcome = goneOutcome(row);
    writeDeletionOutcome(about, row, outcome, 'looked');
    settled.push({ row, outcome });
  }
  const changed = journal.run(
    `UPDATE row SET (persona, barcode, parent_barcode, before) = (fresh.persona, fresh.barcode, fresh.parent_barcode, fresh.before)
     FROM row AS fresh WHERE fresh.run = $read AND coalesce(fresh.remote_id, fresh.barcode) = coalesce(row.remote_id, row.barcode)
       AND row.run = $id AND row.op = 'delete' AND fresh.before <> row.before`,
    { id, read },
  );
  journal.run(
    `UPDATE row SET state = 'pending', message = NULL WHERE run = $id AND state ${among(TRIED_AGAIN)}`,
    { id },
  );
  layerByParent(journal, id, 'delete');
  reopenRun(journal, id, self, now);
  deleteRun(journal, read);
  return { id, settled, changed };
}
