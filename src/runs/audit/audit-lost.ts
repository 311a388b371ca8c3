import type { RecordImage, RegistrationRecord } from '../../registration/model/registration.ts';
import { IN_DOUBT, OFF_THE_LIST, type RowState } from '../../registration/model/row-states.ts';
import { rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';
import { addFinding } from '../../sync/journal/findings.ts';
import { isWhole, type ListReading } from '../../sync/snapshot/read-listed.ts';
import type { ListedRecords } from '../../sync/snapshot/listed-records.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import type { RowOp } from '../../sync/journal/run.ts';

/** How many registrations are gone, and how many have lost their parent, without anybody having asked for it. */
interface Lost {
  gone: number;
  orphaned: number;
}

interface LostRegistration extends RecordImage {
  isGone: boolean;
  nowParent: string | undefined;
}

/**
 * Keeps as findings of a run what was listed before it and is gone, or has lost its parent, though no row asked
 * for that. Rows that were sent are read back by themselves. Undefined where either list was not read whole, or
 * shows nothing to tell registrations by.
 */
export function noteLost(
  journal: Journal,
  run: string,
  before: ListReading | undefined,
  now: ListReading,
): Lost | undefined {
  if (before === undefined || !isWhole(before) || !isWhole(now)) return undefined;
  const key = keyOf(before, now);
  if (key === undefined) return undefined;
  const counts: Lost = { gone: 0, orphaned: 0 };
  journal.transaction(() => {
    for (const one of lostBy(journal, run, { key, before: before.listed, now: now.listed })) {
      const { id, barcode } = one;
      const rows = journal.read(ROW, OF_REGISTRATION, { run, id, barcode });
      if (rows.some((row) => asksFor(row, one))) continue;
      const kind = one.isGone ? 'gone' : 'orphaned';
      counts[kind] += 1;
      const seq = rows.find(({ op }) => op === 'send')?.seq;
      const message = one.isGone ? GONE : lostParent(one);
      addFinding(journal, run, { kind, seq, id, barcode, message });
    }
  });
  return counts;
}

const GONE = 'was listed before and is not listed any more, though nothing asked for that';

const lostParent = ({ parentBarcode: parent, nowParent: now }: LostRegistration): string =>
  `was a member of ${parent ?? ''} before, and is ${now === undefined ? 'a member of nothing' : `one of ${now}`} now, though nothing asked for that`;

const ROW = rowCodec({
  seq: value<number>(),
  op: value<RowOp>(),
  state: value<RowState>(),
  attempts: value<number>(),
  remoteId: value<string | undefined>(),
});
type Row = RowOf<typeof ROW>;

const OF_REGISTRATION = 'FROM row WHERE run = $run AND (remote_id = $id OR barcode = $barcode) ORDER BY seq';

/** Whether a row was sent about a registration, or deleted it. */
function asksFor({ op, state, attempts, remoteId }: Row, { id }: RecordImage): boolean {
  if (op === 'send') return attempts > 0;
  const mayBeDeleted = OFF_THE_LIST.has(state) || IN_DOUBT.has(state);
  return mayBeDeleted && (remoteId === undefined || id === undefined || remoteId === id);
}

type Key = 'id' | 'barcode';

/** By what registrations are told apart: their ids where all show one of their own, else their barcodes. */
function keyOf(before: ListReading, now: ListReading): Key | undefined {
  const areUnique = (key: Key): boolean => isUnique(key, before) && isUnique(key, now);
  if (before.idsShown && now.idsShown && areUnique('id')) return 'id';
  return before.barcodesShown && now.barcodesShown && areUnique('barcode') ? 'barcode' : undefined;
}

function isUnique(key: Key, { listed }: ListReading): boolean {
  const keys = [...listed.all()].flatMap((record) => record[key] ?? []);
  return new Set(keys).size === keys.length;
}

/** What is gone, or has another parent or none; it may have been asked for. */
function* lostBy(
  journal: Journal,
  run: string,
  { key, before, now }: { key: Key; before: ListedRecords; now: ListedRecords },
): Generator<LostRegistration> {
  for (const old of before.all()) {
    const name = old[key];
    if (name === undefined) continue;
    const [found] = key === 'id' ? now.byId(name) : now.byBarcode(name);
    const isGone = found === undefined || isAnother(journal, run, old, found);
    const isOrphaned = old.parentBarcode !== undefined && found?.parentBarcode !== old.parentBarcode;
    if (isGone || isOrphaned) yield { ...old, isGone, nowParent: found?.parentBarcode };
  }
}

/** An id that a new registration has got is not that of the old one any more. */
function isAnother(journal: Journal, run: string, old: RegistrationRecord, now: RegistrationRecord): boolean {
  const { id, barcode } = now;
  if (barcode === old.barcode) return false;
  return journal.has(
    `FROM row WHERE run = $run AND op = 'send' AND plan = 'create' AND remote_id = $id AND barcode IS $barcode`,
    { run, id, barcode },
  );
}

const SENT = `FROM row WHERE op = 'send' AND (remote_id = $id OR barcode = $barcode)`;
/** What other runs of this machine have sent, or are about to, since the list was read: no strangers' either. */
const SENT_BESIDE = `${SENT} AND sent_no > $step
  AND run IN (SELECT other.id FROM run AS own JOIN run AS other ON other.service = own.service
    WHERE own.id = $run AND coalesce(other.ended_at, own.started_at) >= own.started_at)`;

/**
 * Ids of the registrations that are listed now, were not before, and that no row of the run, or of one beside it,
 * stands for. Undefined where either list was not read whole, or does not show ids.
 */
export function findAppeared(
  journal: Journal,
  run: string,
  before: ListReading | undefined,
  now: ListReading,
): string[] | undefined {
  if (before === undefined || ![before, now].every((one) => isWhole(one) && one.idsShown)) return undefined;
  const { listed, step } = before;
  const isOurs = ({ id, barcode }: RegistrationRecord): boolean =>
    journal.has(`${SENT} AND run = $run`, { run, id, barcode }) ||
    journal.has(SENT_BESIDE, { run, id, barcode, step });
  return [...now.listed.all()]
    .filter((record) => listed.byId(record.id ?? '').length === 0 && !isOurs(record))
    .flatMap(({ id }) => id ?? []);
}
