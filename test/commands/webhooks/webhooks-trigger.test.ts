import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/sandbox.ts';
import { listIn } from '../../support/documents.ts';
import { application, type ListenBench, listenBench, type Received } from './listen-bench.ts';

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

/** As a push would have made them, which takes longer. */
function fill(sandbox: Pick<Sandbox, 'put'>): void {
  for (const [barcode, last] of [
    ['A', 'Byron'],
    ['B', 'Zanzibara'],
  ] as const) {
    sandbox.put({
      id: `r-${barcode}`,
      persona: 'visitor',
      barcode,
      barcodeGenerated: false,
      parentBarcode: undefined,
      enableComms: false,
      fields: { last_name: last },
      createdAt: 0,
      updatedAt: 0,
    });
  }
}

async function withGuests(): Promise<ListenBench> {
  const bench = await listenBench();
  fill(bench.here.sandbox);
  return bench;
}

async function withGuestsInSandbox(): Promise<ListenBench> {
  const bench = await listenBench();
  const sandbox = await startSandbox({ file: join(bench.here.runtime.paths.state, 'sandbox.sqlite') });
  fill(sandbox);
  await sandbox.close();
  return bench;
}

const write = (bench: ListenBench, name: string, bytes: string | Uint8Array): string => {
  writeFileSync(join(bench.here.directory, name), bytes);
  return name;
};

const contentOf = (received: Received | undefined): Record<string, unknown> =>
  JSON.parse(received?.body.toString() ?? '') as Record<string, unknown>;

const headersOf = ({ headers }: Received): Record<string, string> =>
  Object.fromEntries(
    headers.flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), headers[at + 1] ?? '']] : [])),
  );

const trigger = ['webhooks', 'trigger'];

