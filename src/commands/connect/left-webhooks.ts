import { existsSync } from 'node:fs';
import type { WebhookRecord } from '../../service/contracts/webhook.ts';
import { webhookFile } from '../../webhooks/deliveries/webhook-database.ts';
import { sightingOf } from '../../webhooks/own/find-own.ts';
import { OwnBooks, type OwnWebhook } from '../../webhooks/own/own-books.ts';

/** `12 ("eventreg listen 1f…")` */
export const nameOf = ({ webhookId, name }: OwnWebhook): string =>
  webhookId === undefined ? `"${name}"` : `${webhookId} ("${name}")`;

/** Which of those that killed listens have left are still there, in words. Without a list it is not known. */
export function shownOf(
  left: readonly OwnWebhook[],
  list: readonly WebhookRecord[] | string,
): readonly string[] {
  const isThere = (own: OwnWebhook): boolean => {
    const { unread, ours } = sightingOf(own, list);
    return unread !== undefined || ours.length > 0;
  };
  return left.filter(isThere).map(nameOf);
}

/** What this machine has left at a service, by its list. */
export function leftAt(
  service: string,
  list: readonly WebhookRecord[],
  stateDir: string,
  nowMs: number,
): readonly string[] {
  if (!existsSync(webhookFile(stateDir))) return [];
  const books = new OwnBooks(stateDir);
  try {
    return shownOf(books.leftovers(service, nowMs), list);
  } finally {
    books.close();
  }
}
