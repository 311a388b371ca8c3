import { fieldsOf, holdsAll } from '../../registration/changes/field-change.ts';
import { type RecordImage, type RegistrationRecord, imageOf } from '../../registration/model/registration.ts';
import { placeOr } from '../../registration/model/row.ts';
import { IN_DOUBT, OFF_THE_LIST } from '../../registration/model/row-states.ts';
import { Lookup } from '../../registration/model/maps.ts';
import { changeRow } from '../journal/row-tables.ts';
import type { Journal } from '../journal/journal.ts';
import { type BareRow, bareRows, isSentBeside, type OwnRow, OwnRows } from '../journal/sent-rows.ts';
import type { SendContext } from '../journal/send-context.ts';
import { addFinding, addStep } from '../journal/steps.ts';
import { isUnlisted, isWhole } from '../snapshot/read-now.ts';
import type { ListReading } from '../snapshot/read-listed.ts';
import { sharersOf } from './find-sent.ts';

/** The list before and after a run. */
interface Lists {
  before: ListReading | undefined;
  now: ListReading;
}

/**
 * Keeps as findings of a run what was listed before it and is gone, or has lost its parent, though no row asked for that.
 * Rows that were sent are read back by themselves. Returns how many those are; undefined where the lists cannot tell.
 */
export function noteLost(
  journal: Journal,
  run: string,
  { before, now }: Lists,
  rows = new OwnRows(journal, run),
): Record<Lost['kind'], number> | undefined {
  const lost = isWhole(now) ? lostSince(before, now, (record) => rows.hasCreated(record)) : undefined;
  if (lost === undefined) return undefined;
  const counts = { gone: 0, orphaned: 0 };
  journal.transaction(() => {
    for (const { kind, record, message } of lost) {
      const { id, barcode } = record;
      const about = rows.about({ id, barcode });
      if (about.some((row) => asksFor(row, record))) continue;
      counts[kind] += 1;
      const seq = about.find(({ op }) => op === 'send')?.seq;
      addFinding(journal, run, { kind, seq, id, barcode, message });
    }
  });
  return counts;
}

/** Whether a row was sent about a registration, or deleted it. */
function asksFor({ op, state, attempts, id: own }: OwnRow, { id }: RecordImage): boolean {
  if (op === 'send') return attempts > 0;
  const mayBeDeleted = OFF_THE_LIST.has(state) || IN_DOUBT.has(state);
  return mayBeDeleted && (own === undefined || id === undefined || own === id);
}

/**
 * Ids of the registrations that are listed now, were not before, and that no row of the run, or of one beside it,
 * stands for. Undefined where either list was not read whole, or does not show ids.
 */
export function findAppeared(
  journal: Journal,
  run: string,
  { before, now }: Lists,
  rows: OwnRows,
): string[] | undefined {
  if (before === undefined || ![before, now].every((one) => isWhole(one) && one.idsShown)) return undefined;
  return [...now.listed.all()]
    .filter((record) => isUnlisted(before, record))
    .filter((record) => rows.about(record).every(({ op }) => op !== 'send'))
    .filter((record) => !isSentBeside(journal, run, record, before.step))
    .flatMap(({ id }) => id ?? []);
}

/** Warnings about single rows that are shown; all are in the journal. */
const WARNINGS_SHOWN = 20;

/**
 * Tells of rows without a barcode of which more registrations are listed than there are such rows, without those of
 * other rows, which may say all of it and more. Nothing tells which of them is too many, or whether two people are
 * alike: it is said as long as they are there, and the rows stay as they are. Returns how many rows those are, and the
 * names of the registrations.
 */
export function tellDoubles(
  context: SendContext,
  reading: ListReading,
  rows: OwnRows,
): { count: number; names: ReadonlySet<string> } {
  const { journal, run, target, clock, reporter, event } = context;
  const bare = reading.how === 'list' ? [...bareRows(journal, run, target)] : [];
  const fields = fieldsOf(event);
  const names = new Set<string>();
  let count = 0;
  const find = ({ registration, seq }: BareRow): string[] =>
    (sharersOf({ reading, rows, fields }, { registration, seq })?.all ?? [])
      .filter((record) => holdsAll(registration, record, fields) && !rows.isOfOther(record, seq))
      .flatMap(({ id, barcode }) => id ?? barcode ?? []);
  for (const row of bare) {
    const { seq, place, hash } = row;
    const found = find(row);
    if (found.length < 2 || found.some((name) => names.has(name))) continue;
    if (found.length <= rows.countAlike(hash)) continue;
    for (const name of found) names.add(name);
    count += 1;
    const message = `it may be registered twice: ${found.join(', ')} have all that was sent`;
    journal.transaction(() => {
      addStep(journal, run, seq, { at: clock.now(), what: 'audited', detail: message });
      changeRow(journal, run, seq, { message });
      addFinding(journal, run, { kind: 'doubled', seq, id: undefined, barcode: undefined, message });
    });
    if (count <= WARNINGS_SHOWN)
      reporter.report({ type: 'warning', text: `${placeOr(place, found[0])}: ${message}.` });
  }
  return { count, names };
}

/** A registration that was listed before a run, and is not listed any more, or not as a member of whom it was. */
export interface Lost {
  kind: 'gone' | 'orphaned';
  /** As it was before. */
  record: RecordImage;
  /** What is said of it where nobody has asked for that, as a clause. */
  message: string;
}

/**
 * What is lost since the list was read whole, told apart by ids where both lists show them, else by barcodes: of several
 * that share one, as many as there are fewer. Undefined where the lists cannot tell. `isNew`: whether what is listed now
 * was registered since, be it with a name that was used before.
 */
function lostSince(
  before: ListReading | undefined,
  now: ListReading,
  isNew: (record: RegistrationRecord) => boolean = () => false,
): Lost[] | undefined {
  const name = before && sharedName(before, now);
  if (before === undefined || name === undefined || !isWhole(before) || now.how !== 'list') return undefined;
  const left = new Lookup<string, RegistrationRecord>();
  for (const record of now.listed.all()) left.add(record[name], record);
  const taken = new Set<RegistrationRecord>();
  return [...before.listed.all()].flatMap((record): Lost[] => {
    const own = record[name];
    if (own === undefined) return [];
    const found = left.of(own).find((one) => !taken.has(one));
    if (found !== undefined) taken.add(found);
    const isSame = found !== undefined && (found.barcode === record.barcode || !isNew(found));
    if (!isSame) return [{ kind: 'gone', record: imageOf(record), message: GONE }];
    const { parentBarcode: parent } = record;
    if (parent === undefined || parent === found.parentBarcode) return [];
    return [{ kind: 'orphaned', record: imageOf(record), message: whyOrphaned(parent, found.parentBarcode) }];
  });
}

function sharedName(one: ListReading, other: ListReading): 'id' | 'barcode' | undefined {
  if (one.idsShown && other.idsShown) return 'id';
  return one.barcodesShown && other.barcodesShown ? 'barcode' : undefined;
}

const GONE = 'was listed before and is not listed any more, though nothing asked for that';

function whyOrphaned(before: string, now: string | undefined): string {
  const is = now === undefined ? 'a member of nothing' : `one of ${now}`;
  return `was a member of ${before} before, and is ${is} now, though nothing asked for that`;
}
