import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { readCopied } from './store/copied.ts';
import { resetDatabase } from './store/database.ts';
import { announce } from './deliver/announcer.ts';
import { Deliverer } from './deliver/deliverer.ts';
import { copiedEvent, DEMO_EVENT } from './demo-event.ts';
import { createLimiter } from './limiter.ts';
import { type RequestLogEntry, type Arrival, BASE_PATH, createApp, type Fate, INTEG_PATH } from './server.ts';
import { Store } from './store/store.ts';
import type { SandboxRegistration } from './store/stored-row.ts';
import { DEFAULT_SWITCHES, type Switches } from './store/switches.ts';
import { DeliveryStore, type SandboxDelivery } from './store/delivery-store.ts';
import { type SandboxWebhook, WebhookStore } from './store/webhook-store.ts';

const HOST = '127.0.0.1';
const REQUESTS_KEPT = 100_000;

export interface SandboxOptions {
  /** Path of the SQLite file, made with its folder when missing, or `:memory:`. */
  file: string;
  /** Default 0: any that is free. */
  port?: number;
  /** The one token that is accepted; default that of a copy, else `sandbox-token`. */
  token?: string;
  /** Default: those of a copy, else DEFAULT_SWITCHES. */
  switches?: Partial<Switches>;
  /** Milliseconds since 1970; default `Date.now`. The limiter and all dates follow it. */
  now?: () => number;
  /** Waits for the next attempt of a delivery; rejects when the signal aborts. Default: real time. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** A number in [0, 1); default `Math.random`. */
  random?: () => number;
  /** Called when a request has come in full, and awaited before anything is done with it: another client may act. */
  onArrival?: (arrival: Arrival) => Fate | void | Promise<Fate | void>;
  /** Called once a request, before its answer leaves. */
  onRequest?: (entry: RequestLogEntry) => void;
}

/** A running sandbox. All but `url`, `requests` and `close` need it to be open. */
export interface Sandbox {
  /** `http://127.0.0.1:PORT` */
  url: string;
  baseUrl: string;
  integUrl: string;
  token: string;
  /** Requests a window, and its length in milliseconds; undefined when the limiter is off. */
  budget: { limit: number; windowMs: number } | undefined;
  /** Identity of the data set: stays over restarts, new after a reset. */
  readonly instanceId: string;
  /** The last 100,000 requests, oldest first. */
  requests(): RequestLogEntry[];
  /** Everything that is kept, oldest first. */
  registrations(): SandboxRegistration[];
  /** Adds a registration, or changes the one with its id, as staff would: past all rules and switches. */
  put(registration: SandboxRegistration): void;
  /** Deletes as staff would, members included where the switch `parentDelete` says so. False: it was not there. */
  remove(id: string): boolean;
  counts(): { registrations: number; webhooks: number };
  /** Oldest first. */
  webhooks(): SandboxWebhook[];
  /** The last 10,000 deliveries and all that wait, oldest first. */
  deliveries(): SandboxDelivery[];
  /** Ends at once, but for deliveries that are due: those get a second. The others go on at the next start. */
  close(): Promise<void>;
}

const EVERYTHING = { persona: undefined, barcode: undefined };

/** Starts the service. Throws an Error with a sentence when the file or the port cannot be used. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { now = Date.now, random = Math.random, onRequest } = options;
  const store = new Store(options.file);
  const copied = readCopied(store.file);
  const { token = copied?.token ?? 'sandbox-token' } = options;
  const webhooks = new WebhookStore(store.file);
  const deliveries = new DeliveryStore(store.file);
  const { sleep } = options;
  const deliverer = new Deliverer({ file: store.file, webhooks, deliveries, now, ...(sleep && { sleep }) });
  const switches = { ...DEFAULT_SWITCHES, ...copied?.switches, ...options.switches };
  const event = copied === undefined ? DEMO_EVENT : copiedEvent(copied.event);
  const announcing = { webhooks, deliveries, switches, eventId: event.event_id, now, random };
  const log: RequestLogEntry[] = [];
  const closing = new AbortController();
  const { limiter: kind, limit, windowMs } = switches;
  const app = createApp({
    event,
    store,
    webhooks,
    switches,
    now,
    announce(happening, registration) {
      if (announce(announcing, happening, registration)) deliverer.wake();
    },
    token,
    maskedBy: copied?.maskedBy,
    onArrival: options.onArrival,
    limiter: limit === 0 ? undefined : createLimiter(kind, limit, windowMs),
    closing: closing.signal,
    logRequest(entry) {
      log.push(entry);
      if (log.length > 2 * REQUESTS_KEPT) log.splice(0, REQUESTS_KEPT);
      onRequest?.(entry);
    },
  });
  // The process is the caller's as well: its global Request and Response stay what they are.
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
  const port = await listen(server, options.port ?? 0).catch((error: unknown) => {
    store.close();
    throw error;
  });
  deliverer.start();
  const url = `http://${HOST}:${port}`;
  let closed: Promise<void> | undefined;
  return {
    url,
    baseUrl: `${url}${BASE_PATH}`,
    integUrl: `${url}${INTEG_PATH}`,
    token,
    budget: limit === 0 ? undefined : { limit, windowMs },
    get instanceId() {
      return store.instanceId();
    },
    requests: () => log.slice(-REQUESTS_KEPT),
    registrations: () => store.list(EVERYTHING, -1, 0),
    put: (registration) => store.put(registration, switches, now()),
    remove: (id) => typeof store.delete(id, { ...switches, idKey: 'id' }, now()) !== 'string',
    counts: () => ({ registrations: store.count(EVERYTHING), webhooks: webhooks.count() }),
    webhooks: () => webhooks.list(),
    deliveries: () => deliveries.list(),
    close() {
      closed ??= closeAll(server, closing, deliverer, store);
      return closed;
    },
  };
}

/** Empties the file, which may be missing or in use, and gives the data set a new identity. */
export function resetSandbox(file: string): void {
  resetDatabase(file);
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'it is already in use' : error.message;
      reject(new Error(`The sandbox cannot listen on ${HOST} port ${port}: ${reason}.`, { cause: error }));
    });
    server.listen(port, HOST, () => resolve((server.address() as AddressInfo).port));
  });
}

async function closeAll(
  server: Server,
  closing: AbortController,
  deliverer: Deliverer,
  store: Store,
): Promise<void> {
  closing.abort();
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    // Idle keep-alive connections would hold the server open for as long as the client likes.
    server.closeAllConnections();
  });
  await deliverer.close();
  store.close();
}
