import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as open,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

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
  answer: 'cut' | { status: number; body?: string; headers?: IncomingHttpHeaders };
}

export interface FaultyService {
  url: string;
  /** Everything that arrived, in order. */
  requests: PassingRequest[];
  /** Headers of answers that are passed on; undefined: all. */
  passes?: (header: string) => boolean;
  /** The body of a request as it is passed on; undefined: as it came. */
  sent?: (request: PassingRequest) => string;
  /** The body of an answer that is passed on, as the client gets it; undefined: as it came. */
  shown?: (body: string, request: PassingRequest) => string;
  /** Undefined: the request is passed on as it is. */
  fault: (request: PassingRequest) => Fault | Promise<Fault | undefined> | undefined;
  close: () => void;
}

/** The service that requests are passed on to. */
interface Behind {
  target: string;
  agent: Agent;
}

/** Stands in front of a service and breaks what the test says, until it is closed. */
export async function faultyService(target: string): Promise<FaultyService> {
  const close = (): void => {
    server.closeAllConnections();
    server.close();
    behind.agent.destroy();
  };
  const faulty: FaultyService = { url: '', requests: [], fault: () => undefined, close };
  const seen = new Map<string, number>();
  // Lets go of an idle connection before the service does.
  const behind: Behind = { target, agent: new Agent({ keepAlive: true, timeout: 3000 }) };
  const server = createServer((incoming, outgoing) => {
    void readRequest(incoming, seen)
      .then((request) => {
        faulty.requests.push(request);
        return respond(behind, faulty, request, incoming, outgoing);
      })
      // The service behind has cut the connection.
      .catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  faulty.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return faulty;
}

async function readRequest(incoming: IncomingMessage, seen: Map<string, number>): Promise<PassingRequest> {
  const body = await textOf(incoming);
  const { method = 'GET', url: path = '/' } = incoming;
  const nth = seen.get(method) ?? 0;
  seen.set(method, nth + 1);
  return { method, path, body, nth };
}

async function respond(
  behind: Behind,
  { fault, passes = () => true, sent = ({ body }) => body, shown = (body) => body }: FaultyService,
  request: PassingRequest,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const planned = await fault(request);
  const passed =
    planned === undefined || planned.passOn === true
      ? await passOn(behind, { ...request, body: sent(request) }, incoming)
      : undefined;
  const answer = planned?.answer ?? (passed && { ...passed, body: shown(passed.body, request) });
  if (answer === undefined || answer === 'cut') {
    outgoing.destroy();
    return;
  }
  const headers = Object.entries(answer.headers ?? { 'content-type': 'application/json' });
  outgoing.writeHead(answer.status, Object.fromEntries(headers.filter(([name]) => passes(name))));
  outgoing.end(answer.status === 204 ? undefined : answer.body);
}

/** Not with fetch, which would take more time than the program and the service together. */
async function passOn(
  { target, agent }: Behind,
  { method, path, body }: PassingRequest,
  incoming: IncomingMessage,
): Promise<{ status: number; body: string; headers: IncomingHttpHeaders }> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = {
      authorization: incoming.headers.authorization ?? '',
      ...(body === ''
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    };
    open(target + path, { method, agent, headers }, resolve)
      .on('error', reject)
      .end(body);
  });
  const { 'content-length': _length, 'transfer-encoding': _coding, ...headers } = answer.headers;
  return { status: answer.statusCode ?? 0, body: await textOf(answer), headers };
}

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
