import { isDeepStrictEqual } from 'node:util';
import { AuthorisationError, type EventregError } from '../../errors.ts';
import { bearsId, type WebhookRecord } from '../../service/contracts/webhook.ts';
import { isNotOffered } from '../../service/http/failure.ts';
import type { OwnWebhook } from './own-books.ts';

// What proves something of a webhook, in one place. Of one that is named by its id:
// - It is there: the list shows the id. It is gone: a list that has shown it before shows it no more.
// - A value is as it was asked for: the list shows just that. What it shows in a visibly other form (the host alone, in
//   capitals, with a mask) proves nothing either way; anything else, or nothing any more, is another value.
// - Its secret is gone: the list has shown one and shows none. That it is still there is never proven: it may be a mask.
// Of one of ours:
// - It is ours: a record shows the 128 random bits of our address, or our random name. Its id is ours when that record
//   shows it too. From then on a record with that id is ours unless it shows another name or address than it had.
// - It is gone: a list that has shown it since we changed it last shows it no more. Or its id answers 404 where it has answered
//   otherwise before, which src/webhooks/own/remove-own.ts sees to.
// - Neither: an id alone, "done" and "deleted", a list that never showed it, a 404 where nothing else was ever answered.

/** What a list shows of one of ours. */
export interface Sighting {
  /** Why the list cannot be read; undefined where it can. */
  unread: EventregError | undefined;
  /** Records that are ours. */
  ours: readonly WebhookRecord[];
  /**
   * What its id bears. `taken`: another name and another address than were shown since our last change; `unclear`: it
   * may as well be the service that writes them in another way.
   */
  other: 'taken' | 'unclear' | undefined;
  /** It shows webhooks, each by its id and by its name or address: one that it does not show is not there. */
  isTelling: boolean;
}

/** `unseen`: it may never have been made, and a list that has shown others of ours does not show it. */
export type Standing = 'there' | 'gone' | 'taken' | 'unclear' | 'unseen' | 'unknown';

/** What is listed, or why that cannot be read. */
export type Listed = readonly WebhookRecord[] | EventregError;

export const isRead = (list: Listed): list is readonly WebhookRecord[] => Array.isArray(list);

const isNamed = ({ name, url }: WebhookRecord): boolean => name !== undefined || url !== undefined;

/** Why a list can prove nothing of any webhook, in words; undefined: it can, or that is not known yet. */
export function whyTellsNothing(list: Listed): string | undefined {
  if (list instanceof AuthorisationError || (!isRead(list) && isNotOffered(list)))
    return list.message.replace(/[^.!?]$/, '$&.');
  if (!isRead(list)) return undefined;
  if (list.length === 0) return undefined;
  if (list.every(({ id }) => id === undefined)) return 'its list shows no ids.';
  return list.some(isNamed) ? undefined : 'its list shows neither names nor addresses.';
}

/** What a list shows of one of ours. */
export function sightingOf(own: OwnWebhook, list: Listed): Sighting {
  const [records, unread] = isRead(list) ? [list, undefined] : [[], list];
  const ours = records.filter((record) => isOurs(own, record));
  const strange = records.find(
    (record) => !ours.includes(record) && (hasItsId(own, record) || bearsId(record, own.webhookId ?? '')),
  );
  const isTaken = own.isSettled && strange?.name !== undefined && strange.url !== undefined;
  const isTelling = records.length > 0 && records.every((one) => one.id !== undefined && isNamed(one));
  return { unread, ours, other: strange && (isTaken ? 'taken' : 'unclear'), isTelling };
}

/** Where an id stands by the lists before and after a change; what is listed without an id may bear it. */
export function standingOfId(id: string, before: Listed, after: Listed): Standing {
  const isShown = (list: Listed): boolean => recordOfId(id, list) !== undefined;
  if (isShown(after)) return 'there';
  if (!isRead(before) || !isRead(after)) return 'unknown';
  const nameless = ({ id: shown }: WebhookRecord): boolean => shown === undefined;
  if (isShown(before))
    return after.filter(nameless).length > before.filter(nameless).length ? 'unknown' : 'gone';
  return before.length === 0 || before.some(nameless) ? 'unknown' : 'unseen';
}

