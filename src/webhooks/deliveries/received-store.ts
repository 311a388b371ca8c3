import { createHash } from 'node:crypto';
import type { Database } from '../../runs/journal/private-database.ts';
import { json, rowCodec, type RowOf, value } from '../../runs/journal/row-codec.ts';
import { WriteGroup } from '../../runs/journal/write-group.ts';
import { KEPT } from './kept-deliveries.ts';
import { readDelivery } from './read-delivery.ts';
import { openWebhookDatabase, webhookFile, webhookFileError } from './webhook-database.ts';

/** A call of a webhook that has come in full. */
export interface Arrival {
  /** Milliseconds since 1970. */
  atMs: number;
  /** Names and values in turn, as they came. */
  headers: readonly string[];
  body: Uint8Array;
}

const DELIVERY = rowCodec({
  no: value<number>('delivery.no'),
  /** Milliseconds since 1970. */
  atMs: value<number>('delivery.at'),
  service: value<string>('delivery.service'),
  /** The `listen` that it came to. */
  listen: value<string>('delivery.listen'),
  /** Names and values in turn, as they came. */
  headers: json<readonly string[]>('delivery.headers'),
  type: value<string | undefined>('delivery.type'),
  barcode: value<string | undefined>('delivery.barcode'),
  messageId: value<string | undefined>('delivery.message_id'),
  /** How long its body is. */
  bytes: value<number>('length(delivery.body)'),
  digest: value<string>('delivery.digest'),
  verdict: value<string>('delivery.verdict'),
  /** How manieth it is of those with the same id or the same bytes. */
  nth: value<number>('delivery.nth'),
  /** How long after the one before. */
  againAfterMs: value<number | undefined>('delivery.at - earlier.at'),
  /** One that came before, and told of something newer of the same registration. */
  lateAfter: value<number | undefined>('delivery.late_after'),
  /** The status that it was answered with; undefined while that is not known. */
  answer: value<number | undefined>('delivery.answer'),
});

/** One that is stored; its bytes are read apart. */
export type Delivery = RowOf<typeof DELIVERY>;

const DAY_MS = 24 * 3_600_000;

/** The last one before with the same bytes or the same id. */
const EARLIER = ['digest = $digest', 'message_id = $message']
  .map(
    (same) =>
      `SELECT * FROM (SELECT no, nth FROM delivery WHERE service = $service AND ${same} ORDER BY no DESC LIMIT 1)`,
  )
  .join(' UNION ALL ')
  .concat(' ORDER BY no DESC LIMIT 1');

/** Only a dry run keeps payloads elsewhere. */
const neverPacked = (): never => {
  throw new Error('A delivery has no payload.');
};

type Statement = ReturnType<Database['prepare']>;

const FROM = 'FROM delivery LEFT JOIN delivery AS earlier ON earlier.no = delivery.again_of';

/** The deliveries of this machine. What it says is stored is on the disk. */
export class ReceivedStore {
  readonly #db: Database;
  readonly #file: string;
  readonly #group: WriteGroup;
  readonly #statements = new Map<string, Statement>();

  /** Forgets what is older than it is kept. */
  constructor(stateDir: string, nowMs: number) {
    this.#db = openWebhookDatabase(stateDir);
    this.#file = webhookFile(stateDir);
    this.#group = new WriteGroup((work) => this.#transaction(work));
    this.#guard(() => this.#prepare('DELETE FROM delivery WHERE at < ?').run(nowMs - KEPT.days * DAY_MS));
  }

  close(): void {
    this.#db.close();
  }

