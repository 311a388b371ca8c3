import { ServiceError, UsageError } from '../../errors.ts';
import { visible } from '../../report/words/escape.ts';
import type { Runtime } from '../../runtime.ts';
import type { WebhookRecord } from '../../service/contracts/webhook.ts';
import { type Seen, seenOf, textOf } from '../../webhooks/own/evidence.ts';
import { lookTwice, readWebhookList } from '../../webhooks/own/find-own.ts';
import type { Described, OwnBooks } from '../../webhooks/own/own-books.ts';
import type { Connection } from '../connect/connection.ts';
import { webhookService } from '../connect/left-webhooks.ts';
import { say } from '../terminal/terminal.ts';
import { bodyOf, KEYS, knownBody, shownBody, WORDS } from './webhook-body.ts';
import { SECRET_KEY } from './webhook-record.ts';
import { asFailure } from './webhooks-delete.ts';
import type { UpdateWebhookOptions } from './webhooks-options.ts';

/**
 * Changes a webhook, and reads it again. It is sent back as a whole, since a service may empty what is left out: what is
 * not known whole has to be given. Returns it as it is listed then. Throws UsageError for what is to be given, and
 * ServiceError unless something of what was asked for is proven and nothing is otherwise.
 */
export async function updateWebhook(
  { client: { webhooks }, ...connection }: Connection,
  books: OwnBooks,
  {
    options,
    secret,
    runtime,
  }: { options: UpdateWebhookOptions; secret: string | undefined; runtime: Runtime },
): Promise<WebhookRecord> {
  const { id } = options;
  const service = webhookService(connection);
  const before = findWebhook(id, await webhooks.list());
  const asked = bodyOf(options);
  const listed = shownBody(before);
  const body = wholeBody({ ...knownBody(listed, books.setOf(service, id)), ...asked }, listed, id);
  const sent = secret === undefined ? body : { ...body, signing_secret_encrypted: secret };
  books.noteSet(service, id, {});
  const failure = await webhooks.update(id, sent).then(() => undefined, asFailure);
  if (failure !== undefined && secret !== undefined) throw failure;
  if (secret === undefined && !showsSecret(before)) say(options, runtime, SECRET_UNSENT);
  const look = async (): Promise<Look> => {
    const list = await readWebhookList(webhooks, asFailure);
    if (typeof list === 'string') throw failure ?? unproven(untold(id), [list]);
    return lookOf(list, before, body, secret !== undefined);
  };
  const isEnough = ({ others }: Look): boolean => others.length === 0 || failure !== undefined;
  const { record, seen, others } = await lookTwice(look, isEnough, runtime, runtime.stopping);
  const changes = KEYS.filter((key) => key in asked && seenOf(asked[key], listed[key]) !== 'so');
  const isProven = changes.some((key) => seen[key] === 'so');
  if (failure !== undefined && !(isProven && others.length === 0)) throw failure;
  if (others.length > 0) throw unproven(`Webhook ${id} is not as it was asked for.`, others);
  if (!isProven && changes.length > 0) throw unproven(untold(id), [UNSHOWN]);
  books.noteSet(service, id, body);
  const unseen = KEYS.filter((key) => seen[key] === 'unshown').map((key) => WORDS[key][0]);
  if (secret !== undefined) unseen.push('signing secret');
  if (unseen.length > 0)
    say(options, runtime, `Could not be looked at, as it is not listed whole: ${unseen.join(', ')}.`);
  return record;
}

const SECRET_UNSENT =
  'A signing secret is never listed, so none was sent back: the service decides whether it stays. --secret-stdin sends it along.';

function findWebhook(id: string, webhooks: readonly WebhookRecord[]): WebhookRecord {
  const found = webhooks.find((webhook) => webhook.id === id);
  if (found !== undefined) return found;
  const ids = webhooks.flatMap((webhook) => webhook.id ?? []);
  throw new UsageError(visible(`There is no webhook with the id "${id}".`), {
    hint: ids.length === 0 ? 'There are no webhooks.' : visible(`There are: ${ids.join(', ')}.`),
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
  record: WebhookRecord;
  seen: Readonly<Partial<Record<keyof Described, Seen>>>;
  /** What is not as it was sent, in words. */
  others: readonly string[];
}

function lookOf(
  list: readonly WebhookRecord[],
  before: WebhookRecord,
  body: Partial<Described>,
  hasSecret: boolean,
): Look {
  const record = list.find(({ id }) => id === before.id);
  if (record === undefined) {
    return { record: before, seen: {}, others: ['The list does not show it any more.'] };
  }
  const [shown, shownBefore] = [shownBody(record), shownBody(before)];
  const seen = Object.fromEntries(KEYS.map((key) => [key, seenOf(body[key], shown[key], shownBefore[key])]));
  const others = KEYS.filter((key) => seen[key] === 'otherwise').map((key) => {
    const is = shown[key] === undefined ? 'is not listed any more' : `is listed as ${textOf(shown[key])}`;
    return `Its ${WORDS[key][0]} ${is}: ${textOf(body[key])} was sent.`;
  });
  const isLost = !hasSecret && showsSecret(before) && !showsSecret(record);
  return { record, seen, others: isLost ? [...others, SECRET_LOST] : others };
}

const SECRET_LOST = 'Its signing secret is not there any more: give it again with --secret-stdin.';

/** Masked, or as a mark that there is one. */
const showsSecret = ({ raw }: WebhookRecord): boolean =>
  Object.entries(raw).some(([key, value]) => SECRET_KEY.test(key) && Boolean(value));

const untold = (id: string): string => `Whether webhook ${id} is changed cannot be told.`;
const UNSHOWN = 'The list does not show whole what was to be changed.';

const unproven = (message: string, details: readonly string[]): ServiceError =>
  new ServiceError(visible(message), {
    details: details.map(visible),
    hint: 'The interface shows no path for changing and listing webhooks: set updateWebhook and listWebhooks in endpoints of the profile.',
  });
