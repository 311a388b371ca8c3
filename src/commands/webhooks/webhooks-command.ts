import { EXIT, type ExitCode, ServiceError, UsageError } from '../../errors.ts';
import { visible } from '../../report/words/escape.ts';
import type { Runtime } from '../../runtime.ts';
import type { WebhookRecord } from '../../service/contracts/webhook.ts';
import type { ServiceClient } from '../../service/client.ts';
import { answeredStatus } from '../../service/http/failure.ts';
import { TransportError } from '../../service/http/http.ts';
import { redactor } from '../../settings/redactor.ts';
import { withConnection } from '../connect/connect-saying.ts';
import { printRecords, say, tellPrograms } from '../terminal/terminal.ts';
import {
  changedWebhookBody,
  eventNumber,
  newWebhookBody,
  requireChange,
  type WebhookFlags,
} from './webhook-body.ts';
import { noteTriggers } from './trigger-note.ts';
import { WEBHOOK_COLUMNS, webhookRecord } from './webhook-record.ts';
import { readSecret } from './webhook-secret.ts';
import { deleteWebhooks } from './webhooks-delete.ts';
import { verifyDelivery } from './webhooks-verify.ts';
import type { CreateWebhookOptions, UpdateWebhookOptions, WebhooksOptions } from './webhooks-options.ts';

/** Runs one action. */
export async function runWebhooks(options: WebhooksOptions, runtime: Runtime): Promise<ExitCode> {
  switch (options.action) {
    case 'list':
      await withClient(options, runtime, async ({ webhooks }) => {
        await print(await webhooks.list(), options, runtime);
      });
      break;
    case 'create':
      await createWebhook(options, runtime);
      break;
    case 'update':
      await updateWebhook(options, runtime);
      break;
    case 'delete':
      return await withClient(options, runtime, ({ webhooks }) => deleteWebhooks(webhooks, options, runtime));
    case 'listen': {
      const { runCleanup } = await import('./webhooks-cleanup.ts');
      const { runListen } = await import('./webhooks-listen.ts');
      return options.cleanup ? await runCleanup(options, runtime) : await runListen(options, runtime);
    }
    case 'deliveries':
      return await (await import('./webhooks-deliveries.ts')).runDeliveries(options, runtime);
    case 'replay':
      return await (await import('./webhooks-replay.ts')).runReplay(options, runtime);
    case 'trigger':
      return await (await import('./webhooks-trigger.ts')).runTrigger(options, runtime);
    case 'verify':
      return await verifyDelivery(options, runtime);
  }
  return EXIT.done;
}

async function withClient<T>(
  options: WebhooksOptions,
  runtime: Runtime,
  work: (client: ServiceClient) => Promise<T>,
): Promise<T> {
  const alsoTo = 'url' in options ? [options.url] : [];
  return await withConnection(options, runtime, ({ client }) => work(client), { alsoTo });
}

async function createWebhook(options: CreateWebhookOptions, runtime: Runtime): Promise<void> {
  const secret = await readSecret(options.secretStdin, runtime);
  await withClient(options, runtime, async (client) => {
    const eventId = options.event ?? eventNumber((await client.getEvent()).eventId);
    const body = newWebhookBody({ ...flagsOf(options), url: options.url }, eventId, secret);
    const created = await client.webhooks.create(body).catch((error: unknown) => {
      throw mayHaveWorked(error);
    });
    await printChanged('created', created, options, runtime);
  });
}

async function updateWebhook(options: UpdateWebhookOptions, runtime: Runtime): Promise<void> {
  const secret = await readSecret(options.secretStdin, runtime);
  const flags = flagsOf(options);
  requireChange(flags, secret);
  await withClient(options, runtime, async ({ webhooks }) => {
    const existing = findWebhook(options.id, await webhooks.list());
    const updated = await webhooks.update(options.id, changedWebhookBody(existing, flags, secret));
    await printChanged('updated', updated, options, runtime);
  });
}

function flagsOf(options: CreateWebhookOptions | UpdateWebhookOptions): WebhookFlags {
  const { event, name, url, trigger, active, config } = options;
  return { event, name, url, trigger, active, config };
}

function findWebhook(id: string, webhooks: readonly WebhookRecord[]): WebhookRecord {
  const found = webhooks.find((webhook) => webhook.id === id);
  if (found !== undefined) return found;
  const ids = webhooks.flatMap((webhook) => webhook.id ?? []);
  throw new UsageError(visible(`There is no webhook with the id "${id}".`), {
    hint: ids.length === 0 ? 'There are no webhooks.' : visible(`There are: ${ids.join(', ')}.`),
  });
}

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
  options: CreateWebhookOptions | UpdateWebhookOptions,
  runtime: Runtime,
): Promise<void> {
  const isShown = webhook !== undefined && (webhook.id !== undefined || webhook.url !== undefined);
  const redact = redactor([...runtime.secrets]);
  if (options.output === 'json') {
    const name = `webhooks-${what === 'created' ? 'create' : 'update'}@1` as const;
    await tellPrograms(options, runtime, name, { webhook: isShown ? webhookRecord(webhook, redact) : null });
  } else if (isShown || options.output !== 'table') await print(isShown ? [webhook] : [], options, runtime);
  const note = noteTriggers(options.trigger, options.sandbox);
  if (note !== undefined) say(options, runtime, note);
  if (!isShown) {
    say(
      options,
      runtime,
      `The webhook is ${what}; the service does not show it. \`eventreg webhooks list\` does.`,
    );
  }
}

async function print(
  webhooks: readonly WebhookRecord[],
  options: WebhooksOptions,
  runtime: Runtime,
): Promise<void> {
  const redact = redactor([...runtime.secrets]);
  const records = webhooks.map((webhook) => webhookRecord(webhook, redact));
  await printRecords(records, options, runtime, WEBHOOK_COLUMNS, ['webhooks@1', 'webhooks']);
}
