import { randomBytes } from 'node:crypto';
import { EXIT, type ExitCode } from '../../errors.ts';
import { formatDuration, plural } from '../../report/words/number.ts';
import { requireIntegUrl } from '../../service/webhooks.ts';
import { isLoopback } from '../../settings/service-url.ts';
import { ReceivedStore, type RetryTimes, retryTimes } from '../../webhooks/deliveries/received-store.ts';
import { createBytesSender } from '../../webhooks/deliveries/send-bytes.ts';
import { FATES, type OwnFate } from '../../webhooks/own/remove-own.ts';
import { addressBelow } from '../../webhooks/receive/way-in.ts';
import { startReceiver } from '../../webhooks/receive/receiver.ts';
import { parseScheme } from '../../webhooks/signing/parse-scheme.ts';
import { setOperations } from '../../service/endpoints.ts';
import { nameOf } from '../../webhooks/own/find-own.ts';
import { connectSaying } from '../connect/connect-saying.ts';
import type { Connection } from '../connect/connection.ts';
import { tellPrograms, type Call } from '../terminal/terminal.ts';
import { Taking } from './listen-deliveries.ts';
import type { ListenOptions } from './delivery-options.ts';
import { LISTEN_VERSION, type ListenPrinter, printerOf } from './delivery-record.ts';
import { endsIn, ListenEnd, refuseContradictions } from './listen-end.ts';
import { isOpen, openWay, requireWayIn, UNENCRYPTED, waitForWay } from './listen-way.ts';
import { cleanupCommand, leftHint, ListenWebhook, withWebhook } from './listen-webhook.ts';
import { noteTriggers } from './webhook-body.ts';
import { readSecret } from './webhooks-verify.ts';

/** Whoever asks at random shall not fill the screen. */
const MOST_REFUSED_TOLD = 3;

/** What is put in order at the end, the last first. */
type Closing = (() => void | Promise<void>)[];

