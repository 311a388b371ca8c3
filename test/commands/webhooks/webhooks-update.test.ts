import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { main } from '../../../src/main.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { fakeRuntime } from '../../support/fake-runtime.ts';
import { IS_NIGHT } from '../../support/night.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { listenBench } from './listen-bench.ts';

interface Hook {
  event_id: number;
  name: string;
  webhook_url: string;
  triggers: string[];
  active: boolean;
  config: object;
  signing_secret_encrypted: string;
}

const TRUTH: Hook = {
  event_id: 4711,
  name: 'Badge printer of Hall 4',
  webhook_url: 'https://x.example/in/Hall-4?key=k7Q',
  triggers: ['registration.updated', 'registration.created'],
  active: true,
  config: { retries: 3, header: 'abc' },
  signing_secret_encrypted: 'hush',
};

const without = (hook: Hook, ...keys: (keyof Hook)[]): object =>
  Object.fromEntries(Object.entries(hook).filter(([key]) => !keys.includes(key as keyof Hook)));
const withUrl = (change: (url: string) => unknown) => (hook: Hook) => ({
  ...hook,
  webhook_url: change(hook.webhook_url),
});
const withName = (change: (name: string) => unknown) => (hook: Hook) => ({
  ...hook,
  name: change(hook.name),
});

/** What a list makes of a webhook, but for its id. */
const SHAPES: Readonly<Record<string, (hook: Hook) => object>> = {
  whole: (hook) => hook,
  'whole, no secret': (hook) => without(hook, 'signing_secret_encrypted'),
  'secret masked': (hook) => ({ ...hook, signing_secret_encrypted: hook.signing_secret_encrypted && '****' }),
  'secret always masked': (hook) => ({ ...hook, signing_secret_encrypted: '********' }),
  'secret as a mark': ({ signing_secret_encrypted: secret, ...hook }) => ({
    ...hook,
    secret_set: secret !== '',
  }),
  'host only': withUrl((url) => new URL(url).host),
  'origin only': withUrl((url) => new URL(url).origin),
  'no query': withUrl((url) => url.split('?')[0]),
  'cut address': withUrl((url) => url.slice(0, 22)),
  'cut address, marked': withUrl((url) => `${url.slice(0, 22)}…`),
  'cut address, dots': withUrl((url) => `${url.slice(0, 22)}...`),
  'cut in the middle': withUrl((url) => `${url.slice(0, 12)}…${url.slice(-3)}`),
  'masked path': withUrl((url) => `${new URL(url).origin}/***`),
  'masked query': withUrl((url) => url.replace(/key=.*/, 'key=***')),
  'small letters': withUrl((url) => url.toLowerCase()),
  'address in capitals': withUrl((url) => url.toUpperCase()),
  'address null': withUrl(() => null),
  'address empty': withUrl(() => ''),
  'address a number': withUrl(() => 12),
  'no address': (hook) => without(hook, 'webhook_url'),
  'name cut': withName((name) => name.slice(0, 8)),
  'name cut, marked': withName((name) => `${name.slice(0, 8)}…`),
  'name in capitals': withName((name) => name.toUpperCase()),
  'name null': withName(() => null),
  'no name': (hook) => without(hook, 'name'),
  'neither name nor address': (hook) => without(hook, 'name', 'webhook_url'),
  'id and state': ({ active }) => ({ active }),
  'no triggers': (hook) => without(hook, 'triggers'),
  'triggers under events': ({ triggers, ...hook }) => ({ ...hook, events: triggers }),
  'triggers in capitals': (hook) => ({ ...hook, triggers: hook.triggers.map((one) => one.toUpperCase()) }),
  'triggers as objects': (hook) => ({ ...hook, triggers: hook.triggers.map((name) => ({ id: 3, name })) }),
  'first trigger': (hook) => ({ ...hook, triggers: hook.triggers.slice(0, 1).map((one) => `${one} +1`) }),
  'number of triggers': (hook) => ({ ...hook, triggers: hook.triggers.length }),
  'no config': (hook) => without(hook, 'config'),
  'config a list': (hook) => ({ ...hook, config: [hook.config] }),
  'config masked': (hook) => ({ ...hook, config: { ...hook.config, header: '***' } }),
  'event a text': (hook) => ({ ...hook, event_id: String(hook.event_id) }),
  'no event': (hook) => without(hook, 'event_id'),
  'state a number': (hook) => ({ ...hook, active: hook.active ? 1 : 0 }),
  'state a word': ({ active, ...hook }) => ({ ...hook, status: active ? 'active' : 'disabled' }),
  'no state': (hook) => without(hook, 'active'),
  'state null': (hook) => ({ ...hook, active: null }),
  nested: (hook) => ({ attributes: hook }),
  'other keys': ({ webhook_url: url, active, ...hook }) => ({ ...hook, target_url: url, enabled: active }),
};

