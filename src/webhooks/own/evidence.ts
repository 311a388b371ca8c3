import type { WebhookRecord } from '../../service/contracts/webhook.ts';
import type { OwnWebhook } from './own-books.ts';

// What proves something of a webhook of ours, in one place:
// - It is ours: a record shows the 128 random bits of our address, or our random name. Its id is ours when that record
//   shows it too. From then on a record with that id is ours unless it shows another name or address than it had.
// - It is gone: a list that has shown it since we changed it last shows it no more. Or its id answers 404 where it has answered
//   otherwise before, which src/webhooks/own/remove-own.ts sees to.
// - Neither: an id alone, "done" and "deleted", a list that never showed it, a 404 where nothing else was ever answered.

/** What a list shows of one of ours. */
export interface Sighting {
  /** Why the list cannot be read; undefined where it can. */
  unread: string | undefined;
  /** Records that are ours. */
  ours: readonly WebhookRecord[];
  /**
   * What its id bears. `taken`: another name and another address than were shown since our last change; `unclear`: it
   * may as well be the service that writes them in another way.
   */
  other: 'taken' | 'unclear' | undefined;
}

/** `unseen`: it may never have been made, and a list that has shown others of ours does not show it. */
export type Standing = 'there' | 'gone' | 'taken' | 'unclear' | 'unseen' | 'unknown';

/** What a list shows, or why it could not be read. */
export function sightingOf(own: OwnWebhook, list: readonly WebhookRecord[] | string): Sighting {
  if (typeof list === 'string') return { unread: list, ours: [], other: undefined };
  const ours = list.filter((record) => isOurs(own, record));
  const strange = list.find((record) => hasItsId(own, record) && !ours.includes(record));
  const isTaken = own.isSettled && strange?.name !== undefined && strange.url !== undefined;
  return { unread: undefined, ours, other: strange && (isTaken ? 'taken' : 'unclear') };
}

/** Where one of ours stands by what was seen of it. */
export function standingOf(own: OwnWebhook, { ours, other, unread }: Sighting): Standing {
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
