import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { tellerOf } from '../../../src/commands/webhooks/delivery-record.ts';
import { isOpen } from '../../../src/commands/webhooks/listen-way.ts';
import { ReceivedStore } from '../../../src/webhooks/deliveries/received-store.ts';
import { pairsOf } from '../../../src/webhooks/deliveries/send-bytes.ts';
import { parseScheme } from '../../../src/webhooks/signing/parse-scheme.ts';
import type { Scheme } from '../../../src/webhooks/signing/scheme.ts';
import { sign } from '../../../src/webhooks/signing/sign.ts';
import { random } from '../../model/random.ts';
import { readDocument } from '../../support/documents.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { fakeRuntime } from '../../support/fake-runtime.ts';
import { randomBody } from '../../support/random-bodies.ts';
import { application, deliver, listenBench, until } from './listen-bench.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
/** So many random bodies; more of them at night. */
const BODIES = Number(process.env['EVENTREG_DELIVERIES'] ?? 60);

const about = (barcode: string, at = '2026-01-15T12:00:00Z', more = {}): string =>
  JSON.stringify({ event: 'registration.updated', registration: { barcode, updated_at: at, ...more } });

describe('a listen', () => {
  test('shows what a push makes the service call, with the row, and deletes its webhook at Ctrl-C', async () => {
    const bench = await listenBench();
    const listening = await bench.listen();
    expect(bench.here.sandbox.counts().webhooks).toBe(1);
    const file = join(bench.here.directory, 'guests.csv');
    writeFileSync(
      file,
      'persona,barcode,First name,Last name,E-mail\nvisitor,B1,Ada,Byron,ada@example.com\n',
    );
    expect((await bench.run(['push', 'guests.csv', '--yes'])).code).toBe(0);
    await until(() => listening.deliveries().length > 0);
    const teller = tellerOf(fakeRuntime().runtime, { showValues: false });
    const [one] = listening.deliveries();
    const drawn = [one, one].map((delivery) => delivery && teller.line(delivery, (_, text) => text));
    expect(drawn[0]).toMatch(/ B1 \(guests\.csv:2, run \d{8}-\w+\) /);
    expect(drawn[1]).toContain(' B1 (guests.csv:2) ');
    expect(listening.deliveries()[0]).toMatchObject({
      delivery: 1,
      trigger: 'registration.updated',
      barcode: 'B1',
      place: 'guests.csv:2',
      run: expect.stringMatching(/^\d{8}-/),
      nth: 1,
      after_ms: null,
      answer: 200,
    });
    expect(await listening.stop()).toBe(0);
    expect(bench.here.sandbox.counts().webhooks).toBe(0);
    expect(readDocument(listening.out())).toMatchObject({ deliveries: 1, webhook: 'deleted', exit: 0 });
  });

  test('ends with 0 when as many came as were asked for, and answers the last of them', async () => {
    const bench = await listenBench();
    const listening = await bench.listen(['--count', '2', '--for', '1h']);
    expect((await deliver(listening.url, about('A'))).status).toBe(200);
    expect((await deliver(listening.url, about('B'))).status).toBe(200);
    expect([await listening.done, bench.here.sandbox.counts().webhooks]).toEqual([0, 0]);
  });

  test('takes none beyond the number that was asked for, and lets the service send it again', async () => {
    const bench = await listenBench();
    const answers: (() => void)[] = [];
    const target = await application(
      async () => await new Promise((answer) => answers.push(() => answer({ status: 200 }))),
    );
    const listening = await bench.listen(['--count', '2', '--forward-to', target.url]);
    const first = [deliver(listening.url, about('A')), deliver(listening.url, about('B'))];
    await until(() => answers.length === 2);
    // While the two are under way, and none is shown yet.
    expect((await deliver(listening.url, about('C'))).status).toBe(503);
    for (const answer of answers) answer();
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200]);
    expect([await listening.done, readDocument(listening.out())]).toMatchObject([0, { deliveries: 2 }]);
    const { out } = await bench.run(['webhooks', 'deliveries', '--output', 'ndjson']);
    expect([listening.deliveries().length, target.received.length, out().trim().split('\n').length]).toEqual([
      2, 2, 2,
    ]);
  });

  test.each([
    [['--count', '2', '--for', '2m'], 6, 'gave-up'],
    [['--for', '2m'], 0, undefined],
  ])('with %j ends with %i when the time is over', async (argv, code, error) => {
    const clock = fakeClock();
    const bench = await listenBench({}, { clock });
    const listening = await bench.listen(argv);
    await deliver(listening.url, about('A'));
    await clock.advance(120_000);
    expect(await listening.done).toBe(code);
    expect(bench.here.sandbox.counts().webhooks).toBe(0);
    expect(readDocument(listening.out()).error?.code).toBe(error);
  });

  test('ends at the first line that nobody reads any more, and deletes its webhook', async () => {
    const bench = await listenBench();
    const lines: string[] = [];
    const stdout = new Writable({
      write(piece: Buffer, _encoding, next) {
        if (lines.push(piece.toString()) === 1) next();
        else next(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
      },
    });
    const listening = bench.run(['webhooks', 'listen', '--json', '--port', '0'], { stdout });
    await until(() => lines.length === 1);
    const { url } = JSON.parse(lines[0] ?? '') as { url: string };
    await deliver(url, about('A'));
    expect([(await listening).code, bench.here.sandbox.counts().webhooks]).toEqual([0, 0]);
  });

  test('ends with 6 where it is not ready when the time is over, and says that it waits', async () => {
    const clock = fakeClock({ auto: true });
    const bench = await listenBench(
      { limit: 1, windowMs: 600_000, pastLimit: '429-retry-after', rateHeaders: 'never' },
      { clock },
    );
    const { code, err } = await bench.run(['webhooks', 'listen', '--port', '0', '--for', '2m']);
    expect([code, err()]).toEqual([6, expect.stringContaining('Not ready to listen within 2 min.')]);
    expect([err(), bench.here.sandbox.counts().webhooks]).toEqual([expect.stringContaining('Waiting'), 0]);
  });

  test('takes no time that is longer than any timer', async () => {
    const bench = await listenBench();
    const { code, err } = await bench.run(['webhooks', 'listen', '--for', '99999h']);
    expect([code, err()]).toEqual([2, expect.stringContaining('24 days')]);
  });

  test('tells where the service shows another address, and what comes elsewhere', async () => {
    const bench = await listenBench({ webhookShown: 'other-address' });
    const listening = await bench.listen();
    for (const path of ['/a', '/b', '/c', '/d']) await deliver(new URL(path, listening.url).href, 'x');
    const warnings = listening.lines().flatMap((line) => (line.type === 'warning' ? [line.text] : []));
    expect(warnings).toEqual([
      expect.stringContaining('The service shows another address for the webhook'),
      ...['/a', '/b', '/c'].map((path) => expect.stringContaining(`POST ${path} `)),
    ]);
    expect([await listening.stop(), bench.here.sandbox.counts().webhooks]).toEqual([0, 0]);
  });

  test('does not take the host of its address for another one', async () => {
    const bench = await listenBench({ webhookShown: 'host' });
    const listening = await bench.listen();
    expect(listening.err()).not.toContain('another address');
    expect(await listening.stop()).toBe(0);
  });

  test('does not count a ping of the service, and shows it', async () => {
    const bench = await listenBench();
    const listening = await bench.listen(['--count', '1']);
    const ping = JSON.stringify({ event: 'webhook.ping', zen: 'Keep it simple.' });
    expect((await deliver(listening.url, ping)).status).toBe(200);
    expect((await deliver(listening.url, about('A'))).status).toBe(200);
    expect([await listening.done, readDocument(listening.out())]).toMatchObject([0, { deliveries: 1 }]);
    expect(listening.deliveries().map(({ trigger }) => trigger)).toEqual([
      'webhook.ping',
      'registration.updated',
    ]);
  });

  test('counts a ping that was asked for', async () => {
    const bench = await listenBench();
    const listening = await bench.listen(['--count', '1', '--trigger', 'ping']);
    await deliver(listening.url, '{"event":"ping"}');
    expect(await listening.done).toBe(0);
  });

  test('says how a program verifies: with a secret that is shown once, or with its own', async () => {
    const bench = await listenBench();
    const listening = await bench.listen();
    await until(() => listening.err().includes('A program of yours'));
    const [secret = ''] = /whsec_\S+/.exec(listening.err()) ?? [];
    expect(bench.here.sandbox.requests().some(({ body }) => body?.includes(secret))).toBe(true);
    expect([listening.err().split(secret).length, listening.out().includes(secret)]).toEqual([2, false]);
    const env = { ...bench.here.runtime.env, EVENTREG_WEBHOOK_SECRET: SECRET };
    const own = await bench.run(['webhooks', 'listen', '--port', '0', '--for', '1s'], {
      env,
      clock: fakeClock({ auto: true }),
    });
    expect(own.err()).toContain('verifies deliveries with the secret of EVENTREG_WEBHOOK_SECRET.');
    expect(own.err()).not.toContain(SECRET);
  });

  test('tells a delivery that is too large as such, and gives ids as the service does', async () => {
    const bench = await listenBench();
    const listening = await bench.listen();
    expect(listening.lines()[0]).toMatchObject({ type: 'ready', webhook_id: 1 });
    expect((await deliver(listening.url, Buffer.alloc(1024 * 1024 + 1))).status).toBe(413);
    await until(() => listening.err().includes('413'));
    expect(listening.err()).toContain('A delivery to the address of this listen is larger than 1 MB');
    expect(listening.err()).not.toContain('No delivery');
  });

  test.each([
    ['http://hooks.example.com', true],
    ['https://hooks.example.com', false],
    ['http://127.0.0.1:4318', false],
  ])('at %s warns of a way that is not encrypted: %s', (publicUrl, warns) => {
    expect(isOpen(publicUrl)).toBe(warns);
  });

  test('ends with 130 at Ctrl-C before as many came as were asked for', async () => {
    const bench = await listenBench();
    const listening = await bench.listen(['--count', '2']);
    expect([await listening.stop(), bench.here.sandbox.counts().webhooks]).toEqual([130, 0]);
  });

  test('tells what came again, by its id or its bytes, and what is older than what came before', async () => {
    const clock = fakeClock();
    const bench = await listenBench({}, { clock });
    const listening = await bench.listen();
    const send = async (body: string, id: string): Promise<void> => {
      await deliver(listening.url, body, ['webhook-id', id]);
      await clock.advance(5_000);
    };
    await send(about('A', '2026-01-15T12:00:09Z'), 'm1');
    await send(about('A', '2026-01-15T12:00:09Z', { name: 'other bytes' }), 'm1');
    await send(about('A', '2026-01-15T12:00:09Z'), 'm2');
    await send(about('A', '2026-01-15T12:00:01Z'), 'm3');
    await send(about('B', '2026-01-15T12:00:01Z'), 'm4');
    const told = listening.deliveries().map(({ nth, after_ms, late_after }) => [nth, after_ms, late_after]);
    expect(told).toEqual([
      [1, null, null],
      [2, 5_000, null],
      [2, 10_000, null],
      [1, null, 3],
      [1, null, null],
    ]);
  });

  test('draws a line a delivery at a terminal', async () => {
    const clock = fakeClock();
    const bench = await listenBench({}, { clock });
    const listening = await bench.listen();
    await deliver(listening.url, about('A', '2026-01-15T12:00:09Z'), ['webhook-id', 'm1']);
    await clock.advance(5_000);
    await deliver(listening.url, about('A', '2026-01-15T12:00:09Z'), ['webhook-id', 'm1']);
    await deliver(listening.url, about('A', '2026-01-15T12:00:01Z'), ['webhook-id', 'm2']);
    const { runtime } = fakeRuntime({ directory: bench.here.directory });
    const teller = tellerOf(runtime, { showValues: false });
    const lines = listening.deliveries().map((delivery) => teller.line(delivery, (_meaning, text) => text));
    expect(lines).toEqual([
      '12:00:00  #1  registration.updated  A  unsigned  200',
      '12:00:05  #2  registration.updated  A  unsigned  2nd, 5 s later  200',
      '12:00:05  #3  registration.updated  A  unsigned  late: #2 is newer  200',
    ]);
  });
});

