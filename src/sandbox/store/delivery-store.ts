import { randomUUID } from 'node:crypto';
import type { Database } from '../../sqlite/private-database.ts';
import { inTransaction } from './database.ts';
import type { Switches } from './switches.ts';

/** How a delivery is sent: settled when its event happens, whichever process sends it then. */
export type Manner = Pick<Switches, 'webhookSign' | 'webhookRetry' | 'webhookScale'>;

/** One request of a delivery. Either a status or an error is there. */
export interface Attempt {
  /** Milliseconds since 1970, when it began. */
  at: number;
  tookMs: number;
  status: number | undefined;
  error: string | undefined;
}

/** An event on its way to one webhook. */
export interface SandboxDelivery {
  number: number;
  /** The same over all attempts. */
  messageId: string;
  webhookId: number;
  /** Undefined when there is no such webhook any more. */
  url: string | undefined;
  event: string;
  body: string;
  /** dead: not tried any more. */
  state: 'waiting' | 'delivered' | 'dead';
  /** Why it is dead, where its attempts do not tell. */
  why: string | undefined;
  /** Milliseconds since 1970. */
  createdAt: number;
  /** When it is tried next. */
  dueAt: number | undefined;
  attempts: Attempt[];
}

/** A delivery that is to be tried. */
export interface DueDelivery {
  number: number;
  messageId: string;
  body: string;
  manner: Manner;
  /** How often it has failed since it was due first, or again. */
  failed: number;
}

export const newMessageId = (): string => `msg_${randomUUID().replaceAll('-', '')}`;

/** How many are kept of those that are over. */
const KEPT = 10_000;
/** They are counted now and then. */
const TIDY_EVERY = 100;

/**
 * Deliveries and their attempts. The deliveries of a webhook are sent one after the other: whoever sends them holds
 * its lane meanwhile, so that of several processes with the file open only one does.
 */
