import { among, SENT, THERE } from '../../registration/model/row-states.ts';
import type { FieldsOf } from '../../registration/changes/aspect.ts';
import type { RecordImage, Registration, RegistrationRecord } from '../../registration/model/registration.ts';
import type { ListReading } from '../../sync/snapshot/read-listed.ts';
import type { Listed } from '../../sync/snapshot/listed-records.ts';
import { firstOf } from '../../sync/decide/lookup.ts';
import type { Journal } from '../../sync/journal/journal.ts';
import { notTakenBack } from '../../sync/journal/undo-rows.ts';
import { emailOf, hasName, isNamedOtherwise, nameOf } from '../../sync/decide/near.ts';
import type { SendContext } from '../../sync/journal/send-context.ts';
import type { People } from './people.ts';
import { formatPlace } from '../../registration/model/row.ts';
import { flag, json, place, rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';

/** A row of an earlier push of the same people that the files no longer have, while its registration is still there. */
export interface GoneRow {
  /** `line 3 of the last push of this file`, as words. */
  place: { what: string; of: string };
  /** The push was of other files, so that it may just be in those. */
  isElsewhere: boolean;
  email: string | undefined;
  /** That of its registration, as it is listed now. */
  listedEmail: string | undefined;
  registration: Registration;
  /** Undefined when the service shows no ids. */
  record: RegistrationRecord | undefined;
  /** The service shows another name for it than the row had. */
  isRenamed: boolean;
}

export type GoneContext = Pick<SendContext, 'journal' | 'run' | 'target'> & {
  fields: FieldsOf;
  /** Other pushes that had some of the people of the run: see `readKin`. */
  kin: readonly string[];
};

/** More than these are no correction of a file, but another file. */
const MOST = 1000;

/**
 * Which pushes had people without barcodes that the files have as well: those may be the same files, renamed. Some of
 * the people tell.
 */
export function readKin(journal: Journal, { listed }: ListReading, { rows }: People): string[] {
  const isBare = (one: Listed): boolean => {
    const owner = rows.ownerOf(one);
    return owner !== undefined && one.record.id !== undefined && rows.bySeq(owner)?.barcode === undefined;
  };
  const some = firstOf(listed.numbered(), MOST, isBare);
  const kin = journal.all<{ run: string }>(
    `SELECT DISTINCT theirs.run FROM json_each($ids) AS some
       CROSS JOIN main.row AS theirs ON theirs.remote_id = some.value
     WHERE theirs.row_key >= 'h:' AND theirs.row_key < 'h;'`,
    { ids: JSON.stringify(some.map(({ record }) => record.id)) },
  );
  return kin.map(({ run }) => run);
}

const IS_ELSEWHERE = 'past.files <> (SELECT files FROM run WHERE id = $run)';
/** Of the tables `gone` and `past`. */
export const GONE_COLUMNS = {
  place: place('gone'),
  part: value<number>('gone.part'),
  key: value<string>('gone.row_key'),
  registration: json<Registration>('gone.payload'),
  remoteId: value<string | undefined>('gone.remote_id'),
  runNo: value<number>('past.rowid'),
  files: value<number>('json_array_length(past.files)'),
  isElsewhere: flag(IS_ELSEWHERE),
};
export const GONE_ROW = rowCodec(GONE_COLUMNS);

/** Other pushes of the files of a run, and of the same people. It takes what `ownValues` gives. */
export const PUSHES = `past.service = $service AND past.event = $event AND past.kind = 'push' AND past.id <> $run
  AND (NOT ${IS_ELSEWHERE} OR past.id IN (SELECT value FROM json_each($kin))) AND past.state NOT IN ('reading', 'refused')`;

export function ownValues({ run, target, kin }: Omit<GoneContext, 'fields'>): {
  run: string;
  service: string;
  event: string;
  kin: string;
} {
  return { run, service: target.service, event: target.eventId, kin: JSON.stringify(kin) };
}

/** Rows of theirs without a barcode that the run does not have, and that stood for somebody. */
export const GONE = `gone.op = 'send' AND gone.row_key LIKE 'h:%'
  AND (gone.state ${among(THERE)} OR (gone.state = 'conflict' AND gone.remote_id IS NOT NULL))
  AND ${notTakenBack('gone')}
  AND NOT EXISTS (SELECT 1 FROM row AS mine WHERE mine.row_key = gone.row_key AND mine.run = $run)`;

/** Registrations that nobody stands for now; of a service that shows no ids, all that was registered. */
const BY_ID = `json_each($ids) AS some CROSS JOIN main.row AS gone ON gone.remote_id = some.value
  JOIN run AS past ON past.id = gone.run WHERE ${PUSHES} AND ${GONE}`;
const BY_KEY = `run AS past CROSS JOIN main.row AS gone ON gone.run = past.id WHERE ${PUSHES} AND ${GONE}`;

/**
 * Rows without a barcode that pushes of the same files had, and whose registration nobody stands for now. A question
 * about one of them that was cancelled, or is still in conflict, is open; a row that was registered beside it has
 * answered for it.
 */
export function readGoneRows(context: GoneContext, reading: ListReading, people: People): GoneRow[] {
  const { journal, fields } = context;
  const own = ownValues(context);
  const stored = journal.read(
    GONE_ROW,
    `FROM ${reading.idsShown ? BY_ID : BY_KEY} ORDER BY past.rowid DESC, gone.seq LIMIT ${MOST}`,
    reading.idsShown ? { ...own, ids: JSON.stringify([...freeIds(reading, people)]) } : own,
  );
  const last = lastPush(context);
  const known = new Set<string>();
  const found = stored.flatMap((row) => {
    const names = row.remoteId === undefined ? [row.key] : [row.key, `id:${row.remoteId}`];
    const isOlder = names.some((name) => known.has(name));
    for (const name of names) known.add(name);
    const [record] = row.remoteId === undefined ? [] : reading.listed.byId(row.remoteId);
    if (isOlder || (reading.idsShown && record === undefined)) return [];
    return [{ ...toGoneRow(row, { fields, last, record }), runNo: row.runNo }];
  });
  return unanswered(context, found, people.canTell);
}

function* freeIds({ listed }: ListReading, { rows }: People): Generator<string> {
  for (const one of listed.numbered())
    if (one.record.id !== undefined && !rows.isOwned(one)) yield one.record.id;
}

/** Number of the last push of the files of a run. */
export function lastPush(context: Omit<GoneContext, 'fields'>): number | undefined {
  return context.journal.get<{ no: number }>(
    `SELECT max(past.rowid) AS no FROM run AS past WHERE ${PUSHES}
       AND EXISTS (SELECT 1 FROM main.row WHERE row.run = past.id)`,
    ownValues(context),
  )?.no;
}

type Gone = RowOf<typeof GONE_ROW>;

export function toGoneRow(
  row: Gone,
  { fields, last, record }: { fields: FieldsOf; last: number | undefined; record: GoneRow['record'] },
): GoneRow {
  const { registration, isElsewhere } = row;
  const { persona } = registration;
  const listedEmail = record && emailOf({ persona, fields: record.fields ?? {} }, fields);
  return {
    place: wordsOf(row, row.runNo === last),
    isElsewhere,
    email: emailOf(registration, fields),
    listedEmail,
    registration,
    record,
    isRenamed: record !== undefined && isNamedOtherwise(registration, record, fields),
  };
}

function wordsOf({ place: at, part, isElsewhere, files }: Gone, isLast: boolean): GoneRow['place'] {
  const who = part === 0 ? '' : `companion ${part} of `;
  if (isElsewhere) return { what: `${who}${formatPlace(at)}`, of: 'of an earlier push' };
  return {
    what: `${who}${files === 1 && at.sheet === undefined ? `line ${at.line}` : formatPlace(at)}`,
    of: `of ${isLast ? 'the last' : 'an earlier'} push of ${files === 1 ? 'this file' : 'these files'}`,
  };
}

/** A row that a push has registered. */
export const REGISTERED = rowCodec({
  seq: value<number>('row.seq'),
  registration: json<Registration>('row.payload'),
  runNo: value<number>('past.rowid'),
});

/** Without those beside which a row was registered later that they might be, corrected: somebody has said so. */
export function unanswered(
  context: GoneContext,
  found: readonly (GoneRow & { runNo: number })[],
  canTell: boolean,
): GoneRow[] {
  const first = found.at(-1)?.runNo;
  if (first === undefined) return [];
  const created = context.journal.read(
    REGISTERED,
    `FROM run AS past CROSS JOIN main.row ON row.run = past.id
     WHERE ${PUSHES} AND past.rowid > $first AND row.op = 'send' AND row.row_key LIKE 'h:%'
       AND row.plan = 'create' AND row.state ${among(SENT)}`,
    { ...ownValues(context), first },
  );
  const answered = new Set<GoneRow>();
  for (const { registration, runNo } of created) {
    const before = found.filter((one) => one.runNo < runNo && !answered.has(one));
    const alike = perhapsCorrected(registration, before, { fields: context.fields, canTell });
    for (const one of alike) answered.add(one);
  }
  return found.filter((one) => !answered.has(one));
}

/** Whether a new row has the e-mail and the names of a gone one, as when columns were added. */
export function isSamePerson(registration: Registration, gone: GoneRow, fields: FieldsOf): boolean {
  const email = emailOf(registration, fields);
  return email !== undefined && email === gone.email && isNamedAs(registration, gone, fields);
}

/** By what the gone row said, or by what the service shows of the person: the row may have left names out. */
function isNamedAs(registration: Registration, gone: GoneRow, fields: FieldsOf): boolean {
  if (nameOf(registration, fields) === undefined) return false;
  const images: readonly (RecordImage | undefined)[] = [gone.registration, gone.record];
  return images.some((image) => image !== undefined && hasName(registration, image, fields));
}

/** Those of them that a new row may be, corrected since. */
export function perhapsCorrected(
  registration: Registration,
  gone: readonly GoneRow[],
  { fields, canTell }: { fields: FieldsOf; canTell: boolean },
): GoneRow[] {
  const email = canTell ? emailOf(registration, fields) : undefined;
  return gone.filter((row) => {
    // Whoever is listed with the e-mail is found by it.
    if (email !== undefined && (row.listedEmail ?? row.email) === email) return false;
    if (email === undefined && !row.isElsewhere && (row.email === undefined || !canTell)) return true;
    // Another e-mail and another kind of guest: a name alone makes nobody the same.
    if (email !== undefined && row.registration.persona !== registration.persona) return false;
    return isNamedAs(registration, row, fields);
  });
}