describe('forwarding', () => {
  test(`hands on ${BODIES} random bodies as they are, with all headers of the message`, async () => {
    const bench = await listenBench();
    const target = await application();
    const listening = await bench.listen(['--forward-to', target.url]);
    const choose = random(7);
    const headers = ['X-Twice', 'a', 'X-Twice', 'b', 'x-odd', '\u00e9', 'Connection', 'X-Hop', 'X-Hop', '1'];
    const bodies = Array.from({ length: BODIES }, (_, nth) => randomBody(choose, nth));
    for (const body of bodies) expect((await deliver(listening.url, body, headers)).status).toBe(200);
    const differing = target.received.filter(({ body }, at) => !body.equals(bodies[at] ?? Buffer.of(0)));
    expect([target.received.length, differing.length]).toEqual([BODIES, 0]);
    const kept = pairsOf(target.received[0]?.headers ?? []).map(([name, value]) => `${name}: ${value}`);
    const own = kept.filter((line) => !/^(?:host|connection|content-length):/.test(line));
    expect(own).toEqual(['X-Twice: a', 'X-Twice: b', 'x-odd: \u00e9']);
    const store = new ReceivedStore(bench.here.runtime.paths.state, 0);
    onTestFinished(() => store.close());
    const stored = bodies.filter(
      (body, at) => Buffer.compare(store.body(at + 1) ?? Buffer.of(0), body) !== 0,
    );
    expect(stored).toEqual([]);
  });

  test('goes to a program that is named by its port alone', async () => {
    const bench = await listenBench();
    const target = await application();
    const { host, pathname } = new URL(target.url);
    const listening = await bench.listen(['--forward-to', `${host}${pathname}`]);
    expect((await deliver(listening.url, about('A'))).status).toBe(200);
    expect(target.received).toHaveLength(1);
  });

  test('gives back what was answered, and never follows', async () => {
    const bench = await listenBench();
    const elsewhere = await application();
    const answers = [
      { status: 201, headers: { 'content-type': 'text/plain', 'x-own': '1' }, body: 'challenge' },
      { status: 302, headers: { location: elsewhere.url } },
      { status: 503, headers: { 'retry-after': '7', 'content-encoding': 'gzip' } },
    ];
    const target = await application((nth) => answers[nth - 1] ?? { status: 200 });
    const listening = await bench.listen(['--forward-to', target.url]);
    const first = await deliver(listening.url, 'a');
    expect([first.status, first.body.toString(), first.headers['x-own']]).toEqual([
      201,
      'challenge',
      undefined,
    ]);
    expect((await deliver(listening.url, 'b')).status).toBe(302);
    expect((await deliver(listening.url, 'c')).headers).toMatchObject({
      'retry-after': '7',
      'content-encoding': 'gzip',
    });
    expect(elsewhere.received).toEqual([]);
    expect(listening.deliveries().map(({ answer }) => answer)).toEqual([201, 302, 503]);
    const { out } = await bench.run(['webhooks', 'deliveries'], { tty: true });
    const [head = '', , row = ''] = stripVTControlCharacters(out()).split('\n');
    expect(head.split(/ +/)).toEqual(['delivery', 'received', 'verdict', 'answer', 'nth']);
    expect(row).toMatch(/^1 +today \d\d:\d\d +unsigned +201 +1$/);
  });

  test('answers 502 where nothing listens, and says so', async () => {
    const bench = await listenBench();
    const listening = await bench.listen(['--forward-to', 'http://127.0.0.1:9/hooks?key=secret']);
    expect((await deliver(listening.url, 'a')).status).toBe(502);
    const told = { answer: 502, answer_why: 'nothing listens at http://127.0.0.1:9' };
    expect(listening.deliveries()).toMatchObject([told]);
    await listening.stop();
    const { out } = await bench.run(['webhooks', 'deliveries', 'show', '1', '--json']);
    expect(readDocument(out())).toMatchObject(told);
    const { runtime } = fakeRuntime({ directory: bench.here.directory });
    const teller = tellerOf(runtime, { showValues: false });
    const [line] = listening.deliveries().map((one) => teller.line(one, (_meaning, text) => text));
    expect(line).toMatch(/unsigned  502: nothing listens at http:\/\/127\.0\.0\.1:9$/);
  });

  test('answers what the program does with 502 without a word of ours', async () => {
    const bench = await listenBench();
    const target = await application(() => ({ status: 502 }));
    const listening = await bench.listen(['--forward-to', target.url]);
    await deliver(listening.url, 'a');
    expect(listening.deliveries()).toMatchObject([{ answer: 502, answer_why: null }]);
  });

  test('leaves out what a filter does: it is stored, and answered with 200', async () => {
    const bench = await listenBench();
    const target = await application();
    const filters = ['--filter', 'registration.barcode=B', '--filter', 'x-kind=guest'];
    const listening = await bench.listen([...filters, '--forward-to', target.url, '--count', '1']);
    expect((await deliver(listening.url, about('A'), ['X-Kind', 'guest'])).status).toBe(200);
    expect((await deliver(listening.url, about('B'))).status).toBe(200);
    expect((await deliver(listening.url, about('B'), ['X-Kind', 'guest'])).status).toBe(200);
    expect(await listening.done).toBe(0);
    expect([target.received.length, listening.deliveries().map(({ delivery }) => delivery)]).toEqual([
      1,
      [3],
    ]);
    const { out } = await bench.run(['webhooks', 'deliveries']);
    expect(out().trim().split('\n')).toHaveLength(4);
    expect(listening.err().match(/Delivery 1 is left out by --filter/g)).toHaveLength(1);
    expect(listening.err()).not.toContain('Delivery 2 is left out');
    expect(listening.err()).toContain('2 deliveries were left out by --filter.');
    expect(readDocument(listening.out())).toMatchObject({ deliveries: 1, left_out: 2 });
  });

  test('says where to see what came when too few did, and of a filter where there was one', async () => {
    const clock = fakeClock();
    const bench = await listenBench({}, { clock });
    for (const filter of [[], ['--filter', 'a=b']]) {
      const listening = await bench.listen(['--count', '1', '--for', '10s', ...filter]);
      await clock.advance(10_000);
      expect(await listening.done).toBe(6);
      expect(listening.err()).toContain('eventreg webhooks deliveries');
      expect(listening.err().includes('--filter')).toBe(filter.length > 0);
    }
  });
});

