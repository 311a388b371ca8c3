import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { InterruptedError } from '../../../src/errors.ts';
import { performAll } from '../../../src/sync/perform/perform.ts';
import type { SendContext } from '../../../src/sync/journal/send-context.ts';
import type { SendOutcome } from '../../../src/service/send-registration.ts';
import { type PlanBench, planBench } from '../plan-bench.ts';
import { barcodes } from '../push-bench.ts';

const WORKERS = 8;
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const done: SendOutcome = { kind: 'done', status: 201, id: 'reg-1', action: 'created', requestId: 'own' };
const refused: SendOutcome = { kind: 'failed', status: 422, message: 'No.', requestId: 'own' };

/** What the disk holds, as another process sees it. */
interface Disk {
  /** Rows in a state. */
  count(state: string): number;
  /** Whether a row with this barcode is about to be sent by the request with this id. */
  intends(barcode: string, requestId: string): boolean;
}

/** Where rows stand, with what they have yet to be told. */
const STANDING = `WITH news AS (
    SELECT one.value ->> 'seq' AS seq, one.value -> 'sent' AS sent, one.value ->> '$.outcome.state' AS state,
      row_number() OVER (PARTITION BY one.value ->> 'seq' ORDER BY no DESC, one.key DESC) AS nth
    FROM departure JOIN json_each(list) AS part JOIN json_each(part.value) AS one),
  standing AS (SELECT barcode, iif(news.seq IS NULL, row.state, coalesce(news.state, 'sending')) AS state,
      coalesce(news.sent ->> 'requestId', sends ->> '$[#-1].requestId') AS request
    FROM row LEFT JOIN news ON news.seq = row.seq AND news.nth = 1)`;

function diskOf({ journal }: PlanBench): Disk {
  const database = new DatabaseSync(journal.file, { readOnly: true });
  onTestFinished(() => database.close());
  const number = (where: string, ...values: string[]): number =>
    (
      database.prepare(`${STANDING} SELECT count(*) AS n FROM standing WHERE ${where}`).get(...values) as {
        n: number;
      }
    ).n;
  return {
    count: (state) => number('state = ?', state),
    intends: (barcode, requestId) =>
      number("barcode = ? AND state = 'sending' AND request = ?", barcode, requestId) === 1,
  };
}

interface Sender {
  bench: PlanBench;
  disk: Disk;
  context: SendContext;
  /** Barcodes whose request left, in order. */
  left: string[];
}

/** A run of so many rows over a service that answers in the next turn, as `answer` says. */
async function sender(
  rows: number,
  {
    answer = () => done,
    more = {},
  }: { answer?: (nth: number) => SendOutcome; more?: Partial<SendContext> } = {},
): Promise<Sender> {
  const bench = await planBench();
  const run = bench.claim(barcodes(rows).map((barcode) => ({ barcode })));
  const base = bench.context(run);
  const left: string[] = [];
  const registrations: SendContext['registrations'] = {
    ...base.registrations,
    async send({ barcode = '' }, onSending) {
      await onSending(`id-${barcode}`);
      left.push(barcode);
      const nth = left.length;
      await nextTurn();
      return answer(nth);
    },
  };
  const limits = { ...base.limits, workers: () => WORKERS };
  return { bench, disk: diskOf(bench), left, context: { ...base, limits, registrations, ...more } };
}

describe('sending', () => {
  test('has the intent on the disk before the request leaves, each with its id', async () => {
    const sending = await sender(40);
    const seen: boolean[] = [];
    const service = sending.context.registrations;
    const registrations: SendContext['registrations'] = {
      ...service,
      send: (registration, onSending) =>
        service.send(registration, async (requestId) => {
          await onSending(requestId);
          seen.push(sending.disk.intends(registration.barcode ?? '', requestId));
        }),
    };
    await performAll({ ...sending.context, registrations });
    expect(seen).toEqual(Array.from({ length: 40 }, () => true));
    expect(sending.disk.count('done')).toBe(40);
  });

  test('tells of an outcome when it is on the disk', async () => {
    const onDisk: number[] = [];
    const told: number[] = [];
    const sending = await sender(40);
    const { reporter } = sending.context;
    const report: typeof reporter.report = (event) => {
      if (event.type !== 'sending') return;
      told.push(event.tally.sent);
      onDisk.push(sending.disk.count('done'));
    };
    await performAll({ ...sending.context, reporter: { ...reporter, report } });
    expect(told).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
    expect(onDisk.filter((count, at) => count <= at)).toEqual([]);
  });

  test('writes what all workers have at the same moment in one go, and an outcome with the next intent', async () => {
    const sending = await sender(10 * WORKERS);
    const begun = vi.spyOn(sending.bench.journal.group, 'addHere');
    const writes = vi.spyOn(sending.bench.journal.departures, 'together');
    await performAll(sending.context);
    expect(begun).toHaveBeenCalledTimes(20 * WORKERS);
    expect(writes).toHaveBeenCalledTimes(11);
  });
});

describe('sending stops', () => {
  test('at the answer that says so: no row that was waiting leaves after it', async () => {
    const sending = await sender(60, { answer: () => refused });
    await expect(performAll(sending.context)).rejects.toThrow('The first 20 rows were all refused alike');
    // Three times eight were under way when the twentieth was refused.
    expect(sending.left).toHaveLength(24);
    expect([sending.disk.count('failed'), sending.disk.count('pending')]).toEqual([24, 36]);
  });

  test('on Ctrl-C: what is under way is finished, and what waits to be written does not leave', async () => {
    const stop = new AbortController();
    const answer = (nth: number): SendOutcome => {
      if (nth === WORKERS) stop.abort(new InterruptedError());
      return done;
    };
    const sending = await sender(40, { answer, more: { stopping: stop.signal } });
    await expect(performAll(sending.context)).rejects.toThrow(InterruptedError);
    expect(sending.left).toHaveLength(WORKERS);
    expect([sending.disk.count('done'), sending.disk.count('pending')]).toEqual([WORKERS, 40 - WORKERS]);
  });

  test('on Ctrl-C right after an answer, while the next row waits for its turn: the answer is on the disk', async () => {
    const stop = new AbortController();
    const sending = await sender(3, { more: { stopping: stop.signal } });
    const service = sending.context.registrations;
    let asked = 0;
    const registrations: SendContext['registrations'] = {
      ...service,
      async send(registration, onSending) {
        asked += 1;
        if (asked === 1) return await service.send(registration, onSending);
        stop.abort();
        throw new InterruptedError();
      },
    };
    const limits = { ...sending.context.limits, workers: () => 1 };
    await expect(performAll({ ...sending.context, registrations, limits })).rejects.toThrow(InterruptedError);
    expect([sending.disk.count('done'), sending.disk.count('sending')]).toEqual([1, 0]);
  });

  test('when the disk fails, before any request of that write leaves, whatever else has stopped it', async () => {
    const sending = await sender(40, {
      answer: () => ({ kind: 'stopped', error: new Error('401'), requestId: undefined }),
    });
    const { journal } = sending.bench;
    const write = journal.transaction.bind(journal);
    vi.spyOn(journal, 'transaction').mockImplementation((work) => {
      if (sending.left.length > 0) throw new Error('the disk is full');
      return write(work);
    });
    await expect(performAll(sending.context)).rejects.toThrow('the disk is full');
    expect(sending.left).toHaveLength(WORKERS);
    expect(sending.disk.count('sending')).toBe(WORKERS);
  });
});
