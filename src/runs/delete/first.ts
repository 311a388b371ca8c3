import { EXIT, EventregError, GuardError, ServiceError } from '../../errors.ts';
import { imageOf, type RecordImage } from '../../registration/model/registration.ts';
import { MAY_BE_DELETED, OFF_THE_LIST } from '../../registration/model/row-states.ts';
import { plural } from '../../report/words/number.ts';
import type { RowOutcome } from '../../sync/decide/judge-found.ts';
import { type DeleteRow, writeDeletionOutcome } from '../../sync/journal/delete-rows.ts';
import { learn, readLearned } from '../../sync/journal/learned.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';
import { isWhole, type ListReading, readListed } from '../../sync/snapshot/read-listed.ts';
import { membersOf } from './hold.ts';
import { nameOf } from './names.ts';
import { isDenied, listedStill, lookAfter } from './prove.ts';
import type { Remover, RemoverOptions } from './remover.ts';

export interface FirstOptions extends Pick<RemoverOptions, 'onRow'> {
  /** What was listed before anything was deleted; undefined where that was too long to be read. */
  before: ListReading | undefined;
  /** Keeps registrations where they can be brought back from; durable when it returns. Returns where. */
  backUp: (records: readonly RecordImage[]) => string;
}

/**
 * The first deletion of a kind goes alone, and a look proves that it is gone and nothing else with it, before others
 * go. Throws what else happened; no other is deleted then.
 */
export async function proveFirst(
  context: SendContext,
  remover: Remover,
  options: FirstOptions,
): Promise<void> {
  await proveBarcode(context, remover, options);
  await proveNames(context, remover, options);
}

/** Those without members on the list: some services delete them with their parent. */
function withoutMembers(rows: readonly DeleteRow[]): DeleteRow[] {
  const parents = new Set(rows.map(({ parentBarcode }) => parentBarcode));
  const found = rows.filter(({ barcode }) => barcode === undefined || !parents.has(barcode));
  return found.length === 0 ? [...rows] : found;
}

/**
 * By the name that the service shows, or that the profile says. One alone is proven at the end like all, and one that
 * no look-up finds, of a list that is too long to be read, not at all before.
 */
async function proveNames(context: SendContext, remover: Remover, options: FirstOptions): Promise<void> {
  const { journal, target, clock, stopping } = context;
  const by = remover.word === 'profile' ? 'barcode' : 'id';
  if (readLearned(journal, target.service, 'deletes', clock.now())?.value === by) return;
  const { before, onRow } = options;
  const rows = remover.pending.filter((row) => row.before.id !== undefined || by === 'barcode');
  if (rows.length < 2) return;
  for (const row of withoutMembers(rows)) {
    if (row.barcode === undefined && before?.how !== 'list') continue;
    const outcome = await remover.removeOne(row);
    if (stopping.aborted) return;
    // What is refused, or in doubt, says nothing of others: the next one goes alone, too.
    if (outcome?.state !== 'deleted') continue;
    const { reading, still } = await lookAfter(context, [row], { before });
    if (still.length > 0) {
      writeDeletionOutcome(context, row, listedStill(outcome), 'looked');
      await onRow?.(row, listedStill(outcome));
      throw notBelieved(row);
    }
    const others = lostBeside(remover.rows, before, reading);
    if (others.length > 0) throw tookOthers(row, others.map(nameOf), options.backUp(others));
    learn(journal, target.service, 'deletes', by, clock.now());
    return;
  }
}

/** What is listed no more, and neither was to be deleted nor is a member of what was. */
function lostBeside(
  rows: readonly DeleteRow[],
  before: ListReading | undefined,
  now: ListReading,
): RecordImage[] {
  if (before === undefined || !isWhole(before) || !isWhole(now)) return [];
  const asked = rows.filter(({ state }) => OFF_THE_LIST.has(state) || MAY_BE_DELETED.has(state));
  const expected = new Set([...asked, ...membersOf(before, asked)].map(nameOf));
  return missingIn(now, before).filter((record) => !expected.has(nameOf(record)));
}

