import { EXIT, EventregError, GuardError, ServiceError } from '../../errors.ts';
import { imageOf, type RecordImage } from '../../registration/model/registration.ts';
import { MAY_BE_DELETED, OFF_THE_LIST } from '../../registration/model/row-states.ts';
import { plural } from '../../report/words/number.ts';
import type { RowOutcome } from '../decide/judge-found.ts';
import { type DeleteRow, writeDeletionOutcome } from '../journal/delete-rows.ts';
import { learn, readLearned } from '../journal/learned.ts';
import type { SendContext } from '../journal/send-context.ts';
import { lostSince } from '../snapshot/lost.ts';
import { isWhole } from '../snapshot/answers.ts';
import { type ListReading, readListed } from '../snapshot/read-listed.ts';
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

/** Deletions that show by themselves what the service does. */
interface Kind extends FirstOptions {
  rows: readonly DeleteRow[];
  /** They are named by barcodes, though nobody has said that the service deletes so: the list proves it, or nothing does. */
  isTried: boolean;
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
  const { journal, target, clock, stopping, reporter } = context;
  const nameless = remover.pending.filter(({ before }) => before.id === undefined);
  if (remover.word === 'untried' && nameless.length > 0 && !stopping.aborted) {
    const before = await wholeList(context, options.before);
    const [row] = withoutMembers(nameless);
    const file = options.backUp([...before.listed.all()].map(imageOf));
    const text = `The service shows no ids. Whether it deletes by barcode is tried with ${row?.id ?? ''}, alone. Backup of all that is listed: ${file}`;
    reporter.report({ type: 'note', text });
    const isProven = await tryOne(context, remover, { ...options, before, rows: nameless, isTried: true });
    if (isProven) learn(journal, target.service, 'deletesBy', 'barcode', clock.now());
  }
  const by = remover.word === 'profile' ? 'barcode' : 'id';
  const rows = remover.pending.filter(({ before }) => before.id !== undefined || by === 'barcode');
  const isLearnt = readLearned(journal, target.service, 'deletes', clock.now())?.value === by;
  // One alone is proven at the end like all.
  if (isLearnt || rows.length < 2 || stopping.aborted) return;
  const isProven = await tryOne(context, remover, { ...options, rows, isTried: false });
  if (isProven) learn(journal, target.service, 'deletes', by, clock.now());
}

/** Those without members on the list: some services delete them with their parent. */
function withoutMembers(rows: readonly DeleteRow[]): readonly DeleteRow[] {
  const parents = new Set(rows.map(({ parentBarcode }) => parentBarcode));
  const found = rows.filter(({ barcode }) => barcode === undefined || !parents.has(barcode));
  return found.length === 0 ? rows : found;
}

/** The list as it is before the first is deleted by its barcode. Throws GuardError where it never stood still. */
async function wholeList(context: SendContext, before: ListReading | undefined): Promise<ListReading> {
  if (before !== undefined && isWhole(before)) return before;
  const reading = await readListed(context, { barcodes: () => [], count: 0, whole: true });
  if (reading.moved) throw unsettled('Nothing was deleted');
  return reading;
}

/** Deletes one after the other alone, until what one has shown says something of the others. Whether it is proven. */
async function tryOne(context: SendContext, remover: Remover, kind: Kind): Promise<boolean> {
  const { before, isTried, onRow } = kind;
  for (const row of withoutMembers(kind.rows)) {
    // No look-up finds it, of a list that is too long to be read.
    if (row.barcode === undefined && before?.how !== 'list') continue;
    const said = await remover.removeOne(row, false);
    if (said === undefined || said.state === 'pending') return false;
    const isRefused = said.state === 'failed' || isDenied(said);
    // What is refused, or in doubt, says nothing of those that are named by their ids.
    const saysNothing = context.stopping.aborted || (!isTried && (said.state !== 'deleted' || isRefused));
    if (saysNothing) {
      await onRow?.(row, said);
      if (context.stopping.aborted) return false;
      continue;
    }
    const { reading, still } = await lookAfter(context, [row], { before, whole: isTried, isSure: isRefused });
    const outcome = judgeFirst(said, still.length === 0);
    writeDeletionOutcome(context, row, outcome, 'looked');
    row.state = outcome.state;
    await onRow?.(row, outcome);
    refuseOthers(remover.rows, { row, reading, isDeleted: outcome.state === 'deleted' }, kind);
    if (outcome.state !== 'deleted' || isRefused)
      throw isTried ? notByBarcode(row, outcome) : notBelieved(row);
    if (isTried && reading.moved) throw unsettled(`Registration ${row.id} was deleted, and no other`);
    return true;
  }
  return false;
}

/** What became of the one registration, by what was said and by the list. */
function judgeFirst(said: RowOutcome, isGone: boolean): RowOutcome {
  if (isGone) return isDenied(said) ? said : { ...said, state: 'deleted', message: undefined };
  if (said.state === 'failed') return said;
  return isDenied(said)
    ? { ...said, state: 'failed', message: 'the service finds none by its barcode' }
    : { ...said, ...listedStill(said) };
}

/** Throws ServiceError where something is listed no more that neither was to be deleted nor is a member of what was. */
function refuseOthers(
  rows: readonly DeleteRow[],
  { row, reading, isDeleted }: { row: DeleteRow; reading: ListReading; isDeleted: boolean },
  { before, backUp }: Kind,
): void {
  if (before === undefined) return;
  const asked = rows.filter(({ state }) => OFF_THE_LIST.has(state) || MAY_BE_DELETED.has(state));
  const expected = new Set([row, ...asked, ...membersOf(before, [row, ...asked])].map(nameOf));
  const others = (lostSince(before, reading) ?? []).flatMap(({ kind, record }) =>
    kind === 'gone' && !expected.has(nameOf(record)) ? [record] : [],
  );
  if (others.length === 0) return;
  const named = others.map(nameOf).sort().slice(0, NAMED).join(', ') + (others.length > NAMED ? ', …' : '');
  const some = plural(others.length, 'other registration is', 'other registrations are');
  throw new ServiceError(
    `The deletion of ${row.id} was tried, alone, and ${some} gone ${isDeleted ? 'with it' : 'instead'}: ${named}. No more was deleted.`,
    {
      hint: `They are kept in ${backUp(others)}: push back what is missing. If others deleted them meanwhile, run the same command again.`,
    },
  );
}

/** Registrations that are named in a message. */
const NAMED = 10;

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