const EMPTY: Hook = {
  ...TRUTH,
  name: '',
  webhook_url: '',
  triggers: [],
  active: false,
  config: {},
  signing_secret_encrypted: '',
};

/** What a PUT does to a webhook, and how it is answered. */
const PUTS: Readonly<
  Record<string, { change: (old: Hook, body: Partial<Hook>) => Hook; status: number; hits?: boolean }>
> = {
  replaces: { change: (_old, body) => ({ ...EMPTY, ...body }), status: 200 },
  merges: { change: (old, body) => ({ ...old, ...body }), status: 204 },
  ignores: { change: (old) => old, status: 200 },
  'takes the state alone': { change: (old, { active = old.active }) => ({ ...old, active }), status: 200 },
  fails: { change: (old) => old, status: 404 },
  'fails, having merged': { change: (old, body) => ({ ...old, ...body }), status: 500 },
  'changes another': { change: (old) => old, status: 200, hits: true },
};

const TRIGGERS = TRUTH.triggers.flatMap((one) => ['--trigger', one]);
const WHOLE = ['--url', TRUTH.webhook_url, '--name', TRUTH.name, '--config', JSON.stringify(TRUTH.config)];
const ALL = [...WHOLE, ...TRIGGERS, '--event', '4711'];
const ASKS: readonly (readonly [argv: readonly string[], asked: Partial<Hook>])[] = [
  [['--inactive'], { active: false }],
  [['--url', `${TRUTH.webhook_url}2`], { webhook_url: `${TRUTH.webhook_url}2` }],
  [['--name', 'B'], { name: 'B' }],
  [[...ALL, '--inactive'], { active: false }],
  [[...ALL, '--active', '--name', 'B'], { name: 'B' }],
];

/** A service with that one webhook, and a machine that has made it, or not. */
async function world(shape: (hook: Hook) => object, put: string) {
  let hook = EMPTY;
  let other = 'A';
  const { change, status, hits = false } = PUTS[put] ?? { change: () => EMPTY, status: 500 };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let text = '';
    for await (const piece of request) text += String(piece);
    const body = JSON.parse(text || '{}') as Partial<Hook>;
    if (request.method === 'POST') hook = { ...EMPTY, ...body };
    if (request.method === 'PUT') hook = change(hook, body);
    if (request.method === 'PUT' && hits) other = body.name ?? '';
    const shown =
      request.method === 'GET'
        ? {
            data: [
              { id: 107, ...shape(hook) },
              { id: 99, name: other },
            ],
          }
        : { id: 107 };
    response.writeHead(request.method === 'PUT' ? status : 200, { 'content-type': 'application/json' });
    response.end(request.method === 'PUT' && status === 204 ? undefined : JSON.stringify(shown));
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const directory = temporaryDirectory();
  const integ = `http://127.0.0.1:${port}`;
  const run = async (argv: readonly string[], secret = '') => {
    const env = {
      EVENTREG_BASE_URL: integ,
      EVENTREG_INTEG_URL: integ,
      EVENTREG_TOKEN: 'tok-Zx81-Qq',
      EVENTREG_KEYCHAIN: 'off',
      EVENTREG_WEBHOOK_SECRET: secret,
    };
    const fake = fakeRuntime({ directory, clock: fakeClock({ auto: true }), env });
    return { code: await main(['webhooks', ...argv], fake.runtime), err: fake.err() };
  };
  return { run, truth: () => hook, set: (to: Hook) => (hook = to) };
}

const KEYS = Object.keys(TRUTH) as (keyof Hook)[];

