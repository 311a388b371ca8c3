import { randomUUID } from 'node:crypto';
import { insertion, json, rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';
import type { SandboxFile } from './database.ts';
import type { Switches } from './switches.ts';

/** How a delivery is sent: settled when its event happens, whichever process sends it then. */
export type Manner = Pick<Switches, 'webhookSign' | 'webhookRetry' | 'webhookScale'>;

const ATTEMPT = rowCodec({
  delivery: value<number>(),
  /** Milliseconds since 1970, when it began. */
  at: value<number>(),
  tookMs: value<number>(),
  status: value<number | undefined>(),
  error: value<string | undefined>(),
});
/** One request of a delivery. Either a status or an error is there. */
export type Attempt = Omit<RowOf<typeof ATTEMPT>, 'delivery'>;

const DELIVERY = rowCodec({
  number: value<number>('deliveries.seq'),
  /** The same over all attempts. */
  messageId: value<string>(),
  webhookId: value<number>('deliveries.webhook_id'),
  /** Undefined when there is no such webhook any more. */
  url: value<string | undefined>('webhook_url'),
  event: value<string>(),
  body: value<string>(),
  /** dead: not tried any more. */
  state: value<'waiting' | 'delivered' | 'dead'>(),
  /** Why it is dead, where its attempts do not tell. */
  why: value<string | undefined>(),
  /** Milliseconds since 1970. */
  createdAt: value<number>(),
  /** When it is tried next. */
  dueAt: value<number | undefined>(),
});
/** An event on its way to one webhook. */
export type SandboxDelivery = RowOf<typeof DELIVERY> & { attempts: Attempt[] };

const DUE = rowCodec({
  number: value<number>('seq'),
  messageId: value<string>(),
  body: value<string>(),
  manner: json<Manner>(),
  /** How often it has failed since it was due first, or again. */
  failed: value<number>(),
});
export type DueDelivery = RowOf<typeof DUE>;

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
  readonly #file: SandboxFile;

  constructor(file: SandboxFile) {
    this.#file = file;
  }

  /** Adds one that is due at `dueAt`; its number. */
  add(
    delivery: Pick<SandboxDelivery, 'messageId' | 'webhookId' | 'event' | 'body' | 'createdAt'> & {
      dueAt: number;
      manner: Manner;
    },
  ): number {
    const { sql, values } = insertion('deliveries', { ...delivery, state: 'waiting', failed: 0 });
    const number = this.#file.insert(sql, values);
    if (number % TIDY_EVERY === 0) this.#forget(number - KEPT);
    return number;
  }

  #forget(upTo: number): void {
    this.#file.run('DELETE FROM deliveries WHERE seq <= ? AND due_at IS NULL', [upTo]);
    this.#file.run(
      'DELETE FROM attempts WHERE delivery <= ? AND delivery NOT IN (SELECT seq FROM deliveries)',
      [upTo],
    );
  }

  /** Takes the lane of a webhook that has something due and that nobody holds; undefined when there is none. */
  takeLane(holder: string, nowMs: number, untilMs: number): number | undefined {
    // Most of the time there is none: looking needs no lock.
    if (this.#freeLane(nowMs) === undefined) return undefined;
    return this.#file.transaction(() => {
      const webhookId = this.#freeLane(nowMs);
      if (webhookId === undefined) return undefined;
      this.#file.run('INSERT OR REPLACE INTO lanes VALUES (?, ?, ?)', [webhookId, holder, untilMs]);
      return webhookId;
    });
  }

  #freeLane(nowMs: number): number | undefined {
    return this.#file.get<{ id: number }>(
      `SELECT webhook_id AS id FROM webhooks
       WHERE EXISTS (SELECT 1 FROM deliveries WHERE webhook_id = webhooks.webhook_id AND due_at <= ?)
       AND NOT EXISTS (SELECT 1 FROM lanes WHERE webhook_id = webhooks.webhook_id AND until > ?) LIMIT 1`,
      [nowMs, nowMs],
    )?.id;
  }

  /** Holds a lane for longer. False: it was held for too short a time, and is another's now. */
  holdLane(webhookId: number, holder: string, untilMs: number): boolean {
    const sql = 'UPDATE lanes SET until = ? WHERE webhook_id = ? AND holder = ?';
    return this.#file.run(sql, [untilMs, webhookId, holder]) > 0;
  }

  releaseLane(webhookId: number, holder: string): void {
    this.#file.run('DELETE FROM lanes WHERE webhook_id = ? AND holder = ?', [webhookId, holder]);
  }

  nextDue($id: number, $now: number): DueDelivery | undefined {
    const due = 'FROM deliveries WHERE webhook_id = $id AND due_at <= $now ORDER BY due_at, seq';
    return this.#file.readOne(DUE, due, { $id, $now });
  }

  /** When something is due next; undefined when nothing waits. */
  nextDueAt(): number | undefined {
    const sql = 'SELECT min(due_at) AS at FROM deliveries WHERE due_at IS NOT NULL';
    return this.#file.get<{ at: number | undefined }>(sql)?.at;
  }

  /** Writes down an attempt; `dueAt` is when the next one is due, where it failed and there is one. */
  record(number: number, attempt: Attempt, dueAt: number | undefined): void {
    const { at, tookMs, status, error } = attempt;
    const state = dueAt === undefined ? (isSuccess(attempt) ? 'delivered' : 'dead') : 'waiting';
    this.#file.transaction(() => {
      const changes = this.#file.run(
        `UPDATE deliveries SET state = ?1, due_at = ?2, failed = failed + ?3,
         why = CASE ?1 WHEN 'delivered' THEN NULL ELSE why END WHERE seq = ?4`,
        [state, dueAt, Number(!isSuccess(attempt)), number],
      );
      // The sandbox may have been emptied meanwhile.
      if (changes === 0) return;
      this.#file.run(
        'INSERT INTO attempts SELECT ?1, 1 + count(*), ?2, ?3, ?4, ?5 FROM attempts WHERE delivery = ?1',
        [number, at, tookMs, status, error],
      );
    });
  }

  giveUp(number: number, why: string): void {
    this.#file.run(`UPDATE deliveries SET state = 'dead', due_at = NULL, why = ? WHERE seq = ?`, [
      why,
      number,
    ]);
  }

  /** Begins anew with one, whatever became of it. False: there is none, or its webhook is gone. */
  revive(number: number, nowMs: number): boolean {
    const changes = this.#file.run(
      `UPDATE deliveries SET state = 'waiting', due_at = ?, failed = 0, why = NULL
       WHERE seq = ? AND webhook_id IN (SELECT webhook_id FROM webhooks)`,
      [nowMs, number],
    );
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

  #read($from: number, $to: number): SandboxDelivery[] {
    const range = { $from, $to };
    const attempts = new Map<number, Attempt[]>();
    const rows = 'FROM attempts WHERE delivery BETWEEN $from AND $to ORDER BY delivery, number';
    for (const { delivery, ...attempt } of this.#file.read(ATTEMPT, rows, range)) {
      const known = attempts.get(delivery);
      if (known === undefined) attempts.set(delivery, [attempt]);
      else known.push(attempt);
    }
    const from =
      'FROM deliveries LEFT JOIN webhooks USING (webhook_id) WHERE seq BETWEEN $from AND $to ORDER BY seq';
    return this.#file
      .read(DELIVERY, from, range)
      .map((row) => ({ ...row, attempts: attempts.get(row.number) ?? [] }));
  }
}

/** 2xx only: a redirect is a failure too. */
export function isSuccess({ status = 0 }: Pick<Attempt, 'status'>): boolean {
  return status >= 200 && status < 300;
}
