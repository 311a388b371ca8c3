import { randomUUID } from 'node:crypto';
import { EXIT, type ExitCode, InputError, ServiceError, UsageError } from '../../errors.ts';
import { visible } from '../../report/words/escape.ts';
import { whyUndelivered } from '../../sandbox/deliver/delivery-file.ts';
import type { SandboxDelivery } from '../../sandbox/store/delivery-store.ts';
import { parseSwitches, type Switches } from '../../sandbox/store/switches.ts';
import type { ServiceClient } from '../../service/client.ts';
import { atPath, setAtPath, parseBody, readDelivery } from '../../webhooks/deliveries/read-delivery.ts';
import { createBytesSender } from '../../webhooks/deliveries/send-bytes.ts';
import { SCHEME_NAMES } from '../../webhooks/signing/scheme.ts';
import { type Connection, sandboxFile } from '../connect/connection.ts';
import { withConnection } from '../connect/connect-saying.ts';
import { withDeliveries } from '../connect/embedded.ts';
import { printRecords, type Call } from '../terminal/terminal.ts';
import { type TriggerOptions, readValue } from './delivery-options.ts';
import { eventNumber } from './webhook-body.ts';
import { isTaken, openSigner, resultOf } from './webhooks-replay.ts';
import { readBody } from './webhooks-verify.ts';

const TRIGGER = 'registration.updated';

const TRIED_AGAIN = {
  hint: 'The sandbox tries it again while one runs; see what becomes of it with `eventreg sandbox deliveries`.',
};

/** What became of it at one address. */
interface Told extends ReturnType<typeof resultOf> {
  to: string;
}

/** Sends it. Throws ServiceError when it was not taken. */
export async function runTrigger(call: Call<TriggerOptions>): Promise<ExitCode> {
  const { options } = call;
  refuseContradictions(options);
  const { to } = options;
  const send = to === undefined ? openInSandbox(call) : await openSending(to, call);
  const body = withOverrides(await bodyOf(call), options);
  const { type, barcode } = readDelivery([], body);
  const columns = ['to', 'trigger', 'barcode', 'status', 'error'];
  const told = await send(body, type ?? TRIGGER);
  const records = told.map(({ to: where, ...result }) => {
    return { to: where, trigger: type ?? null, barcode: barcode ?? null, ...result };
  });
  await printRecords(records, call, columns, ['webhooks-trigger@1', 'results']);
  const refused = told.filter(({ status }) => !isTaken(status ?? undefined));
  if (refused.length === 0) return EXIT.done;
  const which = refused.map((one) => one.to).join(', ');
  const hint = options.to === undefined ? TRIED_AGAIN : {};
  throw new ServiceError(visible(`The delivery was not taken by ${which}.`), hint);
}

function refuseContradictions({ to, sandbox, barcode, body, secretStdin }: TriggerOptions): void {
  if (to === undefined && !sandbox) {
    throw new UsageError('It does not say where the delivery is sent.', { hint: 'Give --to, or --sandbox.' });
  }
  if (barcode !== undefined && body !== undefined) {
    throw new UsageError('--barcode and --body contradict each other.');
  }
  if (to === undefined && secretStdin) {
    throw new UsageError(
      'The sandbox signs with the secret of each webhook: it takes none of --secret-stdin.',
      {
        hint: 'Leave it out, or say with --to where the delivery is sent.',
      },
    );
  }
}

type Send = (body: Uint8Array, event: string) => Promise<readonly Told[]>;

async function openSending(to: string, call: Call<TriggerOptions>): Promise<Send> {
  const { options, runtime } = call;
  const signer = await openSigner(options, runtime);
  const headers = ['content-type', 'application/json', 'user-agent', `eventreg/${runtime.version}`];
  return async (body) => {
    const sender = createBytesSender(runtime.env);
    try {
      const signed = signer?.(body, `msg_${randomUUID()}`, headers) ?? headers;
      return [{ to, ...resultOf(await sender.send(new URL(to), signed, body)) }];
    } finally {
      await sender.close();
    }
  };
}

/** The sandbox keeps it, signs it and tries it again as all that it delivers. */
function openInSandbox({ options: { sandbox, sign }, runtime }: Call<TriggerOptions>): Send {
  const file = sandboxFile(runtime, sandbox);
  const switches = sign === undefined ? {} : readSign(sign);
  return async (body, event) => {
    const text = textOf(body);
    const told = await withDeliveries(file, runtime, (deliveries) => deliveries.tell(event, text, switches));
    if (told.length > 0) return told.map((delivery) => ({ to: delivery.url ?? '', ...lastOf(delivery) }));
    throw new UsageError('The sandbox has no webhook that is switched on.', {
      hint: 'Run `eventreg webhooks listen --sandbox` in another terminal, or give --to.',
    });
  };
}

function readSign(name: string): Partial<Switches> {
  try {
    return parseSwitches([`webhookSign=${name}`]);
  } catch {
    throw new UsageError(visible(`The sandbox cannot sign by "${name}".`), {
      hint: `Give --sign with one of ${SCHEME_NAMES.join(', ')}, none; or --to.`,
    });
  }
}

function textOf(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    throw new InputError('The body is not UTF-8: the sandbox delivers texts alone.', {
      hint: 'Say with --to where it is sent.',
    });
  }
}

function lastOf(delivery: SandboxDelivery): Pick<Told, 'status' | 'error'> {
  const status = delivery.attempts.at(-1)?.status ?? null;
  return { status, error: status === null ? (whyUndelivered(delivery) ?? 'it was not tried yet') : null };
}

/** The service is asked only for what is not given. */
async function bodyOf(call: Call<TriggerOptions>): Promise<Uint8Array> {
  const { options, runtime } = call;
  if (options.body !== undefined) return await readBody(options.body, runtime);
  const work = ({ client }: Connection): Promise<Buffer> => madeUp(client, call);
  return await withConnection(call, work, { alsoTo: [options.to] });
}

async function madeUp(
  client: ServiceClient,
  { options: { barcode }, runtime: { clock } }: Call<TriggerOptions>,
): Promise<Buffer> {
  const { registrations } = client;
  const [record] =
    barcode === undefined
      ? (await registrations.page({}, 1, 1)).records
      : ((await registrations.findByBarcode([barcode])).get(barcode) ?? []);
  if (record === undefined) {
    const which = barcode === undefined ? 'no registrations' : `no registration with the barcode ${barcode}`;
    throw new UsageError(visible(`There is ${which} at the service.`), {
      hint: 'Give --body with the bytes of a delivery instead.',
    });
  }
  const event = eventNumber((await client.getEvent()).eventId);
  const delivered = new Date(clock.now()).toISOString();
  const content = { event: TRIGGER, event_id: event, registration: record.raw, delivered_at: delivered };
  return Buffer.from(JSON.stringify(content));
}

/** Throws InputError where the body is no JSON that could be changed. */
function withOverrides(body: Uint8Array, { override }: TriggerOptions): Uint8Array {
  if (override.length === 0) return body;
  let content = parseBody(body);
  if (content === undefined) throw new InputError('The body is no JSON: --override cannot change it.');
  for (const { path, value } of override) {
    const keys = path.split('.');
    content = setAtPath(content, keys, typeof atPath(content, keys) === 'string' ? value : readValue(value));
  }
  return Buffer.from(JSON.stringify(content));
}
