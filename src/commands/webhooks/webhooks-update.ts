import { ServiceError, UsageError } from '../../errors.ts';
import { visible } from '../../report/words/escape.ts';
import type { Runtime } from '../../runtime.ts';
import type { WebhookRecord } from '../../service/contracts/webhook.ts';
import { type Seen, seenOf } from '../../webhooks/own/evidence.ts';
import { SECOND_LOOK_MS } from '../../webhooks/own/find-own.ts';
import type { Described, OwnBooks } from '../../webhooks/own/own-books.ts';
import type { Connection } from '../connect/connection.ts';
import { webhookService } from '../connect/left-webhooks.ts';
import { typedCommand } from '../options/typed-command.ts';
import { say } from '../terminal/terminal.ts';
import { askedBody, KEYS, knownBody, shownBody, WORDS } from './webhook-body.ts';
import { SECRET_KEY } from './webhook-record.ts';
import { asFailure, readListed } from './webhooks-delete.ts';
import type { UpdateWebhookOptions } from './webhooks-options.ts';

type Key = keyof Described;

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
  const asked = askedBody(options);
  const listed = shownBody(before);
  const changes = KEYS.filter((key) => key in asked && seenOf(asked[key], listed[key]) !== 'so');
  const body = { ...knownBody(listed, books.setOf(service, id)), ...asked };
  requireWhole(body, before, options);
  const sent = secret === undefined ? body : { ...body, signing_secret_encrypted: secret };
  books.forgetSet(service, id);
  const failure = await webhooks.update(id, sent).then(() => undefined, asFailure);
  if (failure !== undefined && secret !== undefined) throw failure;
  if (secret === undefined && !showsSecret(before)) say(options, runtime, SECRET_UNSENT);
  const look = async (): Promise<Look> => {
    const list = await readListed(webhooks);
    if (typeof list === 'string') throw failure ?? untold(id, list);
    return lookOf(list, before, body, secret !== undefined);
  };
  let after = await look();
  if (after.others.length > 0 && failure === undefined) {
    // A list may lag behind for a moment.
    await runtime.clock.sleep(SECOND_LOOK_MS, runtime.stopping);
    after = await look();
  }
  const isProven = changes.some((key) => after.seen[key] === 'so');
  if (failure !== undefined && !(isProven && after.others.length === 0)) throw failure;
  if (after.others.length > 0) throw notAsAsked(id, after.others);
  if (!isProven && changes.length > 0)
    throw untold(id, 'The list does not show whole what was to be changed.');
  books.noteSet(service, id, body as Described);
  const unseen = KEYS.filter((key) => after.seen[key] === 'unshown').map((key) => WORDS[key][0]);
  if (secret !== undefined) unseen.push('signing secret');
  if (unseen.length > 0)
    say(options, runtime, `Could not be looked at, as it is not listed whole: ${unseen.join(', ')}.`);
  return after.record;
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

/** Throws UsageError that asks for all that is not known, with the whole command. */
function requireWhole(body: Partial<Described>, before: WebhookRecord, options: UpdateWebhookOptions): void {
  const missing = KEYS.filter((key) => body[key] === undefined);
  if (missing.length === 0) return;
  const shown = shownBody(before);
  const details = missing.map((key) => {
    const what =
      shown[key] === undefined ? 'is not listed' : `is listed as ${textOf(shown[key])}, which may be a part`;
    return visible(`Its ${WORDS[key][0]} ${what}.`);
  });
  const given = ['webhooks', 'update', options.id, ...flagsOf(options)];
  const flags = missing.map((key) => WORDS[key][1]).join(' ');
  throw new UsageError(
    visible(
      `Webhook ${options.id} is sent back as a whole: what is listed in part, or not at all, would be lost.`,
    ),
    { details, hint: visible(`Give it as it is to be: ${typedCommand(given, options)} ${flags}`) },
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** What was given, as it is typed. */
function flagsOf(options: UpdateWebhookOptions): string[] {
  const { url, name, trigger, active, config, event, secretStdin } = options;
  const pair = (flag: string, value: unknown): string[] => (value === undefined ? [] : [flag, textOf(value)]);
  return [
    ...pair('--url', url),
    ...pair('--name', name),
    ...trigger.flatMap((one) => ['--trigger', one]),
    ...(active === undefined ? [] : [active ? '--active' : '--inactive']),
    ...pair('--config', config),
    ...pair('--event', event),
    ...(secretStdin ? ['--secret-stdin'] : []),
  ];
}

/** What the list shows after the change. */
interface Look {
  record: WebhookRecord;
  seen: Readonly<Partial<Record<Key, Seen>>>;
  /** What is not as it was sent, in words. */
  others: readonly string[];
}

function lookOf(
  list: readonly WebhookRecord[],
  before: WebhookRecord,
  body: Partial<Described>,
  hasSecret: boolean,
): Look {
  const { id } = before;
  const record = list.find((one) => one.id === id);
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

const untold = (id: string, why: string): ServiceError =>
  new ServiceError(visible(`Whether webhook ${id} is changed cannot be told.`), {
    details: [visible(why)],
    hint: 'The interface shows no path for listing webhooks: listWebhooks in endpoints of the profile says which it is.',
  });

const notAsAsked = (id: string, others: readonly string[]): ServiceError =>
  new ServiceError(visible(`Webhook ${id} is not as it was asked for.`), {
    details: others.map(visible),
    hint: 'The interface shows no path for changing webhooks: updateWebhook in endpoints of the profile says which it is.',
  });
