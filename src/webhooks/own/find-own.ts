import { EventregError, GaveUpError, InterruptedError } from '../../errors.ts';
import type { WebhookRecord } from '../../service/contracts/webhook.ts';
import type { WebhooksClient } from '../../service/webhooks.ts';
import type { Clock } from '../../pacing/clock.ts';
import { type Listed, type Sighting, sightingOf, type Standing, standingOf } from './evidence.ts';
import { OwnBooks, type OwnWebhook } from './own-books.ts';
import { existsSync } from 'node:fs';
import { buildUrl, type Endpoints, readOperation } from '../../service/endpoints.ts';
import { webhookFile } from '../deliveries/webhook-database.ts';

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
const SECOND_LOOK_MS = 5_000;

/** Looks, and again after a moment unless that is enough. */
export async function lookTwice<Seen>(
  look: () => Promise<Seen>,
  isEnough: (seen: Seen) => boolean,
  { clock }: Pick<OwnParts, 'clock'>,
  signal: AbortSignal,
): Promise<Seen> {
  const first = await look();
  if (isEnough(first)) return first;
  await clock.sleep(SECOND_LOOK_MS, signal);
  return await look();
}

/** What a request failed for. Throws what ends the command: Ctrl-C, the end of the time, a defect. */
export function failureOf(error: unknown): EventregError {
  if (!(error instanceof EventregError)) throw error;
  if (error instanceof InterruptedError || error instanceof GaveUpError) throw error;
  return error;
}

/** The list, or why it cannot be read. Throws what ends the command. */
export const readWebhookList = async (
  client: Pick<WebhooksClient, 'list'>,
  keep: (error: unknown) => EventregError = failureOf,
): Promise<Listed> => await client.list().catch(keep);

/** What the address of one shows; undefined: nothing; or why it cannot be read. */
export type Alone = WebhookRecord | EventregError | undefined;

export const isShown = (alone: Alone): alone is WebhookRecord =>
  alone !== undefined && !(alone instanceof EventregError);

/** Reads one at its own address. Throws what ends the command. */
export const readAlone = async (id: string, client: Pick<WebhooksClient, 'read'>): Promise<Alone> =>
  await client.read(id).catch(failureOf);

/** Looks for one of ours in the list, and notes that it is shown there. */
export async function lookFor(own: OwnWebhook, { client, books }: OwnParts): Promise<Sighting> {
  const list = await readWebhookList(client);
  const booked = books.find(own.listen) ?? own;
  const sighting = sightingOf({ ...booked, webhookId: booked.webhookId ?? own.webhookId }, list);
  const [shown] = sighting.ours;
  if (shown !== undefined) books.noteListed(own.listen, shown);
  return sighting;
}

/** As `lookFor`, and again after a moment, unless what is hoped for is seen at once. */
export const lookForTwice = async (
  own: OwnWebhook,
  parts: OwnParts,
  isHopedFor: (sighting: Sighting) => boolean,
  signal = parts.aborting,
): Promise<Sighting> =>
  await lookTwice(
    async () => await lookFor(own, parts),
    (seen) => seen.unread !== undefined || isHopedFor(seen),
    parts,
    signal,
  );

/** `12 ("eventreg listen 1f…")` */
export const nameOf = ({ webhookId, name }: OwnWebhook): string =>
  webhookId === undefined ? `"${name}"` : `${webhookId} ("${name}")`;

/** A service as a connection leads to it. */
interface WebhookPlace {
  service: string;
  settings: { integUrl: URL | undefined; endpoints: Pick<Endpoints, 'createWebhook'> };
}

/**
 * What webhooks are kept apart by: where they are made. A sandbox has another port each time. The other paths are left
 * out: setting them is how a user helps to delete what is left.
 */
export function webhookService({ service, settings }: WebhookPlace): string {
  const { integUrl, endpoints } = settings;
  if (integUrl === undefined || service.startsWith('sandbox:')) return service;
  return buildUrl(integUrl, readOperation(endpoints.createWebhook).template).href;
}

const OVER: ReadonlySet<Standing> = new Set(['gone', 'taken', 'unseen']);

/** Which of those that earlier listens have left at a service are still there, or may be, in words. */
export const shownOf = (books: OwnBooks, service: string, list: Listed, nowMs: number): readonly string[] =>
  books
    .leftovers(nowMs)
    .filter((own) => own.service === service && !OVER.has(standingOf(own, sightingOf(own, list))))
    .map(nameOf);

/** What this machine has left at a service, by its list, or by the reason for which that cannot be read. */
export function leftAt(service: string, list: Listed, stateDir: string, nowMs: number): readonly string[] {
  if (!existsSync(webhookFile(stateDir))) return [];
  const books = new OwnBooks(stateDir);
  try {
    return shownOf(books, service, list, nowMs);
  } finally {
    books.close();
  }
}
