import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono, type Next } from 'hono';
import { type Answer, jsonAnswer, refuse } from './answer.ts';
import { answerHeaders, passGate } from './pass-gate.ts';
import { readJson } from '../service/contracts/json.ts';
import { MASKED_BY_HEADER, SANDBOX_HEADER } from '../service/contracts/registration-body.ts';
import type { Limiter } from './limiter.ts';
import {
  deleteRegistration,
  listRegistrations,
  type RegistrationParts,
  saveRegistration,
} from './registration-routes.ts';
import { eventBody, personaBody } from './shapes.ts';
import type { Switches } from './store/switches.ts';
import { answerWebhooks, type WebhookParts } from './webhook-routes.ts';

/** A request that has come in full, before anything is done with it. */
export interface Arrival {
  method: string;
  path: string;
  body: string;
}

/** drop: nothing is done and the connection is cut; drop-answer: the work is done, then the connection is cut. */
export type Fate = 'serve' | 'drop' | 'drop-answer';

/** Everything that the routes work with. */
interface ServerParts extends RegistrationParts, WebhookParts {
  token: string;
  /** Mark of the key by which its people are masked, told with every answer. */
  maskedBy?: string | undefined;
  /** Undefined when the limiter is off. */
  limiter: Limiter | undefined;
  /** Called once a request, when it has come; undefined: every request is served. */
  onArrival?: ((arrival: Arrival) => Fate | void | Promise<Fate | void>) | undefined;
  /** Called once a request, when its work is done and before its answer leaves. */
  logRequest: (entry: RequestLogEntry) => void;
  /** Aborts when the sandbox closes: nobody waits for the answer any more. */
  closing: AbortSignal;
}

export const BASE_PATH = '/api';
export const INTEG_PATH = '/integ';

/** The service as an application that turns requests into answers. */
export function createApp(parts: ServerParts): Hono {
  const app = new Hono();
  app.use('*', (context, next) => handle(parts, context, next));
  addEventRoutes(app, parts);
  addRegistrationRoutes(app, parts);
  addWebhookRoutes(app, parts);
  const { switches } = parts;
  app.notFound(() => toResponse(refuse(switches, 404, 'There is no such path.')));
  app.onError(({ message }) => toResponse(refuse(switches, 500, `The sandbox failed: ${message}`)));
  return app;
}

function addEventRoutes(app: Hono, parts: ServerParts): void {
  const { event, switches } = parts;
  const answerEvent = (body: unknown): Response => {
    if (switches.event === '404') return toResponse(refuse(switches, 404, 'The event is not available.'));
    if (switches.event === '500') return toResponse(refuse(switches, 500, 'Something went wrong.'));
    return toResponse(jsonAnswer(200, body));
  };
  app.get(`${BASE_PATH}/event`, () => answerEvent(event.shown?.event ?? eventBody(event, switches)));
  app.get(`${BASE_PATH}/event/personas`, () =>
    answerEvent({
      data: event.shown?.personas ?? event.personas.map((persona) => personaBody(persona, switches)),
    }),
  );
}

function addRegistrationRoutes(app: Hono, parts: ServerParts): void {
  const path = `${BASE_PATH}/registration`;
  app.post(path, (context) => withBody(parts, context, (body) => saveRegistration(parts, body)));
  app.get(path, (context) => toResponse(listRegistrations(parts, new URL(context.req.url))));
  app.delete(`${path}/:id`, (context) => toResponse(deleteRegistration(parts, context.req.param('id'))));
}

function addWebhookRoutes(app: Hono, parts: ServerParts): void {
  app.all(`${INTEG_PATH}/*`, (context) => {
    const { pathname, searchParams: query } = new URL(context.req.url);
    const asked = { method: context.req.method, path: pathname.slice(INTEG_PATH.length), query };
    return withBody(parts, context, (body) => answerWebhooks(parts, { ...asked, body }));
  });
}

