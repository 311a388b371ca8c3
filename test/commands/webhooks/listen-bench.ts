import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { type ListenLine, listenLineSchema } from '../../../src/documents/webhook-documents.ts';
import { InterruptedError } from '../../../src/errors.ts';
import { main } from '../../../src/main.ts';
import type { Switches } from '../../../src/sandbox/store/switches.ts';
import { type FakeRuntime, type FakeRuntimeOverrides, fakeRuntime } from '../../support/fake-runtime.ts';
import { type SandboxRuntime, sandboxRuntime } from '../sandbox-runtime.ts';

// What a listen loads when it is used: on a busy machine that takes longer than a test waits.
await Promise.all([
  import('../../../src/program.ts'),
  import('../../../src/commands/connect/pacing-file.ts'),
  import('../../../src/commands/webhooks/webhooks-cleanup.ts'),
  import('../../../src/commands/webhooks/webhooks-command.ts'),
  import('../../../src/commands/webhooks/webhooks-listen.ts'),
  import('../../../src/pacing/shared/shared-ledger.ts'),
  import('../../../src/service/http/undici-transport.ts'),
]);

const LINE = listenLineSchema();

export interface Listening {
  url: string;
  /** The lines so far, each held against its schema. */
  lines: () => ListenLine[];
  deliveries: () => Extract<ListenLine, { type: 'delivery' }>[];
  err: () => string;
  out: () => string;
  /** Ctrl-C; resolves with the exit code. */
  stop: () => Promise<number>;
  /** A second one. */
  abort: () => void;
  done: Promise<number>;
}

export interface ListenBench {
  here: SandboxRuntime;
  run: (argv: readonly string[], more?: FakeRuntimeOverrides) => Promise<FakeRuntime & { code: number }>;
  /** Starts `webhooks listen --json`; resolves when it is ready. */
  listen: (argv?: readonly string[], more?: FakeRuntimeOverrides) => Promise<Listening>;
}

/** A sandbox, and a machine with listens on it. */
export async function listenBench(
  switches: Partial<Switches> = {},
  overrides: FakeRuntimeOverrides = {},
): Promise<ListenBench> {
  const here = await sandboxRuntime({ limit: 0, ...switches }, overrides);
  const machine = (more: FakeRuntimeOverrides): FakeRuntime =>
    fakeRuntime({ directory: here.directory, clock: here.runtime.clock, env: here.runtime.env, ...more });
  return {
    here,
    async run(argv, more = {}) {
      const fake = machine(more);
      return { ...fake, code: await main(argv, fake.runtime) };
    },
    async listen(argv = [], more = {}) {
      const stopping = new AbortController();
      const aborting = new AbortController();
      const written: string[] = [];
      const stdout = new Writable({
        write(piece: Buffer, _encoding, next) {
          written.push(piece.toString());
          next();
        },
      });
      const fake = machine({ stopping: stopping.signal, aborting: aborting.signal, stdout, ...more });
      const done = main(['webhooks', 'listen', '--json', '--port', '0', ...argv], fake.runtime);
      let isOver = false;
      void done.finally(() => (isOver = true));
      const lines = (): ListenLine[] =>
        written
          .join('')
          .split('\n')
          .filter((line) => line.startsWith('{"type":'))
          .map((line) => {
            LINE.parse(JSON.parse(line));
            return JSON.parse(line) as ListenLine;
          });
      const abort = (): void => aborting.abort(new InterruptedError());
      onTestFinished(async () => {
        stopping.abort(new InterruptedError());
        abort();
        await done;
      });
      await until(() => isOver || lines().some(({ type }) => type === 'ready'));
      const ready = lines().find((line) => line.type === 'ready');
      if (ready === undefined) throw new Error(`The listen ended before it was ready: ${fake.err()}`);
      return {
        url: ready.url,
        lines,
        deliveries: () => lines().filter((line) => line.type === 'delivery'),
        err: fake.err,
        out: () => written.join(''),
        async stop() {
          stopping.abort(new InterruptedError());
          return await done;
        },
        abort,
        done,
      };
    },
  };
}

/** Far more than anything takes, and less than a test may. */
const MOST_MS = 50_000;

/** Waits until something is so, and leaves the processor to those who make it so. */
export async function until(isSo: () => boolean): Promise<void> {
  const untilMs = Date.now() + MOST_MS;
  while (!isSo()) {
    if (Date.now() > untilMs) throw new Error('It never was so.');
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

export interface Answered {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** One POST as a service would make it; `headers` in turn, as they are sent. */
export function deliver(
  url: string,
  body: string | Uint8Array = '',
  headers: readonly string[] = [],
  method = 'POST',
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const bytes = Buffer.from(body as never);
    const all = headers.includes('host') ? headers : [...headers, 'host', new URL(url).host];
    const length = headers.includes('content-length') ? [] : ['content-length', String(bytes.length)];
    const sent = request(url, { method, headers: [...all, ...length], agent: false }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) }),
      );
    });
    sent.on('error', reject);
    sent.end(bytes);
  });
}

export interface Received {
  headers: string[];
  body: Buffer;
}

interface ToAnswer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

/** Where deliveries are forwarded to. */
export async function application(
  answer: (nth: number) => ToAnswer | Promise<ToAnswer> = () => ({ status: 200 }),
): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      received.push({ headers: request.rawHeaders, body: Buffer.concat(parts) });
      void Promise.resolve(answer(received.length)).then(({ status, headers = {}, body = '' }) =>
        response.writeHead(status, headers).end(body),
      );
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`, received };
}
