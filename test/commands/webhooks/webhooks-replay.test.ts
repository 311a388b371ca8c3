import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ReceivedStore } from '../../../src/webhooks/deliveries/received-store.ts';
import { pairsOf } from '../../../src/webhooks/deliveries/send-bytes.ts';
import { random } from '../../model/random.ts';
import { listIn } from '../../support/documents.ts';
import { randomBody } from '../../support/random-bodies.ts';
import { application, type ListenBench, listenBench, type Received } from './listen-bench.ts';
import { listed, paired } from '../../support/tables.ts';

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const JSON_BODY = Buffer.from('{"event":"registration.updated","name":"Zo\u00eb \u{1F39F}"}');
const replay = ['webhooks', 'replay'];

/** A machine on which these were received. */
async function received(
  bodies: readonly Uint8Array[],
  headers: readonly string[] = [],
  scheme?: string,
): Promise<ListenBench> {
  const bench = await listenBench();
  const nowMs = bench.here.runtime.clock.now();
  const store = new ReceivedStore(bench.here.runtime.paths.state, nowMs);
  onTestFinished(() => store.close());
  const about = {
    service: bench.here.sandbox.baseUrl,
    listen: 'a',
    verdict: 'unsigned',
    why: undefined,
    scheme,
    answer: 200,
  };
  for (const body of bodies) await store.add({ atMs: nowMs, headers, body: Buffer.from(body) }, about);
  return bench;
}

const headersOf = ({ headers }: Received): Record<string, string> =>
  Object.fromEntries(pairsOf(headers).map(([name, value]) => [name.toLowerCase(), value]));

