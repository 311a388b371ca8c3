import {
  AuthorisationError,
  EventregError,
  InterruptedError,
  isCalledOff,
  ServiceError,
} from '../../errors.ts';
import type { WebhookBody, WebhookRecord } from '../../service/contracts/webhook.ts';
import { setOperations } from '../../service/endpoints.ts';
import { answeredStatus } from '../../service/http/failure.ts';
import { TransportError } from '../../service/http/http.ts';
import { isOurs, recordOfId, seenOf, type Sighting } from './evidence.ts';
import {
  isShown,
  lookFor,
  lookForTwice,
  lookTwice,
  type OwnParts,
  readAlone,
  readWebhookList,
} from './find-own.ts';
import type { OwnIntent, OwnWebhook } from './own-books.ts';
import { isGone, removeOwn } from './remove-own.ts';

/** A webhook of ours that is at work. */
export interface MadeWebhook extends OwnWebhook {
  webhookId: string;
  body: WebhookBody;
}

type ProvenWebhook = OwnWebhook & { webhookId: string };

/**
 * Makes a webhook, switched off, and switches it on. Its intent is on the disk before the request; its id is taken from
 * a record that shows it together with our name or address, and from nowhere else. A service that cannot change one
 * gets a new one that is on from the start. Throws what has kept it from that; what is left then is in the books.
 */
export async function makeOwn(intent: OwnIntent, body: WebhookBody, parts: OwnParts): Promise<MadeWebhook> {
  const made = await create(intent, { ...body, active: false }, parts);
  const why = await changeOwn(made, body, parts).catch(failedWith);
  if (why === undefined) return { ...asProven(made.listen, parts), body };
  if (!isGone((await removeOwn({ ...made, body }, parts)).result)) {
    const hint = `Where there is another way, ${setOperations('updateWebhook')}`;
    throw new ServiceError(`The webhook of this listen cannot be switched on: ${why}`, { hint });
  }
  return { ...(await create(intent, { ...body, active: true }, parts)), body };
}

async function create(intent: OwnIntent, body: WebhookBody, parts: OwnParts): Promise<ProvenWebhook> {
  const { client, books } = parts;
  const own = books.begin(intent);
  let shown: WebhookRecord | undefined;
  try {
    shown = await client.create(body);
  } catch (error) {
    if (neverActedOn(error, parts)) books.forget(intent.listen);
    else if (!(error instanceof EventregError) || error instanceof InterruptedError) throw error;
    else if (await findAfter(error, own, parts)) return asProven(intent.listen, parts);
    throw error;
  }
  books.note(intent.listen, { isMade: true });
  if (!(await prove(own, shown, parts))) {
    const named = shown?.id === undefined ? '' : `; its answer names ${shown.id} alone`;
    throw new ServiceError(`The service does not show that it has made the webhook, or which one${named}.`, {
      hint: 'Neither its answer nor its list shows an id together with the name or the address of the webhook: without that none is touched.',
    });
  }
  return asProven(intent.listen, parts);
}

function asProven(listen: string, { books }: OwnParts): ProvenWebhook {
  const own = books.find(listen);
  if (own?.webhookId === undefined) throw new Error(`The id of listen ${listen} is not in the books.`);
  return { ...own, webhookId: own.webhookId };
}

/** Answers that say that nothing was made: so it is, unless the list shows it. */
const REFUSALS: ReadonlySet<number> = new Set([301, 302, 307, 308, 400, 402, 404, 405, 410, 413, 415, 422]);

/** Whether the request of an error was not sent, or refused. */
function neverActedOn(error: unknown, { aborting }: OwnParts): boolean {
  if (isCalledOff(error) || error instanceof AuthorisationError) return true;
  // The first Ctrl-C ends waiting alone; only the second breaks off what is under way.
  if (error instanceof InterruptedError) return !aborting.aborted;
  const cause = error instanceof EventregError ? error.cause : undefined;
  return cause instanceof TransportError && !cause.sent;
}

