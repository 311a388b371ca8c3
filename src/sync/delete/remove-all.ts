import { EXIT, EventregError, GuardError, ServiceError } from '../../errors.ts';
import { imageOf, type RecordImage } from '../../registration/model/registration.ts';
import { OFF_THE_LIST, UNFINISHED } from '../../registration/model/row-states.ts';
import { plural } from '../../report/words/number.ts';
import { type DeleteRow, deletions, noteDeletion } from '../journal/delete-rows.ts';
import { readFindings } from '../journal/steps.ts';
import { learn, readLearned } from '../journal/learned.ts';
import type { SendContext } from '../journal/send-context.ts';
import { isWhole, movingList, readWhole } from '../snapshot/read-now.ts';
import type { ListReading } from '../snapshot/read-listed.ts';
import { asKept, type BackUp } from './backup.ts';
import { holdBack, membersOf } from './hold.ts';
import { isById, listedAs, nameOf } from './names.ts';
import { isAbsent } from '../../service/http/outcome.ts';
import { afterListed, isSaid, prove, proveAll, whatIsSaid } from './proof.ts';
import { Remover, type RemoverOptions } from './remover.ts';

export interface RemovalOptions extends RemoverOptions {
  /** What the service lists right before; undefined where that is not known, or too long to be read. */
  before: ListReading | undefined;
  backUp: BackUp;
  /** Keeps what was listed beside that before a first deletion of its kind. */
  backUpMore: BackUp;
}

/**
 * What becomes of the registrations that a run is to delete, whoever has chosen them: they are held against what is
 * listed now, kept in a backup, deleted, the first of a kind alone, and looked for again, with those that must not
 * change. Ends early without an error on Ctrl-C. Throws what stops it.
 */
export async function removeAll(context: SendContext, options: RemovalOptions): Promise<void> {
  const { journal, run, reporter, stopping } = context;
  const { before, keepParents, backUp } = options;
  if (before !== undefined) holdBack(context, before, { keepParents });
  const rows = deletions(journal, run, UNFINISHED);
  if (rows.length === 0 || stopping.aborted) return;
  const members = before === undefined ? [] : membersOf(context, before, rows);
  const listed = [...rows.map((row) => row.before), ...members];
  const kept = asKept(context, listed, before);
  const file = backUp(kept.map(({ image }) => image));
  reporter.report({ type: 'note', text: `Backup: ${file}` });
  const remover = new Remover(context, options);
  await proveFirst(context, remover, options);
  await remover.removeAll();
  await proveAll(context, before).finally(() => noteGone(context, members));
}

/** Pushing the backup adds those again that went with their parent: it was this run that has deleted them. */
function noteGone({ journal, run, target }: SendContext, members: readonly RecordImage[]): void {
  const gone = readFindings(journal, run).filter(({ kind }) => kind === 'gone');
  for (const { id, barcode } of members) {
    const isGone = gone.some((one) => one.id === id && one.barcode === barcode);
    if (isGone) noteDeletion(journal, target.service, { id, barcode });
  }
}

/** Deletions that show by themselves what the service does. */
interface Kind extends RemovalOptions {
  rows: readonly DeleteRow[];
  /** They are named by barcodes, though nobody has said that the service deletes so: the list proves it, or nothing does. */
  isTried: boolean;
}

/**
 * The first deletion of a kind goes alone, and a look proves that it is gone and nothing else with it, before others
 * go. Throws what else happened; no other is deleted then.
 */
async function proveFirst(context: SendContext, remover: Remover, options: RemovalOptions): Promise<void> {
  const { word } = remover;
  for (const by of ['barcode', 'id'] as const) {
    const rows = remover.pending.filter(({ before }) => (isById(word, before) ? 'id' : 'barcode') === by);
    const isTried = by === 'barcode' && word === 'untried';
    // What is learnt of barcodes that no profile speaks of is their word from then on.
    const fact = by === 'barcode' && word !== 'profile' ? 'deletesBy' : 'deletes';
    const isLearnt = readLearned(context, fact)?.value === by;
    // One alone is proven at the end like all.
    if (isLearnt || rows.length < (isTried ? 1 : 2) || context.stopping.aborted) continue;
    const before = isTried ? await keepAll(context, rows, options) : options.before;
    const isProven = await tryOne(context, remover, { ...options, before, rows, isTried });
    if (isProven) learn(context, fact, by);
  }
}

