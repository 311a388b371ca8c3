import { EXIT, type ExitCode, InterruptedError } from '../../errors.ts';
import { visible } from '../../report/words/escape.ts';
import { requireIntegUrl } from '../../service/webhooks.ts';
import { isRead, sightingOf, standingOf } from '../../webhooks/own/evidence.ts';
import { type OwnParts, readWebhookList, nameOf, webhookService } from '../../webhooks/own/find-own.ts';
import { OwnBooks, type OwnWebhook } from '../../webhooks/own/own-books.ts';
import { FATES, type OwnFate, removeOwn } from '../../webhooks/own/remove-own.ts';
import { connectSaying } from '../connect/connect-saying.ts';
import { requireYes, openRecords, say, type Call } from '../terminal/terminal.ts';
import type { ListenOptions } from './delivery-options.ts';
import { isUnsure, leftError } from './listen-webhook.ts';

/** Deletes the webhooks that killed listens of this machine have left at the service. */
export async function runCleanup(call: Call<ListenOptions>): Promise<ExitCode> {
  const { clock, paths, stopping, aborting } = call.runtime;
  const connection = await connectSaying(call);
  const books = new OwnBooks(paths.state);
  try {
    requireIntegUrl(connection.settings.integUrl);
    const { webhooks: client } = connection.client;
    const service = webhookService(connection);
    const all = books.leftovers(clock.now());
    const left = all.filter((own) => own.service === service);
    if (left.length === 0) say(call, 'No listen of this machine has left a webhook at this service.');
    else await confirmUnshown(left, client, call);
    for (const own of all.filter((one) => one.service !== service)) {
      say(call, `Webhook ${nameOf(own)} is left elsewhere: at ${own.service}`);
    }
    const parts: OwnParts = { client, books, clock, stopping, aborting };
    const fates: [OwnWebhook, OwnFate][] = [];
    for (const own of left) fates.push([own, await removeOwn(own, parts)]);
    await tell(fates, call);
  } finally {
    books.close();
    await connection.close();
  }
  return EXIT.done;
}

/** Where no list shows its name, a webhook cannot be told by its id from one that somebody made since. */
async function confirmUnshown(
  left: readonly OwnWebhook[],
  client: OwnParts['client'],
  call: Call<ListenOptions>,
): Promise<void> {
  const list = await readWebhookList(client);
  const unshown = left.filter(
    (own) => own.webhookId !== undefined && standingOf(own, sightingOf(own, list)) === 'unknown',
  );
  if (unshown.length === 0) return;
  const why = isRead(list) ? 'The list does not show them.' : list.message;
  const which = unshown.map(nameOf).join(', ');
  const question = `The names of webhooks cannot be read (${why}) Delete by the id alone: ${which}?`;
  await requireYes(call, visible(question), 'Nothing was deleted.');
}

async function tell(
  fates: readonly (readonly [OwnWebhook, OwnFate])[],
  call: Call<ListenOptions>,
): Promise<void> {
  const { options, runtime } = call;
  if (runtime.aborting.aborted) throw new InterruptedError();
  const columns = ['id', 'name', 'result', 'why'];
  const writer = openRecords(call, columns, ['webhooks-cleanup@1', 'results']);
  for (const [own, fate] of fates) {
    const { result, why = null } = fate;
    const record = { id: own.shownId ?? own.webhookId ?? null, name: own.name, result, why };
    if (options.output !== 'table') await writer.write(record);
    const words = result === 'left' && isUnsure([own, fate]) ? 'may still be there' : FATES[result];
    say(call, `Webhook ${nameOf(own)} ${words}.`);
  }
  if (options.output !== 'table') await writer.end();
  const still = fates.filter(([, { result }]) => result === 'left');
  if (still.length > 0) throw leftError(still, options);
}
