import type { WebhookBody, WebhookRecord } from '../../service/contracts/webhook.ts';
import type { EventregError } from '../../errors.ts';
import type { WebhookOperation } from '../../service/endpoints.ts';
import { answeredStatus, isNotOffered } from '../../service/http/failure.ts';
import { type Sighting, sightingOf, type Standing, standingOf } from './evidence.ts';
import { failureOf, lookForTwice, type OwnParts, readWebhookList } from './find-own.ts';
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
  /** What may help: another try, or another shape of an operation. */
  mend?: 'later' | WebhookOperation;
}

type Reason = Required<Pick<OwnFate, 'why' | 'mend'>>;

const reasonOf = (error: EventregError, operation: WebhookOperation): Reason => ({
  why: error.message,
  mend: isNotOffered(error) ? operation : 'later',
});

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
  const before = await lookForTwice(
    own,
    parts,
    ({ ours, other }) => isTold || ours.length > 0 || other !== undefined,
  );
  const standing = standingOf(own, before);
  const ids = idsOf(own, before);
  if (ids.length === 0 || (standing !== 'there' && standing !== 'unknown'))
    return untouched(standing, own, before);
  const deletions = await removeAll(ids, parts);
  const after = await lookForTwice(own, parts, ({ ours }) => ours.length === 0);
  const later = standingOf(parts.books.find(own.listen) ?? own, after);
  const gone = before.ours.length > 0 || deletions.some(isDone) ? 'deleted' : 'absent';
  if (later === 'gone') return { result: gone };
  if (later === 'taken' || later === 'unclear') return untouched(later, own, after);
  // Where no list tells, what was deleted is gone when it cannot be deleted again.
  if (later === 'unknown' && deletions.every(isDone) && (await removeAll(ids, parts)).every(isMissing)) {
    return { result: 'deleted' };
  }
  return await switchOff(own, ids, { parts, gone, shown: after.ours[0], reason: whyOf(deletions, after) });
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
    mend: 'listWebhooks',
  },
  unclear: { result: 'left', why: 'its id has another name or another address now: it is left alone' },
};

const UNSHOWN: Reason = {
  why: 'the list does not show it, and has not shown it before.',
  mend: 'listWebhooks',
};

/** Nothing shows an id that is proven to be its own. */
function untouched(standing: Standing, { isMade }: OwnWebhook, { unread }: Sighting): OwnFate {
  const { why, mend } = unread ? reasonOf(unread, 'listWebhooks') : UNSHOWN;
  const what = isMade ? 'which one it is' : 'whether it was made';
  return UNTOUCHED[standing] ?? { result: 'left', why: `${what} cannot be told: ${why}`, mend };
}

interface Tried {
  /** Of the answer, whatever it says. */
  status?: number | undefined;
  failure?: EventregError;
}

/** Does a request and keeps what came of it. Throws what ends the command. */
async function tryTo(work: () => Promise<{ status: number }>): Promise<Tried> {
  try {
    return { status: (await work()).status };
  } catch (error) {
    return { status: answeredStatus(error), failure: failureOf(error) };
  }
}

const removeAll = async (ids: readonly string[], { client }: OwnParts): Promise<Tried[]> =>
  await Promise.all(ids.map((id) => tryTo(async () => await client.remove(id))));

const isDone = ({ status = 0, failure }: Tried): boolean =>
  failure === undefined && status > 0 && status < 300;

const isMissing = ({ status }: Tried): boolean => status === 404 || status === 410;

function whyOf(deletions: readonly Tried[], { unread, ours }: Sighting): Reason {
  const [failed] = deletions.flatMap(({ failure }) => failure ?? []);
  if (failed !== undefined) return reasonOf(failed, 'deleteWebhook');
  const missing = deletions.find(isMissing);
  if (missing !== undefined) {
    return { why: `deleting it is answered with ${missing.status}`, mend: 'deleteWebhook' };
  }
  if (unread !== undefined) return reasonOf(unread, 'listWebhooks');
  if (ours.length > 0) return { why: 'it is still in the list', mend: 'deleteWebhook' };
  return { why: 'nothing shows that it is deleted', mend: 'listWebhooks' };
}

interface SwitchingOff {
  parts: OwnParts;
  /** What it is called when there is nothing to be switched off. */
  gone: 'deleted' | 'absent';
  shown: WebhookRecord | undefined;
  reason: Reason;
}

/** What is off calls nobody; that it is has to be shown, by the answer or by the list. */
async function switchOff(
  own: Known,
  ids: readonly string[],
  { parts, gone, shown, reason }: SwitchingOff,
): Promise<OwnFate> {
  const { books, client } = parts;
  const body = own.body ?? shownBody(own, shown);
  const answers: (boolean | undefined)[] = [];
  books.noteChanging(own.listen);
  const tries = await Promise.all(
    ids.map((id) =>
      tryTo(async () => {
        answers.push((await client.update(id, { ...body, active: false }))?.active);
        return { status: 200 };
      }),
    ),
  );
  if (own.canUpdate && shown === undefined && tries.every(isMissing)) return { result: gone };
  const { ours } = sightingOf(books.find(own.listen) ?? own, await readWebhookList(client));
  for (const record of ours) if (record.active === false) books.noteListed(own.listen, record);
  const listed = ours.map(({ active }) => active);
  const states = [...answers, ...listed];
  const isOff = [answers, listed].some((all) => all.length >= ids.length && all.every((on) => on === false));
  return { result: isOff && !states.includes(true) ? 'inactive' : 'left', ...reason };
}

/** What is known of it, where the one that made it is no more. */
function shownBody({ name, url }: OwnWebhook, shown: WebhookRecord | undefined): Partial<WebhookBody> {
  const triggers = shown?.triggers ?? [];
  return { name, webhook_url: url, ...(triggers.length > 0 ? { triggers: [...triggers] } : {}) };
}
