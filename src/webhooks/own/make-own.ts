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
import { isOurs, type Sighting, sightingOf } from './evidence.ts';
import { lookFor, lookTwice, type OwnParts, readWebhookList, SECOND_LOOK_MS } from './find-own.ts';
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
  const why = await switchOn(made, body, parts);
  if (why === undefined) return { ...asProven(made.listen, parts), body };
  if (!isGone((await removeOwn({ ...made, body }, parts)).result)) {
    const hint =
      'The interface shows no path for changing a webhook: set updateWebhook in endpoints of the profile.';
    const hasPath = parts.books.find(made.listen)?.canUpdate === true;
    throw new ServiceError(
      `The webhook of this listen cannot be switched on: ${why}`,
      hasPath ? {} : { hint },
    );
  }
  return { ...(await create(intent, { ...body, active: true }, parts)), body };
}

async function create(intent: OwnIntent, body: WebhookBody, parts: OwnParts): Promise<ProvenWebhook> {
  const { client, books } = parts;
  books.begin(intent);
  const own = bookedOf(intent.listen, parts);
  let shown: WebhookRecord | undefined;
  try {
    shown = await client.create(body);
  } catch (error) {
    if (neverActedOn(error, parts)) books.forget(intent.listen);
    else if (!(error instanceof EventregError) || error instanceof InterruptedError) throw error;
    else if (await findAfter(error, own, parts)) return asProven(intent.listen, parts);
    throw error;
  }
  books.noteMade(intent.listen);
  if (!(await prove(own, shown, parts))) {
    throw new ServiceError('The service does not show which webhook it has made.', {
      hint: 'Neither its answer nor its list shows an id together with the name or the address of the webhook: without that none is touched.',
    });
  }
  return asProven(intent.listen, parts);
}

const bookedOf = (listen: string, { books }: OwnParts): OwnWebhook => {
  const own = books.find(listen);
  if (own === undefined) throw new Error(`The webhook of listen ${listen} is not in the books.`);
  return own;
};

function asProven(listen: string, parts: OwnParts): ProvenWebhook {
  const own = bookedOf(listen, parts);
  if (own.webhookId === undefined) throw new Error(`The id of listen ${listen} is not in the books.`);
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
  const isRefused = REFUSALS.has(answeredStatus(error) ?? 0);
  const sighting = isRefused
    ? await lookFor(own, parts)
    : await lookTwice(own, parts, hasShownId, parts.stopping);
  if (noteIdOf(own, sighting, parts)) return true;
  if (isRefused && sighting.ours.length === 0) parts.books.forget(own.listen);
  return false;
}

const hasShownId = ({ ours }: Sighting): boolean => ours.some(({ id }) => id !== undefined);

function noteIdOf({ listen }: OwnWebhook, { ours }: Sighting, { books }: OwnParts): boolean {
  const id = ours.find((record) => record.id !== undefined)?.id;
  if (id !== undefined) books.noteId(listen, id);
  return id !== undefined;
}

/** Finds out its id: by the list, else by the answer, unless the list shows that id as that of another. */
async function prove(own: OwnWebhook, answer: WebhookRecord | undefined, parts: OwnParts): Promise<boolean> {
  const told = answer !== undefined && isOurs(own, answer) ? answer : undefined;
  if (told !== undefined) parts.books.noteShown(own.listen, told);
  const list = await readWebhookList(parts.client);
  const asTold = { ...bookedOf(own.listen, parts), webhookId: told?.id };
  const sighting = sightingOf(asTold, list);
  const [listed] = sighting.ours;
  if (listed !== undefined) parts.books.noteListed(own.listen, listed);
  if (noteIdOf(own, sighting, parts)) return true;
  if (told?.id !== undefined && sighting.other === undefined) {
    parts.books.noteId(own.listen, told.id);
    return true;
  }
  if (sighting.unread !== undefined) return false;
  await parts.clock.sleep(SECOND_LOOK_MS, parts.stopping);
  return noteIdOf(own, await lookFor(own, parts), parts);
}

/** Returns why it is not on. */
async function switchOn(
  made: ProvenWebhook,
  body: WebhookBody,
  parts: OwnParts,
): Promise<string | undefined> {
  const { client, books } = parts;
  books.noteChanging(made.listen);
  try {
    const changed = await client.update(made.webhookId, { ...body, active: true });
    books.noteUpdated(made.listen);
    if (changed !== undefined) noteChanged(made, changed, parts);
    if (changed?.active === true) return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error.message;
    throw error;
  }
  const list = await readWebhookList(client);
  if (typeof list === 'string') return undefined;
  const { webhookId } = asProven(made.listen, parts);
  const shown = list.find(({ id }) => id === webhookId);
  // Nobody else has had the time to change it.
  if (shown !== undefined) books.noteListed(made.listen, shown);
  return shown?.active === false ? 'the service says so, and its list shows it switched off.' : undefined;
}

/** What the answer to our own change shows is how the service writes it from now on; it may even have a new id. */
function noteChanged(own: ProvenWebhook, changed: WebhookRecord, { books }: OwnParts): void {
  const isSame = changed.id === undefined || changed.id === own.webhookId;
  if (!isSame && !isOurs(own, changed)) return;
  books.noteShown(own.listen, changed);
  if (changed.id !== undefined) books.noteId(own.listen, changed.id);
}
