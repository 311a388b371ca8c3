import {
  AuthorisationError,
  EventregError,
  InterruptedError,
  isCalledOff,
  ServiceError,
} from '../../errors.ts';
import type { WebhookBody, WebhookRecord } from '../../service/contracts/webhook.ts';
import { answeredStatus } from '../../service/http/failure.ts';
import { TransportError } from '../../service/http/http.ts';
import { type OwnParts, readWebhookList, SECOND_LOOK_MS, sightingOf } from './find-own.ts';
import type { OwnWebhook } from './own-books.ts';
import { isGone, removeOwn } from './remove-own.ts';

/** A webhook of ours that is at work. */
export interface MadeWebhook extends OwnWebhook {
  webhookId: string;
  body: WebhookBody;
}

/**
 * Makes a webhook, switched off, and switches it on. Its intent is on the disk before the request; what was made is
 * found by its name where no answer tells. A service that cannot change one gets a new one that is on from the start.
 * Throws what has kept it from that; what is left then is in the books.
 */
export async function makeOwn(intent: OwnWebhook, body: WebhookBody, parts: OwnParts): Promise<MadeWebhook> {
  const made = await create(intent, { ...body, active: false }, parts);
  const why = await switchOn(made, body, parts);
  if (why === undefined) return { ...made, body, canUpdate: true };
  if (!isGone((await removeOwn(made, parts)).result)) {
    throw new ServiceError(`The webhook of this listen cannot be switched on: ${why}`, {
      hint: 'The interface shows no path for changing a webhook: set updateWebhook in endpoints of the profile.',
    });
  }
  return { ...(await create(intent, { ...body, active: true }, parts)), body };
}

async function create(
  intent: OwnWebhook,
  body: WebhookBody,
  parts: OwnParts,
): Promise<OwnWebhook & { webhookId: string }> {
  const { client, books } = parts;
  books.begin(intent);
  const made = await client.create(body).catch(async (error: unknown) => {
    if (neverActedOn(error, parts)) books.forget(intent.listen);
    else if (!(error instanceof InterruptedError)) {
      const found = await findInList(intent, parts, true);
      if (found !== undefined) return found;
    }
    throw error;
  });
  const webhookId = made?.id ?? (await findInList(intent, parts, false))?.id;
  if (webhookId === undefined) {
    throw new ServiceError('The service does not tell the id of the webhook that it made.', {
      hint: 'Neither its answer nor its list shows it, so that it could not be deleted at the end.',
    });
  }
  books.noteId(intent.listen, webhookId);
  return { ...intent, webhookId };
}

/** Answers that say for certain that nothing was made. */
const REFUSALS: ReadonlySet<number> = new Set([400, 402, 404, 405, 410, 413, 415, 422]);

/** Whether the request of an error was not sent, or refused. */
function neverActedOn(error: unknown, { aborting }: OwnParts): boolean {
  if (isCalledOff(error) || error instanceof AuthorisationError) return true;
  // The first Ctrl-C ends waiting alone; only the second breaks off what is under way.
  if (error instanceof InterruptedError) return !aborting.aborted;
  const cause = error instanceof EventregError ? error.cause : undefined;
  if (cause instanceof TransportError) return !cause.sent;
  return REFUSALS.has(answeredStatus(error) ?? 0);
}

async function findInList(
  own: OwnWebhook,
  { client, clock, stopping }: OwnParts,
  again: boolean,
): Promise<WebhookRecord | undefined> {
  const [found] = sightingOf(own, await readWebhookList(client)).ours;
  if (found !== undefined || !again) return found;
  await clock.sleep(SECOND_LOOK_MS, stopping);
  return sightingOf(own, await readWebhookList(client)).ours[0];
}

/** Returns why it is not on. */
async function switchOn(
  made: OwnWebhook & { webhookId: string },
  body: WebhookBody,
  { client, books }: OwnParts,
): Promise<string | undefined> {
  try {
    const changed = await client.update(made.webhookId, { ...body, active: true });
    books.noteUpdated(made.listen);
    if (changed?.active === true) return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error.message;
    throw error;
  }
  const [shown] = sightingOf(made, await readWebhookList(client)).ours;
  return shown?.active === false ? 'the service says so, and its list shows it switched off.' : undefined;
}