/** Receives deliveries until it is told to end, and leaves nothing at the service. */
export async function runListen(call: Call<ListenOptions>): Promise<ExitCode> {
  const { options, runtime } = call;
  refuseContradictions(options);
  const given = await readSecret(options.secretStdin, runtime);
  const closing: Closing = [];
  try {
    return await listen(call, given, closing);
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

async function listen(
  call: Call<ListenOptions>,
  given: string | undefined,
  closing: Closing,
): Promise<ExitCode> {
  const { options, runtime } = call;
  const secret = given ?? `whsec_${randomBytes(32).toString('base64')}`;
  runtime.secrets.add(secret);
  const { clock, stopping, paths, stdout } = runtime;
  const end = new ListenEnd(options);
  const stop = (): void => end.stop();
  // Whoever read the lines has gone (`| head`).
  stdout.once('error', stop);
  closing.push(() => void stdout.off('error', stop));
  const { publicUrl, forwardTo, tunnel } = options;
  const alsoTo = [publicUrl, forwardTo, tunnel && 'the tunnel'];
  const start = end.limitStart(runtime);
  closing.push(start.ready);
  const starting = { ...runtime, stopping: AbortSignal.any([stopping, start.signal]) };
  const connection = await connectSaying(call, { alsoTo, halted: start.signal });
  closing.push(() => connection.close());
  const isLocal = isLoopback(requireIntegUrl(connection.settings.integUrl).hostname);
  requireWayIn(options, isLocal);
  const wanted = schemeFor(options, connection);
  const store = new ReceivedStore(paths.state, clock.now());
  closing.push(() => store.close());
  const sender = createBytesSender(runtime.env);
  closing.push(() => sender.close());
  const printer = printerOf(call);
  closing.push(() => printer.end());
  const webhook = new ListenWebhook(connection, starting);
  closing.push(() => webhook.close());
  await tellLeftovers(webhook, options, printer);

  let url = '';
  let scheme: string | undefined;
  const refused = new Map<number | string, number>();
  const taking = new Taking({
    options,
    clock,
    store,
    sender,
    service: connection.service,
    listen: webhook.listen,
    scheme: wanted,
    secret,
    url: () => url,
    onTaken(delivery) {
      printer.delivery(delivery);
      if (end.countOne(delivery)) taking.refuse();
    },
    onLeftOut: ({ no }) =>
      printer.say(`Delivery ${no} is left out by --filter, as all like it: stored, and answered with 200.`),
    onScheme(name) {
      if (scheme === undefined) printer.say(howToKeep(name, options, connection));
      scheme ??= name;
    },
    onFailure: (error) => end.fail(error),
  });
  const receiver = await startReceiver({
    port: options.port,
    clock,
    take: async (arrival, gone) => await taking.take(arrival, gone),
    onRefused(what, status) {
      if (webhook.shownId === undefined) return;
      const before = refused.get(status) ?? 0;
      refused.set(status, before + 1);
      if (before < MOST_REFUSED_TOLD) printer.warn(what);
    },
  });
  closing.push(async () => {
    await receiver.close();
    await taking.settle();
  });
  const parts = { receiver, sender, clock, stopping: starting.stopping, isLocal };
  const wait = waitForWay(options);
  if (wait !== undefined) printer.say(wait);
  if (isOpen(publicUrl)) printer.warn(UNENCRYPTED);
  const way = await openWay(call, parts, (close) => closing.push(close));
  url = addressBelow(way.base, receiver.path);

  const tellLeft = (fate: OwnFate): void => printer.warn(leftAfterAll(fate, webhook, options));
  const tellOther = (): void => {
    if (webhook.otherUrl !== undefined) printer.warn(otherAddress(webhook.otherUrl, url));
  };
  const tellEnd = (): void => {
    if (webhook.booked === undefined) return;
    printer.say(`Deleting the webhook. Ctrl-C again leaves that to ${cleanupCommand(options)}`);
  };
  stopping.addEventListener('abort', tellEnd);
  closing.push(() => stopping.removeEventListener('abort', tellEnd));
  const { why, fate } = await withWebhook(webhook, options, tellLeft, async () => {
    await webhook.make(url, options.trigger, secret);
    start.ready();
    tellOther();
    const about = { id: webhook.listen, url, webhook_id: webhook.shownId ?? null };
    printer.line({ type: 'ready', listen: LISTEN_VERSION, eventreg: runtime.version, ...about });
    printer.say(`Listening until ${endsIn(options)} (webhook ${webhook.shownId}): ${url}`);
    printer.say(howToVerify(given, options, secret));
    const note = noteTriggers(options.trigger, options.sandbox);
    if (note !== undefined) printer.warn(note);
    const follow = async (): Promise<void> => {
      url = addressBelow(await way.moved(), receiver.path);
      printer.warn(`The tunnel leads here by another address now: ${new URL(url).origin}`);
      await webhook.move(url);
      tellOther();
      printer.line({ type: 'moved', url });
      await follow();
    };
    follow().catch((error: Error) => end.fail(error));
    const reason = await end.wait(runtime);
    if (!stopping.aborted) tellEnd();
    return reason;
  });
  if (taking.leftOut > 0)
    printer.say(`${plural(taking.leftOut, 'delivery was', 'deliveries were')} left out by --filter.`);
  const retries = retryTimes(store.ofListen(webhook.listen));
  if (retries !== undefined) printer.say(retriesSeen(retries));
  if (fate !== undefined) printer.say(`The webhook ${FATES[fate.result]}.`);
  await tellPrograms(call, 'webhooks-listen@1', {
    id: webhook.listen,
    deliveries: end.taken,
    left_out: taking.leftOut,
    scheme: scheme ?? null,
    retries_ms: retries === undefined ? null : retries.afterMs,
    webhook: fate?.result ?? null,
  });
  const code = end.exitCode(why);
  if (code === EXIT.rejected)
    printer.say(`${end.invalid} of ${plural(end.taken, 'delivery was', 'deliveries were')} not valid.`);
  return code;
}

const MAY_STAY =
  'Only single answers of the service can tell whether the webhook of this listen is made and deleted:';

async function tellLeftovers(
  webhook: ListenWebhook,
  options: ListenOptions,
  printer: ListenPrinter,
): Promise<void> {
  const { left, whyNothing } = await webhook.look();
  if (left.length > 0) {
    printer.warn(
      `Left by an earlier listen: webhook ${left.join(', ')}. Delete it: ${cleanupCommand(options)}`,
    );
  }
  if (whyNothing !== undefined)
    printer.warn(`${MAY_STAY} ${whyNothing} To mend that, ${setOperations('listWebhooks')}`);
}

/** Undefined: signatures are not looked at. What the profile says is held to. */
function schemeFor(
  { verify }: ListenOptions,
  { settings }: Connection,
): ReturnType<typeof parseScheme> | undefined {
  const wanted = verify ?? settings.webhookScheme ?? 'auto';
  return wanted === 'off' ? undefined : parseScheme(wanted);
}

/** How a program of one's own verifies: a random secret is shown this once. */
function howToVerify(given: string | undefined, { secretStdin }: ListenOptions, secret: string): string {
  const source = secretStdin ? 'from standard input' : 'of EVENTREG_WEBHOOK_SECRET';
  if (given !== undefined) return `A program of yours verifies deliveries with the secret ${source}.`;
  return `A program of yours verifies deliveries with this secret, shown once (one of your own: EVENTREG_WEBHOOK_SECRET): ${secret}`;
}

/** The sandbox has no profile. */
function howToKeep(name: string, { sandbox }: ListenOptions, { settings }: Connection): string {
  const inProfile = sandbox ? '' : `, or "webhookScheme": "${name}" in profile ${settings.profile}`;
  return `Signed by the scheme ${name}. To hold every delivery to it: --verify '${name}'${inProfile}.`;
}

const retriesSeen = ({ no, afterMs }: RetryTimes): string =>
  `Delivery ${no} came ${afterMs.length} times, after ${afterMs.map(formatDuration).join(', ')}.`;

function leftAfterAll(fate: OwnFate, { booked, listen }: ListenWebhook, options: ListenOptions): string {
  const which = booked === undefined ? listen : nameOf(booked);
  return `Webhook ${which} ${FATES[fate.result]}. ${leftHint(booked?.webhookId, { mend: [], ...fate }, options)}`;
}

const otherAddress = (shown: string, url: string): string =>
  `The service shows another address for the webhook, ${shown} instead of ${url}: deliveries may not come here.`;
