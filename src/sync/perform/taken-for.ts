import { EventregError, EXIT } from '../../errors.ts';
import { BARCODE, differs, MESSAGES, PERSONA, unsaidAspects } from '../../registration/changes/aspect.ts';
import { changesTo, fieldsOf } from '../../registration/changes/field-change.ts';
import type { RecordImage } from '../../registration/model/registration.ts';
import { formatPlace } from '../../registration/model/row.ts';
import { SENT } from '../../registration/model/row-states.ts';
import type { RowOutcome } from '../decide/judge-found.ts';
import { KEY_WORDS, type PersonKey, sharedKey } from '../decide/judge-person.ts';
import { learnRecognised } from '../journal/learned.ts';
import { type QueuedRow, writeOutcome } from '../journal/queued-rows.ts';
import { changeRow } from '../journal/row-tables.ts';
import { rowWithId } from '../journal/rows-to-send.ts';
import type { SendContext } from '../journal/send-context.ts';
import { whatIsSentNow } from '../journal/sent-facts.ts';
import { hasShownLike } from '../snapshot/read-now.ts';
import { readUntil } from '../snapshot/wait-until.ts';
import { holdBackAlike } from './hold-back.ts';
import { listedAs, listedNow } from './looks.ts';

type Names = Pick<RecordImage, 'id' | 'barcode'>;

/** A registration that a row has changed instead of registering somebody new, or instead of its own. */
interface Hit {
  /** By what the service took one for the other; undefined: nothing that is known explains it. */
  key: PersonKey | undefined;
  /** As it was listed before; undefined when another row of this run has registered it, or a run before, and no list shows it. */
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
  write?: (() => void) | undefined;
}

/**
 * Checks by the id of an answer whether a row has changed a registration of somebody else. Such a row is in conflict,
 * with what that one was before, and no further ones are sent that might do the same. `about`: what an answer tells that
 * is not about the row.
 */
export async function checkAnswer(
  context: SendContext,
  row: QueuedRow,
  outcome: RowOutcome,
  about?: Names,
): Promise<CheckedAnswer> {
  const { before } = context;
  const { remoteId: id } = outcome;
  const other = about && hitBy(context, row, [about]);
  if (other !== undefined)
    return await takenOver(context, row, { ...outcome, remoteId: other.image?.id }, other);
  const isTaken = SENT.has(outcome.state) && id !== undefined;
  const hit = isTaken ? await hitById(context, row, id) : undefined;
  if (hit !== undefined) return await takenOver(context, row, outcome, hit);
  // An id that a list of such registrations did not have before is that of somebody new.
  const isNew =
    isTaken &&
    row.plan === 'create' &&
    before?.how === 'list' &&
    before.idsShown &&
    hasShownLike(before, row.registration) &&
    before.listed.byId(id).length === 0;
  return { outcome: isNew ? { ...outcome, isUnlisted: true } : outcome, stop: undefined };
}

/** Whom a row has changed that was listed before and is none that it was sent to, by names that were told of what it changed. */
function hitBy(context: SendContext, row: QueuedRow, names: readonly Names[]): Hit | undefined {
  const { plan, before, registration } = row;
  const isAnother = ({ id, barcode }: RecordImage): boolean =>
    plan === 'create' ||
    (plan === 'update' && barcode !== before?.barcode && (id === undefined || id !== before?.id));
  const image = names.map((one) => listedAs(context, one)).find((one) => one && isAnother(one));
  return image && { key: sharedKey(registration, image, fieldsOf(context.event)), image, seq: undefined };
}

/** Whom a row that is not known to be an update has changed by the id that was answered; undefined: nobody that is known. */
async function hitById(context: SendContext, row: QueuedRow, id: string): Promise<Hit | undefined> {
  const { seq, plan, registration } = row;
  if (plan !== 'create' && plan !== 'unknown') return undefined;
  const image = listedAs(context, { id, barcode: undefined });
  const own = rowWithId(context.journal, context.run, seq, id);
  const other = image ?? own?.registration;
  if (other === undefined || (plan !== 'create' && own === undefined)) return undefined;
  const key = sharedKey(registration, other, fieldsOf(context.event));
  // An answer about another row, which has nothing in common with this one, and cannot be looked at.
  if (image === undefined && key === undefined && other.barcode === undefined) return undefined;
  if (await isApart(context, row, other, image !== undefined)) return undefined;
  return { key, image, seq: image === undefined ? own?.seq : undefined };
}

/** Some services answer with an id that is none: then the row is listed by itself, and the other one without its values. */
async function isApart(
  context: SendContext,
  { registration }: QueuedRow,
  { barcode }: Names,
  mustSeeBoth: boolean,
): Promise<boolean> {
  const own = registration.barcode;
  if (barcode === undefined || barcode === own) return false;
  const look = async (wanted: string) => await listedNow(context, { barcode: wanted, id: undefined });
  if (mustSeeBoth && (own === undefined || (await look(own)).length === 0)) return false;
  const [theirs] = await look(barcode);
  return theirs !== undefined && (changesTo(registration, theirs, fieldsOf(context.event)) ?? []).length > 0;
}

