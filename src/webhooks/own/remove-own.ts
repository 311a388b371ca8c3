import type { WebhookBody, WebhookRecord } from '../../service/contracts/webhook.ts';
import type { WebhookOperation } from '../../service/endpoints.ts';
import { type Sighting, sightingOf, type Standing, standingOf } from './evidence.ts';
import { deleteAll, isDone, proveGone, type Reason, tryTo, whyUnlisted } from './deletions.ts';
import { isShown, lookForTwice, type OwnParts, readAlone, readWebhookList } from './find-own.ts';
import type { OwnWebhook } from './own-books.ts';

/** What may become of one, in words: of one that somebody has taken over, that is off, that may never have been made. */
export const FATES = {
  deleted: 'is deleted',
  absent: 'was not there',
  renamed: 'has another name and another address now: it is left alone',
  inactive: 'cannot be deleted: it is switched off',
  unseen: 'is not in the list: it may never have been made, and is looked for until 30 days after that',
  left: 'is still there',
};
type Removed = keyof typeof FATES;

/** What became of one of ours. */
export interface OwnFate {
  result: Removed;
  /** Why it is still there. */
  why?: string;
  /** Operations whose shape may help; none: another try may. */
  mend?: readonly WebhookOperation[];
  /** It is neither shown nor proven to be gone. */
  isUnsure?: boolean;
}

export const isGone = (result: Removed): boolean => result === 'deleted' || result === 'absent';

/**
 * Deletes one of ours and proves that it is gone; else switches it off. Touches nothing else. What is not proven to be
 * gone stays in the books. Throws what ends the command.
 */
export async function removeOwn(own: OwnWebhook & { body?: WebhookBody }, parts: OwnParts): Promise<OwnFate> {
  const known = { ...(parts.books.find(own.listen) ?? own), ...(own.body && { body: own.body }) };
  const fate = await remove(known, parts);
  if (isGone(fate.result) || fate.result === 'renamed') parts.books.forget(own.listen);
  return fate;
}

type Known = OwnWebhook & { body?: WebhookBody };

async function remove(own: Known, parts: OwnParts): Promise<OwnFate> {
  // Where only the list can tell, it may lag behind.
  const isTold = own.webhookId !== undefined && !own.isListed;
  const listed = await lookForTwice(
    own,
    parts,
    ({ ours, other }) => isTold || ours.length > 0 || other !== undefined,
  );
  const id = standingOf(own, listed) === 'unknown' ? own.webhookId : undefined;
  const alone = id === undefined ? undefined : await readAlone(id, parts.client);
  const before = isShown(alone) ? sightingOf({ ...own, isSettled: false }, [alone]) : listed;
  const standing = standingOf(own, before);
  const ids = idsOf(own, before);
  if (ids.length === 0 || (standing !== 'there' && standing !== 'unknown'))
    return untouched(standing, own, before);
  const tries = await deleteAll(ids, parts.client);
  const after = await lookForTwice(own, parts, ({ ours }) => ours.length === 0);
  const now = standingOf(parts.books.find(own.listen) ?? own, after);
  const proof = await proveGone({ tries, alone }, now, after.unread, parts.client);
  const { standing: later, shown, ...reason } = proof;
  // Ids may be places in the list: another has moved up.
  const hasMoved = later === 'taken' && before.ours.length > 0 && tries.every(isDone);
  if (later === 'gone' || hasMoved)
    return { result: before.ours.length > 0 || tries.some(isDone) ? 'deleted' : 'absent' };
  if (later === 'taken' || later === 'unclear') return untouched(later, own, after);
  const still = shown === undefined ? after.ours : [shown];
  if (still.length > 0) return await switchOff(own, { ...after, ours: still }, parts, reason);
  // Its id may be another's from now on.
  if (tries.some(isDone)) parts.books.note(own.listen, { webhookId: undefined });
  return { result: 'left', ...reason, isUnsure: true };
}

/** Its own id, unless the list shows that as another's, and those of others that the service made of it. */
function idsOf({ webhookId }: OwnWebhook, { ours, other }: Sighting): string[] {
  const own = other === undefined ? webhookId : undefined;
  return [...new Set([own, ...ours.map(({ id }) => id)])].flatMap((id) => id ?? []);
}

const UNTOUCHED: Readonly<Partial<Record<Standing, OwnFate>>> = {
  gone: { result: 'absent' },
  taken: { result: 'renamed' },
  unseen: { result: 'unseen' },
  there: {
    result: 'left',
    why: 'the service does not show the id that it could be deleted by',
    mend: ['listWebhooks'],
  },
  unclear: { result: 'left', why: 'its id has another name or another address now: it is left alone' },
};

/** Nothing shows an id that is proven to be its own. */
function untouched(standing: Standing, { isMade }: OwnWebhook, { unread, isTelling }: Sighting): OwnFate {
  const { why, mend } = whyUnlisted(unread);
  const what = isMade && !isTelling ? 'which one it is' : 'whether it was made';
  const told = `${what} cannot be told: ${why}`;
  return UNTOUCHED[standing] ?? { result: 'left', why: told, mend, isUnsure: true };
}

/** What is still shown is switched off: it calls nobody then. That it is has to be shown, by the answer or by the list. */
async function switchOff(
  own: Known,
  still: Sighting,
  { books, client }: OwnParts,
  reason: Reason,
): Promise<OwnFate> {
  const ids = idsOf(own, still);
  const body = own.body ?? shownBody(own, still.ours[0]);
  const answers: (boolean | undefined)[] = [];
  books.noteChanging(own.listen);
  await Promise.all(
    ids.map((id) =>
      tryTo(async () => {
        answers.push((await client.update(id, { ...body, active: false }))?.active);
        return { status: 200 };
      }),
    ),
  );
  const { ours } = sightingOf(books.find(own.listen) ?? own, await readWebhookList(client));
  for (const record of ours) if (record.active === false) books.noteListed(own.listen, record);
  const seen = ours.length > 0 ? ours : await Promise.all(ids.map((id) => readAlone(id, client)));
  const listed = seen.filter(isShown).map(({ active }) => active);
  const states = [...answers, ...listed];
  const isOff = [answers, listed].some((all) => all.length >= ids.length && all.every((on) => on === false));
  return { result: isOff && !states.includes(true) ? 'inactive' : 'left', ...reason };
}

/** What is known of it, where the one that made it is no more. */
function shownBody({ name, url }: OwnWebhook, shown: WebhookRecord | undefined): Partial<WebhookBody> {
  const triggers = shown?.triggers ?? [];
  return { name, webhook_url: url, ...(triggers.length > 0 ? { triggers: [...triggers] } : {}) };
}