describe('answering', () => {
  test('with 500 finds out when the service tries again', async () => {
    const clock = fakeClock();
    const bench = await listenBench({}, { clock });
    const listening = await bench.listen(['--respond', '500', '--count', '3']);
    for (const wait of [5_000, 300_000, 0]) {
      expect((await deliver(listening.url, 'x', ['webhook-id', 'm'])).status).toBe(500);
      if (wait > 0) await clock.advance(wait);
    }
    expect(await listening.done).toBe(0);
    expect(readDocument(listening.out())).toMatchObject({ retries_ms: [0, 5_000, 305_000] });
    expect(listening.err()).toContain('Delivery 1 came 3 times, after 0 s, 5 s, 5 min 5 s.');
  });

  test('with 500 counts the attempts of one delivery, however many come', async () => {
    const clock = fakeClock();
    const bench = await listenBench({}, { clock });
    const listening = await bench.listen(['--respond', '500', '--count', '2', '--for', '1h']);
    expect(listening.err()).toContain('until Ctrl-C or 2 attempts of one delivery, for 1 h at most');
    for (const id of ['m1', 'm2', 'm3']) await deliver(listening.url, id, ['webhook-id', id]);
    await clock.advance(5_000);
    await deliver(listening.url, 'm2', ['webhook-id', 'm2']);
    expect(await listening.done).toBe(0);
    expect(readDocument(listening.out())).toMatchObject({ deliveries: 4, retries_ms: [0, 5_000] });
  });

  test('slowly takes a minute', async () => {
    const clock = fakeClock();
    const bench = await listenBench({}, { clock });
    const listening = await bench.listen(['--respond', 'slow']);
    let isAnswered = false;
    const answer = deliver(listening.url, 'x').finally(() => (isAnswered = true));
    await until(() => listening.deliveries().length === 1);
    expect(listening.deliveries()).toMatchObject([{ delivery: 1, answer: null }]);
    await clock.advance(59_000);
    expect(isAnswered).toBe(false);
    await clock.advance(1_000);
    expect((await answer).status).toBe(200);
    await listening.stop();
    expect([listening.deliveries().length, readDocument(listening.out())]).toMatchObject([
      1,
      { deliveries: 1 },
    ]);
    const { out } = await bench.run(['webhooks', 'deliveries', '--json']);
    expect(readDocument(out())).toMatchObject({ deliveries: [{ answer: 200 }] });
  });

  test('with 503 where nothing can be stored, and ends', async () => {
    const bench = await listenBench();
    const listening = await bench.listen();
    const { DatabaseSync } = await import('@photostructure/sqlite');
    const db = new DatabaseSync(join(bench.here.runtime.paths.state, 'webhooks.sqlite'));
    db.exec('DROP TABLE delivery');
    db.close();
    expect((await deliver(listening.url, 'x')).status).toBe(503);
    expect([await listening.done, bench.here.sandbox.counts().webhooks]).toEqual([1, 0]);
    expect(listening.err()).toContain('webhooks.sqlite cannot be used');
  });
});

