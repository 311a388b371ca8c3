import { EXIT, type ExitCode, ServiceError, UsageError } from '../../errors.ts';
import { visible } from '../../report/words/escape.ts';
import { plural } from '../../report/words/number.ts';
import { canStandInPath, setOperations, type WebhookOperation } from '../../service/endpoints.ts';
import { bearsId } from '../../service/contracts/webhook.ts';
import { isAbsent } from '../../service/http/outcome.ts';
import type { WebhooksClient } from '../../service/webhooks.ts';
import { deleteAll, type Deletion, hasFailed, proveGone, type Reason } from '../../webhooks/own/deletions.ts';
import { isRead, type Listed, recordOfId, standingOfId } from '../../webhooks/own/evidence.ts';
import { lookTwice, readAlone, readWebhookList, webhookService } from '../../webhooks/own/find-own.ts';
import type { OwnBooks } from '../../webhooks/own/own-books.ts';
import { FATES } from '../../webhooks/own/remove-own.ts';
import type { Connection } from '../connect/connection.ts';
import { requireYes, openRecords, say, type Call } from '../terminal/terminal.ts';
import type { DeleteWebhooksOptions } from './webhooks-options.ts';

/** `unknown`: the list does not tell. */
type Result = 'deleted' | 'absent' | 'failed' | 'unknown';

/** What became of one webhook, with why where it is not gone. */
interface Fate extends Partial<Reason> {
  result: Result;
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
  const before = await list();
  for (const id of ids) refuseShared(id, before);
  const deletions: [id: string, Deletion][] = [];
  for (const id of ids) {
    const alone = recordOfId(id, before) ? undefined : await readAlone(id, webhooks);
    deletions.push([id, { alone, tries: await deleteAll([id], webhooks, asFailure) }]);
  }
  const said = deletions.filter(([, { tries }]) => !tries.some(hasFailed));
  const areGone = (seen: Listed): boolean => said.every(([id]) => recordOfId(id, seen) === undefined);
  const after = await lookTwice(list, areGone, runtime, runtime.stopping);
  const fates: [id: string | number, Fate][] = [];
  for (const [id, deletion] of deletions) {
    const isOurs = books.setOf(service, id).at > 0;
    const fate = await judge(id, deletion, { before, after, isOurs, client: webhooks });
    if (fate.result === 'deleted') books.noteSet(service, id);
    fates.push([recordOfId(id, before)?.shownId ?? id, fate]);
  }
  await tell(fates, call);
  return fates.some(([, { result }]) => result === 'absent') ? EXIT.rejected : EXIT.done;
}

/** Throws UsageError for what several webhooks show: it may name the event, and all of them. */
function refuseShared(id: string, list: Listed): void {
  const sharing = isRead(list) ? list.filter((one) => one.id !== id && bearsId(one, id)) : [];
  if (sharing.length > 1)
    throw new UsageError(visible(`Several webhooks are listed with ${id}: it is not the id of one.`));
}

/** A failure of the service is kept for the end; a refused token or Ctrl-C stops the others too. */
export function asFailure(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  throw error;
}

interface Seen {
  before: Listed;
  after: Listed;
  /** This machine has made it, or changed it: it was there. */
  isOurs: boolean;
  client: WebhooksClient;
}

async function judge(id: string, deletion: Deletion, { before, after, isOurs, client }: Seen): Promise<Fate> {
  const { tries } = deletion;
  const unread = [before, after].find((list) => list instanceof ServiceError);
  const listed = standingOfId(id, before, after);
  const { standing, why, mend } = await proveGone(deletion, listed, unread, client);
  if (standing === 'gone') return { result: 'deleted' };
  if (tries.some(hasFailed)) return { result: 'failed', why, mend };
  if (standing === 'there') return { result: 'failed', why: `Webhook ${id} is not deleted: ${why}`, mend };
  if (standing === 'unseen' && !isOurs && tries.every(isAbsent)) return { result: 'absent' };
  return { result: 'unknown', why: `Whether webhook ${id} is deleted cannot be told: ${why}`, mend };
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
    hint: hintFor([...new Set(open.flatMap(({ mend = [] }) => mend))]),
  });
}

const hintFor = (mend: readonly WebhookOperation[]): string =>
  mend.length === 0
    ? 'Try again later: a webhook that is deleted already is no harm.'
    : `Where there is another way, ${setOperations(...mend)}`;