/** What surrounds every request: the gate before its route; headers, log and latency after it. */
async function handle(parts: ServerParts, context: Context, next: Next): Promise<void> {
  const { switches } = parts;
  if (!isLoopbackName(context.req.header('host') ?? new URL(context.req.url).host)) {
    context.res = toResponse(refuse(switches, 403, STRANGE_HOST));
    return;
  }
  const at = parts.now();
  const body = await context.req.text();
  const { method, path } = context.req;
  const fate = (await parts.onArrival?.({ method, path, body })) ?? 'serve';
  if (fate === 'drop') {
    hangUp(context);
    context.res = toResponse(refuse(switches, 503, CLOSING));
    return;
  }
  const { answer, remaining } = passGate({
    path,
    authorization: context.req.header('authorization'),
    token: parts.token,
    switches,
    limiter: parts.limiter,
    nowMs: parts.now(),
  });
  if (answer !== undefined) context.res = toResponse(answer);
  else if (await lands(parts, context)) await next();
  else context.res = toResponse(refuse(switches, 503, CLOSING));
  const { status } = context.res;
  const headers = {
    ...answerHeaders({ status, method }, remaining, switches, parts.now()),
    ...requestIdHeader(switches.requestIds, context.req.header('x-request-id')),
    [SANDBOX_HEADER]: 'yes',
    ...(parts.maskedBy !== undefined && { [MASKED_BY_HEADER]: parts.maskedBy }),
  };
  for (const [name, value] of Object.entries(headers)) context.res.headers.set(name, value);
  parts.logRequest(logEntry(context, at, status, body));
  if (fate === 'drop-answer') hangUp(context);
  // The work is done and the answer is late: what a client sees of a slow service.
  if (switches.latencyMs > 0) await waitUnlessClosing(switches.latencyMs, parts.closing);
}

const STRANGE_HOST = 'The sandbox answers under the names 127.0.0.1, localhost and [::1] only.';

/** A web page can point a name of its own at this machine: what asks under another name is none of the owner's programs. */
function isLoopbackName(host: string): boolean {
  return /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i.test(host);
}

/** Cuts the connection, where there is one. */
function hangUp(context: Context): void {
  (context.env as Partial<HttpBindings> | undefined)?.incoming?.socket.destroy();
}

const CLOSING = 'The sandbox is closing.';

/** A POST may lie about before it is worked on. False when the sandbox closed meanwhile: its data is shut. */
async function lands({ switches, closing }: ServerParts, context: Context): Promise<boolean> {
  if (switches.landMs === 0 || context.req.method !== 'POST') return true;
  await waitUnlessClosing(switches.landMs, closing);
  return !closing.aborted;
}

function requestIdHeader(
  requestIds: Switches['requestIds'],
  sent: string | undefined,
): Readonly<Record<string, string>> {
  if (requestIds === 'own') return { 'x-request-id': `sandbox-${randomUUID()}` };
  return requestIds === 'echo' && sent !== undefined ? { 'x-request-id': sent } : {};
}

function logEntry(context: Context, at: number, status: number, body: string): RequestLogEntry {
  const requestId = context.req.header('x-request-id');
  return {
    at,
    method: context.req.method,
    path: context.req.path,
    query: Object.fromEntries(new URL(context.req.url).searchParams),
    status,
    ...(body === '' ? {} : { body }),
    ...(requestId === undefined ? {} : { requestId }),
  };
}

async function waitUnlessClosing(delayMs: number, closing: AbortSignal): Promise<void> {
  await wait(delayMs, undefined, { signal: closing }).catch(() => undefined);
}

/** Hands the parsed JSON body to the operation; 400 when it is none. */
async function withBody(
  parts: ServerParts,
  context: Context,
  operation: (body: unknown) => Answer,
): Promise<Response> {
  const text = await context.req.text();
  const body = readJson(text);
  const isNone = body === undefined && text !== '';
  return toResponse(isNone ? refuse(parts.switches, 400, 'The body is not valid JSON.') : operation(body));
}

function toResponse({ status, headers, body }: Answer): Response {
  return new Response(body === '' ? null : body, { status, headers: { ...headers } });
}

/** One request that the sandbox answered. */
export interface RequestLogEntry {
  /** Milliseconds since 1970, when the request came. */
  at: number;
  method: string;
  /** Path without the query, as it came. */
  path: string;
  /** Parameters of the query, decoded. */
  query: Readonly<Record<string, string>>;
  status: number;
  /** The body as it came; absent when there was none. */
  body?: string;
  /** The header x-request-id as it came; absent when there was none. */
  requestId?: string;
}
