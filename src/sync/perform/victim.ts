import { EventregError, EXIT } from '../../errors.ts';
import { BARCODE, differs, MESSAGES, PERSONA, unsaidAspects } from '../../registration/changes/aspect.ts';
import { changesTo, fieldsOf } from '../../registration/changes/field-change.ts';
import type { RecordImage, Registration } from '../../registration/model/registration.ts';
import { formatPlace } from '../../registration/model/row.ts';
import { SENT } from '../../registration/model/row-states.ts';
import type { RowOutcome } from '../decide/judge-found.ts';
import { KEY_WORDS, type PersonKey, sharedKey } from '../decide/near.ts';
import { learnRecognised } from '../journal/learned.ts';
import { type QueuedRow, writeOutcome } from '../journal/queued-rows.ts';
import type { SendContext } from '../journal/send-context.ts';
import { whatIsSentNow } from '../journal/sent-facts.ts';
import { noteUnlisted, noteVictim, overwrite, rowWithId } from '../journal/rows-to-send.ts';
import { readUntil } from '../snapshot/wait-until.ts';
import { withholdCreates } from './hold-back.ts';
import { listedAs, listedNow } from './looks.ts';

/** A registration that a row has changed instead of registering somebody new, or instead of its own. */
export interface Victim {
  /** By what the service took one for the other; undefined: nothing that is known explains it. */
  key: PersonKey | undefined;
  /** As it was listed before; undefined when another row of this run has registered it. */
  image: RecordImage | undefined;
  /** The row of this run that has registered it, or made it like this one. */
  seq: number | undefined;
}

/** An answer to a row, held against what was there before. */
interface CheckedAnswer {
  outcome: RowOutcome;
  /** Set when nothing more is to be sent. */
  stop: Error | undefined;
  /** What is to be written together with the outcome. */
  write: () => void;
}

/**
 * Checks by the id of an answer whether a row that was to register somebody new has changed a registration that was
 * there. Such a row is in conflict, with what the registration was before, and no further ones are sent that might do the
 * same. `about`: what an answer tells that is not about the row.
 */
export async function checkAnswer(
  context: SendContext,
  row: QueuedRow,
  outcome: RowOutcome,
  about?: Pick<RecordImage, 'id' | 'barcode'>,
): Promise<CheckedAnswer> {
  const fields = fieldsOf(context.event);
  const other = about === undefined ? undefined : listedAs(context, about);
  if (other !== undefined && isAnother(row, other)) {
    const key = sharedKey(row.registration, other, fields);
    const told = { ...outcome, remoteId: other.id };
    return await takenOver(context, row, told, { key, image: other, seq: undefined });
  }
  const { remoteId } = outcome;
  const isTaken = SENT.has(outcome.state);
  const victim =
    isTaken && remoteId !== undefined && (row.plan === 'create' || row.plan === 'unknown')
      ? await victimById(context, row, remoteId)
      : undefined;
  if (victim !== undefined) return await takenOver(context, row, outcome, victim);
  const write = (): void => {
    if (isTaken && row.plan === 'create') noteNew(context, row, remoteId);
  };
  return { outcome, stop: undefined, write };
}

/** Whether a registration that an answer is about is none that the row was sent to. */
const isAnother = ({ plan, before }: QueuedRow, { id, barcode }: RecordImage): boolean =>
  plan === 'create' ||
  (plan === 'update' && barcode !== before?.barcode && (id === undefined || id !== before?.id));

/** Whom a row has changed by the id that was answered; undefined: nobody that is known. */
async function victimById(
  context: SendContext,
  { seq, plan, registration }: QueuedRow,
  id: string,
): Promise<Victim | undefined> {
  const fields = fieldsOf(context.event);
  const image = listedAs(context, { id, barcode: undefined });
  const own = rowWithId(context.journal, context.run, seq, id);
  if (plan !== 'create' && own === undefined) return undefined;
  if (image !== undefined) {
    if (await areBothListed(context, registration, image)) return undefined;
    return { key: sharedKey(registration, image, fields), image, seq: undefined };
  }
  if (own === undefined) return undefined;
  const { barcode } = own.registration;
  const key = sharedKey(registration, own.registration, fields);
  // An answer about another row, which has nothing in common with this one, and cannot be looked at.
  if (key === undefined && barcode === undefined) return undefined;
  const [record] = barcode === undefined ? [] : await listedNow(context, { barcode, id: undefined });
  // Some services give an id that is none: then the other one is as it was.
  const isHit = record?.fields === undefined || (changesTo(registration, record, fields) ?? []).length === 0;
  return isHit ? { key, image: undefined, seq: own.seq } : undefined;
}

/** Some services answer with an id that is none: then the row is listed by itself, and the other one without its values. */
async function areBothListed(
  context: SendContext,
  registration: Registration,
  { barcode }: RecordImage,
): Promise<boolean> {
  if (barcode === undefined || registration.barcode === undefined || barcode === registration.barcode)
    return false;
  const [mine] = await listedNow(context, { barcode: registration.barcode, id: undefined });
  const [theirs] = mine === undefined ? [] : await listedNow(context, { barcode, id: undefined });
  const left = theirs && changesTo(registration, theirs, fieldsOf(context.event));
  return left !== undefined && left.length > 0;
}

