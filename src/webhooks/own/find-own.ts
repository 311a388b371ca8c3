import { EventregError, GaveUpError, InterruptedError } from '../../errors.ts';
import type { WebhookRecord } from '../../service/contracts/webhook.ts';
import type { WebhooksClient } from '../../service/webhooks.ts';
import type { Clock } from '../../pacing/clock.ts';
import { type Sighting, sightingOf } from './evidence.ts';
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

/** What a request failed for. Throws what ends the command: Ctrl-C, the end of the time, a defect. */
export function failureOf(error: unknown): EventregError {
  if (!(error instanceof EventregError)) throw error;
  if (error instanceof InterruptedError || error instanceof GaveUpError) throw error;
  return error;
}

/** The list, or why it cannot be read. Throws what ends the command. */
export async function readWebhookList(
  client: Pick<WebhooksClient, 'list'>,
): Promise<readonly WebhookRecord[] | string> {
  try {
    return await client.list();
  } catch (error) {
    return failureOf(error).message;
  }
}

/** Looks for one of ours in the list, and notes that it is shown there. */
export async function lookFor(own: OwnWebhook, { client, books }: OwnParts): Promise<Sighting> {
  const list = await readWebhookList(client);
  const sighting = sightingOf(books.find(own.listen) ?? own, list);
  const [shown] = sighting.ours;
  if (shown !== undefined) books.noteListed(own.listen, shown);
  return sighting;
}

/** As `lookFor`, and again after a moment, unless what is hoped for is seen at once. */
export async function lookTwice(
  own: OwnWebhook,
  parts: OwnParts,
  isHopedFor: (sighting: Sighting) => boolean,
  signal = parts.aborting,
): Promise<Sighting> {
  const first = await lookFor(own, parts);
  if (first.unread !== undefined || isHopedFor(first)) return first;
  await parts.clock.sleep(SECOND_LOOK_MS, signal);
  return await lookFor(own, parts);
}