/** Registrations of which fewer are listed now than before. */
function missingIn({ listed }: ListReading, before: ListReading): RecordImage[] {
  const counts = new Map<string, number>();
  for (const record of listed.all()) counts.set(keyOf(record), (counts.get(keyOf(record)) ?? 0) + 1);
  return [...before.listed.all()]
    .filter((record) => {
      const left = counts.get(keyOf(record)) ?? 0;
      counts.set(keyOf(record), left - 1);
      return left <= 0;
    })
    .map(imageOf);
}

const keyOf = (record: RecordImage): string => record.id ?? record.barcode ?? JSON.stringify(record);

/**
 * Where no ids are shown and nobody has said that the service deletes by barcode, the whole list is kept before, and
 * read again after. That the one is gone and nothing else is learnt.
 */
async function proveBarcode(context: SendContext, remover: Remover, options: FirstOptions): Promise<void> {
  const { journal, target, clock, reporter, stopping } = context;
  const nameless = remover.pending.filter(({ before }) => before.id === undefined);
  const [row] = remover.word === 'untried' ? withoutMembers(nameless) : [];
  if (row === undefined || stopping.aborted) return;
  const before = await wholeList(context, options.before);
  if (before.moved) throw unsettled('Nothing was deleted');
  const file = options.backUp([...before.listed.all()].map(imageOf));
  const text = `The service shows no ids. Whether it deletes by barcode is tried with ${row.id}, alone. Backup of all that is listed: ${file}`;
  reporter.report({ type: 'note', text });
  const said = await remover.removeOne(row, false);
  if (said === undefined || said.state === 'pending') return;
  if (stopping.aborted) return await options.onRow?.(row, said);
  const isRefused = said.state === 'failed' || isDenied(said);
  const { reading, still } = await lookAfter(context, [row], { before, whole: true, isSure: isRefused });
  const outcome = judgeBarcode(said, still.length === 0);
  writeDeletionOutcome(context, row, outcome, 'looked');
  row.state = outcome.state;
  await options.onRow?.(row, outcome);
  const others = missingIn(reading, before)
    .map(nameOf)
    .filter((name) => name !== row.id)
    .sort();
  const isDeleted = outcome.state === 'deleted';
  if (others.length > 0) throw tookOthers(row, others, file, isDeleted);
  if (!isDeleted || isRefused) throw notByBarcode(row, outcome);
  if (reading.moved) throw unsettled(`Registration ${row.id} was deleted, and no other`);
  learn(journal, target.service, 'deletesBy', 'barcode', clock.now());
}

const wholeList = async (context: SendContext, before: ListReading | undefined): Promise<ListReading> =>
  before !== undefined && isWhole(before)
    ? before
    : await readListed(context, { barcodes: () => [], count: 0, whole: true });

/** What became of the one registration, by what was said and by the list. */
function judgeBarcode(said: RowOutcome, isGone: boolean): RowOutcome {
  if (isGone) return isDenied(said) ? said : { ...said, state: 'deleted', message: undefined };
  if (said.state === 'failed') return said;
  return isDenied(said)
    ? { ...said, state: 'failed', message: 'the service finds none by its barcode' }
    : { ...said, ...listedStill(said) };
}

/** Registrations that are named in a message. */
const NAMED = 10;

function tookOthers(
  { id }: DeleteRow,
  others: readonly string[],
  file: string,
  isDeleted = true,
): ServiceError {
  const named = others.slice(0, NAMED).join(', ') + (others.length > NAMED ? ', …' : '');
  const some = plural(others.length, 'other registration is', 'other registrations are');
  return new ServiceError(
    `The deletion of ${id} was tried, alone, and ${some} gone ${isDeleted ? 'with it' : 'instead'}: ${named}. No more was deleted.`,
    {
      hint: `They are kept in ${file}: push back what is missing. If others deleted them meanwhile, run the same command again.`,
    },
  );
}

const notBelieved = ({ id }: DeleteRow): EventregError =>
  new EventregError(
    EXIT.uncertain,
    `Registration ${id}, the first, is still listed although the service said that it deleted it, so no other was tried.`,
    { hint: 'Run the same command again later.' },
    'service',
  );

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

const unsettled = (what: string): GuardError =>
  new GuardError('moving-list', `${what}: registrations came or went each time the list was read.`, {
    hint: 'Run the same command again when fewer registrations come in.',
  });
