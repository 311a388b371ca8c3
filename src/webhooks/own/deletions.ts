import type { EventregError } from '../../errors.ts';
import type { WebhookRecord } from '../../service/contracts/webhook.ts';
import type { WebhookOperation } from '../../service/endpoints.ts';
import { answeredStatus, isNotOffered } from '../../service/http/failure.ts';
import { isAbsent } from '../../service/http/outcome.ts';
import type { WebhooksClient } from '../../service/webhooks.ts';
import type { Standing } from './evidence.ts';
import { type Alone, failureOf, isShown, readAlone } from './find-own.ts';

/** What a request has come to. */
interface Tried {
  /** Of the answer, whatever it says. */
  status?: number | undefined;
  url?: URL;
  failure?: EventregError;
}

/** Does a request and keeps what came of it. Throws what ends the command. */
export async function tryTo(
  work: () => Promise<Tried>,
  keep: (error: unknown) => EventregError = failureOf,
): Promise<Tried> {
  try {
    return await work();
  } catch (error) {
    return { status: answeredStatus(error), failure: keep(error) };
  }
}

export const hasFailed = ({ failure }: Tried): boolean => failure !== undefined;

export const isDone = (tried: Tried): boolean => !hasFailed(tried) && !isAbsent(tried);

/** Some that were asked to be deleted, and what the address of one has shown before, where no list has shown it. */
export interface Deletion {
  tries: readonly Tried[];
  alone: Alone;
}

/** Asks for each to be deleted. Throws what ends the command. */
export async function deleteAll(
  ids: readonly string[],
  client: WebhooksClient,
  keep?: (error: unknown) => EventregError,
): Promise<readonly Tried[]> {
  return await Promise.all(ids.map((id) => tryTo(async () => await client.remove(id), keep)));
}

/** Why one is not gone, or not proven to be, and what may help: other shapes of operations, or with none another try. */
export interface Reason {
  why: string;
  mend: readonly WebhookOperation[];
}

const reasonOf = (error: EventregError, operation: WebhookOperation): Reason => ({
  why: [error.message, ...error.details].join('; '),
  mend: isNotOffered(error) ? [operation] : [],
});

/** Why no list tells of one; `unread`: it cannot be read. */
export const whyUnlisted = (unread: EventregError | undefined): Reason =>
  unread ? reasonOf(unread, 'listWebhooks') : { why: 'the list does not show it.', mend: ['listWebhooks'] };

/**
 * The one proof that what was deleted is gone: it is by what is listed then, and where no list tells, when its own
 * address shows it no more. Deleting it again would delete whatever has its id by then.
 */
export async function proveGone(
  { tries, alone }: Deletion,
  listed: Standing,
  unread: EventregError | undefined,
  client: WebhooksClient,
): Promise<Reason & { standing: Standing; shown?: WebhookRecord }> {
  const isTold = listed !== 'unknown' && listed !== 'unseen';
  if (isTold || !isShown(alone) || alone.id === undefined)
    return { standing: listed, ...whyLeft(tries, listed, unread) };
  const after = await readAlone(alone.id, client);
  const isThere = isShown(after) && after.name === alone.name && after.url === alone.url;
  // Where another has its id, ids are places in a list, or somebody has changed it.
  const isGone = after === undefined || (isShown(after) && !isThere && tries.every(isDone));
  const standing = isThere ? 'there' : isGone ? 'gone' : isShown(after) ? 'unclear' : 'unknown';
  return { standing, ...(isThere && { shown: after }), ...whyLeft(tries, standing, unread) };
}

function whyLeft(tries: readonly Tried[], listed: Standing, unread: EventregError | undefined): Reason {
  const [failed] = tries.flatMap(({ failure }) => failure ?? []);
  if (failed !== undefined) return reasonOf(failed, 'deleteWebhook');
  const missing = tries.find(isAbsent);
  const { status, url } = missing ?? tries[0] ?? {};
  const said = `deleting it at ${url?.pathname} was answered with ${status}`;
  if (listed === 'there') return { why: `it is still shown, and ${said}`, mend: ['deleteWebhook'] };
  const { why, mend } = whyUnlisted(unread);
  return { why: `${said}; ${why}`, mend: missing === undefined ? mend : ['deleteWebhook', ...mend] };
}