describe('signatures', () => {
  const signed = (name: string, body: string, secret = SECRET, timestampMs = Date.now()): string[] => {
    const scheme = parseScheme(name) as Scheme;
    const unsigned = { id: 'm1', timestampMs, body: Buffer.from(body), url: '' };
    return Object.entries(sign(scheme, secret, unsigned)).flat();
  };

  test('are found out, and what fits is said once, ready to be kept', async () => {
    const bench = await listenBench();
    const listening = await bench.listen(['--secret-stdin'], { stdinText: SECRET });
    for (const body of ['a', 'b']) await deliver(listening.url, body, signed('github', body));
    await deliver(listening.url, 'c', signed('github', 'other'));
    await deliver(listening.url, 'd');
    const verdicts = listening.deliveries().map(({ verdict }) => verdict);
    expect(verdicts).toEqual(['valid', 'valid', 'wrong', 'unsigned']);
    expect(listening.err().match(/"webhookScheme": "github" in profile default/g)).toHaveLength(1);
    expect(listening.err()).toContain('Listening until Ctrl-C (webhook');
    await listening.stop();
    expect(`${listening.out()}${listening.err()}`).not.toContain(SECRET);
    expect(readDocument(listening.out())).toMatchObject({ scheme: 'github' });
  });

  test('of the sandbox are kept by a flag alone: it has no profile', async () => {
    const bench = await listenBench();
    const listening = await bench.listen(['--sandbox']);
    writeFileSync(join(bench.here.directory, 'a.json'), about('A'));
    expect((await bench.run(['webhooks', 'trigger', '--sandbox', '--body', 'a.json'])).code).toBe(0);
    await until(() => listening.deliveries().length > 0);
    expect(listening.deliveries()).toMatchObject([{ verdict: 'valid', barcode: 'A' }]);
    expect(listening.err()).toContain("To hold every delivery to it: --verify 'standard'.");
  });

  test.each([
    ['standard', ['valid', 'unsigned']],
    ['off', ['not verified', 'not verified']],
  ])('are held to %s where that is said', async (verify, verdicts) => {
    const bench = await listenBench();
    const listening = await bench.listen(['--verify', verify, '--secret-stdin'], { stdinText: SECRET });
    await deliver(listening.url, 'a', signed('standard', 'a'));
    for (const body of ['b', 'c']) await deliver(listening.url, body, signed('github', body));
    expect(listening.deliveries().map(({ verdict }) => verdict)).toEqual([...verdicts, verdicts[1]]);
    const isHeld = verify !== 'off';
    const why = 'It has no header webhook-signature.';
    expect(listening.deliveries()[1]?.why).toBe(isHeld ? why : null);
    expect(listening.err().split(`Delivery 2: unsigned. ${why}`)).toHaveLength(isHeld ? 2 : 1);
    expect(listening.err()).not.toContain('Delivery 3');
  });

  test.each([
    [['--verify', 'standard'], 3],
    [['--verify', 'auto'], 3],
    [['--verify', 'off'], 0],
    [[], 0],
  ])('with %j and --count end with %i where one is not valid', async (argv, code) => {
    const bench = await listenBench();
    const listening = await bench.listen([...argv, '--count', '2']);
    await deliver(listening.url, about('A'), ['webhook-signature', 'v1,b2xk']);
    await deliver(listening.url, about('B'));
    expect(await listening.done).toBe(code);
    if (code === 3) expect(listening.err()).toContain('2 of 2 deliveries were not valid.');
  });

  test('are held to what the profile says', async () => {
    const bench = await listenBench();
    const { config } = bench.here.runtime.paths;
    const baseUrl = bench.here.sandbox.baseUrl;
    await bench.run(['login', '--base-url', baseUrl, '--token-stdin'], { stdinText: 'tok-Zx81-Qq\n' });
    const profile = { baseUrl, webhookScheme: 'stripe' };
    writeFileSync(join(config, 'profiles.json'), JSON.stringify({ profiles: { default: profile } }));
    const listening = await bench.listen(['--secret-stdin'], { stdinText: SECRET });
    await deliver(listening.url, 'a', signed('github', 'a'));
    await deliver(listening.url, 'b', signed('stripe', 'b'));
    expect(listening.deliveries().map(({ verdict }) => verdict)).toEqual(['unsigned', 'valid']);
  });
});

