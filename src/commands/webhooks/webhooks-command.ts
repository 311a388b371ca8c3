import { EXIT, type ExitCode, ServiceError } from '../../errors.ts';
import type { Runtime } from '../../runtime.ts';
import { visible } from '../../report/words/escape.ts';
import { setOperations } from '../../service/endpoints.ts';
import type { WebhookRecord } from '../../service/contracts/webhook.ts';
import { answeredStatus } from '../../service/http/failure.ts';
import { TransportError } from '../../service/http/http.ts';
import { redactor } from '../../settings/redactor.ts';
import { OwnBooks } from '../../webhooks/own/own-books.ts';
import { withConnection } from '../connect/connect-saying.ts';
import type { Connection } from '../connect/connection.ts';
import { webhookService } from '../../webhooks/own/find-own.ts';
import { printRecords, say, tellPrograms, type Call } from '../terminal/terminal.ts';
import {
  eventNumber,
  newWebhookBody,
  requireChange,
  noteTriggers,
  WEBHOOK_COLUMNS,
  webhookRecord,
} from './webhook-body.ts';
import { readSecret, verifyDelivery } from './webhooks-verify.ts';
import { deleteWebhooks } from './webhooks-delete.ts';
import { updateWebhook } from './webhooks-update.ts';
import type { CreateWebhookOptions, UpdateWebhookOptions, WebhooksOptions } from './webhooks-options.ts';

export async function runWebhooks(options: WebhooksOptions, runtime: Runtime): Promise<ExitCode> {
  switch (options.action) {
    case 'list':
      await withBooks({ options, runtime }, async (connection, books) => {
        const webhooks = await connection.client.webhooks.list();
        await print(webhooks, { options, runtime });
        const set = webhooks.length === 0 ? books.setAt(webhookService(connection)) : undefined;
        if (set !== undefined) say({ options, runtime }, neverListed(set));
      });
      break;
    case 'create':
      await createWebhook({ options, runtime });
      break;
    case 'update': {
      const secret = await readSecret(options.secretStdin, runtime);
      requireChange(options, secret);
      await withBooks({ options, runtime }, async (connection, books) => {
        const updated = await updateWebhook(connection, books, secret, { options, runtime });
        await printChanged('updated', updated, { options, runtime });
      });
      break;
    }
    case 'delete':
      return await withBooks({ options, runtime }, async (connection, books) =>
        deleteWebhooks(connection, books, { options, runtime }),
      );
    case 'listen': {
      const { runCleanup } = await import('./webhooks-cleanup.ts');
      const { runListen } = await import('./webhooks-listen.ts');
      return options.cleanup ? await runCleanup({ options, runtime }) : await runListen({ options, runtime });
    }
    case 'deliveries':
      return await (await import('./webhooks-deliveries.ts')).runDeliveries({ options, runtime });
    case 'replay':
      return await (await import('./webhooks-replay.ts')).runReplay({ options, runtime });
    case 'trigger':
      return await (await import('./webhooks-trigger.ts')).runTrigger({ options, runtime });
    case 'verify':
      return await verifyDelivery({ options, runtime });
  }
  return EXIT.done;
}

/** Does some work at the service, with what this machine knows of the webhooks there. */
async function withBooks<T>(
  call: Call<WebhooksOptions>,
  work: (connection: Connection, books: OwnBooks) => Promise<T>,
): Promise<T> {
  const { options, runtime } = call;
  const alsoTo = 'url' in options ? [options.url] : [];
  const books = new OwnBooks(runtime.paths.state);
  try {
    return await withConnection(call, (connection) => work(connection, books), { alsoTo });
  } finally {
    books.close();
  }
}

async function createWebhook(call: Call<CreateWebhookOptions>): Promise<void> {
  const { options, runtime } = call;
  const secret = await readSecret(options.secretStdin, runtime);
  await withBooks(call, async (connection, books) => {
    const { client } = connection;
    const eventId = options.event ?? eventNumber((await client.getEvent()).eventId);
    const described = newWebhookBody(options, eventId);
    const body = { ...described, signing_secret_encrypted: secret ?? '' };
    const created = await client.webhooks.create(body).catch((error: unknown) => {
      throw mayHaveWorked(error);
    });
    const set = { body: described, hasSecret: secret !== undefined, at: runtime.clock.now() };
    if (created?.id !== undefined) books.noteSet(webhookService(connection), created.id, set);
    await printChanged('created', created, call);
  });
}

const neverListed = (id: string): string =>
  visible(
    `The list shows nothing, although this machine has set webhook ${id}. Where there is another way, ${setOperations('listWebhooks')}`,
  );

/** A create that was sent and not answered, or with a failure of the service, is not sent again: a second webhook would call twice. */
function mayHaveWorked(error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  const { cause } = error;
  const isCut = cause instanceof TransportError && cause.sent;
  if (!isCut && (answeredStatus(error) ?? 0) < 500) return error;
  return new ServiceError(error.message, {
    hint: 'It may have been created all the same: look with `eventreg webhooks list` before you try again.',
    details: error.details,
    cause,
  });
}

async function printChanged(
  what: 'created' | 'updated',
  webhook: WebhookRecord | undefined,
  call: Call<CreateWebhookOptions | UpdateWebhookOptions>,
): Promise<void> {
  const { options, runtime } = call;
  const isShown = webhook !== undefined && (webhook.id !== undefined || webhook.url !== undefined);
  const redact = redactor([...runtime.secrets]);
  if (options.output === 'json') {
    const name = `webhooks-${what === 'created' ? 'create' : 'update'}@1` as const;
    await tellPrograms(call, name, { webhook: isShown ? webhookRecord(webhook, redact) : null });
  } else if (isShown || options.output !== 'table') await print(isShown ? [webhook] : [], call);
  const note = noteTriggers(options.trigger, options.sandbox);
  if (note !== undefined) say(call, note);
  if (!isShown) {
    say(
      call,
      `The webhook is ${what}; the service does not show it. Look for it with \`eventreg webhooks list\`.`,
    );
  }
}

async function print(webhooks: readonly WebhookRecord[], call: Call<WebhooksOptions>): Promise<void> {
  const { runtime } = call;
  const redact = redactor([...runtime.secrets]);
  const records = webhooks.map((webhook) => webhookRecord(webhook, redact));
  await printRecords(records, call, WEBHOOK_COLUMNS, ['webhooks@1', 'webhooks']);
}
