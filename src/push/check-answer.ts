import { EventregError, EXIT, isCalledOff } from '../errors.ts';
import { formatPlace } from '../registration/row.ts';
import { changesTo, fieldsOf } from '../registration/field-change.ts';
import type { RecordImage, Registration } from '../registration/registration.ts';
import { imageOf } from './delete-rows.ts';
import type { QueuedRow, RowOutcome } from './journal.ts';
import { KEY_WORDS, type PersonKey, sharedKey } from './near.ts';
import { learnRecognised } from './recognition.ts';
import type { SendContext } from './send-context.ts';
import { withholdCreates } from './withhold-creates.ts';

/** An answer to a row, held against what was there before. */
export interface CheckedAnswer {
  outcome: RowOutcome;
  /** Set when nothing more is to be sent. */
  stop: Error | undefined;
  /** What is to be written together with the outcome. */
  write: () => void;
}

/** A registration that a row has changed instead of registering somebody new. */
interface Victim {
  /** Undefined: nothing that is known explains it. */
  key: PersonKey | undefined;
  /** As it was listed before; undefined when another row of this run has registered it. */
  image: RecordImage | undefined;
  /** That row. */
  seq: number | undefined;
}

/**
 * Checks whether a row that was to register somebody new has changed a registration that was there: by the id of
 * the answer or, where no ids are shown, by looking at those that it might have changed. Such a row is in conflict,
 * with what the registration was before, and no further ones are sent that might do the same.
 */
export async function checkAnswer(
  context: SendContext,
  row: QueuedRow,
  outcome: RowOutcome,
): Promise<CheckedAnswer> {
  const isNew = row.plan === 'create' && (outcome.state === 'done' || outcome.state === 'accepted');
  if (!isNew) return { outcome, stop: undefined, write: () => undefined };
  const victim = await findVictim(context, row, outcome);
  if (victim === undefined)
    return { outcome, stop: undefined, write: () => noteUnlisted(context, row, outcome) };
  return takenOver(context, row, outcome, victim);
}

/** What became of a row that has changed a registration instead of registering somebody. */
export function takenOver(
  context: SendContext,
  row: QueuedRow,
  outcome: RowOutcome,
  victim: Victim,
): CheckedAnswer {
  const { journal, run, target, clock } = context;
  const { key, image, seq } = victim;
  const message = describe(context, row, victim, outcome);
  const write = (): void => {
    if (image !== undefined) keepBefore(context, row.seq, image);
    if (seq !== undefined) overwritten(context, seq, formatPlace(row.place));
    if (key === undefined) return;
    learnRecognised(journal, target.service, { key, knows: 'yes' }, clock.now());
    withholdCreates(context, key, row.seq);
  };
  // What another row has registered holds the values of this one now: that row is in conflict.
  const state = image === undefined ? outcome.state : 'conflict';
  const stop = key === undefined ? unexplained(formatPlace(row.place), message, run) : undefined;
  return { outcome: { ...outcome, state, message }, stop, write };
}

/** For the undo: the row has changed this, and is no registration of its own. */
function keepBefore({ journal, run }: SendContext, seq: number, image: RecordImage): void {
  journal.run(
    `UPDATE row SET plan = 'update', before = $before, proof = NULL, near = NULL, held_no = NULL
     WHERE run = $run AND seq = $seq`,
    { $run: run, $seq: seq, $before: JSON.stringify(image) },
  );
}

function overwritten({ journal, run, clock }: SendContext, seq: number, place: string): void {
  journal.run(
    `UPDATE row SET state = 'conflict', plan = 'conflict', held_no = NULL, done_at = $now, message = $message
     WHERE run = $run AND seq = $seq`,
    {
      $run: run,
      $seq: seq,
      $now: clock.now(),
      $message: `the service took ${place} for the same person, and its registration has the values of that row now`,
    },
  );
}

function describe(context: SendContext, row: QueuedRow, victim: Victim, outcome: RowOutcome): string {
  const { key, image } = victim;
  const because = key === undefined ? '' : `, because it knows people by ${KEY_WORDS[key]}`;
  const id = image?.id ?? outcome.remoteId;
  const which = id === undefined ? `the one with barcode ${image?.barcode ?? 'unknown'}` : id;
  if (image === undefined)
    return `the service has changed registration ${which} of this push instead of adding one${because}`;
  const changes = changesTo(row.registration, image, fieldsOf(context.event)) ?? [];
  const fields = changes.map(({ field }) => field).join(', ') || 'nothing';
  return `the service has changed registration ${which} instead of adding one${because}: ${fields}; eventreg runs undo ${context.run} brings it back`;
}

