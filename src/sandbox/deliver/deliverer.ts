import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { NAMED } from '../../webhooks/signing/scheme.ts';
import { sign } from '../../webhooks/signing/sign.ts';
import type { SandboxFile } from '../store/database.ts';
import { type DeliveryStore, type DueDelivery, isSuccess } from '../store/delivery-store.ts';
import type { SandboxWebhook, WebhookStore } from '../store/webhook-store.ts';
import { postDelivery, type PostResult, TIMEOUT_MS, nextAttemptAt } from './post-delivery.ts';

export interface DelivererParts {
  file: SandboxFile;
  webhooks: WebhookStore;
  deliveries: DeliveryStore;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Rejects when the signal aborts. Default: one that keeps no process alive. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** How often it looks for what other processes have put down; default 200. */
  lookEveryMs?: number;
}

/** Webhooks that are called at once. */
const AT_ONCE = 16;
/** A process that was killed holds its lanes for so long. */
const HOLD_MS = 2 * TIMEOUT_MS;
const LOOK_EVERY_MS = 200;
/** What is due when it closes may still begin for so long, and be answered for as long again. */
const CLOSING_MS = 500;

/**
 * Sends what is due, those of a webhook one after the other, until it is closed. Any number of them may work on one
 * file, in one process or several: each delivery is sent by one.
 */
export class Deliverer {
  readonly #parts: Required<DelivererParts>;
  readonly #me = randomUUID();
  readonly #lanes = new Set<Promise<void>>();
  /** Each breaks off an attempt. */
  readonly #underWay = new Set<AbortController>();
  #alarm = new AbortController();
  #closing = false;
  #leaving = false;
  #dropping = false;

  constructor(parts: DelivererParts) {
    const sleep = (ms: number, signal: AbortSignal) => wait(ms, undefined, { signal, ref: false });
    this.#parts = { sleep, lookEveryMs: LOOK_EVERY_MS, ...parts };
  }

  /** Begins to work; what goes wrong meanwhile is tried again. */
  start(): void {
    void this.#run();
  }

  /** Looks at once for what is due. */
  wake(): void {
    this.#alarm.abort();
  }

  /** Takes no more work; resolves when nothing is under way, after a moment at the latest. The rest stays due. */
  async close(): Promise<void> {
    this.#startLanes();
    this.#closing = true;
    this.wake();
    const closed = new AbortController();
    const after = (ms: number, then: () => void): void =>
      void this.#parts.sleep(ms, closed.signal).then(then, () => undefined);
    after(CLOSING_MS, () => (this.#leaving = true));
    after(2 * CLOSING_MS, () => {
      this.#dropping = true;
      for (const ends of this.#underWay) ends.abort(new Error('the sandbox was closed'));
    });
    while (this.#lanes.size > 0) await Promise.all(this.#lanes);
    closed.abort();
  }

  async #run(): Promise<void> {
    const { sleep } = this.#parts;
    while (!this.#closing) {
      this.#alarm = new AbortController();
      await sleep(this.#startLanes(), this.#alarm.signal).catch(() => undefined);
    }
  }

  /** Begins to serve the webhooks that have something due; milliseconds until there may be more of them. */
  #startLanes(): number {
    const { deliveries, now, lookEveryMs } = this.#parts;
    try {
      // Most of the time there is nothing.
      if (deliveries.nextDueAt() === undefined) return lookEveryMs;
      while (this.#lanes.size < AT_ONCE && !this.#closing) {
        const nowMs = now();
        const webhookId = deliveries.takeLane(this.#me, nowMs, nowMs + HOLD_MS);
        if (webhookId === undefined) break;
        this.#startLane(webhookId);
      }
      const dueInMs = (deliveries.nextDueAt() ?? Number.POSITIVE_INFINITY) - now();
      // What is due already is in a lane that is taken, and whose end wakes this one, or is another's.
      return dueInMs > 0 ? Math.min(dueInMs, lookEveryMs) : lookEveryMs;
    } catch {
      // Another process has the file: later.
      return lookEveryMs;
    }
  }

  #startLane(webhookId: number): void {
    const lane = this.#serve(webhookId).then(
      () => {
        this.#lanes.delete(lane);
        this.wake();
      },
      // A delivery that cannot even be written down must not take the sandbox with it.
      () => void this.#lanes.delete(lane),
    );
    this.#lanes.add(lane);
  }

  async #serve(webhookId: number): Promise<void> {
    const { deliveries, now } = this.#parts;
    try {
      while (!this.#leaving) {
        const due = deliveries.nextDue(webhookId, now());
        if (due === undefined || !deliveries.holdLane(webhookId, this.#me, now() + HOLD_MS)) return;
        await this.#deliver(webhookId, due);
      }
    } finally {
      deliveries.releaseLane(webhookId, this.#me);
    }
  }

  async #deliver(webhookId: number, due: DueDelivery): Promise<void> {
    const { file, webhooks, deliveries, now } = this.#parts;
    const webhook = webhooks.find(webhookId);
    if (webhook?.active !== true) {
      deliveries.giveUp(due.number, 'the webhook is not active');
      return;
    }
    const at = now();
    const { retryAfter, ...result } = await this.#post(webhook, due, at);
    const endedAt = now();
    const isOver = isSuccess(result) || result.status === 410;
    let nextAt = isOver ? undefined : nextAttemptAt(due.manner, due.failed + 1, retryAfter, endedAt);
    // What was broken off as the sandbox closed was not the receiver's failure: it is never the last attempt.
    if (this.#dropping && result.status === undefined) nextAt ??= endedAt;
    file.transaction(() => {
      const isThere = webhooks.find(webhookId) !== undefined;
      const attempt = { ...result, at, tookMs: endedAt - at };
      deliveries.record(due.number, attempt, isThere ? nextAt : undefined);
      if (result.status === 410) webhooks.update(webhookId, { active: false });
    });
  }

  async #post(webhook: SandboxWebhook, due: DueDelivery, atMs: number): Promise<PostResult> {
    const { webhook_id: webhookId, webhook_url: url } = webhook;
    const ends = new AbortController();
    const over = new AbortController();
    this.#underWay.add(ends);
    this.#parts.sleep(TIMEOUT_MS, over.signal).then(
      () => ends.abort(new Error(`no answer within ${TIMEOUT_MS / 1000} seconds`)),
      () => undefined,
    );
    try {
      const body = Buffer.from(due.body);
      const headers = {
        'content-type': 'application/json',
        'x-webhook-id': String(webhookId),
        ...signature(webhook, due, body, atMs),
      };
      return await postDelivery({ url, headers, body, signal: ends.signal });
    } catch (error) {
      return { status: undefined, error: (error as Error).message, retryAfter: undefined };
    } finally {
      over.abort();
      this.#underWay.delete(ends);
    }
  }
}

/** None where there is no secret, or where nothing is to be signed. Throws when the secret is no key. */
function signature(
  { signing_secret_encrypted: secret, webhook_url: url }: SandboxWebhook,
  { messageId, manner: { webhookSign } }: DueDelivery,
  body: Buffer,
  timestampMs: number,
): Record<string, string> {
  const ways = NAMED[webhookSign];
  if (ways === undefined || secret === '') return {};
  return sign({ name: webhookSign, ways }, secret, { id: messageId, timestampMs, body, url });
}
