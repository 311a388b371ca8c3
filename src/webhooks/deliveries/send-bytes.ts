import { request } from 'undici';
import { createDispatchers } from '../../service/http/dispatchers.ts';
import { describeFailure } from '../../service/http/trouble.ts';
import { isLoopback } from '../../settings/service-url.ts';

/** What came back of a delivery that was sent on: an answer, or why there is none, also in words. */
export type Sent =
  | { status: number; headers: Readonly<Record<string, string>>; body: Buffer; why?: undefined }
  | { status?: undefined; why: 'timeout' | 'refused'; message: string };

export interface BytesSender {
  /** One POST; redirects are not followed. `headers`: names and values in turn. Never throws. */
  send(url: URL, headers: readonly string[], body: Uint8Array, timeoutMs?: number): Promise<Sent>;
  close(): Promise<void>;
}

/** What is about one connection, and what is made anew for the next. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'host',
  'content-length',
]);
/** Enough for an answer to a service that checks an address; the rest of a longer one is dropped. */
const MOST_ANSWER_BYTES = 64 * 1024;
const TIMEOUT_MS = 30_000;

function whyRefused({ origin, hostname }: URL, code: string, message: string): string {
  if (code === 'ECONNREFUSED') return `nothing listens at ${origin}`;
  return code === 'ENOTFOUND' ? `there is no host ${hostname}` : describeFailure(code, message);
}

/** The headers that belong to the message, but for those named. */
export function messageHeaders(headers: readonly string[], without: readonly string[] = []): string[] {
  const pairs = pairsOf(headers);
  const named = pairs
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.toLowerCase().split(/\s*,\s*/));
  const dropped = new Set([...HOP_BY_HOP, ...named, ...without]);
  return pairs.filter(([name]) => !dropped.has(name.toLowerCase())).flat();
}

export function pairsOf(headers: readonly string[]): [name: string, value: string][] {
  return headers.flatMap((name, at) =>
    at % 2 === 0 ? [[name, headers[at + 1] ?? ''] as [string, string]] : [],
  );
}

/** Sends bytes as they are. What is on this machine is never reached through a proxy. */
export function createBytesSender(env: Readonly<Record<string, string | undefined>>): BytesSender {
  const { direct, outside } = createDispatchers({ env, timeoutMs: TIMEOUT_MS });
  return {
    async send(url, headers, body, timeoutMs = TIMEOUT_MS) {
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        const dispatcher = isLoopback(url.hostname) ? direct : outside;
        const answer = await request(url, {
          method: 'POST',
          headers: [...headers],
          body: Buffer.from(body),
          dispatcher,
          signal,
        });
        const parts: Buffer[] = [];
        let length = 0;
        for await (const part of answer.body as AsyncIterable<Buffer>) {
          length += part.length;
          if (length <= MOST_ANSWER_BYTES) parts.push(part);
        }
        const fields = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as const);
        return { status: answer.statusCode, headers: Object.fromEntries(fields), body: Buffer.concat(parts) };
      } catch (error) {
        const { code = '', message } = error as NodeJS.ErrnoException;
        const isLate = signal.aborted || /TIMEOUT/.test(code);
        return {
          why: isLate ? 'timeout' : 'refused',
          message: isLate ? `no answer within ${timeoutMs / 1000} seconds` : whyRefused(url, code, message),
        };
      }
    },
    async close() {
      await Promise.all([direct.destroy(), outside.destroy()]);
    },
  };
}
