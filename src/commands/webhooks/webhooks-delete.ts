import { EXIT, type ExitCode, ServiceError, UsageError } from '../../errors.ts';
import { visible } from '../../report/words/escape.ts';
import { plural } from '../../report/words/number.ts';
import { canStandInPath } from '../../service/endpoints.ts';
import type { WebhookRemoval } from '../../service/webhooks.ts';
import { type Listed, sightingOfId, standingOfId } from '../../webhooks/own/evidence.ts';
import { lookTwice, readWebhookList } from '../../webhooks/own/find-own.ts';
import type { OwnBooks } from '../../webhooks/own/own-books.ts';
import { FATES } from '../../webhooks/own/remove-own.ts';
import type { Connection } from '../connect/connection.ts';
import { webhookService } from '../connect/left-webhooks.ts';
import { requireYes, openRecords, say, type Call } from '../terminal/terminal.ts';
import type { DeleteWebhooksOptions } from './webhooks-options.ts';

/** `unknown`: the list does not tell. */
type Result = 'deleted' | 'absent' | 'failed' | 'unknown';

/** What became of one webhook, with why where it is not gone. */
interface Fate {
  result: Result;
  why?: string;
}

/**
 * Asks, deletes, and reads the list: only what it no longer shows is gone. Returns the exit code: what was not there
 * was not deleted either. Throws ServiceError for the rest.
 */
export async function deleteWebhooks(
  connection: Connection,
  books: OwnBooks,
  call: Call<DeleteWebhooksOptions>,
): Promise<ExitCode> {
  const { options, runtime } = call;
  const { webhooks } = connection.client;
  const ids = [...new Set(options.id)];
  const odd = ids.find((id) => !canStandInPath(id));
  if (odd !== undefined) throw new UsageError(visible(`No webhook can have the id ${JSON.stringify(odd)}.`));
  const question = `Delete ${plural(ids.length, 'webhook', 'webhooks')} (${visible(ids.join(', '))})?`;
  await requireYes(call, question, 'Nothing was deleted.');
  const list = async (): Promise<Listed> => await readWebhookList(webhooks, asFailure);
  const before = await list();
  const answers = new Map<string, WebhookRemoval | ServiceError>();
  for (const id of ids) answers.set(id, await webhooks.remove(id).catch(asFailure));
  const said = ids.filter((id) => !(answers.get(id) instanceof ServiceError));
  const areGone = (seen: Listed): boolean => said.every((id) => sightingOfId(id, seen).ours.length === 0);
  const after = await lookTwice(list, areGone, runtime, runtime.stopping);
  const fates = new Map([...answers].map(([id, answer]) => [id, judge(id, answer, before, after)] as const));
  for (const [id, { result }] of fates) {
    if (result === 'deleted') books.noteSet(webhookService(connection), id);
  }
  await tell(fates, call);
  return [...fates.values()].some(({ result }) => result === 'absent') ? EXIT.rejected : EXIT.done;
}

/** A failure of the service is kept for the end; a refused token or Ctrl-C stops the others too. */
export function asFailure(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  throw error;
}

function judge(id: string, answer: WebhookRemoval | ServiceError, before: Listed, after: Listed): Fate {
  const standing = standingOfId(id, before, after);
  if (standing === 'gone') return { result: 'deleted' };
  if (answer instanceof ServiceError) {
    return { result: 'failed', why: [answer.message, ...answer.details].join('; ') };
  }
  const { status, url } = answer;
  if (standing === 'there') {
    const said = `DELETE ${url.pathname} was answered with ${status}`;
    return { result: 'failed', why: `Webhook ${id} is still in the list: ${said}` };
  }
  const { unread } = sightingOfId(id, after);
  const isMissing = standing === 'unseen' || status === 404 || status === 410;
  if (unread === undefined && isMissing) return { result: 'absent' };
  const why = unread ?? 'the list could not be read before';
  return { result: 'unknown', why: `Whether webhook ${id} is deleted cannot be told: ${why}` };
}

async function tell(fates: ReadonlyMap<string, Fate>, call: Call<DeleteWebhooksOptions>): Promise<void> {
  const { options } = call;
  const writer = openRecords(call, ['id', 'result'], ['webhooks-delete@1', 'results']);
  for (const [id, { result }] of fates) {
    if (options.output !== 'table') await writer.write({ id, result });
    if (result === 'deleted' || result === 'absent') {
      say(call, `Webhook ${id} ${FATES[result]}.`);
    }
  }
  if (options.output !== 'table') await writer.end();
  const open = [...fates.values()].filter(({ why }) => why !== undefined);
  if (open.length === 0) return;
  const failed = open.filter(({ result }) => result === 'failed').length;
  const all = plural(fates.size, 'webhook', 'webhooks');
  const message =
    failed > 0
      ? `${failed} of ${all} could not be deleted.`
      : `Whether ${open.length} of ${all} ${open.length === 1 ? 'is' : 'are'} deleted cannot be told.`;
  throw new ServiceError(message, {
    details: open.flatMap(({ why }) => why ?? []),
    hint: 'The interface shows no path for deleting and listing webhooks: set deleteWebhook and listWebhooks in endpoints of the profile.',
  });
}