/** What became of a row that has changed a registration instead of registering somebody, or instead of its own. */
async function takenOver(
  context: SendContext,
  row: QueuedRow,
  outcome: RowOutcome,
  hit: Hit,
): Promise<CheckedAnswer> {
  const { journal, run, clock } = context;
  const { key, image, seq } = hit;
  const place = formatPlace(row.place);
  const message = await describe(context, row, hit, outcome);
  const sent = whatIsSentNow(context, row).registration;
  const write = (): void => {
    if (image !== undefined) {
      // For the undo: it has changed this one, which is none of its own.
      const asked = { before: image, ask: sent, near: undefined };
      changeRow(journal, run, row.seq, { ...asked, plan: 'update', proof: 'not-new', listedNo: undefined });
    }
    if (seq !== undefined) {
      const why = `the service took ${place} for the same person, and its registration has the values of that row now; perhaps what it does not say is gone`;
      const hit = { state: 'conflict', plan: 'conflict', listedNo: undefined, doneAt: clock.now() };
      changeRow(journal, run, seq, { ...hit, message: why });
    }
    if (key === undefined) return;
    learnRecognised(context, key, 'yes');
    const why = `not sent: this service knows people by ${KEY_WORDS[key]}, so that it would change a registration that is there`;
    holdBackAlike(context, key, { state: 'conflict', why, but: row.seq });
  };
  // What another row has registered holds the values of this one now: that row is in conflict.
  // Where nothing tells why, the service may as well have given an id that is none, and hold neither.
  const own = key === undefined ? 'uncertain' : outcome.state;
  const state = image === undefined && seq !== undefined ? own : 'conflict';
  const isUpdate = row.plan === 'update';
  const rest = isUpdate ? 'The rest' : 'Nothing tells why, so the rest';
  const hint = `See what it was before with \`eventreg runs show ${run}\`, and bring it back with \`eventreg runs undo ${run}\`.`;
  const stop =
    isUpdate || key === undefined
      ? new EventregError(EXIT.rejected, `${place}: ${message}. ${rest} was not sent.`, { hint })
      : undefined;
  return { outcome: { ...outcome, state, message }, stop, write };
}

/** Writes that a look has shown whom a row has changed. Returns why nothing more is to be sent; undefined: the others may go. */
export async function settleHit(
  context: SendContext,
  row: QueuedRow,
  outcome: RowOutcome,
  hit: Hit,
): Promise<Error | undefined> {
  const { journal, run, clock } = context;
  const { outcome: told, write, stop } = await takenOver(context, row, outcome, hit);
  journal.transaction(() => {
    writeOutcome(journal, run, row.seq, told, clock.now(), 'looked');
    write?.();
  });
  return stop;
}

/**
 * Writes that a row has changed one of some registrations that was listed before under another barcode: such a service
 * may do so with any row. Returns why nothing more is to be sent; undefined: it has changed none of them.
 */
export async function settleFound(
  context: SendContext,
  row: QueuedRow,
  outcome: RowOutcome,
  found: readonly Pick<RecordImage, 'id'>[],
): Promise<Error | undefined> {
  const names = [...found, { id: outcome.remoteId }].map(({ id }) => ({ id, barcode: undefined }));
  const hit = row.plan === 'unknown' ? undefined : hitBy(context, row, names);
  return hit && (await settleHit(context, row, outcome, hit));
}

async function describe(
  context: SendContext,
  row: QueuedRow,
  { key, image, seq }: Hit,
  outcome: RowOutcome,
): Promise<string> {
  const because = key === undefined ? '' : `, because it knows people by ${KEY_WORDS[key]}`;
  const id = image?.id ?? outcome.remoteId;
  const which = `registration ${id ?? `with barcode ${image?.barcode ?? 'unknown'}`}`;
  if (image === undefined)
    return `the service has changed ${which} ${seq === undefined ? 'that was sent before' : 'of this push'} instead of adding one${because}`;
  const instead = row.plan === 'update' ? 'the one with its barcode' : 'adding one';
  const what = await changesOf(context, row, image);
  if (what.length === 0)
    return `the service took it for ${which} instead of ${instead}${because}, and changed nothing of that one`;
  // A barcode stays, unless the service goes by something else.
  const isFixed = key === undefined && what.includes(BARCODE.field);
  const back = isFixed ? '' : `; \`eventreg runs undo ${context.run}\` brings it back`;
  return `the service has changed ${which} instead of ${instead}${because}: ${what.join(', ')}${back}`;
}

/** What of a registration is otherwise than it was listed before: the service may have taken away what is not said. */
async function changesOf(
  context: SendContext,
  { registration }: QueuedRow,
  image: RecordImage,
): Promise<string[]> {
  const fields = fieldsOf(context.event);
  const isListed = (now: RecordImage | undefined): boolean =>
    now === undefined || (changesTo(registration, now, fields) ?? []).length === 0;
  const barcodes = new Set([registration.barcode ?? image.barcode, image.barcode]);
  const read = async (): Promise<RecordImage | undefined> => {
    for (const barcode of barcodes) {
      const found = await listedNow(context, { barcode, id: image.id });
      const own = found.find(({ id }) => id === image.id);
      if (own !== undefined) return own;
    }
    return undefined;
  };
  const now = await readUntil(context, context.limits.settleMs, read, isListed);
  const aspects = unsaidAspects(image.persona ?? registration.persona, fields);
  const changed =
    now && [BARCODE, PERSONA, MESSAGES, ...aspects].filter((aspect) => differs(aspect, image, now));
  const sent = changesTo(registration, image, fields) ?? [];
  const names = new Set([...sent, ...(changed ?? [])].map(({ field }) => field));
  return [...names, ...(now === undefined ? ['and perhaps what it does not say'] : [])];
}