/** Whether the list shows after all what a create has failed for. */
async function findAfter(error: EventregError, own: OwnWebhook, parts: OwnParts): Promise<boolean> {
  const status = answeredStatus(error) ?? 0;
  const isRefused = REFUSALS.has(status);
  const sighting = isRefused
    ? await lookFor(own, parts)
    : await lookForTwice(own, parts, hasShownId, parts.stopping);
  if (noteIdOf(own, sighting, parts)) return true;
  const mayBeRefused = status >= 400 && status < 500 && sighting.isTelling;
  if ((isRefused || mayBeRefused) && sighting.ours.length === 0) parts.books.forget(own.listen);
  return false;
}

const hasShownId = ({ ours }: Sighting): boolean => ours.some(({ id }) => id !== undefined);

function noteIdOf({ listen }: OwnWebhook, { ours }: Pick<Sighting, 'ours'>, { books }: OwnParts): boolean {
  const id = ours.find((record) => record.id !== undefined)?.id;
  if (id !== undefined) books.note(listen, { webhookId: id, isMade: true });
  return id !== undefined;
}

/** Finds out its id: by the list, else by the answer, unless the list shows that id as that of another. */
async function prove(own: OwnWebhook, answer: WebhookRecord | undefined, parts: OwnParts): Promise<boolean> {
  const told = answer !== undefined && isOurs(own, answer) ? answer : undefined;
  const id = told?.id;
  // Should the list not be read any more: whoever deletes it looks there first.
  if (told !== undefined) parts.books.noteShown(own.listen, told);
  if (id !== undefined) parts.books.note(own.listen, { webhookId: id });
  const isTold = ({ other }: Sighting): boolean => id !== undefined && other === undefined;
  const isEnough = (seen: Sighting): boolean => hasShownId(seen) || isTold(seen);
  const sighting = await lookForTwice({ ...own, webhookId: id }, parts, isEnough, parts.stopping);
  if (noteIdOf(own, sighting, parts) || isTold(sighting)) return true;
  const alone = answer?.id === undefined ? undefined : await readAlone(answer.id, parts.client);
  if (isShown(alone) && isOurs(own, alone) && noteIdOf(own, { ours: [alone] }, parts)) return true;
  parts.books.note(own.listen, { webhookId: undefined });
  return false;
}

/** Changes one of ours that is to be on, and reads the list. Returns why it is not on; throws what its change fails for. */
export async function changeOwn(
  made: ProvenWebhook,
  body: WebhookBody,
  parts: OwnParts,
): Promise<string | undefined> {
  const { client, books } = parts;
  books.noteChanging(made.listen);
  const changed = await client.update(made.webhookId, body);
  if (changed !== undefined) noteChanged(made, changed, parts);
  const { webhookId } = asProven(made.listen, parts);
  const shown = await lookTwice(
    async () => recordOfId(webhookId, await readWebhookList(client)),
    (seen) =>
      seen === undefined || (seen.active !== false && seenOf(body.webhook_url, seen.url) !== 'otherwise'),
    parts,
    parts.stopping,
  );
  // Nobody else has had the time to change it.
  if (shown !== undefined) books.noteListed(made.listen, shown);
  return shown?.active === false ? 'its list shows it switched off.' : undefined;
}

function failedWith(error: unknown): string {
  if (error instanceof ServiceError) return error.message;
  throw error;
}

/** What the answer to our own change shows is how the service writes it from now on; it may even have a new id. */
function noteChanged(own: ProvenWebhook, changed: WebhookRecord, { books }: OwnParts): void {
  const isSame = changed.id === undefined || changed.id === own.webhookId;
  if (!isSame && !isOurs(own, changed)) return;
  books.noteShown(own.listen, changed);
  if (changed.id !== undefined) books.note(own.listen, { webhookId: changed.id });
}