function unexplained(place: string, message: string, run: string): EventregError {
  return new EventregError(
    EXIT.rejected,
    `${place}: ${message}. Nothing tells why, so the rest was not sent.`,
    {
      hint: `See what it was before with eventreg runs show ${run}, and bring it back with eventreg runs undo ${run}.`,
    },
  );
}

async function findVictim(
  context: SendContext,
  row: QueuedRow,
  { remoteId }: RowOutcome,
): Promise<Victim | undefined> {
  const { before, event } = context;
  const fields = fieldsOf(event);
  if (remoteId !== undefined) {
    const [record, another] = before?.held.byId(remoteId) ?? [];
    // What is not unique is no id.
    if (record !== undefined && another === undefined) {
      return { key: sharedKey(row.registration, record, fields), image: imageOf(record), seq: undefined };
    }
    const own = ownRow(context, row.seq, remoteId);
    if (own !== undefined) {
      const isHit = await isOverwritten(context, row.registration, own.registration);
      const key = sharedKey(row.registration, own.registration, fields);
      return isHit ? { key, image: undefined, seq: own.seq } : undefined;
    }
    if (before?.idsShown === true && before.how === 'list') return undefined;
  }
  for (const { key, image } of row.near ?? []) {
    if (image === undefined || (remoteId !== undefined && image.id !== undefined && remoteId !== image.id))
      continue;
    if (await isTakenOver(context, row.registration, image)) return { key, image, seq: undefined };
  }
  return undefined;
}

/** Another row of the run that got the same id. */
function ownRow(
  { journal, run }: SendContext,
  seq: number,
  id: string,
): { seq: number; registration: Registration } | undefined {
  const row = journal.get<{ seq: number; payload: string }>(
    `SELECT seq, coalesce(ask, payload) AS payload FROM row
     WHERE run = $run AND remote_id = $id AND seq <> $seq AND op = 'send' AND attempts > 0
       AND state IN ('done', 'accepted') LIMIT 1`,
    { $run: run, $id: id, $seq: seq },
  );
  return row && { seq: row.seq, registration: JSON.parse(row.payload) as Registration };
}

/** Whether another row's registration holds the values of this one: some services give an id that is none. */
async function isOverwritten(
  context: SendContext,
  registration: Registration,
  other: Registration,
): Promise<boolean> {
  if (other.barcode === undefined) return true;
  const record = await readNow(context, other.barcode);
  return record === undefined || countsToChange(context, registration, record, other).open === 0;
}

/** Whether a registration that was listed before has the values of the row now, or its barcode is gone. */
async function isTakenOver(
  context: SendContext,
  registration: Registration,
  image: RecordImage,
): Promise<boolean> {
  if (image.barcode === undefined) return false;
  const record = await readNow(context, image.barcode);
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
  const row = journal.get(
    'SELECT 1 FROM row WHERE run = $run AND barcode = $barcode AND attempts > 0 LIMIT 1',
    { $run: run, $barcode: barcode },
  );
  return row !== undefined;
}

/** Undefined when nothing is listed, or shown. */
async function readNow({ registrations }: SendContext, barcode: string): Promise<RecordImage | undefined> {
  try {
    const [record] = (await registrations.findByBarcode([barcode])).get(barcode) ?? [];
    return record?.fields === undefined ? undefined : record;
  } catch (error) {
    if (isCalledOff(error)) throw error;
    return undefined;
  }
}

const imageAs = ({ persona, barcode, parentBarcode, fields }: RecordImage | Registration): RecordImage => ({
  persona,
  barcode,
  parentBarcode,
  fields: fields ?? {},
});

/** The id was not listed before. */
function noteUnlisted(
  { journal, run, before }: SendContext,
  { seq }: QueuedRow,
  { remoteId }: RowOutcome,
): void {
  if (remoteId === undefined || before?.how !== 'list' || !before.idsShown) return;
  journal.run(`UPDATE row SET proof = 'unlisted' WHERE run = $run AND seq = $seq AND proof = 'absent'`, {
    $run: run,
    $seq: seq,
  });
}
