import { EventregError, InterruptedError } from '../../errors.ts';
import type { WebhookRecord } from '../../service/contracts/webhook.ts';
import type { WebhooksClient } from '../../service/webhooks.ts';
import type { Clock } from '../../pacing/clock.ts';
import type { OwnBooks, OwnWebhook } from './own-books.ts';

/** What making and removing one takes. */
export interface OwnParts {
  client: WebhooksClient;
  books: OwnBooks;
  clock: Clock;
  /** Ends all waiting. */
  stopping: AbortSignal;
  /** Breaks off what is under way. */
  aborting: AbortSignal;
}

/** A list may lag behind for a moment. */
export const SECOND_LOOK_MS = 5_000;

/** What the list of the service shows of one of ours. */
export interface Sighting {
  /** Why the list cannot be read; undefined where it can. */
  unread: string | undefined;
  /** Those that bear its name, and its id or its address. */
  ours: readonly WebhookRecord[];
  /** Its id bears another name: somebody has taken it over. */
  renamed: boolean;
}

/** The list, or why it cannot be read. Throws what ends the command. */
export async function readWebhookList(
  client: Pick<WebhooksClient, 'list'>,
): Promise<readonly WebhookRecord[] | string> {
  try {
    return await client.list();
  } catch (error) {
    if (!(error instanceof EventregError) || error instanceof InterruptedError) throw error;
    return error.message;
  }
}

/** Judges by the id on the disk and by the name, which nobody else has. */
export function sightingOf(own: OwnWebhook, list: readonly WebhookRecord[] | string): Sighting {
  if (typeof list === 'string') return { unread: list, ours: [], renamed: false };
  const isId = ({ id }: WebhookRecord): boolean => own.webhookId !== undefined && id === own.webhookId;
  const ours = list.filter(
    (webhook) =>
      webhook.name === own.name && (isId(webhook) || webhook.id === undefined || webhook.url === own.url),
  );
  const renamed = list.some((webhook) => isId(webhook) && webhook.name !== own.name);
  return { unread: undefined, ours, renamed };
}
