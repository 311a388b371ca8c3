import type { EventregError } from '../../errors.ts';
import type { WebhookOperation } from '../../service/endpoints.ts';
import { answeredStatus, isNotOffered } from '../../service/http/failure.ts';
import type { WebhooksClient } from '../../service/webhooks.ts';
import type { Standing } from './evidence.ts';
import { failureOf } from './find-own.ts';

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

export const isMissing = ({ status }: Tried): boolean => status === 404 || status === 410;

export const hasFailed = ({ failure }: Tried): boolean => failure !== undefined;

export const isDone = (tried: Tried): boolean => !hasFailed(tried) && !isMissing(tried);

/** Some that were asked to be deleted. */
export interface Deletion {
  tries: readonly Tried[];
  /** Asks once more. */
  again: () => Promise<Deletion>;
}

/** Asks for each to be deleted. Throws what ends the command. */
export async function deleteAll(
  ids: readonly string[],
  client: WebhooksClient,
  keep?: (error: unknown) => EventregError,
): Promise<Deletion> {
  const tries = ids.map(async (id) => await tryTo(async () => await client.remove(id), keep));
  return { tries: await Promise.all(tries), again: async () => await deleteAll(ids, client, keep) };
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
 * The one proof that what was deleted is gone: it is by what is listed then, and where no list tells, when it cannot be
 * deleted again.
 */
export async function proveGone(
  { tries, again }: Deletion,
  listed: Standing,
  unread: EventregError | undefined,
): Promise<Reason & { standing: Standing }> {
  const isUntold = (listed === 'unknown' || listed === 'unseen') && tries.every(isDone);
  const isGone = isUntold && (await again()).tries.every(isMissing);
  return { standing: isGone ? 'gone' : listed, ...whyLeft(tries, listed, unread) };
}

function whyLeft(tries: readonly Tried[], listed: Standing, unread: EventregError | undefined): Reason {
  const [failed] = tries.flatMap(({ failure }) => failure ?? []);
  if (failed !== undefined) return reasonOf(failed, 'deleteWebhook');
  const missing = tries.find(isMissing);
  const { status, url } = missing ?? tries[0] ?? {};
  const said = `deleting it at ${url?.pathname} was answered with ${status}`;
  if (listed === 'there') return { why: `it is still in the list, and ${said}`, mend: ['deleteWebhook'] };
  const { why, mend } = whyUnlisted(unread);
  return { why: `${said}; ${why}`, mend: missing === undefined ? mend : ['deleteWebhook', ...mend] };
}