/** What became of a row that has changed a registration instead of registering somebody. */
export async function takenOver(
  context: SendContext,
  row: QueuedRow,
  outcome: RowOutcome,
  victim: Victim,
): Promise<CheckedAnswer> {
  const { journal, run, target, clock } = context;
  const { key, image, seq } = victim;
  const place = formatPlace(row.place);
  const message = await describe(context, row, victim, outcome);
  const sent = whatIsSentNow(context, row).registration;
  const write = (): void => {
    if (image !== undefined) noteVictim(journal, run, row.seq, { image, sent });
    if (seq !== undefined) {
      const why = `the service took ${place} for the same person, and its registration has the values of that row now`;
      overwrite(journal, run, seq, { now: clock.now(), why });
    }
    if (key === undefined) return;
    learnRecognised(journal, target.service, { key, knows: 'yes' }, clock.now());
    withholdCreates(context, key, row.seq);
  };
  // What another row has registered holds the values of this one now: that row is in conflict.
  // Where nothing tells why, the service may as well have given an id that is none, and hold neither.
  const own = key === undefined ? 'uncertain' : outcome.state;
  const state = image === undefined ? own : 'conflict';
  const isUpdate = row.plan === 'update';
  const rest = isUpdate ? 'The rest' : 'Nothing tells why, so the rest';
  const stop =
    isUpdate || key === undefined ? stopped(place, `${message}. ${rest} was not sent.`, run) : undefined;
  return { outcome: { ...outcome, state, message }, stop, write };
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
  const { journal, run, clock } = context;
  const image = [...found, { id: outcome.remoteId }]
    .map(({ id }) => listedAs(context, { id, barcode: undefined }))
    .find((one) => one !== undefined && isAnother(row, one));
  if (image === undefined) return;
  const key = sharedKey(row.registration, image, fieldsOf(context.event));
  const {
    outcome: told,
    write,
    stop,
  } = await takenOver(context, row, outcome, { key, image, seq: undefined });
  journal.transaction(() => {
    writeOutcome(journal, run, row.seq, told, clock.now(), 'looked');
    write();
  });
  if (stop !== undefined) throw stop;
}

const stopped = (place: string, why: string, run: string): EventregError =>
  new EventregError(EXIT.rejected, `${place}: ${why}`, {
    hint: `See what it was before with eventreg runs show ${run}, and bring it back with eventreg runs undo ${run}.`,
  });

async function describe(
  context: SendContext,
  row: QueuedRow,
  { key, image }: Victim,
  outcome: RowOutcome,
): Promise<string> {
  const because = key === undefined ? '' : `, because it knows people by ${KEY_WORDS[key]}`;
  const id = image?.id ?? outcome.remoteId;
  const which = `registration ${id ?? `with barcode ${image?.barcode ?? 'unknown'}`}`;
  if (image === undefined)
    return `the service has changed ${which} of this push instead of adding one${because}`;
  const changed = await changesOf(context, row, image);
  const sent = changesTo(row.registration, image, fieldsOf(context.event)) ?? [];
  const names = new Set([...sent.map(({ field }) => field), ...(changed ?? [])]);
  const more = changed === undefined ? ', and perhaps what it does not say' : '';
  const fields = (names.size === 0 ? 'nothing' : [...names].join(', ')) + more;
  const instead = row.plan === 'update' ? 'the one with its barcode' : 'adding one';
  return `the service has changed ${which} instead of ${instead}${because}: ${fields}; eventreg runs undo ${context.run} brings it back`;
}

/**
 * What of a registration is otherwise than it was listed before, once the list shows it: the service may have taken away
 * what the row does not say. Undefined where that cannot be seen.
 */
async function changesOf(
  context: SendContext,
  { registration }: QueuedRow,
  image: RecordImage,
): Promise<readonly string[] | undefined> {
  const fields = fieldsOf(context.event);
  const isListed = (now: RecordImage | undefined): boolean =>
    now === undefined || (changesTo(registration, now, fields) ?? []).length === 0;
  const names = new Set([registration.barcode ?? image.barcode, image.barcode]);
  const read = async (): Promise<RecordImage | undefined> => {
    for (const barcode of names) {
      const found = await listedNow(context, { barcode, id: image.id });
      const own = found.find(({ id }) => id === image.id);
      if (own !== undefined) return own;
    }
    return undefined;
  };
  const now = await readUntil(context, context.limits.settleMs, read, isListed);
  if (now === undefined) return undefined;
  const aspects = unsaidAspects(image.persona ?? registration.persona, fields);
  return [BARCODE, PERSONA, MESSAGES, ...aspects]
    .filter((aspect) => differs(aspect, image, now))
    .map(({ field }) => field);
}

/** An id that was not listed before is that of somebody new. */
function noteNew({ journal, run, before }: SendContext, { seq }: QueuedRow, id: string | undefined): void {
  const isNew =
    before?.how === 'list' && before.idsShown && id !== undefined && before.listed.byId(id).length === 0;
  if (isNew) noteUnlisted(journal, run, seq, id);
}