  /** Resolves when it is on the disk; those that come together are written together. Rejects when they cannot be. */
  async add(
    arrival: Arrival,
    to: Pick<Delivery, 'service' | 'listen' | 'verdict' | 'answer'>,
  ): Promise<Delivery> {
    let no = 0;
    await this.#group.add(() => {
      no = this.#insert(arrival, to);
    });
    const stored = this.find(no);
    if (stored === undefined) throw webhookFileError(new Error('a delivery is not there'), this.#file);
    return stored;
  }

  /** Notes what it was answered with. */
  async noteAnswer(no: number, status: number): Promise<void> {
    await this.#group.add(() => this.#prepare('UPDATE delivery SET answer = ? WHERE no = ?').run(status, no));
  }

  find(no: number): Delivery | undefined {
    return this.#read('WHERE delivery.no = ?', no)[0];
  }

  /** The bytes of one. */
  body(no: number): Uint8Array | undefined {
    const row = this.#guard(() => this.#prepare('SELECT body FROM delivery WHERE no = ?').get(no));
    return (row as { body: Uint8Array } | undefined)?.body;
  }

  /** The last ones, oldest first. */
  last(most: number): Delivery[] {
    return this.#read('ORDER BY delivery.no DESC LIMIT ?', most).reverse();
  }

  /** Those of one `listen`, oldest first. */
  ofListen(listen: string): Delivery[] {
    return this.#read('WHERE delivery.listen = ? ORDER BY delivery.no', listen);
  }

  #insert(
    { atMs, headers, body }: Arrival,
    to: Pick<Delivery, 'service' | 'listen' | 'verdict' | 'answer'>,
  ): number {
    const { messageId, type, barcode, occurredMs } = readDelivery(headers, body);
    const digest = createHash('sha256').update(body).digest('hex');
    const values = { $service: to.service, $digest: digest, $message: messageId ?? null };
    const earlier = this.#prepare(EARLIER).get(values) as { no: number; nth: number } | undefined;
    // One that comes again is not late: it is older than what came since.
    const newer = earlier === undefined ? this.#newerThan(to.service, barcode, occurredMs) : undefined;
    const newest = this.#prepare('SELECT upto FROM delivery ORDER BY no DESC LIMIT 1').get();
    const upto = ((newest as { upto: number } | undefined)?.upto ?? 0) + body.length;
    const { lastInsertRowid } = this.#prepare(
      `INSERT INTO delivery (at, service, listen, headers, body, digest, message_id, type, barcode, occurred, verdict,
         nth, again_of, late_after, answer, upto)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(
      atMs,
      to.service,
      to.listen,
      JSON.stringify(headers),
      body,
      digest,
      messageId ?? null,
      type ?? null,
      barcode ?? null,
      occurredMs ?? null,
      to.verdict,
      (earlier?.nth ?? 0) + 1,
      earlier?.no ?? null,
      newer ?? null,
      to.answer ?? null,
      upto,
    );
    const no = Number(lastInsertRowid);
    this.#prepare('DELETE FROM delivery WHERE no <= ? OR upto <= ?').run(
      no - KEPT.deliveries,
      upto - KEPT.bytes,
    );
    return no;
  }

  #newerThan(service: string, barcode?: string, occurredMs?: number): number | undefined {
    if (barcode === undefined || occurredMs === undefined) return undefined;
    const found = this.#prepare(
      'SELECT no FROM delivery WHERE service = ? AND barcode = ? AND occurred > ? ORDER BY occurred DESC, no DESC LIMIT 1',
    ).get(service, barcode, occurredMs);
    return (found as { no: number } | undefined)?.no;
  }

  #read(rest: string, wanted: number | string): Delivery[] {
    return this.#guard(() => {
      const statement = this.#prepare(`SELECT ${DELIVERY.columns} ${FROM} ${rest}`);
      statement.setReturnArrays(true);
      const rows = statement.all(wanted) as unknown as unknown[][];
      return rows.map((cells) => DELIVERY.read(cells, neverPacked));
    });
  }

  #prepare(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #transaction(work: () => void): void {
    this.#guard(() => {
      this.#db.exec('BEGIN IMMEDIATE');
      try {
        work();
        this.#db.exec('COMMIT');
      } catch (error) {
        if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
        throw error;
      }
    });
  }

  #guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw webhookFileError(error, this.#file);
    }
  }
}
