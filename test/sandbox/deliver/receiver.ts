import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SandboxWebhook } from '../../../src/sandbox/store/webhook-store.ts';
import { afterTest } from '../support.ts';

/** A delivery as a receiver has it. */
export interface Received {
  path: string;
  headers: IncomingMessage['headers'];
  raw: Buffer;
  body: string;
}

export interface Receiver {
  url: string;
  received: Received[];
  close: () => Promise<void>;
}

/** A real receiver; `answer` decides what it does once a call has come in whole. */
export async function receive(
  answer: (response: ServerResponse, nth: number) => void = (response) => response.end(),
): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks);
      received.push({ path: request.url ?? '', headers: request.headers, raw, body: raw.toString() });
      answer(response, received.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  afterTest(close);
  return { url, received, close };
}

/** Waits until it is so, without a clock. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

/** `whsec_` and 24 bytes. */
export const SECRET = `whsec_${Buffer.from('four and twenty blackbird').subarray(0, 24).toString('base64')}`;

/** The body of a webhook. */
export const hook = (
  url: string,
  change: Partial<Omit<SandboxWebhook, 'webhook_id'>> = {},
): Omit<SandboxWebhook, 'webhook_id'> => ({
  event_id: 4711,
  name: 'CRM',
  webhook_url: url,
  triggers: ['registration.updated'],
  active: true,
  config: {},
  signing_secret_encrypted: SECRET,
  ...change,
});
