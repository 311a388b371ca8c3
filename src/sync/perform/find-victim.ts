import { among, SENT } from '../../registration/model/row-states.ts';
import { isCalledOff } from '../../errors.ts';
import { BARCODE, differs, MESSAGES, PERSONA, unsaidAspects } from '../../registration/changes/aspect.ts';
import { changesTo, fieldsOf } from '../../registration/changes/field-change.ts';
import { imageOf, type RecordImage, type Registration } from '../../registration/model/registration.ts';
import type { QueuedRow } from '../journal/queued-rows.ts';
import type { RowOutcome } from '../decide/judge-found.ts';
import { type PersonKey, sharedKey } from '../decide/near.ts';
import { readNow } from '../snapshot/read-now.ts';
import { json, rowCodec, value } from '../../sqlite/row-codec.ts';
import type { SendContext } from '../journal/send-context.ts';

/** A registration that a row has changed instead of registering somebody new. */
export interface Victim {
  /** Undefined: nothing that is known explains it. */
  key: PersonKey | undefined;
  /** As it was listed before; undefined when another row of this run has registered it. */
  image: RecordImage | undefined;
  /** The row of this run that has registered it, or made it like this one. */
  seq: number | undefined;
  /** What of it is otherwise than it was listed before; undefined where that could not be seen. */
  changed?: readonly string[] | undefined;
}

/** What a row has changed that was to register somebody new; undefined: nothing that can be seen. */
export async function findVictim(
  context: SendContext,
  row: QueuedRow,
  { remoteId }: RowOutcome,
): Promise<Victim | undefined> {
  const { before, event } = context;
  const fields = fieldsOf(event);
  if (remoteId !== undefined) {
    const [record, another] = before?.listed.byId(remoteId) ?? [];
    // What is not unique is no id.
    if (record !== undefined && another === undefined) {
      return { key: sharedKey(row.registration, record, fields), image: imageOf(record), seq: undefined };
    }
    const own = ownRow(context, row.seq, remoteId);
    if (own !== undefined) {
      const key = sharedKey(row.registration, own.registration, fields);
      // An answer about another row, which has nothing in common with this one, and cannot be looked at.
      if (key === undefined && own.registration.barcode === undefined) return undefined;
      const isHit = await isOverwritten(context, row.registration, own.registration);
      return isHit ? { key, image: undefined, seq: own.seq } : undefined;
    }
    if (before?.idsShown === true && before.how === 'list') return undefined;
  }
  for (const { key, image, seq } of row.near ?? []) {
    if (image === undefined || (remoteId !== undefined && image.id !== undefined && remoteId !== image.id))
      continue;
    if (await isTakenOver(context, row.registration, image)) return { key, image, seq };
  }
  return undefined;
}

const FIRST_WAIT_MS = 1000;

/** A victim with what has become of it, once the list shows it: the service may have taken away what the row does not say. */
export async function withChanges(context: SendContext, row: QueuedRow, victim: Victim): Promise<Victim> {
  const { image } = victim;
  if (image === undefined) return victim;
  const { clock, limits, stopping, event } = context;
  const fields = fieldsOf(event);
  const untilMs = clock.now() + limits.settleMs;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs *= 2) {
    const now = await victimNow(context, row, image);
    if (now === undefined) return victim;
    const isListed = (changesTo(row.registration, now, fields) ?? []).length === 0;
    const leftMs = untilMs - clock.now();
    if (isListed || leftMs <= 0) {
      const aspects = unsaidAspects(image.persona ?? row.registration.persona, fields);
      const changed = [BARCODE, PERSONA, MESSAGES, ...aspects].filter((aspect) =>
        differs(aspect, image, now),
      );
      return { ...victim, changed: changed.map(({ field }) => field) };
    }
    await clock.sleep(Math.min(waitMs, leftMs), stopping);
  }
}

async function victimNow(
  context: SendContext,
  { registration }: QueuedRow,
  { id, barcode }: RecordImage,
): Promise<RecordImage | undefined> {
  for (const one of new Set([registration.barcode ?? barcode, barcode])) {
    const own = (await listedNow(context, { barcode: one, id })).find((record) => record.id === id);
    if (own !== undefined) return own;
  }
  return undefined;
}

const OWN = rowCodec({ seq: value<number>(), registration: json<Registration>('coalesce(ask, payload)') });

/** Another row of the run that got the same id. */
function ownRow(
  { journal, run }: SendContext,
  seq: number,
  id: string,
): { seq: number; registration: Registration } | undefined {
  return journal.readOne(
    OWN,
    `FROM row WHERE run = $run AND remote_id = $id AND seq <> $seq AND op = 'send' AND attempts > 0
       AND state ${among([...SENT, 'uncertain', 'conflict'])}`,
    { run, id, seq },
  );
}

/** Whether another row's registration holds the values of this one: some services give an id that is none. */
async function isOverwritten(
  context: SendContext,
  registration: Registration,
  other: Registration,
): Promise<boolean> {
  if (other.barcode === undefined) return true;
  const record = await listedUnder(context, other.barcode);
  return record === undefined || countsToChange(context, registration, record, other).open === 0;
}

/** Whether a registration that was listed before has the values of the row now, or its barcode is gone. */
async function isTakenOver(
  context: SendContext,
  registration: Registration,
  image: RecordImage,
): Promise<boolean> {
  if (image.barcode === undefined) return false;
  const record = await listedUnder(context, image.barcode);
  if (record === undefined) return true;
  const { open, wanted } = countsToChange(context, registration, record, image);
  // What another row of this run has changed there may be just what this one says.
  return wanted > 0 && (open === 0 || (open < wanted && !isOurs(context, image.barcode)));
}

function countsToChange(
  { event }: SendContext,
  registration: Registration,
  now: RecordImage,
  before: Registration | RecordImage,
): { open: number; wanted: number } {
  const fields = fieldsOf(event);
  const count = (record: RecordImage): number => (changesTo(registration, record, fields) ?? []).length;
  return { open: count(now), wanted: count(imageAs(before)) };
}

function isOurs({ journal, run }: SendContext, barcode: string): boolean {
  return journal.has('FROM row WHERE run = $run AND barcode = $barcode AND attempts > 0', { run, barcode });
}

/** Undefined when nothing is listed, or shown. */
async function listedUnder(context: SendContext, barcode: string): Promise<RecordImage | undefined> {
  const [record] = await listedNow(context, { barcode, id: undefined });
  return record?.fields === undefined ? undefined : record;
}

/** Empty also when it cannot be read. */
async function listedNow(
  context: SendContext,
  names: Parameters<typeof readNow>[1],
): Promise<readonly RecordImage[]> {
  try {
    return await readNow(context, names);
  } catch (error) {
    if (isCalledOff(error)) throw error;
    return [];
  }
}

const imageAs = ({ persona, barcode, parentBarcode, fields }: RecordImage | Registration): RecordImage => ({
  persona,
  barcode,
  parentBarcode,
  fields: fields ?? {},
});

/** The registration that an answer is about, as it was listed before. */
export function listedAs(
  { before }: SendContext,
  { id, barcode }: Pick<RecordImage, 'id' | 'barcode'>,
): RecordImage | undefined {
  const byId = id === undefined ? [] : (before?.listed.byId(id) ?? []);
  const found = byId.length === 1 || barcode === undefined ? byId : (before?.listed.byBarcode(barcode) ?? []);
  const [record, another] = found;
  return record === undefined || another !== undefined ? undefined : imageOf(record);
}