/** Keeps all that is listed before the first is deleted by its barcode. Throws GuardError where the list never stood still. */
async function keepAll(
  context: SendContext,
  rows: readonly DeleteRow[],
  { before, backUpMore }: RemovalOptions,
): Promise<ListReading> {
  const isKnown = before !== undefined && isWhole(before);
  const reading = isKnown ? before : await readWhole(context, 'Nothing was deleted');
  const [row] = withoutMembers(rows);
  const file = backUpMore([...reading.listed.all()].map(imageOf));
  const text = `The service shows no ids. Whether it deletes by barcode is tried with ${row?.id ?? ''}, alone. Backup of all that is listed: ${file}`;
  context.reporter.report({ type: 'note', text });
  return reading;
}

/** Those without members on the list: some services delete them with their parent. */
function withoutMembers(rows: readonly DeleteRow[]): readonly DeleteRow[] {
  const parents = new Set(rows.map(({ parentBarcode }) => parentBarcode));
  const found = rows.filter(({ barcode }) => barcode === undefined || !parents.has(barcode));
  return found.length === 0 ? rows : found;
}

/** Deletes one after the other alone, until what one has shown says something of the others. Whether it is proven. */
async function tryOne(context: SendContext, remover: Remover, kind: Kind): Promise<boolean> {
  const { before, isTried } = kind;
  for (const row of withoutMembers(kind.rows)) {
    // No look-up finds it, of a list that is too long to be read.
    if (row.barcode === undefined && before?.how !== 'list') continue;
    const said = await remover.removeOne(row);
    if (said === undefined || said.state === 'pending' || context.stopping.aborted) return false;
    // Some services delete, and say that it is not there; whether a barcode means anything to them that leaves open.
    const isTaken = isTried ? said.state === 'deleted' && !isAbsent(said) : isSaid(said);
    // What is refused, or in doubt, says nothing of those that are named by their ids.
    if (!isTried && !isTaken) continue;
    row.status = said.status;
    row.message = said.message;
    const isSure = said.state === 'failed' || (isTried && isAbsent(said));
    const { reading, still } = await prove(context, [row], { before, whole: isTried, isSure });
    refuseOthers(context, row, kind);
    if (still.length > 0 || !isTaken) throw isTried ? notByBarcode(row) : notBelieved(context, row);
    if (isTried && reading.moved) throw movingList(`Registration ${row.id} was deleted, and no other`);
    // What was changed meanwhile stays.
    const shown = remover.pending.filter((one) => listedAs(reading.listed, one.before).length > 0);
    holdBack(context, reading, kind, shown);
    return true;
  }
  return false;
}

/** Throws ServiceError where something is listed no more that neither was to be deleted nor is a member of what was. */
function refuseOthers(context: SendContext, row: DeleteRow, { before, backUpMore }: Kind): void {
  const { journal, run } = context;
  if (before === undefined) return;
  const gone = deletions(journal, run, [...OFF_THE_LIST, 'uncertain']);
  const expected = new Set(membersOf(context, before, [row, ...gone]).map(nameOf));
  const others = readFindings(journal, run).filter(
    (one) => one.kind === 'gone' && !expected.has(nameOf(one)),
  );
  if (others.length === 0) return;
  const named = others.map(nameOf).sort().slice(0, NAMED).join(', ') + (others.length > NAMED ? ', …' : '');
  const some = plural(others.length, 'other registration is', 'other registrations are');
  const kept = others.flatMap((one) => listedAs(before.listed, one)).map(imageOf);
  throw new ServiceError(
    `The deletion of ${row.id} was tried, alone, and ${some} gone ${row.state === 'deleted' ? 'with it' : 'instead'}: ${named}. No more was deleted.`,
    {
      hint: `They are kept in ${backUpMore(kept)}: push back what is missing. If others deleted them meanwhile, run the same command again.`,
    },
  );
}

/** Registrations that are named in a message. */
const NAMED = 10;

const notBelieved = (context: SendContext, row: DeleteRow): EventregError =>
  new EventregError(
    EXIT.uncertain,
    `Registration ${row.id}, the first, is still listed although the service said that it ${whatIsSaid(row)}, so no other was tried.`,
    { hint: afterListed(context, [row]) },
    'service',
  );

const notByBarcode = ({ id, message = 'it was gone before it was asked for' }: DeleteRow): GuardError =>
  new GuardError(
    'unclear',
    `The service shows no ids, and that it deletes by barcode is not proven: ${id}, tried alone: ${message}. No other was tried.`,
    { hint: 'Delete them in the event platform itself.' },
  );