export const recordOfId = (id: string, list: Listed): WebhookRecord | undefined =>
  isRead(list) ? list.find((one) => one.id === id) : undefined;

/** What a list shows of a value. */
export type Seen = 'so' | 'otherwise' | 'unshown';

/** Holds what a list shows against what is to be there; `before`: what it showed before the change. */
export function seenOf(wanted: unknown, shown: unknown, before?: unknown): Seen {
  if (shown === undefined) return before === undefined ? 'unshown' : 'otherwise';
  if (isDeepStrictEqual(inAnyOrder(wanted), inAnyOrder(shown))) return 'so';
  return mayShow(textOf(wanted), textOf(shown)) ? 'unshown' : 'otherwise';
}

const inAnyOrder = (value: unknown): unknown => (Array.isArray(value) ? value.map(String).toSorted() : value);

/** A value as it is told. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const MASK = /[*•…]+|\.{3,}|x{4,}/iu;

/** Whether a text is visibly another form of one: in capitals, its host alone, or with marks for what is left out. */
function mayShow(wanted: string, shown: string): boolean {
  const { host, hostname } = URL.canParse(wanted) ? new URL(wanted) : {};
  if (shown === wanted.toUpperCase() || [host, hostname].includes(shown.toLowerCase())) return true;
  let rest = wanted.toLowerCase();
  return (
    MASK.test(shown) &&
    shown
      .toLowerCase()
      .split(MASK)
      .every((piece) => {
        const at = rest.indexOf(piece);
        rest = rest.slice(at + piece.length);
        return at >= 0;
      })
  );
}

/** Whether an address that is shown looks like a part of one. */
export const mayBePart = (shown: string): boolean => !/^https?:\/\/[^/]+\/./.test(shown) || MASK.test(shown);

type Known = Pick<OwnWebhook, 'isListed' | 'listShows' | 'isMade'>;

/** Where a webhook stands by what was seen of it. */
export function standingOf(own: Known, { ours, other, unread }: Sighting): Standing {
  if (ours.length > 0) return 'there';
  if (other !== undefined) return other;
  if (unread !== undefined) return 'unknown';
  if (own.isListed) return 'gone';
  return own.listShows && !own.isMade ? 'unseen' : 'unknown';
}

/** Whether a record shows by itself, or by the id that was proven, that it is one of ours. */
export function isOurs(own: OwnWebhook, record: WebhookRecord): boolean {
  const { id, name, url } = record;
  if (hasOurBits(own, url)) return true;
  const isSameAddress = url === undefined || url === (own.shownUrl ?? own.url);
  const isSameName = name === undefined || name === (own.shownName ?? own.name);
  if (hasItsId(own, record)) return hasOurName(own, name) || (isSameName && isSameAddress);
  // Somebody may have copied it under another id, with an address of their own.
  return hasOurName(own, name) && (own.webhookId === undefined || id === undefined || isSameAddress);
}

const hasItsId = ({ webhookId }: OwnWebhook, { id }: WebhookRecord): boolean =>
  webhookId !== undefined && id === webhookId;

/** Services write addresses and names in their own way, but for the random parts. */
const hasOurName = ({ listen }: OwnWebhook, name: string | undefined): boolean =>
  name?.toLowerCase().includes(listen) === true;

const RANDOM_BITS = /[0-9a-f]{32}$/;

function hasOurBits({ url }: OwnWebhook, shown: string | undefined): boolean {
  const [bits] = RANDOM_BITS.exec(url) ?? [];
  return shown === url || (bits !== undefined && shown?.toLowerCase().includes(bits) === true);
}
