import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request on its way to the service. */
export interface PassingRequest {
  method: string;
  /** Path and query. */
  path: string;
  body: string;
  /** How many requests of this method came before it. */
  nth: number;
}

/** What happens to a request instead of, or after, being passed on. */
export interface Fault {
  /** Whether the service behind gets the request all the same. */
  passOn?: boolean;
  /** What the client gets; `cut` closes the connection without an answer. */
  answer: 'cut' | { status: number; body?: string; headers?: Record<string, string> };
}

export interface FaultyService {
  url: string;
  /** Everything that arrived, in order. */
  requests: PassingRequest[];
  /** Undefined: the request is passed on as it is. */
  fault: (request: PassingRequest) => Fault | Promise<Fault | undefined> | undefined;
}

/** Stands in front of a service and breaks what the test says. Closes with the test. */
export async function faultyService(target: string): Promise<FaultyService> {
  const faulty: FaultyService = { url: '', requests: [], fault: () => undefined };
  const seen = new Map<string, number>();
  const server = createServer((incoming, outgoing) => {
    void readRequest(incoming, seen).then((request) => {
      faulty.requests.push(request);
      return respond(target, faulty, request, incoming, outgoing);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  faulty.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return faulty;
}

async function readRequest(incoming: IncomingMessage, seen: Map<string, number>): Promise<PassingRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const { method = 'GET', url: path = '/' } = incoming;
  const nth = seen.get(method) ?? 0;
  seen.set(method, nth + 1);
  return { method, path, body: Buffer.concat(chunks).toString(), nth };
}

async function respond(
  target: string,
  { fault }: FaultyService,
  request: PassingRequest,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const planned = await fault(request);
  const passed =
    planned === undefined || planned.passOn === true ? await passOn(target, request, incoming) : undefined;
  const answer = planned?.answer ?? passed;
  if (answer === undefined || answer === 'cut') {
    outgoing.destroy();
    return;
  }
  outgoing.writeHead(answer.status, answer.headers ?? { 'content-type': 'application/json' });
  outgoing.end(answer.status === 204 ? undefined : answer.body);
}

async function passOn(
  target: string,
  { method, path, body }: PassingRequest,
  incoming: IncomingMessage,
): Promise<{ status: number; body: string; headers: Record<string, string> }> {
  const response = await fetch(target + path, {
    method,
    redirect: 'manual',
    headers: {
      authorization: incoming.headers.authorization ?? '',
      ...(body === '' ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === '' ? {} : { body }),
  });
  const {
    'content-length': _length,
    'transfer-encoding': _coding,
    ...headers
  } = Object.fromEntries(response.headers);
  return { status: response.status, body: await response.text(), headers };
}