describe('what is hostile', () => {
  const ESC = '\u001B[2J\u001B]0;owned\u0007';
  const BIDI = '\u202Egpj.exe';

  test('gets nothing onto the terminal, and keeps nobody out', async () => {
    const bench = await listenBench();
    const listening = await bench.listen();
    const bodies = [
      about(`${ESC}A`),
      about(BIDI),
      JSON.stringify({ event: `${ESC}${BIDI}`, registration: { barcode: 'ada@example.com' } }),
      '['.repeat(100_000),
      '{"__proto__":{"barcode":"P"},"event":{"type":"deep"}}',
    ];
    for (const body of bodies) await deliver(listening.url, body, ['x-event', '\u009b2J']);
    expect(listening.deliveries()).toHaveLength(bodies.length);
    const port = new URL(listening.url).port;
    for (const path of [
      '/',
      '/../../etc/passwd',
      '/..%2f..%2fetc%2fpasswd',
      `${new URL(listening.url).pathname}/x`,
    ]) {
      expect((await deliver(`http://127.0.0.1:${port}${path}`, 'x')).status).toBe(404);
    }
    await listening.stop();
    const drawn = await bench.run(['webhooks', 'deliveries'], { tty: true });
    const shown = await bench.run(['webhooks', 'deliveries', 'show', '3']);
    const all = [listening.out(), listening.err(), drawn.out(), shown.out()].join('');
    // oxlint-disable-next-line no-control-regex
    const plain = all.replaceAll(/\u001B\[\d+m/g, '');
    const isUnsafe = (character: string): boolean => /[\p{Cc}\u202E]/u.test(character) && character !== '\n';
    expect(Array.from(plain).filter(isUnsafe)).toEqual([]);
    expect(all).not.toContain('ada@example.com');
    expect(bench.here.sandbox.counts().webhooks).toBe(0);
  });
});

test.each([
  [
    ['--sandbox', '--trigger', 'registration.create'],
    'The sandbox never fires registration.create: it knows',
  ],
  [['--sandbox', '--trigger', 'registration.created'], 'fires registration.created only for requests to'],
  [['--trigger', 'registration.create'], 'registration.updated is the one trigger that is documented'],
  [['--sandbox', '--trigger', 'registration.updated'], undefined],
])('a trigger that may never fire: %j is told of', async (argv, said) => {
  const bench = await listenBench();
  const listening = await bench.listen(argv);
  await listening.stop();
  const warnings = listening.lines().filter(({ type }) => type === 'warning');
  const expected = said === undefined ? [] : [{ text: expect.stringContaining(said) }];
  expect(warnings).toMatchObject(expected);
  const url = ['--url', 'http://127.0.0.1:9/'];
  const { code, err } = await bench.run(['webhooks', 'create', ...url, ...argv]);
  expect([code, err().replaceAll('\n', ' ')]).toEqual([0, expect.stringContaining(said ?? '')]);
  expect(err().includes('fires')).toBe(said !== undefined);
});

describe('flags that contradict each other', () => {
  test.each([
    [['--public-url', 'https://a.example', '--tunnel', 'x']],
    [['--respond', '500', '--forward-to', 'http://localhost:1/']],
    [['--verify', 'nonsense']],
    [['--filter', 'a']],
    [['--count', '0']],
  ])('%j', async (argv) => {
    const bench = await listenBench();
    const { code, out } = await bench.run(['webhooks', 'listen', ...argv]);
    expect([code, out()]).toEqual([2, '']);
    expect(bench.here.sandbox.counts().webhooks).toBe(0);
  });

  test.each([[[]], [['--cleanup']]])('no address of the webhook service: listen %j', async (argv) => {
    const bench = await listenBench();
    const env = { ...bench.here.runtime.env, EVENTREG_INTEG_URL: undefined };
    const { code, err } = await bench.run(['webhooks', 'listen', ...argv], { env });
    expect([code, err()]).toEqual([2, expect.stringContaining('EVENTREG_INTEG_URL')]);
    expect(err()).not.toContain('left');
    expect((await bench.run(['webhooks', 'listen', '--cleanup'])).err()).toContain('has left');
  });

  test('a service elsewhere needs a way in', async () => {
    const bench = await listenBench();
    const env = {
      EVENTREG_BASE_URL: 'https://events.example',
      EVENTREG_INTEG_URL: 'https://hooks.example',
      EVENTREG_TOKEN: 'tok-tok-tok-tok',
      EVENTREG_KEYCHAIN: 'off',
    };
    const { code, err } = await bench.run(['webhooks', 'listen'], { env });
    expect([code, err()]).toEqual([2, expect.stringContaining('--tunnel')]);
  });
});
