import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EXIT, type ExitCode, InputError, ServiceError, UsageError } from '../../errors.ts';
import { asInputError } from '../../input/source/input-source.ts';
import { visible } from '../../report/words/escape.ts';
import type { Runtime } from '../../runtime.ts';
import type { ServiceClient } from '../../service/client.ts';
import { atPath, setAtPath } from '../../webhooks/deliveries/filter-deliveries.ts';
import { parseBody, readDelivery } from '../../webhooks/deliveries/read-delivery.ts';
import { createBytesSender } from '../../webhooks/deliveries/send-bytes.ts';
import { connectSaying } from '../connect/connect-saying.ts';
import { openRecords } from '../terminal/terminal.ts';
import type { TriggerOptions } from './delivery-options.ts';
import { eventNumber } from './webhook-body.ts';
import { isTaken, openSigner, resultOf } from './webhooks-replay.ts';

const TRIGGER = 'registration.updated';

/** Sends it. Throws ServiceError when it was not taken. */
export async function runTrigger(options: TriggerOptions, runtime: Runtime): Promise<ExitCode> {
  if (options.to === undefined && !options.sandbox) {
    throw new UsageError('It does not say where the delivery is sent.', { hint: 'Give --to, or --sandbox.' });
  }
  if (options.barcode !== undefined && options.body !== undefined) {
    throw new UsageError('--barcode and --body contradict each other.');
  }
  const signer = await openSigner(options, runtime);
  const { body, targets } = await prepare(options, runtime);
  const sender = createBytesSender(runtime.env);
  const { type, barcode } = readDelivery([], body);
  const headers = ['content-type', 'application/json', 'user-agent', `eventreg/${runtime.version}`];
  const columns = ['to', 'trigger', 'barcode', 'status', 'error'];
  const writer = openRecords(options, runtime, columns, ['webhooks-trigger@1', 'results']);
  const refused: string[] = [];
  try {
    for (const to of targets) {
      const signed = signer?.(body, `msg_${randomUUID()}`, headers) ?? headers;
      const sent = await sender.send(new URL(to), signed, body);
      if (!isTaken(sent)) refused.push(to);
      await writer.write({ to, trigger: type ?? null, barcode: barcode ?? null, ...resultOf(sent) });
    }
    await writer.end();
  } finally {
    await sender.close();
  }
  if (refused.length === 0) return EXIT.done;
  throw new ServiceError(visible(`The delivery was not taken by ${refused.join(', ')}.`));
}

interface Prepared {
  body: Uint8Array;
  targets: readonly string[];
}

/** The bytes that are sent, and where to. The service is asked only for what is not given. */
async function prepare(options: TriggerOptions, runtime: Runtime): Promise<Prepared> {
  const { to, body: file } = options;
  const given = file === undefined ? undefined : await readBody(file, runtime);
  if (given !== undefined && to !== undefined) return { body: withOverrides(given, options), targets: [to] };
  const connection = await connectSaying(options, runtime);
  try {
    const { client } = connection;
    const body = given ?? (await madeUp(client, options, runtime));
    const targets = to === undefined ? await sandboxTargets(client) : [to];
    return { body: withOverrides(body, options), targets };
  } finally {
    await connection.close();
  }
}

async function readBody(file: string, { cwd }: Runtime): Promise<Buffer> {
  return await readFile(resolve(cwd, file)).catch((error: unknown) => {
    throw asInputError(error, file);
  });
}

async function madeUp(
  client: ServiceClient,
  { barcode }: TriggerOptions,
  { clock }: Runtime,
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

async function sandboxTargets({ webhooks }: ServiceClient): Promise<string[]> {
  const active = (await webhooks.list()).filter((webhook) => webhook.active === true);
  const targets = active.flatMap(({ url }) => url ?? []);
  if (targets.length > 0) return targets;
  throw new UsageError('The sandbox has no webhook that is switched on.', {
    hint: 'Run `eventreg webhooks listen --sandbox` in another terminal, or give --to.',
  });
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

function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
