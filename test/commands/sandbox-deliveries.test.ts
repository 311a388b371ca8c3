import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { receive, until } from '../sandbox/deliver/receiver.ts';
import { pushBench, visitors } from '../sync/push-bench.ts';
import { readDocument } from '../support/documents.ts';
import { listed } from '../support/tables.ts';

/** A push of two guests to the embedded sandbox, whose receiver refuses the second delivery. */
async function delivered() {
  const receiver = await receive((response, nth) => response.writeHead(nth === 2 ? 410 : 200).end());
  const bench = await pushBench();
  const create = ['webhooks', 'create', '--url', receiver.url, '--trigger', 'registration.updated'];
  expect((await bench.run([...create, '--sandbox'])).code).toBe(EXIT.done);
  const file = bench.write('a.csv', visitors('A:Zanzibara', 'B'));
  expect((await bench.run(['push', file, '--sandbox', '--json'])).code).toBe(EXIT.done);
  await until(() => receiver.received.length === 2);
  return { receiver, bench };
}

describe('sandbox deliveries', () => {
  test('shows what a push told webhooks, without the persons', async () => {
    const { bench, receiver } = await delivered();
    const { code, out } = await bench.run(['sandbox', 'deliveries', '--output', 'csv']);
    expect([code, out]).toEqual([
      EXIT.done,
      expect.stringMatching(
        /^number,at,event,webhook_id,url,state,attempts,status,why,due_at,barcode\n1,.+,delivered,1,200,,,A\n2,\S+,registration\.updated,1,\S+,dead,1,410,answered with 410,,B\n$/,
      ),
    ]);
    const json = (await bench.run(['sandbox', 'deliveries', '--json'])).out;
    expect(readDocument(json)['deliveries']).toMatchObject([
      { number: 1, state: 'delivered', url: receiver.url, attempts: [{ status: 200 }] },
      {
        number: 2,
        state: 'dead',
        why: 'answered with 410',
        barcode: 'B',
        due_at: null,
        attempts: [{ status: 410 }],
      },
    ]);
    expect(out + json).not.toContain('Zanzibara');
  });

  test('--dead shows those alone', async () => {
    const { bench } = await delivered();
    const { out } = await bench.run(['sandbox', 'deliveries', '--dead', '--output', 'ndjson']);
    expect(out.trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(out)).toMatchObject({ number: 2, state: 'dead', attempts: 1 });
  });

  test('says so where there is none', async () => {
    const bench = await pushBench();
    const file = bench.write('none.sqlite', '');
    const none = await bench.run(['sandbox', 'deliveries', '--data', file]);
    const dead = await bench.run(['sandbox', 'deliveries', '--dead', '--data', file]);
    expect([none.err, dead.err]).toEqual([
      'The sandbox has told no webhook of anything.\n',
      'No delivery was given up.\n',
    ]);
  });

  test('at a terminal shows first whom it is about, when it is tried next, and why', async () => {
    const receiver = await receive((response) => response.writeHead(500).end());
    const bench = await pushBench();
    const create = ['webhooks', 'create', '--url', receiver.url, '--trigger', 'registration.updated'];
    await bench.run([...create, '--sandbox']);
    await bench.run(['push', bench.write('a.csv', visitors('A')), '--sandbox', '--json']);
    await until(() => receiver.received.length === 1);
    const { out } = await bench.run(['sandbox', 'deliveries'], { tty: true });
    const [head = '', , row = ''] = stripVTControlCharacters(out).split('\n');
    expect(head.split(/ +/).slice(0, 7)).toEqual(
      listed('number | at | barcode | state | due_at | attempts | status'),
    );
    expect(row).toMatch(/^1 +today \d\d:\d\d +A +waiting +today \d\d:\d\d +1 +500/);
  });
});

describe('sandbox redeliver', () => {
  test('delivers one again, and says what came of it', async () => {
    const { bench, receiver } = await delivered();
    const refused = await bench.run(['sandbox', 'redeliver', '2']);
    expect([refused.code, refused.err]).toEqual([
      EXIT.failed,
      expect.stringContaining('Delivery 2 failed: the webhook is not active.'),
    ]);
    await bench.run(['webhooks', 'update', '1', '--active', '--sandbox']);
    const again = await bench.run(['sandbox', 'redeliver', '2', '--json']);
    expect([again.code, readDocument(again.out)]).toMatchObject([
      EXIT.done,
      { delivery: { number: 2, state: 'delivered', attempts: [{ status: 410 }, { status: 200 }] } },
    ]);
    const said = await bench.run(['sandbox', 'redeliver', '2']);
    expect(said.err).toContain('Delivery 2 was answered with 200.');
    expect(new Set(receiver.received.slice(1).map(({ body }) => body)).size).toBe(1);
    expect(receiver.received).toHaveLength(4);
  });

  test('of none says where they are', async () => {
    const { bench } = await delivered();
    const { code, err } = await bench.run(['sandbox', 'redeliver', '9']);
    expect([code, err]).toEqual([EXIT.usage, expect.stringContaining('`eventreg sandbox deliveries`')]);
  });
});

test('both say when the file cannot be used', async () => {
  const bench = await pushBench();
  const file = bench.write('a.csv', 'no database at all, but a file of some length');
  for (const words of [['deliveries'], ['redeliver', '1']]) {
    const { code, err } = await bench.run(['sandbox', ...words, '--data', file]);
    expect([code, err]).toEqual([EXIT.failed, expect.stringContaining('cannot be used')]);
  }
});
