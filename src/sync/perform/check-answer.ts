import { among, SENT, THERE } from '../../registration/model/row-states.ts';
import { EventregError, EXIT } from '../../errors.ts';
import { formatPlace } from '../../registration/model/row.ts';
import { changesTo, fieldsOf } from '../../registration/changes/field-change.ts';
import type { RecordImage, RegistrationRecord } from '../../registration/model/registration.ts';
import { findVictim, listedAs, type Victim, withChanges } from './find-victim.ts';
import { type QueuedRow, writeOutcome } from '../journal/queued-rows.ts';
import { judgeFound, otherValues, outcomeOf, type RowOutcome } from '../decide/judge-found.ts';
import { KEY_WORDS, sharedKey } from '../decide/near.ts';
import { learnRecognised } from '../journal/learned.ts';
import type { SendContext } from '../journal/send-context.ts';
import { withholdCreates } from './hold-back.ts';
import { BarcodesHiddenError } from '../../service/list/find-by-barcode.ts';
import type { RegistrationsClient } from '../../service/registrations.ts';

/** An answer to a row, held against what was there before. */
interface CheckedAnswer {
  outcome: RowOutcome;
  /** Set when nothing more is to be sent. */
  stop: Error | undefined;
  /** What is to be written together with the outcome. */
  write: () => void;
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
  about?: Pick<RecordImage, 'id' | 'barcode'>,
): Promise<CheckedAnswer> {
  const other = row.plan === 'create' && about !== undefined ? listedAs(context, about) : undefined;
  if (other !== undefined) {
    const key = sharedKey(row.registration, other, fieldsOf(context.event));
    const hit = await withChanges(context, row, { key, image: other, seq: undefined });
    return takenOver(context, row, { ...outcome, remoteId: other.id }, hit);
  }
  const isTaken = SENT.has(outcome.state);
  const mayHit = row.plan === 'create' || (row.plan === 'unknown' && isOfAnother(context, row.seq, outcome));
  if (!isTaken || !mayHit) return { outcome, stop: undefined, write: () => undefined };
  const victim = await findVictim(context, row, outcome);
  if (victim === undefined)
    return { outcome, stop: undefined, write: () => noteUnlisted(context, row, outcome) };
  return takenOver(context, row, outcome, await withChanges(context, row, victim));
}

/**
 * Nothing more is sent where an update has changed a registration that was listed before under another barcode: such a
 * service may do so with any row. Throws then.
 */
export async function stopAtHit(
  context: SendContext,
  { row, outcome }: { row: QueuedRow; outcome: RowOutcome },
  found: readonly Pick<RecordImage, 'id'>[],
): Promise<void> {
  const { before } = row;
  const others = [...found, { id: outcome.remoteId }].filter(
    ({ id }) => id !== undefined && id !== before?.id,
  );
  const image = others
    .map(({ id }) => listedAs(context, { id, barcode: undefined }))
    .find((one) => one !== undefined && one.barcode !== before?.barcode);
  if (image === undefined) return;
  const { journal, run, event, clock } = context;
  const key = sharedKey(row.registration, image, fieldsOf(event));
  const victim = await withChanges(context, row, { key, image, seq: undefined });
  const { outcome: told, write } = takenOver(context, row, outcome, victim);
  journal.transaction(() => {
    writeOutcome(journal, run, row.seq, told, clock.now(), 'looked');
    write();
  });
  throw new EventregError(
    EXIT.rejected,
    `${formatPlace(row.place)}: ${told.message ?? ''}. The rest was not sent.`,
  );
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
  // Where nothing tells why, the service may as well have given an id that is none, and hold neither.
  const own = key === undefined ? 'uncertain' : outcome.state;
  const state = image === undefined ? own : 'conflict';
  const stop = key === undefined ? unexplained(formatPlace(row.place), message, run) : undefined;
  return { outcome: { ...outcome, state, message }, stop, write };
}

/** For the undo: the row has changed this, and is no registration of its own. */
function keepBefore({ journal, run }: SendContext, seq: number, image: RecordImage): void {
  journal.run(
    `UPDATE row SET plan = 'update', before = $before, proof = 'not-new', near = NULL, listed_no = NULL
     WHERE run = $run AND seq = $seq`,
    { run, seq, before: JSON.stringify(image) },
  );
}

