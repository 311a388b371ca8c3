import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { SandboxDelivery, SandboxWebhook, WebhookStore } from './webhook-store.ts';

const TIMEOUT_MS = 5000;
const AT_ONCE = 16;
const TRIGGER = 'registration.updated';

/** Sends webhook calls in the background, and keeps what came of them. */
export class Deliveries {
  readonly #webhooks: WebhookStore;
  readonly #now: () => number;
  readonly #waiting: { webhook: SandboxWebhook; body: string }[] = [];
  readonly #running = new Set<Promise<void>>();
  readonly #stop = new AbortController();

  constructor(webhooks: WebhookStore, now: () => number) {
    this.#webhooks = webhooks;
    this.#now = now;
  }

  /** Tells every active webhook with the trigger about a registration. Returns at once and never throws. */
  announce(eventId: number, registration: Readonly<Record<string, unknown>>): void {
    const webhooks = this.#webhooks
      .list()
      .filter((webhook) => webhook.active && webhook.triggers.includes(TRIGGER));
    if (webhooks.length === 0) return;
    const deliveredAt = new Date(this.#now()).toISOString();
    const payload = { event: TRIGGER, event_id: eventId, registration, delivered_at: deliveredAt };
    const body = JSON.stringify(payload);
    for (const webhook of webhooks) this.#waiting.push({ webhook, body });
    this.#startWaiting();
  }

  /** Resolves when nothing is under way any more, at the latest after the time that one delivery may take. */
  async settle(): Promise<void> {
    const timer = setTimeout(() => this.#stop.abort(new Error('the sandbox was closed')), TIMEOUT_MS);
    while (this.#running.size > 0) await Promise.all(this.#running);
    clearTimeout(timer);
  }

  #startWaiting(): void {
    while (this.#running.size < AT_ONCE && !this.#stop.signal.aborted) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      const run = this.#deliver(next.webhook, next.body)
        // A delivery that cannot even be written down must not take the sandbox with it.
        .catch(() => undefined)
        .finally(() => {
          this.#running.delete(run);
          this.#startWaiting();
        });
      this.#running.add(run);
    }
  }

  async #deliver(webhook: SandboxWebhook, body: string): Promise<void> {
    const { webhook_id: webhookId, webhook_url: url } = webhook;
    const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), this.#stop.signal]);
    const outcome = await post(new URL(url), String(webhookId), body, signal);
    this.#webhooks.recordDelivery({ webhookId, url, body, ...outcome, at: this.#now() });
  }
}

type Outcome = Pick<SandboxDelivery, 'status' | 'error'>;

/** One POST on a connection of its own, so that nothing keeps the receiver or this process waiting. */
function post(url: URL, webhookId: string, body: string, signal: AbortSignal): Promise<Outcome> {
  return new Promise((resolve) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'x-webhook-id': webhookId,
    };
    const failed = (error: Error) => resolve({ status: undefined, error: reasonOf(error) });
    const sent = send(url, { method: 'POST', headers, agent: false, signal }, (answer) => {
      answer.on('error', failed);
      answer.on('end', () => resolve({ status: answer.statusCode, error: undefined }));
      answer.resume();
    });
    sent.on('error', failed);
    sent.end(body);
  });
}

/** An aborted request says only that it was aborted; its cause says why. */
function reasonOf(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message;
}
