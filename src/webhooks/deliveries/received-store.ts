import { createHash } from 'node:crypto';
import { insertion, json, rowCodec, type RowOf, value } from '../../sqlite/row-codec.ts';
import { WriteGroup } from '../../sqlite/write-group.ts';
import { type Arrival, KEPT, readDelivery } from './read-delivery.ts';
import { WebhookDatabase } from './webhook-database.ts';

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
  bytes: value<number>('length(delivery.body)'),
  digest: value<string>('delivery.digest'),
  verdict: value<string>('delivery.verdict'),
  /** Why that is the verdict; undefined where signatures are not looked at. */
  why: value<string | undefined>('delivery.why'),
  /** The scheme of signatures that it is by; undefined where none is known. */
  scheme: value<string | undefined>('delivery.scheme'),
  /** How manieth it is of those with the same id or the same bytes that came to this `listen`. */
  nth: value<number>('delivery.nth'),
  /** How long after the one before. */
  againAfterMs: value<number | undefined>('delivery.at - earlier.at'),
  /** One that came before, and told of something newer of the same registration. */
  lateAfter: value<number | undefined>('delivery.late_after'),
  /** The status that it was answered with; undefined while that is not known. */
  answer: value<number | undefined>('delivery.answer'),
  /** Why what it was forwarded to has not answered. */
  error: value<string | undefined>('delivery.error'),
});

/** One that is stored; its bytes are read apart. */
export type Delivery = RowOf<typeof DELIVERY>;

/** What is known of one besides what came. */
type Circumstances = Pick<Delivery, 'service' | 'listen' | 'verdict' | 'why' | 'answer'> &
  Partial<Pick<Delivery, 'scheme'>>;

const DAY_MS = 24 * 3_600_000;

/** The last one before with the same bytes or the same id. Another `listen` has a webhook of its own. */
const EARLIER = ['digest = $digest', 'message_id = $message']
  .map(
    (same) =>
      `SELECT * FROM (SELECT no, nth FROM delivery WHERE service = $service AND listen = $listen AND ${same} ORDER BY no DESC LIMIT 1)`,
  )
  .join(' UNION ALL ')
  .concat(' ORDER BY no DESC LIMIT 1');

const FROM = 'FROM delivery LEFT JOIN delivery AS earlier ON earlier.no = delivery.again_of';

/** The deliveries of this machine. What it says is stored is on the disk. */
export class ReceivedStore {
  readonly #file: WebhookDatabase;
  readonly #group: WriteGroup;

  /** Forgets what is older than it is kept. */
  constructor(stateDir: string, nowMs: number) {
    this.#file = new WebhookDatabase(stateDir);
    this.#group = new WriteGroup((work) => this.#file.transaction(work));
    this.#file.run('DELETE FROM delivery WHERE at < ?', [nowMs - KEPT.days * DAY_MS]);
  }

  close(): void {
    this.#file.close();
  }

  /** Resolves when it is on the disk; those that come together are written together. Rejects when they cannot be. */
  async add(arrival: Arrival, to: Circumstances): Promise<Delivery> {
    let stored: Delivery | undefined;
    await this.#group.add(() => {
      stored = this.find(this.#insert(arrival, to));
    });
    if (stored === undefined) throw new Error('A delivery that was stored is not there.');
    return stored;
  }

  /** Notes what it was answered with, and why what it was forwarded to has not answered. */
  async noteAnswer(no: number, status: number, error: string | undefined): Promise<void> {
    const sql = 'UPDATE delivery SET answer = ?, error = ? WHERE no = ?';
    await this.#group.add(() => this.#file.run(sql, [status, error, no]));
  }

  find(no: number): Delivery | undefined {
    return this.#read('WHERE delivery.no = $wanted', no)[0];
  }

  /** The bytes of one. */
  body(no: number): Uint8Array | undefined {
    return this.#file.get<{ body: Uint8Array }>('SELECT body FROM delivery WHERE no = ?', [no])?.body;
  }

  /** The last ones, oldest first. */
  last(most: number): Delivery[] {
    return this.#read('ORDER BY delivery.no DESC LIMIT $wanted', most).reverse();
  }

  /** Those of one `listen`, oldest first. */
  ofListen(listen: string): Delivery[] {
    return this.#read('WHERE delivery.listen = $wanted ORDER BY delivery.no', listen);
  }

  #insert({ atMs, headers, body }: Arrival, to: Circumstances): number {
    const { messageId, type, barcode, occurredMs } = readDelivery(headers, body);
    const digest = createHash('sha256').update(body).digest('hex');
    const like = { $service: to.service, $listen: to.listen, $digest: digest, $message: messageId };
    const earlier = this.#file.get<{ no: number; nth: number }>(EARLIER, like);
    // One that comes again is not late: it is older than what came since.
    const newer = earlier === undefined ? this.#newerThan(to, barcode, occurredMs) : undefined;
    const newest = this.#file.get<{ upto: number }>('SELECT upto FROM delivery ORDER BY no DESC LIMIT 1');
    const upto = (newest?.upto ?? 0) + body.length;
    const { service, listen, verdict, why, scheme, answer } = to;
    const came = { at: atMs, headers, body, digest, messageId, type, barcode, occurred: occurredMs, upto };
    const seen = { verdict, why, scheme, answer, lateAfter: newer };
    const order = { nth: (earlier?.nth ?? 0) + 1, againOf: earlier?.no };
    const { sql, values } = insertion('delivery', { service, listen, ...came, ...seen, ...order });
    const no = this.#file.insert(sql, values);
    const forgotten = [no - KEPT.deliveries, upto - KEPT.bytes];
    this.#file.run('DELETE FROM delivery WHERE no <= ? OR upto <= ?', forgotten);
    return no;
  }

  #newerThan({ service, listen }: Circumstances, barcode?: string, occurredMs?: number): number | undefined {
    if (barcode === undefined || occurredMs === undefined) return undefined;
    return this.#file.get<{ no: number }>(
      `SELECT no FROM delivery WHERE service = ? AND barcode = ? AND occurred > ? AND listen = ?
       ORDER BY occurred DESC, no DESC LIMIT 1`,
      [service, barcode, occurredMs, listen],
    )?.no;
  }

  #read(rest: string, $wanted: number | string): Delivery[] {
    return this.#file.read(DELIVERY, `${FROM} ${rest}`, { $wanted });
  }
}

/** When one message was delivered: `afterMs` since its first attempt. */
export interface RetryTimes {
  /** Number of the first attempt. */
  no: number;
  afterMs: readonly number[];
}

/** The attempts of the message that was delivered most often; undefined when each came once. */
export function retryTimes(deliveries: readonly Delivery[]): RetryTimes | undefined {
  const messages = new Map<string, Delivery[]>();
  for (const delivery of deliveries) {
    const key = delivery.messageId ?? delivery.digest;
    messages.set(key, [...(messages.get(key) ?? []), delivery]);
  }
  const [most = []] = [...messages.values()].sort((one, other) => other.length - one.length);
  const [first] = most;
  if (first === undefined || most.length < 2) return undefined;
  return { no: first.no, afterMs: most.map(({ atMs }) => atMs - first.atMs) };
}