describe('an update changes what was asked for and nothing else, or says so', () => {
  for (const [nth, [name, shape]] of Object.entries(SHAPES).entries()) {
    test(`where the list has: ${name}`, async () => {
      // By day the one that loses most, and the others by turns.
      const turns = Object.keys(PUTS).filter((_, at) => IS_NIGHT || [0, 2 + (nth % 4)].includes(at));
      for (const isOurs of [true, false]) {
        // What is given whole is given of what others have made: of that the rest is not known.
        for (const [argv, asked] of ASKS.filter((_, at) => at === 0 || isOurs === at < 3)) {
          for (const put of turns) {
            const { run, truth, set } = await world(shape, put);
            if (isOurs) await run(['create', ...ALL], 'hush');
            else set(TRUTH);
            expect(truth()).toEqual(TRUTH);
            const isKnown = isOurs || JSON.stringify(shape(TRUTH)).includes('secret');
            const { code, err } = await run(['update', '107', ...argv], isKnown ? 'hush' : '');
            const now = truth();
            const wanted = { ...TRUTH, ...asked };
            const changed = KEYS.filter((key) => JSON.stringify(now[key]) !== JSON.stringify(wanted[key]));
            const undone = changed.filter((key) => key in asked);
            // A replacing service forgets a secret that nobody can send back: that is said.
            const spoilt = changed.filter((key) => !(key in asked) && key !== 'signing_secret_encrypted');
            const which = `${put}, ${isOurs ? 'made here' : 'of others'}: ${argv.join(' ')}\n${err}`;
            expect([which, spoilt]).toEqual([which, []]);
            if (code === 0) expect([which, undone]).toEqual([which, []]);
            if (changed.includes('signing_secret_encrypted')) expect(err).toMatch(/signing secret/);
            expect([which, [0, 1, 2].includes(code)]).toEqual([which, true]);
            if (code !== 2) continue;
            expect(err).toMatch(/- Give --[^]*hint: Give all of it, as it is to be/);
            // Nothing was sent, whatever would have become of it.
            expect(now).toEqual(TRUTH);
            break;
          }
        }
      }
    });
  }

  test('what is listed whole is proven, whoever made it', async () => {
    for (const [put, code] of Object.entries({
      merges: 0,
      'fails, having merged': 0,
      ignores: 1,
      fails: 1,
    })) {
      const { run, set } = await world(SHAPES['whole, no secret']!, put);
      set(TRUTH);
      expect([put, (await run(['update', '107', ...ALL, '--inactive'])).code]).toEqual([put, code]);
      const again = put === 'merges' ? 0 : put === 'fails, having merged' ? 1 : 2;
      expect([put, (await run(['update', '107', '--inactive'])).code]).toEqual([put, again]);
    }
  });

  test.each([
    ['whole', true, 'replaces', 'Webhook 107 is as it was asked for, but has no signing secret any more.'],
    [
      'secret masked',
      false,
      'replaces',
      'Webhook 107 is as it was asked for, but has no signing secret any more.',
    ],
    ['secret as a mark', false, 'merges', 'but whether its signing secret is still there cannot be told.'],
    [
      'secret always masked',
      false,
      'replaces',
      'but whether its signing secret is still there cannot be told.',
    ],
    ['whole, no secret', true, 'replaces', 'but whether its signing secret is still there cannot be told.'],
  ])('a secret is left out after a yes alone: %s, made here: %s, %s', async (shape, isOurs, put, why) => {
    const { run, truth, set } = await world(SHAPES[shape]!, put);
    if (isOurs) await run(['create', ...ALL], 'hush');
    else set(TRUTH);
    const change = ['update', '107', '--inactive', ...ALL];
    const refused = await run(change);
    expect([refused.code, refused.err, truth()]).toEqual([
      7,
      expect.stringContaining('--secret-stdin'),
      TRUTH,
    ]);
    expect((await run(change, 'hush')).code).toBe(0);
    const { code, err } = await run([...change.with(2, '--active'), '--yes']);
    expect([code, err]).toEqual([1, expect.stringContaining(why)]);
    expect(err).toContain('hint: Set it again: eventreg webhooks update 107 --secret-stdin\n');
  });

  test.each([
    ['host only', 'address', 'shows only x.example', { webhook_url: 'https://x.example/in/new' }],
    [
      'config masked',
      'config',
      'shows only {"retries":3,"header":"***"}',
      { config: { retries: 3, header: 'd' } },
    ],
    ['no event', 'event', 'does not show it', { event_id: 12 }],
  ])('what goes back from memory is said first: %s', async (shape, word, why, edit) => {
    const { run, set } = await world(SHAPES[shape]!, 'replaces');
    await run(['create', ...ALL]);
    set({ ...TRUTH, signing_secret_encrypted: '', ...edit });
    const { code, err } = await run(['update', '107', '--inactive']);
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(
        /^Goes back: its (\w+), as this machine set it on 20\d\d-\d\d-\d\d, since the list /,
      ),
    ]);
    expect(err).toContain(`Goes back: its ${word}, as`);
    expect(err).toContain(`since the list ${why}.\n`);
  });

  test.each<[string, Partial<Hook>, string]>([
    ['host only', { webhook_url: 'https://y.example/in' }, '--url'],
    ['whole', { webhook_url: 'https://y.example/in' }, '--url'],
    ['whole', { triggers: [...TRUTH.triggers, 'x'] }, '--trigger'],
    ['whole', { triggers: ['registration.updated'] }, '--trigger'],
    ['config masked', { config: { retries: 4, header: 'abc' } }, '--config'],
  ])('what does not fit what this machine set is asked for: %s, %j', async (shape, edit, flag) => {
    const { run, truth, set } = await world(SHAPES[shape]!, 'replaces');
    await run(['create', ...ALL]);
    const edited = { ...TRUTH, signing_secret_encrypted: '', ...edit };
    set(edited);
    const { code, err } = await run(['update', '107', '--inactive']);
    expect([code, err.match(/Give --\w+/g), truth()]).toEqual([2, [`Give ${flag}`], edited]);
  });

  test('another webhook that was changed instead is named', async () => {
    const { run, set } = await world(SHAPES['whole, no secret']!, 'changes another');
    set(TRUTH);
    const { code, err } = await run(['update', '107', ...ALL, '--inactive']);
    expect([code, err]).toEqual([
      1,
      expect.stringContaining('Other webhooks are listed otherwise than before: 99.\n'),
    ]);
    expect(err).toContain('- The list has true as its state: false was sent.\n');
  });

  test('where the list has hosts alone nothing is lost, and what is to be given is said', async () => {
    const { run, truth, set } = await world(SHAPES['host only']!, 'replaces');
    set({ ...TRUTH, config: {}, triggers: ['registration.updated'] });
    const { code, err } = await run(['update', '107', '--inactive']);
    expect([code, truth().active]).toEqual([2, true]);
    expect(
      err,
    ).toBe(`eventreg: Webhook 107 is sent back as a whole: what is listed in part, or not at all, would be lost.
  - Give --url: its address, listed as x.example, which may be a part.
  - Give --name: its name, listed as Badge printer of Hall 4, which may be a part.
hint: Give all of it, as it is to be, along with what you gave: nothing was sent.
`);
  });

  test('an address that is listed with its path goes back as it is, and only the name is asked for', async () => {
    const { run, truth, set } = await world(SHAPES['name cut']!, 'replaces');
    const plain = { ...TRUTH, config: {}, triggers: ['registration.updated'] };
    set(plain);
    const { code, err } = await run(['update', '107', '--inactive']);
    expect([code, err.match(/Give --\w+/g)]).toEqual([2, ['Give --name']]);
    await run(['update', '107', '--inactive', '--name', TRUTH.name], 'hush');
    expect(truth()).toMatchObject({ webhook_url: TRUTH.webhook_url, name: TRUTH.name, active: false });
  });
});

test('what a refused change leaves as it was is known as before', async () => {
  const bench = await listenBench({ webhookUpdateBy: 'PATCH-untold' });
  const more = ['--trigger', 'registration.updated', '--name', 'M'];
  await bench.run(['webhooks', 'create', '--url', 'https://hooks.example.com/a', ...more]);
  const codes = [];
  for (let nth = 0; nth < 2; nth += 1)
    codes.push((await bench.run(['webhooks', 'update', '1', '--inactive'])).err());
  expect(codes).toEqual([expect.stringContaining('405'), expect.stringContaining('405')]);
});
