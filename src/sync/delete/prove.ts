import { EventregError, isCalledOff } from '../../errors.ts';
import { OFF_THE_LIST } from '../../registration/model/row-states.ts';
import { plural } from '../../report/words/number.ts';
import type { RowOutcome } from '../decide/judge-found.ts';
import { type DeleteRow, deletions, writeDeletionOutcome } from '../journal/delete-rows.ts';
import type { SendContext } from '../journal/send-context.ts';
import { noteLost } from '../prove/strangers.ts';
import type { ListReading } from '../snapshot/read-listed.ts';
import { CHEAP_PAGES, readShown } from '../snapshot/read-now.ts';
import { SECOND_LOOK_MS, waitUntil } from '../snapshot/wait-until.ts';
import { listedAs } from './names.ts';

/** What reading back has shown of deletions. */
interface LookedAfter {
  reading: ListReading;
  /** Those whose registrations are listed. */
  still: DeleteRow[];
}

interface LookOptions {
  /** What was listed before anything was deleted. */
  before: ListReading | undefined;
  /** Read the whole list, whatever it costs. */
  whole?: boolean;
  /** What is listed is there: a service that refused it has no list to be late with. */
  isSure?: boolean;
}

/** Reads back some deletions, once more after the time that a list may lag behind where any of them is listed. */
export async function lookAfter(
  context: SendContext,
  rows: readonly DeleteRow[],
  { before, whole = false, isSure = false }: LookOptions,
): Promise<LookedAfter> {
  const { clock, limits } = context;
  const barcodes = rows.flatMap(({ barcode }) => barcode ?? []);
  const wish = {
    barcodes: () => barcodes,
    // The whole list where it has so few pages: it shows what else has become otherwise.
    count: Math.max(before?.how === 'list' ? CHEAP_PAGES : 0, rows.length),
    whole: whole || barcodes.length < rows.length,
  };
  const look = async (): Promise<LookedAfter> => {
    const reading = await readShown(context, wish);
    return { reading, still: rows.filter((row) => listedAs(reading.listed, row.before).length > 0) };
  };
  const first = await look();
  if (first.still.length === 0 || isSure || limits.settleMs === 0) return first;
  await waitUntil(context, clock.now() + Math.max(SECOND_LOOK_MS, limits.settleMs));
  return await look();
}

/** What is to be said where a service lists what it said was deleted, or was not there. */
export const listedStill = (row: { status?: number | undefined }): RowOutcome => ({
  state: 'uncertain',
  message: isDenied(row)
    ? 'the service said that it is not there, and still lists it'
    : 'the service said that it deleted it, and still lists it',
});

/** Whatever had been asked before: this time there was none. */
export const isDenied = ({ status }: { status?: number | undefined }): boolean =>
  status === 404 || status === 410;

interface ProofOptions extends Pick<LookOptions, 'before'> {
  /** Told of what is listed still. */
  onRow?: ((row: DeleteRow, outcome: RowOutcome) => Promise<void> | void) | undefined;
}

/**
 * Reads back what a run has deleted. What is listed still becomes uncertain. What else is gone since `before`, or has
 * lost its parent, is kept as a finding. That the service cannot be read is told, not thrown.
 */
export async function proveGone(context: SendContext, { before, onRow }: ProofOptions): Promise<void> {
  const { journal, run, reporter, stopping } = context;
  const rows = deletions(journal, run, OFF_THE_LIST).filter(
    (row) => row.state === 'deleted' || isDenied(row),
  );
  if (stopping.aborted || rows.length === 0) return;
  let seen: LookedAfter;
  try {
    seen = await lookAfter(context, rows, { before });
  } catch (error) {
    if (stopping.aborted) return;
    if (!(error instanceof EventregError) || isCalledOff(error)) throw error;
    const text = `What was deleted could not be read back: ${error.message}`;
    reporter.report({ type: 'warning', text });
    return;
  }
  const { reading, still } = seen;
  journal.transaction(() => {
    for (const row of still) writeDeletionOutcome(context, row, listedStill(row), 'looked');
  });
  noteLost(journal, run, { before, now: reading });
  if (still.length === 0) return;
  reporter.report({ type: 'warning', text: describeListed(still) });
  for (const row of still) await onRow?.(row, listedStill(row));
}

function describeListed(rows: readonly DeleteRow[]): string {
  const some = plural(rows.length, 'registration is', 'registrations are');
  const it = rows.length === 1 ? 'it' : 'them';
  const isDeleted = rows.some((row) => !isDenied(row));
  const said = isDeleted ? `it deleted ${it}` : `${it === 'it' ? 'it is' : 'they are'} not there`;
  return `${some} still listed although the service said that ${said}. Run the same command again to try once more.`;
}