describe('webhooks replay', () => {
  test('sends the stored bytes again, with all headers of the message, in the order given', async () => {
    const choose = random(11);
    const bodies = Array.from({ length: 12 }, (_, nth) => randomBody(choose, nth));
    const headers = listed(
      'X-Twice | a | X-Twice | b | webhook-id | m1 | x-odd | \u00e9 | Connection | close',
    );
    const bench = await received(bodies, [...headers, 'Host', 'old.example', 'Content-Length', '3']);
    const target = await application();
    const numbers = bodies.map((_, at) => at + 1).toReversed();
    const { code, out } = await bench.run([...replay, ...numbers.map(String), '--to', target.url, '--json']);
    expect([code, listIn(out())]).toEqual([
      0,
      numbers.map((delivery) => ({ delivery, status: 200, error: null })),
    ]);
    expect(target.received.map(({ body }) => body)).toEqual(bodies.toReversed());
    for (const one of target.received) {
      const kept = pairsOf(one.headers).filter(([name]) => /^(?:x-|webhook)/i.test(name));
      expect(kept).toEqual(paired('X-Twice → a | X-Twice → b | webhook-id → m1 | x-odd → \u00e9'));
      expect(headersOf(one)['host']).toBe(new URL(target.url).host);
    }
    expect(bench.here.sandbox.requests()).toEqual([]);
  });

  test.each([
    ['standard', 'webhook', StandardWebhook],
    ['svix', 'svix', SvixWebhook],
  ] as const)(
    '--sign %s makes a signature that its library accepts, of the same id',
    async (name, brand, Webhook) => {
      const old = [
        `${brand}-id`,
        'm1',
        `${brand}-timestamp`,
        '1',
        `${brand}-signature`,
        'v1,b2xk',
        'X-Own',
        '1',
      ];
      const bench = await received([JSON_BODY], old);
      const target = await application();
      const words = [...replay, '1', '--to', target.url, '--sign', name, '--secret-stdin'];
      const { code, out, err } = await bench.run(words, { stdinText: `${SECRET}\n` });
      expect(code).toBe(0);
      const [one = { headers: [], body: Buffer.of() }] = target.received;
      expect(headersOf(one)).toMatchObject({ [`${brand}-id`]: 'm1', 'x-own': '1' });
      expect(pairsOf(one.headers).filter(([header]) => header === `${brand}-signature`)).toHaveLength(1);
      expect(new Webhook(SECRET).verify(one.body, headersOf(one))).toMatchObject({
        name: 'Zo\u00eb \u{1F39F}',
      });
      expect(() => new Webhook(SECRET).verify('{}', headersOf(one))).toThrow('No matching signature');
      expect(out() + err()).not.toContain(SECRET);
    },
  );

  test('--sign takes the old signature away, and its time', async () => {
    const old = listed(
      'X-Hub-Signature-256 | sha256=00 | stripe-signature | t=1,v1=00 | x-acme | s3cret-word',
    );
    const bench = await received([JSON_BODY], [...old, 'X-Own', '1'], 'token:x-acme');
    const target = await application();
    const words = [...replay, '1', '--to', target.url, '--sign', 'standard', '--secret-stdin'];
    expect((await bench.run(words, { stdinText: SECRET })).code).toBe(0);
    const names = target.received.flatMap(({ headers }) =>
      pairsOf(headers).map(([name]) => name.toLowerCase()),
    );
    expect(names.filter((name) => /^(?:x-|stripe|webhook)/.test(name))).toEqual(
      listed('x-own | webhook-id | webhook-timestamp | webhook-signature'),
    );
    const shown = await bench.run(['webhooks', 'deliveries', 'show', '1', '--show-values']);
    expect(shown.out()).toContain('x-acme: [redacted]');
    expect(shown.out()).not.toContain('s3cret-word');
  });

  test('--sign takes the secret from the environment as well, and an id of its own where there was none', async () => {
    const bench = await received([JSON_BODY]);
    const target = await application();
    const env = { ...bench.here.runtime.env, EVENTREG_WEBHOOK_SECRET: SECRET };
    expect((await bench.run([...replay, '1', '--to', target.url, '--sign', 'standard'], { env })).code).toBe(
      0,
    );
    for (const one of target.received) new StandardWebhook(SECRET).verify(one.body, headersOf(one));
    expect(target.received.map((one) => headersOf(one)['webhook-id'])).toEqual(['delivery-1']);
  });

  test('goes on past one that is not taken, follows no redirect, and ends with 1', async () => {
    const bench = await received([Buffer.of(1), Buffer.of(2), Buffer.of(3)]);
    const elsewhere = await application();
    const answers = [{ status: 500 }, { status: 307, headers: { location: elsewhere.url } }];
    const target = await application((nth) => answers[nth - 1] ?? { status: 204 });
    const { code, out, err } = await bench.run([...replay, '1', '2', '3', '--to', target.url, '--json']);
    expect([code, listIn(out())]).toEqual([
      1,
      [
        { delivery: 1, status: 500, error: null },
        { delivery: 2, status: 307, error: null },
        { delivery: 3, status: 204, error: null },
      ],
    ]);
    expect([target.received.length, elsewhere.received]).toEqual([3, []]);
    expect(err()).toContain('2 of 3 deliveries were not taken.');
  });

  test('ends with 1 where nobody is there, and says why', async () => {
    const bench = await received([JSON_BODY]);
    const { code, out, err } = await bench.run([...replay, '1', '--to', 'http://127.0.0.1:9/x']);
    expect([code, out(), err()]).toEqual([
      1,
      expect.stringContaining('nothing listens at http://127.0.0.1:9'),
      expect.stringContaining('1 of 1 delivery was not taken.'),
    ]);
  });

  test.each<[string, string[], string]>([
    ['a delivery with this number, before anything is sent', ['1', '7'], 'There is no delivery 7.'],
    ['a number', ['x'], '<number>: takes a whole number of at least 1'],
    ['a scheme', ['1', '--sign', 'nonsense'], 'nonsense'],
    ['a scheme that signs', ['1', '--sign', 'auto'], '--sign takes a scheme'],
    ['a secret', ['1', '--sign', 'standard'], 'EVENTREG_WEBHOOK_SECRET'],
  ])('says that there is no %s', async (_, words, said) => {
    const bench = await received([JSON_BODY]);
    const target = await application();
    const { code, err } = await bench.run([...replay, ...words, '--to', target.url]);
    expect([code, err(), target.received]).toEqual([2, expect.stringContaining(said), []]);
  });

  test('needs an address', async () => {
    const bench = await received([JSON_BODY]);
    const { code, err } = await bench.run([...replay, '1']);
    expect([code, err()]).toEqual([2, expect.stringContaining('--to: is needed')]);
  });
});