function overwritten({ journal, run, clock }: SendContext, seq: number, place: string): void {
  journal.run(
    `UPDATE row SET state = 'conflict', plan = 'conflict', listed_no = NULL, done_at = $now, message = $message
     WHERE run = $run AND seq = $seq`,
    {
      run,
      seq,
      now: clock.now(),
      message: `the service took ${place} for the same person, and its registration has the values of that row now`,
    },
  );
}

function describe(context: SendContext, row: QueuedRow, victim: Victim, outcome: RowOutcome): string {
  const { key, image } = victim;
  const because = key === undefined ? '' : `, because it knows people by ${KEY_WORDS[key]}`;
  const id = image?.id ?? outcome.remoteId;
  const which = `registration ${id ?? `with barcode ${image?.barcode ?? 'unknown'}`}`;
  if (image === undefined)
    return `the service has changed ${which} of this push instead of adding one${because}`;
  const sent = changesTo(row.registration, image, fieldsOf(context.event)) ?? [];
  const names = new Set([...sent.map(({ field }) => field), ...(victim.changed ?? [])]);
  const more = victim.changed === undefined ? ', and perhaps what it does not say' : '';
  const fields = (names.size === 0 ? 'nothing' : [...names].join(', ')) + more;
  const instead = row.plan === 'update' ? 'the one with its barcode' : 'adding one';
  return `the service has changed ${which} instead of ${instead}${because}: ${fields}; eventreg runs undo ${context.run} brings it back`;
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

/** Whether the answer tells the id that another row of the run stands for. */
function isOfAnother({ journal, run }: SendContext, seq: number, { remoteId }: RowOutcome): boolean {
  if (remoteId === undefined) return false;
  return journal.has(
    `FROM row WHERE run = $run AND remote_id = $id AND seq <> $seq AND op = 'send'
       AND state ${among(THERE)}`,
    { run, id: remoteId, seq },
  );
}

/** The id was not listed before. */
function noteUnlisted(
  { journal, run, before }: SendContext,
  { seq }: QueuedRow,
  { remoteId }: RowOutcome,
): void {
  if (remoteId === undefined || before?.how !== 'list' || !before.idsShown) return;
  journal.run(
    `UPDATE row SET proof = 'unlisted' WHERE run = $run AND seq = $seq AND proof = 'absent' AND NOT EXISTS (
       SELECT 1 FROM row AS other WHERE other.remote_id = $id AND other.run = $run AND other.seq <> $seq)`,
    { run, seq, id: remoteId },
  );
}

/**
 * A service that refuses a row because it exists is asked what it holds: that may be just what was to be
 * sent. Throws what reading throws.
 */
export async function judgeConflict(
  { registrations, event }: Pick<SendContext, 'registrations' | 'event'>,
  { registration, plan, before }: Pick<QueuedRow, 'registration' | 'plan' | 'before'>,
  { status, message }: { status: number; message: string },
): Promise<RowOutcome> {
  const { barcode } = registration;
  const refused: RowOutcome = { state: 'conflict', status, message };
  if (barcode === undefined) return refused;
  const found = await findOrNone(registrations, barcode);
  // The request itself was refused: a registration that shows nothing did not come by it.
  const unsent = plan === 'create' ? undefined : plan;
  const verdict = judgeFound({ registration, plan: unsent, before, found, fields: fieldsOf(event) });
  if (verdict.kind === 'done') {
    // Messages that the request asked for and the service refused are not asked for.
    const left = found[0] && changesTo(registration, found[0], fieldsOf(event));
    if (left !== undefined && left.length > 0)
      return { ...refused, message: `${message}; ${otherValues(left)}` };
    return { ...outcomeOf(verdict), status };
  }
  return verdict.kind === 'conflict' ? { ...refused, message: `${message}; ${verdict.why}` } : refused;
}

async function findOrNone(
  registrations: RegistrationsClient,
  barcode: string,
): Promise<RegistrationRecord[]> {
  try {
    return (await registrations.findByBarcode([barcode])).get(barcode) ?? [];
  } catch (error) {
    if (error instanceof BarcodesHiddenError) return [];
    throw error;
  }
}
