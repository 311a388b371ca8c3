import { EXIT, type ExitCode, UsageError } from '../../errors.ts';
import { isObject } from '../../service/contracts/json.ts';
import { cellText, jsonText, prettyJson } from '../../report/words/data-text.ts';
import { visible } from '../../report/words/escape.ts';
import { mask, maskUnless } from '../../registration/evidence/mask.ts';
import { redactor } from '../../settings/redactor.ts';
import { type Delivery, ReceivedStore } from '../../webhooks/deliveries/received-store.ts';
import { parseBody } from '../../webhooks/deliveries/read-delivery.ts';
import { pairsOf } from '../../webhooks/deliveries/send-bytes.ts';
import { SECRET_HEADER } from '../../webhooks/signing/find-scheme.ts';
import { isDrawn, printRecords, tellPrograms, type Call } from '../terminal/terminal.ts';
import { type DeliveriesOptions, MOST_LISTED } from './delivery-options.ts';
import { DELIVERY_COLUMNS, type DeliveryTeller, DRAWN_COLUMNS, PLAIN, tellerOf } from './delivery-record.ts';

export async function runDeliveries(call: Call<DeliveriesOptions>): Promise<ExitCode> {
  const { options, runtime } = call;
  const store = new ReceivedStore(runtime.paths.state, runtime.clock.now());
  const teller = tellerOf(runtime, options);
  try {
    if (options.number !== undefined) await showOne(options.number, store, teller, call);
    else {
      const keys = ['webhooks-deliveries@1', 'deliveries'] as const;
      const columns = isDrawn(options, runtime) ? DRAWN_COLUMNS : DELIVERY_COLUMNS;
      const records = store.last(MOST_LISTED).map((delivery) => teller.record(delivery));
      await printRecords(records, call, columns, keys);
    }
  } finally {
    teller.close();
    store.close();
  }
  return EXIT.done;
}

/** The one with a number. Throws UsageError when there is none. */
export function findDelivery(store: ReceivedStore, no: number): Delivery & { body: Uint8Array } {
  const delivery = store.find(no);
  const body = store.body(no);
  if (delivery !== undefined && body !== undefined) return { ...delivery, body };
  throw new UsageError(`There is no delivery ${no}.`, {
    hint: 'See all with `eventreg webhooks deliveries`.',
  });
}

async function showOne(
  no: number,
  store: ReceivedStore,
  teller: DeliveryTeller,
  call: Call<DeliveriesOptions>,
): Promise<void> {
  const { options, runtime } = call;
  const delivery = findDelivery(store, no);
  const redact = redactor([...runtime.secrets]);
  const headers = pairsOf(delivery.headers).map(([name, value]): [string, string] => [
    redact(name),
    isCredential(name, delivery) ? '[redacted]' : redact(value),
  ]);
  const text = bodyText(delivery.body, options.showValues);
  const body = text === undefined ? null : redact(text);
  if (options.output === 'table') {
    const lines = [
      ...Object.entries(teller.record(delivery)).map(([key, value]) => `${key}: ${value ?? ''}`),
      '',
      ...headers.map(([name, value]) => `${name}: ${value}`),
      '',
      ...(body ?? `${delivery.bytes} bytes that are no text`).split('\n'),
    ];
    runtime.stdout.write(`${lines.map(visible).join('\n')}\n`);
    return;
  }
  const base64 = options.showValues ? Buffer.from(delivery.body).toString('base64') : null;
  const record = { ...teller.record(delivery), headers, body, body_base64: base64 };
  if (options.output === 'json') await tellPrograms(call, 'webhooks-deliveries-show@1', record);
  else runtime.stdout.write(`${jsonText(record)}\n`);
}

/** Of the service, or of the proxy or the tunnel before us. */
const isCredential = (header: string, { scheme }: Delivery): boolean =>
  /cookie$/i.test(header) ||
  SECRET_HEADER.test(header.toLowerCase()) ||
  scheme === `token:${header.toLowerCase()}`;

/** What a delivery is made of, and no value of a person. */
const PLAIN_KEYS = /^(?:event|type|trigger|topic|action|persona|status|.*(?:_at|_id|barcode|timestamp)|id)$/;

/** The body for people, its values masked unless `showValues`; undefined when it is no text. */
function bodyText(body: Uint8Array, showValues: boolean): string | undefined {
  const content = parseBody(body);
  if (content !== undefined && !showValues) return prettyJson(masked('', content)).trimEnd();
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    return maskUnless(showValues, text);
  } catch {
    return undefined;
  }
}

function masked(key: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => masked(key, item));
  if (isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, masked(name, inner)]));
  }
  if (typeof value === 'boolean' || value === null) return value;
  const text = cellText(value);
  return PLAIN_KEYS.test(key) && PLAIN.test(text) ? value : mask(text);
}
