import { EXIT, type ExitCode, ServiceError, UsageError } from '../../errors.ts';
import { plural } from '../../report/words/number.ts';
import type { Runtime } from '../../runtime.ts';
import { ReceivedStore } from '../../webhooks/deliveries/received-store.ts';
import { headerOf } from '../../webhooks/deliveries/read-delivery.ts';
import {
  createBytesSender,
  messageHeaders,
  pairsOf,
  type Sent,
} from '../../webhooks/deliveries/send-bytes.ts';
import { SIGNATURE_HEADER } from '../../webhooks/signing/find-scheme.ts';
import { parseScheme } from '../../webhooks/signing/parse-scheme.ts';
import type { Scheme } from '../../webhooks/signing/scheme.ts';
import { sign } from '../../webhooks/signing/sign.ts';
import { openRecords, type Call } from '../terminal/terminal.ts';
import type { ReplayOptions } from './delivery-options.ts';
import { readSecret } from './webhooks-verify.ts';
import { findDelivery } from './webhooks-deliveries.ts';

/** Sends them one after the other. Throws ServiceError when one was not taken. */
export async function runReplay(call: Call<ReplayOptions>): Promise<ExitCode> {
  const { options, runtime } = call;
  const signer = await openSigner(options, runtime);
  const store = new ReceivedStore(runtime.paths.state, runtime.clock.now());
  const sender = createBytesSender(runtime.env);
  try {
    const deliveries = options.number.map((no) => findDelivery(store, no));
    const writer = openRecords(call, ['delivery', 'status', 'error'], ['webhooks-replay@1', 'results']);
    let refused = 0;
    for (const { no, headers, body, messageId, scheme } of deliveries) {
      const old = pairsOf(headers)
        .map(([name]) => name.toLowerCase())
        .filter((name) => isOfSignature(name, scheme));
      const signed = signer?.(body, messageId ?? `delivery-${no}`, messageHeaders(headers, old)) ?? headers;
      const sent = await sender.send(new URL(options.to), messageHeaders(signed), body);
      if (!isTaken(sent.status)) refused += 1;
      await writer.write({ delivery: no, ...resultOf(sent) });
    }
    await writer.end();
    if (refused === 0) return EXIT.done;
    throw new ServiceError(
      `${refused} of ${plural(deliveries.length, 'delivery was', 'deliveries were')} not taken.`,
    );
  } finally {
    await sender.close();
    store.close();
  }
}

/** Whether a header holds the signature by which a delivery came, or its time. */
function isOfSignature(name: string, scheme: string | undefined): boolean {
  const by = scheme === undefined ? 'auto' : parseScheme(scheme);
  const ways = by === 'auto' ? [] : by.ways;
  return (
    SIGNATURE_HEADER.test(name) ||
    ways.some(({ header, timestamp }) => [header, timestamp?.header].includes(name))
  );
}

export const isTaken = (status = 0): boolean => status >= 200 && status < 300;

export const resultOf = (sent: Sent): { status: number | null; error: string | null } =>
  sent.status === undefined ? { status: null, error: sent.message } : { status: sent.status, error: null };

/** Gives headers with a fresh signature in the place of those of the scheme. */
type Signer = (body: Uint8Array, id: string, headers: readonly string[]) => string[];

/** What signs as `--sign` says; undefined without it. Throws UsageError when there is no secret. */
export async function openSigner(
  options: { sign?: string | undefined; secretStdin: boolean; to?: string | undefined },
  runtime: Runtime,
): Promise<Signer | undefined> {
  if (options.sign === undefined) return undefined;
  const scheme = parseScheme(options.sign);
  if (scheme === 'auto') throw new UsageError('--sign takes a scheme: auto is for what was received.');
  const secret = await readSecret(options.secretStdin, runtime);
  if (secret === undefined) {
    throw new UsageError('--sign needs the secret.', {
      hint: 'Give it with --secret-stdin, or in EVENTREG_WEBHOOK_SECRET.',
    });
  }
  return (body, id, headers) =>
    signedHeaders(scheme, secret, headers, {
      id,
      body,
      timestampMs: runtime.clock.now(),
      url: options.to ?? '',
    });
}

function signedHeaders(
  scheme: Scheme,
  secret: string,
  headers: readonly string[],
  unsigned: Parameters<typeof sign>[2],
): string[] {
  const [{ id: idHeader }] = scheme.ways;
  const id = (idHeader === undefined ? undefined : headerOf(headers, [idHeader])) ?? unsigned.id;
  const fresh = sign(scheme, secret, { ...unsigned, id });
  return [...messageHeaders(headers, Object.keys(fresh)), ...Object.entries(fresh).flat()];
}
