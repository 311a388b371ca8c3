import { isDeepStrictEqual } from 'node:util';
import { AuthorisationError, ServiceError, UsageError } from '../../errors.ts';
import { visible } from '../../report/words/escape.ts';
import { setOperations } from '../../service/endpoints.ts';
import { answeredStatus } from '../../service/http/failure.ts';
import type { WebhookRecord } from '../../service/contracts/webhook.ts';
import { isRead, type Seen, seenOf, textOf } from '../../webhooks/own/evidence.ts';
import { failureOf, lookTwice, readWebhookList, webhookService } from '../../webhooks/own/find-own.ts';
import type { Described, OwnBooks, SetWebhook } from '../../webhooks/own/own-books.ts';
import type { Connection } from '../connect/connection.ts';
import { type Call, requireYes, say } from '../terminal/terminal.ts';
import { bodyOf, KEYS, knownBody, shownBody, WORDS, SECRET_KEY } from './webhook-body.ts';
import type { UpdateWebhookOptions } from './webhooks-options.ts';

/**
 * Changes a webhook, and reads it again. It is sent back as a whole, since a service may empty what is left out: what is
 * not known whole has to be given. Returns it as it is listed then. Throws UsageError for what is to be given, and
 * ServiceError unless something of what was asked for is proven, nothing is otherwise, and no secret may be lost.
 */
export async function updateWebhook(
  { client: { webhooks }, ...connection }: Connection,
  books: OwnBooks,
  secret: string | undefined,
  call: Call<UpdateWebhookOptions>,
): Promise<WebhookRecord> {
  const { options, runtime } = call;
  const { id } = options;
  const service = webhookService(connection);
  const listBefore = await webhooks.list();
  const set = books.setOf(service, id);
  const before = findWebhook(id, listBefore, set);
  const asked = bodyOf(options);
  const listed = shownBody(before);
  const body = wholeBody({ ...knownBody(listed, set.body), ...asked }, listed, id);
  for (const text of recalled(set, asked, listed)) say(call, text);
  const mayLose = secret === undefined && (set.hasSecret || showsSecret(before));
  if (mayLose) await requireYes(call, visible(`Webhook ${id} ${MAY_LOSE}`), 'Nothing was sent.');
  else if (secret === undefined) say(call, SECRET_UNSENT);
  const sent = secret === undefined ? body : { ...body, signing_secret_encrypted: secret };
  const now = { hasSecret: mayLose || secret !== undefined, at: runtime.clock.now() };
  books.noteSet(service, id, { ...now, body: {} });
  const failure = await webhooks.update(id, sent).then(() => undefined, failureOf);
  const isRefused = failure instanceof AuthorisationError || isClientError(answeredStatus(failure));
  const look = async (): Promise<Look> => {
    const list = await readWebhookList(webhooks);
    if (!isRead(list)) throw failure ?? unproven(untold(id), [list.message]);
    return lookOf(list, before, body);
  };
  const isEnough = ({ others }: Look): boolean => others.length === 0 || failure !== undefined;
  const { list, record, seen, others } = await lookTwice(look, isEnough, runtime, runtime.stopping);
  // What was refused, and is listed as it was, is as this machine knows it.
  if (isRefused && isDeepStrictEqual(shownBody(record), listed)) books.noteSet(service, id, set);
  if (failure !== undefined && secret !== undefined) throw failure;
  const strays = straysOf(listBefore, list, id);
  if (strays.length > 0) say(call, `Other webhooks are listed otherwise than before: ${strays.join(', ')}.`);
  const changes = KEYS.filter((key) => key in asked && seenOf(asked[key], listed[key]) !== 'so');
  const isProven = changes.some((key) => seen[key] === 'so');
  if (failure !== undefined && !(isProven && others.length === 0)) throw failure;
  if (others.length > 0) throw unproven(`Webhook ${id} is not as it was asked for.`, others);
  if (!isProven && changes.length > 0)
    throw unproven(untold(id), ['The list does not show whole what was to be changed.']);
  books.noteSet(service, id, { ...now, body });
  const unseen = KEYS.filter((key) => seen[key] === 'unshown').map((key) => WORDS[key][0]);
  if (secret !== undefined) unseen.push('signing secret');
  if (unseen.length > 0)
    say(call, `Could not be looked at, as it is not listed whole: ${unseen.join(', ')}.`);
  const isLost = showsSecret(before) && !showsSecret(record);
  if (isLost || mayLose)
    throw unproven(`Webhook ${id} ${isLost ? LOST : UNTOLD}`, [], `${SET_AGAIN} ${id} --secret-stdin`);
  return record;
}

const isClientError = (status = 0): boolean => status >= 400 && status < 500;

const SECRET_UNSENT =
  'A signing secret is never listed, so none was sent back: the service decides whether it stays. --secret-stdin sends it along.';

