import { UNFINISHED } from '../../registration/model/row-states.ts';
import { GuardError, ServiceError } from '../../errors.ts';
import { imageOf, type RecordImage } from '../../registration/model/registration.ts';
import { plural } from '../../report/words/number.ts';
import { wordForBarcodes } from './delete-name.ts';
import { deletePending, type DeletePendingOptions } from './delete-pending.ts';
import { isDenied } from './delete-outcome.ts';
import { type DeleteRow, deletions } from '../../sync/journal/delete-rows.ts';
import { writeDeletionOutcome } from './delete-writing.ts';
import { type ListReading, readListed } from '../../sync/snapshot/read-listed.ts';
import type { RowOutcome } from '../../sync/decide/judge-found.ts';
import { learn } from '../../sync/journal/learned.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';
import { SECOND_LOOK_MS, waitUntil } from '../../sync/snapshot/wait-until.ts';

/** Registrations that are named in a message. */
const NAMED = 10;

interface TrialOptions extends Pick<DeletePendingOptions, 'onRow'> {
  /** Keeps registrations where they can be brought back from; durable when it returns. Returns where. */
  backUp: (records: Iterable<RecordImage>) => string;
}

/**
 * Where no ids are shown and nobody has said that the service deletes by barcode, deletes one registration so,
 * alone: the whole list is kept before, and read again after. That it is gone and nothing else proves it, and
 * is learnt. Throws what else happened; no other is deleted then.
 */
export async function tryBarcode(context: SendContext, { backUp, onRow }: TrialOptions): Promise<void> {
  const { journal, run, target, clock, reporter, stopping } = context;
  const row = wordForBarcodes(context) === 'untried' ? findTrialRow(context) : undefined;
  if (row === undefined || stopping.aborted) return;
  const before = await readWhole(context);
  if (before.moved) throw unsettled('Nothing was deleted');
  const file = backUp(imagesOf(before));
  const text = `The service shows no ids. Whether it deletes by barcode is tried with ${row.id}, alone. Backup of all that is listed: ${file}`;
  reporter.report({ type: 'note', text });
  let said: RowOutcome = { state: 'pending' };
  await deletePending(context, {
    keepParents: false,
    only: row.seq,
    onRow: (_row, outcome) => void (said = outcome),
  });
  if (stopping.aborted || said.state === 'pending') {
    if (said.state !== 'pending') await onRow?.(row, said);
    return;
  }
  const refused = said.state === 'failed' || isDenied(said);
  const { gone, moved } = await readGone(context, before, { row, mayLag: !refused });
  const others = gone.filter((name) => name !== row.id);
  const outcome = judge(said, others.length < gone.length);
  writeDeletionOutcome({ journal, run, service: target.service, now: clock.now() }, row, outcome, 'looked');
  await onRow?.(row, outcome);
  const isDeleted = outcome.state === 'deleted';
  if (others.length > 0) throw tookOthers(row, { others, isDeleted, file });
  if (!isDeleted || refused) throw notByBarcode(row, outcome);
  if (moved) throw unsettled(`Registration ${row.id} was deleted, and no other`);
  learn(journal, target.service, 'deletesBy', 'barcode', clock.now());
}

/** What became of the one registration, by what was said and by the list. */
function judge(said: RowOutcome, isGone: boolean): RowOutcome {
  if (isGone) return isDenied(said) ? said : { ...said, state: 'deleted', message: undefined };
  if (said.state === 'failed') return said;
  return isDenied(said)
    ? { ...said, state: 'failed', message: 'the service finds none by its barcode' }
    : { ...said, state: 'uncertain', message: 'the service said that it deleted it, and still lists it' };
}

/** The first that shows no id and has no member on the list: some services delete members with their parent. */
function findTrialRow({ journal, run }: SendContext): DeleteRow | undefined {
  let any: DeleteRow | undefined;
  for (const row of deletions(journal, run, { states: UNFINISHED })) {
    if (row.before.id !== undefined) continue;
    any ??= row;
    const own = { run, barcode: row.id };
    if (!journal.has(`FROM row WHERE run = $run AND op = 'delete' AND parent_barcode = $barcode`, own))
      return row;
  }
  return any;
}

const readWhole = async (context: SendContext): Promise<ListReading> =>
  await readListed(context, { barcodes: () => [], count: 0, whole: true });

function* imagesOf({ listed }: ListReading): Generator<RecordImage> {
  for (const record of listed.all()) yield imageOf(record);
}

/** Names of what is listed no more, looked for once more after the time that a list may lag behind. */
async function readGone(
  context: SendContext,
  before: ListReading,
  { row, mayLag }: { row: DeleteRow; mayLag: boolean },
): Promise<{ gone: string[]; moved: boolean }> {
  const { clock, limits } = context;
  let after = await readWhole(context);
  let gone = difference(before, after);
  // What others have lost shows late, too.
  if (mayLag && limits.settleMs > 0 && !(gone.length === 1 && gone[0] === row.id)) {
    after.listed.clear();
    await waitUntil(context, clock.now() + Math.max(SECOND_LOOK_MS, limits.settleMs));
    after = await readWhole(context);
    gone = difference(before, after);
  }
  return { gone, moved: after.moved };
}

/** Names of which fewer are listed after than before, in their order. */
function difference(before: ListReading, after: ListReading): string[] {
  const [was, now] = [countNames(before), countNames(after)];
  return [...was].flatMap(([name, count]) => (count > (now.get(name) ?? 0) ? name : [])).sort();
}

/** How many registrations have each name. */
function countNames({ listed }: ListReading): Map<string, number> {
  const counts = new Map<string, number>();
  for (const record of listed.all()) {
    const name = record.id ?? record.barcode ?? JSON.stringify(record);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

function tookOthers(
  { id }: DeleteRow,
  { others, isDeleted, file }: { others: readonly string[]; isDeleted: boolean; file: string },
): ServiceError {
  const named = others.slice(0, NAMED).join(', ') + (others.length > NAMED ? ', …' : '');
  const [some, with_] = [
    plural(others.length, 'other registration is', 'other registrations are'),
    isDeleted ? 'with it' : 'instead',
  ];
  return new ServiceError(
    `The deletion of ${id} by its barcode was tried, and ${some} gone ${with_}: ${named}. No more was deleted.`,
    {
      hint: `All registrations as they were are in ${file}: push back what is missing. If others deleted them meanwhile, set "registrationId": "barcode" in the profile.`,
    },
  );
}

function notByBarcode(
  { id }: DeleteRow,
  { message = 'it was gone before it was asked for' }: RowOutcome,
): GuardError {
  return new GuardError(
    'unclear',
    `The service shows no ids, and that it deletes by barcode is not proven: ${id}, tried alone: ${message}. No other was tried.`,
    { hint: 'Delete them in the event platform itself.' },
  );
}

function unsettled(what: string): GuardError {
  return new GuardError('moving-list', `${what}: registrations came or went each time the list was read.`, {
    hint: 'Run the same command again when fewer registrations come in.',
  });
}
