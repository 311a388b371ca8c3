import { EXIT, type ExitCode, ServiceError, UsageError } from '../../errors.ts';
import { visible } from '../../report/words/escape.ts';
import { plural } from '../../report/words/number.ts';
import { canStandInPath, setOperations } from '../../service/endpoints.ts';
import type { WebhookRemoval } from '../../service/webhooks.ts';
import { isRead, type Listed, recordOfId, standingOfId } from '../../webhooks/own/evidence.ts';
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
  const service = webhookService(connection);
  const list = async (): Promise<Listed> => await readWebhookList(webhooks, asFailure);
  const remove = async (id: string): Promise<Answer> => await webhooks.remove(id).catch(asFailure);
  const before = await list();
  const answers: [id: string, Answer][] = [];
  for (const id of ids) answers.push([id, await remove(id)]);
  const said = answers.filter(([, answer]) => !(answer instanceof ServiceError));
  const areGone = (seen: Listed): boolean => said.every(([id]) => recordOfId(id, seen) === undefined);
  const after = await lookTwice(list, areGone, runtime, runtime.stopping);
  const fates: [id: string | number, Fate][] = [];
  for (const [id, answer] of answers) {
    const isOurs = books.setOf(service, id).at > 0;
    const fate = await judge(id, answer, { before, after, isOurs, again: () => remove(id) });
    if (fate.result === 'deleted') books.noteSet(service, id);
    fates.push([recordOfId(id, before)?.shownId ?? id, fate]);
  }
  await tell(fates, call);
  return fates.some(([, { result }]) => result === 'absent') ? EXIT.rejected : EXIT.done;
}

/** A failure of the service is kept for the end; a refused token or Ctrl-C stops the others too. */
export function asFailure(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  throw error;
}

type Answer = WebhookRemoval | ServiceError;

interface Seen {
  before: Listed;
  after: Listed;
  /** This machine has made it, or changed it: it was there. */
  isOurs: boolean;
  /** Deletes it once more. */
  again: () => Promise<Answer>;
}

const isMissing = (answer: Answer): boolean =>
  !(answer instanceof ServiceError) && (answer.status === 404 || answer.status === 410);

/** What no list tells, a second deletion does: what was deleted is gone when it cannot be deleted again. */
async function judge(id: string, answer: Answer, { before, after, isOurs, again }: Seen): Promise<Fate> {
  const standing = standingOfId(id, before, after);
  if (standing === 'gone') return { result: 'deleted' };
  if (answer instanceof ServiceError) {
    return { result: 'failed', why: [answer.message, ...answer.details].join('; ') };
  }
  const { status, url } = answer;
  if (standing === 'there') {
    const said = `deleting it at ${url.pathname} was answered with ${status}`;
    return { result: 'failed', why: `Webhook ${id} is still in the list: ${said}` };
  }
  if (!isMissing(answer) && isMissing(await again())) return { result: 'deleted' };
  if (isMissing(answer) && !isOurs && standing === 'unseen') return { result: 'absent' };
  const unread = [before, after].find((list) => !isRead(list));
  const shown = unread instanceof ServiceError ? unread.message : 'the list does not show it.';
  const why = `Whether webhook ${id} is deleted cannot be told: ${shown} Deleting it was answered with ${status}.`;
  return { result: 'unknown', why };
}

async function tell(
  fates: readonly [id: string | number, Fate][],
  call: Call<DeleteWebhooksOptions>,
): Promise<void> {
  const { options } = call;
  const writer = openRecords(call, ['id', 'result'], ['webhooks-delete@1', 'results']);
  for (const [id, { result }] of fates) {
    if (options.output !== 'table') await writer.write({ id, result });
    if (result === 'deleted' || result === 'absent') {
      say(call, `Webhook ${id} ${FATES[result]}.`);
    }
  }
  if (options.output !== 'table') await writer.end();
  const open = fates.map(([, fate]) => fate).filter(({ why }) => why !== undefined);
  if (open.length === 0) return;
  const failed = open.filter(({ result }) => result === 'failed').length;
  const all = plural(fates.length, 'webhook', 'webhooks');
  const message =
    failed > 0
      ? `${failed} of ${all} could not be deleted.`
      : `Whether ${open.length} of ${all} ${open.length === 1 ? 'is' : 'are'} deleted cannot be told.`;
  throw new ServiceError(message, {
    details: open.flatMap(({ why }) => why ?? []),
    hint: `Where there is another way, ${setOperations('deleteWebhook', 'listWebhooks')}`,
  });
}