const MAY_LOSE =
  'seems to have a signing secret. That cannot be read back, and may be gone afterwards unless --secret-stdin sends it along. Change the webhook without it?';
const LOST = 'is as it was asked for, but has no signing secret any more.';
const UNTOLD = 'is as it was asked for, but whether its signing secret is still there cannot be told.';
const SET_AGAIN = 'Set it again: eventreg webhooks update';

/** What goes back from this machine's memory, in words: somebody may have changed what the list does not show. */
function recalled({ body, at }: SetWebhook, asked: Partial<Described>, listed: Partial<Described>): string[] {
  const keys = KEYS.filter(
    (key) => !(key in asked) && key in body && seenOf(body[key], listed[key]) === 'unshown',
  );
  return keys.map((key) => {
    const why = listed[key] === undefined ? 'does not show it' : `shows only ${textOf(listed[key])}`;
    const [day] = new Date(at).toISOString().split('T');
    const what = `its ${WORDS[key][0]}, as this machine set it on ${day}`;
    return visible(`Goes back: ${what}, since the list ${why}.`);
  });
}

/** A list that is empty, or shows no ids, does not tell that there is none. */
function findWebhook(id: string, webhooks: readonly WebhookRecord[], { at }: SetWebhook): WebhookRecord {
  const found = webhooks.find((webhook) => webhook.id === id);
  if (found !== undefined) return found;
  const ids = webhooks.flatMap((webhook) => webhook.id ?? []);
  const shown = `The list shows ${webhooks.length === 0 ? 'no webhooks' : 'no ids'}`;
  const made = at > 0 ? ', although this machine has set this one' : '';
  throw new UsageError(visible(`The list does not show a webhook with the id "${id}".`), {
    hint: visible(
      ids.length > 0
        ? `It shows: ${ids.join(', ')}.`
        : `${shown}${made}. Where there is another way, ${setOperations('listWebhooks')}`,
    ),
  });
}

/** A body that is whole. Throws UsageError that asks for all that is not known. */
function wholeBody(body: Partial<Described>, listed: Partial<Described>, id: string): Partial<Described> {
  const missing = KEYS.filter((key) => body[key] === undefined);
  if (missing.length === 0) return body;
  const details = missing.map((key) => {
    const shown =
      listed[key] === undefined ? 'not listed' : `listed as ${textOf(listed[key])}, which may be a part`;
    return visible(`Give ${WORDS[key][1]}: its ${WORDS[key][0]}, ${shown}.`);
  });
  const why = 'is sent back as a whole: what is listed in part, or not at all, would be lost.';
  const hint = 'Give all of it, as it is to be, along with what you gave: nothing was sent.';
  throw new UsageError(visible(`Webhook ${id} ${why}`), { details, hint });
}

/** What the list shows after the change. */
interface Look {
  list: readonly WebhookRecord[];
  record: WebhookRecord;
  seen: Readonly<Partial<Record<keyof Described, Seen>>>;
  /** What is not as it was sent, in words. */
  others: readonly string[];
}

function lookOf(list: readonly WebhookRecord[], before: WebhookRecord, body: Partial<Described>): Look {
  const record = list.find(({ id }) => id === before.id);
  const others = ['The list does not show it any more.'];
  if (record === undefined) return { list, record: before, seen: {}, others };
  const [shown, shownBefore] = [shownBody(record), shownBody(before)];
  const seen = Object.fromEntries(KEYS.map((key) => [key, seenOf(body[key], shown[key], shownBefore[key])]));
  const details = KEYS.filter((key) => seen[key] === 'otherwise').map((key) => {
    const is = shown[key] === undefined ? 'nothing' : textOf(shown[key]);
    return `The list has ${is} as its ${WORDS[key][0]}: ${textOf(body[key])} was sent.`;
  });
  return { list, record, seen, others: details };
}

/** The ids of other webhooks that are listed otherwise than before: a service may have changed another one, or all. */
function straysOf(before: Look['list'], after: Look['list'], id: string): string[] {
  const bodies = (list: Look['list'], which: string) => list.filter((one) => one.id === which).map(shownBody);
  const ids = before.flatMap((one) => one.id ?? []).filter((one) => one !== id);
  return ids.filter((one) => !isDeepStrictEqual(bodies(before, one), bodies(after, one)));
}

/** Masked, or as a mark that there is one. */
const showsSecret = ({ raw }: WebhookRecord): boolean =>
  Object.entries(raw).some(([key, value]) => SECRET_KEY.test(key) && Boolean(value));

const untold = (id: string): string => `Whether webhook ${id} is changed cannot be told.`;

const PATHS = `Where there is another way, ${setOperations('updateWebhook', 'listWebhooks')}`;

const unproven = (message: string, details: readonly string[], hint = PATHS): ServiceError =>
  new ServiceError(visible(message), { details: details.map(visible), hint: visible(hint) });
