import { among, OFF_THE_LIST } from '../../registration/model/row-states.ts';
import { EventregError, isCalledOff } from '../../errors.ts';
import { noteLost } from '../audit/audit-lost.ts';
import { plural } from '../../report/words/number.ts';
import { listedAs } from './delete-name.ts';
import { isDenied } from './delete-outcome.ts';
import { type DeleteRow, deletions } from '../../sync/journal/delete-rows.ts';
import { writeDeletionOutcome } from './delete-writing.ts';
import type { ListReading } from '../../sync/snapshot/read-listed.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import type { RowOutcome } from '../../sync/decide/judge-found.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';
import { CHEAP_PAGES, readShown } from '../../sync/snapshot/read-now.ts';
import { SECOND_LOOK_MS, waitUntil } from '../../sync/snapshot/wait-until.ts';

const STILL_LISTED: RowOutcome = {
  state: 'uncertain',
  message: 'the service said that it deleted it, and still lists it',
};
const LISTED_THOUGH_DENIED: RowOutcome = {
  state: 'uncertain',
  message: 'the service said that it is not there, and still lists it',
};

interface ReadBackOptions {
  /** Told of what is listed still. */
  onRow?: (row: DeleteRow, outcome: RowOutcome) => Promise<void> | void;
  /** What was listed before anything was deleted. */
  before?: ListReading | undefined;
  /** Reads back, too, what the service said was not there when it was asked to delete it. */
  denied?: boolean;
}

/**
 * Reads back what a run has deleted, once more after the time that a list may lag behind. What is listed
 * still becomes uncertain. What else is gone since `before`, or has lost its parent, is
 * kept as a finding. That the service cannot be read is told, not thrown.
 */
export async function readBackDeletions(context: SendContext, options: ReadBackOptions = {}): Promise<void> {
  const { journal, run, target, clock, reporter, stopping } = context;
  if (stopping.aborted || saidGone(journal, run, options).next().done === true) return;
  let rows: DeleteRow[];
  try {
    rows = await findListed(context, options);
  } catch (error) {
    if (stopping.aborted) return;
    if (!(error instanceof EventregError) || isCalledOff(error)) throw error;
    const text = `What was deleted could not be read back: ${error.message}`;
    reporter.report({ type: 'warning', text });
    return;
  }
  if (rows.length === 0) return;
  const about = { journal, run, service: target.service, now: clock.now() };
  const outcomeOf = ({ state }: DeleteRow): RowOutcome =>
    state === 'deleted' ? STILL_LISTED : LISTED_THOUGH_DENIED;
  journal.transaction(() => {
    for (const row of rows) writeDeletionOutcome(about, row, outcomeOf(row), 'looked');
  });
  reporter.report({ type: 'warning', text: describeListed(rows) });
  for (const row of rows) await options.onRow?.(row, outcomeOf(row));
}

function describeListed(rows: readonly DeleteRow[]): string {
  const some = plural(rows.length, 'registration is', 'registrations are');
  const it = rows.length === 1 ? 'it' : 'them';
  const isDeleted = rows.some(({ state }) => state === 'deleted');
  const said = isDeleted ? `it deleted ${it}` : `${it === 'it' ? 'it is' : 'they are'} not there`;
  return `${some} still listed although the service said that ${said}. Run the same command again to try once more.`;
}

/** Deletions of a run of which the service has said that they are done, or had nothing to do. */
function* saidGone(
  journal: Journal,
  run: string,
  { denied = false }: Pick<ReadBackOptions, 'denied'>,
): Generator<DeleteRow> {
  for (const row of deletions(journal, run, { states: OFF_THE_LIST })) {
    if (row.state === 'deleted' || (denied && isDenied(row))) yield row;
  }
}

/** Deletions of a run whose registrations are listed. */
async function findListed(context: SendContext, options: ReadBackOptions): Promise<DeleteRow[]> {
  const { journal, run, clock, limits } = context;
  const first = await stillListed(context, options);
  if (first.length === 0 || limits.settleMs === 0) return first;
  const now = clock.now();
  const last = journal.get<{ at?: number }>(
    `SELECT max(done_at) AS at FROM row WHERE run = $run AND op = 'delete' AND state ${among(OFF_THE_LIST)}`,
    { run },
  );
  const landedMs = Math.min(last?.at ?? 0, now) + limits.settleMs;
  await waitUntil(context, Math.max(now + SECOND_LOOK_MS, landedMs));
  return await stillListed(context, options);
}

async function stillListed(context: SendContext, options: ReadBackOptions): Promise<DeleteRow[]> {
  const { journal, run } = context;
  const { before } = options;
  const reading = await read(context, before?.how === 'list' ? CHEAP_PAGES : 0, options);
  noteLost(journal, run, before, reading);
  return [...saidGone(journal, run, options)].filter(
    (row) => listedAs(reading.listed, row.before).length > 0,
  );
}

/** The whole list where something can be found by its id only, or where it has so few pages. */
async function read(context: SendContext, pages: number, options: ReadBackOptions): Promise<ListReading> {
  const { journal, run } = context;
  let [count, bare] = [0, 0];
  for (const { barcode } of saidGone(journal, run, options)) {
    count += 1;
    bare += barcode === undefined ? 1 : 0;
  }
  const barcodes = (): Iterable<string> => goneBarcodes(journal, run, options);
  return await readShown(context, { barcodes, count: Math.max(pages, count), whole: bare > 0 });
}

function* goneBarcodes(journal: Journal, run: string, options: ReadBackOptions): Generator<string> {
  for (const { barcode } of saidGone(journal, run, options)) if (barcode !== undefined) yield barcode;
}