describe('webhooks trigger --to', () => {
  test.each([
    [['--barcode', 'B'], 'B'],
    [[], 'A'],
  ])('with %j makes it of a registration', async (words, barcode) => {
    const bench = await withGuests();
    const { url, received } = await application();
    const { code, out } = await bench.run([...trigger, ...words, '--to', url, '--json']);
    expect([code, listIn(out())]).toEqual([
      0,
      [{ to: url, trigger: 'registration.updated', barcode, status: 200, error: null }],
    ]);
    const kept = bench.here.sandbox.registrations().find((one) => one.barcode === barcode);
    expect(received.map(contentOf)).toMatchObject([
      {
        event: 'registration.updated',
        event_id: 4711,
        registration: { barcode, fields: kept?.fields },
        delivered_at: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ]);
    expect(out()).not.toContain('Zanzibara');
  });

  test('--body sends the bytes of a file, whatever they are, and asks no service', async () => {
    const bench = await listenBench();
    const { url, received } = await application();
    const bytes = Buffer.from([0xff, 0x00, 0xc3, 0x28, 0x0d, 0x0a]);
    const file = write(bench, 'odd.bin', bytes);
    expect((await bench.run([...trigger, '--body', file, '--to', url])).code).toBe(0);
    expect(received.map(({ body }) => body)).toEqual([bytes]);
    expect(bench.here.sandbox.requests()).toEqual([]);
  });

  test('--override changes what is at a path, where a text stood for a text', async () => {
    const bench = await withGuests();
    const { url, received } = await application();
    const overrides = [
      'registration.barcode=7',
      'registration.fields.company=Quay, "Sons" = 1',
      'event_id=12',
      'new.deep=[1,null]',
    ].flatMap((one) => ['--override', one]);
    expect((await bench.run([...trigger, '--barcode', 'A', ...overrides, '--to', url])).code).toBe(0);
    expect(contentOf(received[0])).toMatchObject({
      registration: { barcode: '7', fields: { company: 'Quay, "Sons" = 1', last_name: 'Byron' } },
      event_id: 12,
      new: { deep: [1, null] },
    });
    const file = write(bench, 'list.json', '[{"barcode":"A"},{"barcode":"B"}]');
    await bench.run([...trigger, '--body', file, '--override', '1.barcode=C', '--to', url]);
    expect(received[1]?.body.toString()).toBe('[{"barcode":"A"},{"barcode":"C"}]');
  });

  test.each([
    ['standard', StandardWebhook],
    ['svix', SvixWebhook],
  ] as const)('--sign %s is accepted by its library', async (name, Webhook) => {
    const bench = await withGuests();
    const { url, received } = await application();
    const words = [...trigger, '--to', url, '--sign', name, '--secret-stdin'];
    const { code, out, err } = await bench.run(words, { stdinText: `${SECRET}\n` });
    expect([code, received.length]).toEqual([0, 1]);
    for (const one of received) {
      expect(new Webhook(SECRET).verify(one.body, headersOf(one))).toMatchObject({ event_id: 4711 });
      expect(() => new Webhook(SECRET).verify('{}', headersOf(one))).toThrow('No matching signature');
    }
    expect(out() + err()).not.toContain(SECRET);
  });

  test('is not signed unless it is asked to be', async () => {
    const bench = await withGuests();
    const { url, received } = await application();
    await bench.run([...trigger, '--to', url], {
      env: { ...bench.here.runtime.env, EVENTREG_WEBHOOK_SECRET: SECRET },
    });
    expect(received.map((one) => Object.keys(headersOf(one)).filter((name) => /sign/.test(name)))).toEqual([
      [],
    ]);
  });

  test.each([
    ['is refused', 500, { status: 500, error: null }],
    ['is sent elsewhere', 302, { status: 302, error: null }],
  ])('ends with 1 where it %s', async (_, status, has) => {
    const bench = await withGuests();
    const elsewhere = await application();
    const { url, received } = await application(() => ({ status, headers: { location: elsewhere.url } }));
    const { code, out, err } = await bench.run([...trigger, '--to', url, '--json']);
    expect([code, listIn(out()), received.length, elsewhere.received]).toMatchObject([1, [has], 1, []]);
    expect(err()).toContain(`The delivery was not taken by ${url}.`);
  });

  test.each<[string, string[], number, string]>([
    ['where it goes', [], 2, '--sandbox'],
    ['what it is of', ['--barcode', 'A', '--body', 'a.json', '--to', 'http://localhost:1/'], 2, 'contradict'],
    ['a path', ['--override', 'a', '--to', 'http://localhost:1/'], 2, 'registration.barcode=EV-1'],
    ['a secret', ['--sign', 'standard', '--to', 'http://localhost:1/'], 2, '--secret-stdin'],
    ['a scheme', ['--sign', 'auto', '--to', 'http://localhost:1/'], 2, 'takes a scheme'],
    ['a barcode', ['--barcode', 'Z', '--to', 'http://localhost:1/'], 2, 'no registration with the barcode Z'],
    ['a file', ['--body', 'none.json', '--to', 'http://localhost:1/'], 2, 'none.json'],
    ['JSON', ['--body', 'no.json', '--override', 'a=1', '--to', 'http://localhost:1/'], 2, 'no JSON'],
    ['a receiver', ['--to', 'http://127.0.0.1:9/x'], 1, 'not taken by http://127.0.0.1:9/x'],
  ])('says that it lacks %s', async (_, words, exit, said) => {
    const bench = await withGuests();
    write(bench, 'no.json', '{');
    const { code, err } = await bench.run([...trigger, ...words]);
    expect([code, err()]).toEqual([exit, expect.stringContaining(said)]);
  });
});

describe('webhooks trigger --sandbox', () => {
  const hook = async (bench: ListenBench, url: string, more: readonly string[] = []): Promise<void> => {
    const words = ['webhooks', 'create', '--sandbox', '--url', url, '--trigger', 'registration.updated'];
    const { code } = await bench.run([...words, '--secret-stdin', ...more], { stdinText: SECRET });
    expect(code).toBe(0);
  };
  const delivered = async (bench: ListenBench): Promise<object[]> =>
    listIn((await bench.run(['sandbox', 'deliveries', '--json'])).out());

  test('comes as all that the sandbox delivers: signed, and kept with the others', async () => {
    const bench = await withGuestsInSandbox();
    const [one, other, off] = [await application(), await application(), await application()];
    await hook(bench, one.url);
    await hook(bench, other.url, ['--trigger', 'other.kind']);
    await hook(bench, off.url, ['--inactive']);
    const { code, out } = await bench.run([...trigger, '--sandbox', '--barcode', 'B', '--json']);
    expect([code, listIn(out())]).toMatchObject([
      0,
      [
        { to: one.url, trigger: 'registration.updated', barcode: 'B', status: 200, error: null },
        { to: other.url, status: 200 },
      ],
    ]);
    expect(off.received).toEqual([]);
    for (const received of [...one.received, ...other.received]) {
      const content = new StandardWebhook(SECRET).verify(received.body, headersOf(received));
      expect(content).toMatchObject({ registration: { barcode: 'B' } });
      expect(headersOf(received)).toMatchObject({ 'user-agent': 'eventreg-sandbox' });
    }
    expect(await delivered(bench)).toMatchObject([
      {
        number: 1,
        event: 'registration.updated',
        url: one.url,
        state: 'delivered',
        attempts: [{ status: 200 }],
      },
      { number: 2, url: other.url, state: 'delivered' },
    ]);
    const ids = [one, other].map(({ received: [first] }) => first && headersOf(first)['webhook-id']);
    expect(await delivered(bench)).toMatchObject(ids.map((id) => ({ message_id: id })));
  });

  test('--sign says by which scheme, with the secret of the webhook', async () => {
    const bench = await withGuestsInSandbox();
    const { url, received } = await application();
    await hook(bench, url);
    expect((await bench.run([...trigger, '--sandbox', '--sign', 'svix'])).code).toBe(0);
    expect((await bench.run([...trigger, '--sandbox', '--sign', 'none'])).code).toBe(0);
    const [signed, unsigned] = received;
    expect(signed && new SvixWebhook(SECRET).verify(signed.body, headersOf(signed))).toMatchObject({
      event_id: 4711,
    });
    expect(Object.keys(headersOf(unsigned ?? { headers: [], body: Buffer.of() }))).not.toContain('svix-id');
  });

  test('is refused: it says so, and the sandbox tries again', async () => {
    const bench = await withGuestsInSandbox();
    const { url } = await application(() => ({ status: 503 }));
    await hook(bench, url);
    const { code, out, err } = await bench.run([...trigger, '--sandbox', '--json']);
    expect([code, listIn(out())]).toMatchObject([1, [{ to: url, status: 503, error: null }]]);
    expect(err()).toContain('eventreg sandbox deliveries');
    expect(await delivered(bench)).toMatchObject([{ state: 'waiting', attempts: [{ status: 503 }] }]);
  });

  test('nobody is there: it says why', async () => {
    const bench = await withGuestsInSandbox();
    await hook(bench, 'http://127.0.0.1:9/x');
    const { code, out } = await bench.run([...trigger, '--sandbox', '--json']);
    expect([code, listIn(out())]).toMatchObject([
      1,
      [{ status: null, error: expect.stringContaining('ECONNREFUSED') }],
    ]);
  });

  test.each<[string[], string]>([
    [[], 'no webhook that is switched on'],
    [['--secret-stdin'], 'secret of each webhook'],
    [['--sign', 'hmac-sha256:x-signature:hex'], 'cannot sign by'],
    [['--body', 'odd.bin'], 'not UTF-8'],
  ])('with %j does not', async (words, said) => {
    const bench = await withGuestsInSandbox();
    write(bench, 'odd.bin', Buffer.of(0xff));
    const { code, err } = await bench.run([...trigger, '--sandbox', ...words], { stdinText: SECRET });
    expect([code, err()]).toEqual([2, expect.stringContaining(said)]);
    expect(await delivered(bench)).toEqual([]);
  });

  test('with --to it is sent there, of a guest of the sandbox', async () => {
    const bench = await withGuestsInSandbox();
    const [one, other] = [await application(), await application()];
    await hook(bench, one.url);
    expect((await bench.run([...trigger, '--sandbox', '--to', other.url])).code).toBe(0);
    expect([one.received, other.received.map(contentOf)]).toMatchObject([
      [],
      [{ registration: { barcode: 'A' } }],
    ]);
    expect(await delivered(bench)).toEqual([]);
  });
});
