import { createHash } from 'node:crypto';
import type { RecordImage, RegistrationRecord } from '../../registration/model/registration.ts';
import { IN_DOUBT, OPEN, type RowState, TRIED_AGAIN } from '../../registration/model/row-states.ts';
import { heldBy } from '../journal/busy-runs.ts';
import {
  type DeleteRow,
  deletions,
  lastSeen,
  type LastSeen,
  renewDeletion,
  writeDeletionOutcome,
} from '../journal/delete-rows.ts';
import type { Journal } from '../journal/journal.ts';
import type { Run } from '../journal/run.ts';
import { findRunByContent, takeRun, type Target } from '../journal/runs.ts';
import type { SendContext } from '../journal/send-context.ts';
import { goneOutcome } from './hold.ts';
import { nameOf } from './names.ts';
import type { RemoverOptions } from './remover.ts';
import type { Selection, Wanted } from './select.ts';

/** What an interrupted delete tries once it is gone on with. */
const RETRIED: ReadonlySet<RowState> = new Set([...OPEN, ...TRIED_AGAIN]);

/** The same for the same wish, in whatever order it names registrations. */
export function wishKey({ ids, barcodes, persona }: Wanted): string {
  const wish = JSON.stringify([[...ids].sort(), [...barcodes].sort(), persona ?? null]);
  return `delete:${createHash('sha256').update(wish).digest('hex')}`;
}

/** What an earlier delete of the same wish has left. */
export interface EarlierDelete {
  run: Run;
  /** All that it was to delete. */
  rows: readonly DeleteRow[];
  /** It was interrupted, and is gone on with. */
  open: boolean;
  /** How many it has deleted. */
  deleted: number;
}

/**
 * The earlier delete of the same wish. When it was interrupted, this process takes it. Throws GuardError when another
 * process is at it.
 */
export function findEarlierDelete(journal: Journal, target: Target, key: string): EarlierDelete | undefined {
  const run = findRunByContent(journal, target, key);
  if (run === undefined) return undefined;
  if (!takeRun(journal, run.id))
    throw heldBy('The same registrations are being deleted', run.holder, { run: run.id });
  const rows = deletions(journal, run.id);
  const open = rows.some(({ state }) => OPEN.has(state));
  if (!open) journal.locks.release(run.id);
  return { run, rows, open, deleted: rows.filter(({ state }) => state === 'deleted').length };
}

/**
 * What of the registrations that were read is still to go: of an interrupted delete only what was chosen then. Some
 * services list for a while what is deleted. `came`: how many match the wish by now, and did not then.
 */
export function stillToGo(
  records: readonly RegistrationRecord[],
  earlier: EarlierDelete | undefined,
): { records: readonly RegistrationRecord[]; came: number } {
  if (earlier?.open !== true) return { records, came: 0 };
  const known = new Map(earlier.rows.map(({ id, state }) => [id, state]));
  const chosen = records.flatMap((record) => {
    const state = known.get(nameOf(record));
    return state === undefined ? [] : [{ record, state }];
  });
  const rest = chosen.filter(({ state }) => RETRIED.has(state)).map(({ record }) => record);
  return { records: rest, came: records.length - chosen.length };
}

/**
 * Brings an interrupted delete up to date with what is listed: what is not listed any more is gone, by our doing if a
 * request for it had left. Returns what that has settled. Call it in a transaction.
 */
export function bringUpToDate(
  context: Pick<SendContext, 'journal' | 'target' | 'clock'>,
  { run, rows }: EarlierDelete,
  records: readonly RegistrationRecord[],
): Parameters<NonNullable<RemoverOptions['onRow']>>[] {
  const about = { ...context, run: run.id };
  const listed = new Map<string, RecordImage>(records.map((record) => [nameOf(record), record]));
  return rows
    .filter(({ state }) => RETRIED.has(state))
    .flatMap((row) => {
      const record = listed.get(row.id);
      if (record !== undefined) {
        renewDeletion(context.journal, run.id, row.seq, record);
        return [];
      }
      const outcome = goneOutcome(row);
      writeDeletionOutcome(about, row, outcome, 'looked');
      return [[row, outcome]];
    });
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
 * interrupted run which is gone on with had asked to delete, it tells by itself what became of them.
 */
export function sortAbsent(
  journal: Journal,
  target: Target,
  { absent }: Selection,
  earlier: EarlierDelete | undefined,
): AbsentNames {
  const isUnderWay = (name: string): boolean =>
    earlier?.open === true &&
    earlier.rows.some(({ id, barcode, state }) => IN_DOUBT.has(state) && (id === name || barcode === name));
  const all = absent
    .filter((name) => !isUnderWay(name))
    .map((name) => ({ name, seen: lastSeen(journal, target, name) }));
  return {
    before: all.flatMap(({ name, seen }) => (seen?.isGone === 1 ? [{ ...seen, name }] : [])),
    unknown: all.filter(({ seen }) => seen?.isGone !== 1),
  };
}