export class DeliveryStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Adds one that is due at `dueAt`; its number. */
  add(
    delivery: Pick<SandboxDelivery, 'messageId' | 'webhookId' | 'event' | 'body' | 'createdAt'> & {
      dueAt: number;
      manner: Manner;
    },
  ): number {
    const { messageId, webhookId, event, body, manner, createdAt, dueAt } = delivery;
    const { lastInsertRowid } = this.#database
      .prepare(
        `INSERT INTO deliveries (message_id, webhook_id, event, body, manner, state, created_at, due_at, failed)
         VALUES (?, ?, ?, ?, ?, 'waiting', ?, ?, 0)`,
      )
      .run(messageId, webhookId, event, body, JSON.stringify(manner), createdAt, dueAt);
    const number = Number(lastInsertRowid);
    if (number % TIDY_EVERY === 0) this.#forget(number - KEPT);
    return number;
  }

  #forget(upTo: number): void {
    this.#database.prepare('DELETE FROM deliveries WHERE seq <= ? AND due_at IS NULL').run(upTo);
    this.#database
      .prepare('DELETE FROM attempts WHERE delivery <= ? AND delivery NOT IN (SELECT seq FROM deliveries)')
      .run(upTo);
  }

  /** Takes the lane of a webhook that has something due and that nobody holds; undefined when there is none. */
  takeLane(holder: string, nowMs: number, untilMs: number): number | undefined {
    // Most of the time there is none: looking needs no lock.
    if (this.#freeLane(nowMs) === undefined) return undefined;
    return inTransaction(this.#database, () => {
      const webhookId = this.#freeLane(nowMs);
      if (webhookId === undefined) return undefined;
      this.#database.prepare('INSERT OR REPLACE INTO lanes VALUES (?, ?, ?)').run(webhookId, holder, untilMs);
      return webhookId;
    });
  }

  #freeLane(nowMs: number): number | undefined {
    const row = this.#database
      .prepare(
        `SELECT id FROM webhooks
         WHERE EXISTS (SELECT 1 FROM deliveries WHERE webhook_id = webhooks.id AND due_at <= ?)
         AND NOT EXISTS (SELECT 1 FROM lanes WHERE webhook_id = webhooks.id AND until > ?) LIMIT 1`,
      )
      .get(nowMs, nowMs);
    return (row as { id: number } | undefined)?.id;
  }

  /** Holds a lane for longer. False: it was held for too short a time, and is another's now. */
  holdLane(webhookId: number, holder: string, untilMs: number): boolean {
    const { changes } = this.#database
      .prepare('UPDATE lanes SET until = ? WHERE webhook_id = ? AND holder = ?')
      .run(untilMs, webhookId, holder);
    return changes > 0;
  }

  releaseLane(webhookId: number, holder: string): void {
    this.#database.prepare('DELETE FROM lanes WHERE webhook_id = ? AND holder = ?').run(webhookId, holder);
  }

  /** What is to be sent to the webhook now. */
  nextDue(webhookId: number, nowMs: number): DueDelivery | undefined {
    const row = this.#database
      .prepare(
        `SELECT seq AS number, message_id AS messageId, body, manner, failed FROM deliveries
         WHERE webhook_id = ? AND due_at <= ? ORDER BY due_at, seq LIMIT 1`,
      )
      .get(webhookId, nowMs) as (Omit<DueDelivery, 'manner'> & { manner: string }) | undefined;
    return row === undefined ? undefined : { ...row, manner: JSON.parse(row.manner) as Manner };
  }

  /** When something is due next; undefined when nothing waits. */
  nextDueAt(): number | undefined {
    const row = this.#database
      .prepare('SELECT min(due_at) AS at FROM deliveries WHERE due_at IS NOT NULL')
      .get();
    return (row as { at: number | null }).at ?? undefined;
  }

  /** Writes down an attempt; `dueAt` is when the next one is due, where it failed and there is one. */
  record(number: number, attempt: Attempt, dueAt: number | undefined): void {
    const { at, tookMs, status = null, error = null } = attempt;
    const state = dueAt === undefined ? (isSuccess(attempt) ? 'delivered' : 'dead') : 'waiting';
    inTransaction(this.#database, () => {
      const { changes } = this.#database
        .prepare(
          `UPDATE deliveries SET state = ?1, due_at = ?2, failed = failed + ?3,
           why = CASE ?1 WHEN 'delivered' THEN NULL ELSE why END WHERE seq = ?4`,
        )
        .run(state, dueAt ?? null, Number(!isSuccess(attempt)), number);
      // The sandbox may have been emptied meanwhile.
      if (changes === 0) return;
      this.#database
        .prepare(
          `INSERT INTO attempts
           SELECT ?1, 1 + count(*), ?2, ?3, ?4, ?5 FROM attempts WHERE delivery = ?1`,
        )
        .run(number, at, tookMs, status, error);
    });
  }

  /** Gives one up without an attempt. */
  giveUp(number: number, why: string): void {
    this.#database
      .prepare(`UPDATE deliveries SET state = 'dead', due_at = NULL, why = ? WHERE seq = ?`)
      .run(why, number);
  }

  /** Begins anew with one, whatever became of it. False: there is none, or its webhook is gone. */
  revive(number: number, nowMs: number): boolean {
    const { changes } = this.#database
      .prepare(
        `UPDATE deliveries SET state = 'waiting', due_at = ?, failed = 0, why = NULL
         WHERE seq = ? AND webhook_id IN (SELECT id FROM webhooks)`,
      )
      .run(nowMs, number);
    return changes > 0;
  }

  /** One with its attempts. */
  find(number: number): SandboxDelivery | undefined {
    return this.#read(number, number)[0];
  }

  /** The last ones with their attempts, oldest first. */
  list(): SandboxDelivery[] {
    return this.#read(0, Number.MAX_SAFE_INTEGER);
  }

  #read(from: number, to: number): SandboxDelivery[] {
    const attempts = new Map<number, Attempt[]>();
    for (const { delivery, ...attempt } of this.#attempts(from, to)) {
      const known = attempts.get(delivery);
      if (known === undefined) attempts.set(delivery, [attempt]);
      else known.push(attempt);
    }
    const rows = this.#database
      .prepare(
        `SELECT deliveries.seq AS number, message_id AS messageId, webhook_id AS webhookId, webhook_url AS url, event,
         body, state, why, created_at AS createdAt, due_at AS dueAt
         FROM deliveries LEFT JOIN webhooks ON webhooks.id = webhook_id
         WHERE seq BETWEEN ? AND ? ORDER BY seq`,
      )
      .all(from, to) as Nullable<Omit<SandboxDelivery, 'attempts'>>[];
    return rows.map((row) => ({
      ...(row as Omit<SandboxDelivery, 'attempts'>),
      url: row.url ?? undefined,
      why: row.why ?? undefined,
      dueAt: row.dueAt ?? undefined,
      attempts: attempts.get(row.number ?? 0) ?? [],
    }));
  }

  #attempts(from: number, to: number): (Attempt & { delivery: number })[] {
    const rows = this.#database
      .prepare(
        `SELECT delivery, at, took_ms AS tookMs, status, error FROM attempts
         WHERE delivery BETWEEN ? AND ? ORDER BY delivery, number`,
      )
      .all(from, to) as Nullable<Attempt & { delivery: number }>[];
    return rows.map(
      (row) =>
        ({ ...row, status: row.status ?? undefined, error: row.error ?? undefined }) as Attempt & {
          delivery: number;
        },
    );
  }
}

type Nullable<Row> = { [Key in keyof Row]: Row[Key] | null };

/** 2xx only: a redirect is a failure too. */
export function isSuccess({ status = 0 }: Pick<Attempt, 'status'>): boolean {
  return status >= 200 && status < 300;
}
