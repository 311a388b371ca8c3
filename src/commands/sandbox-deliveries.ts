import type { DocumentBody } from '../documents/documents.ts';
import { EXIT, type ExitCode, ServiceError, UsageError } from '../errors.ts';
import { visible } from '../report/words/escape.ts';
import { whyUndelivered } from '../sandbox/deliver/delivery-file.ts';
import type { SandboxDelivery } from '../sandbox/store/delivery-store.ts';
import { readDelivery } from '../webhooks/deliveries/read-delivery.ts';
import { withDeliveries } from './connect/embedded.ts';
import type { GlobalOptions } from './options/options.ts';
import { isDrawn, printRecords, say, tellPrograms, type Call } from './terminal/terminal.ts';

export const DELIVERIES_HELP = `
What the sandbox told webhooks of, and has to tell them: waiting, delivered, or dead after the last attempt. They are
sent while a sandbox runs, also that of --sandbox; what is left goes on at the next start.

Examples:
  eventreg sandbox deliveries
  eventreg sandbox deliveries --dead --json
  eventreg sandbox redeliver 17

Exit codes: 0 done · 1 not delivered · 2 wrong usage`;

type ShownDelivery = DocumentBody<'sandbox-deliveries@1'>['deliveries'][number];

const COLUMNS = [
  'number',
  'at',
  'event',
  'webhook_id',
  'url',
  'state',
  'attempts',
  'status',
  'why',
  'due_at',
  'barcode',
];

/** The same at a terminal, what matters most first. */
const DRAWN_COLUMNS = [
  ...new Set(['number', 'at', 'barcode', 'state', 'due_at', 'attempts', 'status', 'why', ...COLUMNS]),
];

const NONE = 'The sandbox has told no webhook of anything.';
const NONE_DEAD = 'No delivery was given up.';

/** Prints what the sandbox in the file has delivered, or has to deliver. */
export async function listDeliveries(
  file: string,
  call: Call<GlobalOptions & { dead: boolean }>,
): Promise<ExitCode> {
  const { options, runtime } = call;
  const found = await withDeliveries(file, runtime, async (deliveries) => Promise.resolve(deliveries.list()));
  const columns = isDrawn(options, runtime) ? DRAWN_COLUMNS : COLUMNS;
  const chosen = found.filter(({ state }) => !options.dead || state === 'dead');
  const records = chosen.map((delivery) => {
    const shown = shownDelivery(delivery);
    if (options.output === 'json') return shown;
    return { ...shown, attempts: shown.attempts.length, status: shown.attempts.at(-1)?.status ?? null };
  });
  await printRecords(records, call, columns, ['sandbox-deliveries@1', 'deliveries']);
  if (chosen.length === 0) say(call, options.dead ? NONE_DEAD : NONE);
  return EXIT.done;
}

/** Sends one again, and tells what came of it. */
export async function redeliver(
  file: string,
  call: Call<GlobalOptions & { number: number }>,
): Promise<ExitCode> {
  const { options, runtime } = call;
  const { number } = options;
  const found = await withDeliveries(file, runtime, (deliveries) => deliveries.redeliver(number));
  if (found === undefined) {
    throw new UsageError(`There is no delivery ${number} whose webhook is still there.`, {
      hint: 'See them all with `eventreg sandbox deliveries`.',
    });
  }
  await tellPrograms(call, 'sandbox-redeliver@1', { delivery: shownDelivery(found) });
  if (found.state !== 'delivered') {
    throw new ServiceError(
      visible(`Delivery ${number} failed: ${whyUndelivered(found) ?? 'it is still waiting'}.`),
    );
  }
  say(call, `Delivery ${number} was answered with ${found.attempts.at(-1)?.status}.`);
  return EXIT.done;
}

/** Without its body, which is about a person. */
function shownDelivery(delivery: SandboxDelivery): ShownDelivery {
  const iso = (ms: number): string => new Date(ms).toISOString();
  const { number, messageId, webhookId, url, event, state, createdAt, dueAt, attempts } = delivery;
  return {
    number,
    message_id: messageId,
    at: iso(createdAt),
    event,
    barcode: readDelivery([], Buffer.from(delivery.body)).barcode ?? null,
    webhook_id: webhookId,
    url: url ?? null,
    state,
    why: whyUndelivered(delivery),
    due_at: dueAt === undefined ? null : iso(dueAt),
    attempts: attempts.map(({ at, tookMs, status = null, error = null }) => ({
      at: iso(at),
      took_ms: tookMs,
      status,
      error,
    })),
  };
}
