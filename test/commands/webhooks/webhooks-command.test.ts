import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { defineWebhooks, type WebhooksOptions } from '../../../src/commands/webhooks/webhooks-options.ts';
import { runWebhooks } from '../../../src/commands/webhooks/webhooks-command.ts';
import { knownBody, shownBody, webhookRecord } from '../../../src/commands/webhooks/webhook-body.ts';
import {
  AuthorisationError,
  type EventregError,
  EXIT,
  GuardError,
  ServiceError,
  UsageError,
} from '../../../src/errors.ts';
import { readWebhook } from '../../../src/service/contracts/webhook.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { fakePrompt } from '../../support/fake-runtime.ts';
import { faultyService } from '../../support/faulty-service.ts';
import { type SandboxRuntime, sandboxRuntime, TOKEN } from '../sandbox-runtime.ts';
import { type Argv, GLOBALS, parseArgv } from '../parse-argv.ts';
import { listIn, readDocument } from '../../support/documents.ts';
import { listed } from '../../support/tables.ts';

const SECRET = 'hush-7Kp/=';
const URL_A = 'https://hooks.example.com/in';
const UPDATED = 'registration.updated';

const parse = (argv: Argv): Promise<WebhooksOptions> => parseArgv(defineWebhooks, 'webhooks', argv);
const list: WebhooksOptions = { ...GLOBALS, action: 'list' };
type Of<Action> = Extract<WebhooksOptions, { action: Action }>;
const made = { url: URL_A, trigger: [UPDATED], secretStdin: false };
const create: Of<'create'> = { ...GLOBALS, action: 'create', ...made };
const update: Of<'update'> = { ...GLOBALS, action: 'update', id: '1', trigger: [], secretStdin: false };
const remove = { ...GLOBALS, action: 'delete', yes: true } as const;

describe('the command line of webhooks', () => {
  test.each<[Argv, object]>([
    [[], { action: 'list' }],
    ['list --json', { action: 'list', output: 'json' }],
    [
      ['create', '--url', URL_A, '--trigger', UPDATED, '--trigger', 'x.y'],
      { action: 'create', url: URL_A, trigger: [UPDATED, 'x.y'], secretStdin: false },
    ],
    [
      `create --url ${URL_A} --trigger a --name N --inactive --config {"a":[1]} --event 7`.split(' '),
      { name: 'N', active: false, config: { a: [1] }, event: 7 },
    ],
    ['update 12 --active --secret-stdin', { action: 'update', id: '12', active: true, secretStdin: true }],
    ['update 12', { action: 'update', id: '12', trigger: [] }],
    ['delete 1 2', { action: 'delete', id: ['1', '2'] }],
  ])('%j', async (argv, expected) => {
    expect(await parse(argv)).toMatchObject(expected);
  });

  test.each([
    [['create', '--url', URL_A], '--trigger: is needed at least once'],
    [['create', '--trigger', UPDATED], '--url: is needed'],
    ['create --trigger a --url ftp://hooks.example.com', '--url: must be an address'],
    ['create --trigger a --url hooks.example.com', '--url: must be an address'],
    ['create --trigger a --url https://u:p@hooks.example.com', '--url: must not contain'],
    [['create', '--trigger', ' ', '--url', URL_A], '--trigger: must not be empty'],
    [['create', '--trigger', 'a', '--url', URL_A, '--config', '[1]'], '--config: must be a JSON object'],
    [['create', '--trigger', 'a', '--url', URL_A, '--config', '{'], '--config: must be a JSON object'],
    [['create', '--trigger', 'a', '--url', URL_A, '--event', 'x'], '--event: must be the number'],
    [['create', '--trigger', 'a', '--url', URL_A, '--active'], 'unknown option'],
    [['create', '--trigger', 'a', '--url', URL_A, '--secret', 'x'], "unknown option '--secret'"],
    ['update 1 --active --inactive', 'contradict'],
    ['update --inactive', 'missing required argument'],
    ['delete', 'missing required argument'],
  ])('refuses %j', async (argv, why) => {
    await expect(parse(argv)).rejects.toThrow(why);
  });
});

describe('webhooks create', () => {
  test('sends the whole body, for the event of the service, and prints what it made', async () => {
    const here = await sandboxRuntime();
    expect(await runWebhooks({ ...create, output: 'csv' }, here.runtime)).toBe(EXIT.done);
    const sent = { name: 'hooks.example.com', webhook_url: URL_A, triggers: [UPDATED], active: true };
    expect(bodies(here)).toEqual([{ event_id: 4711, ...sent, config: {}, signing_secret_encrypted: '' }]);
    expect(here.out()).toBe(`id,name,url,triggers,active\n1,hooks.example.com,${URL_A},${UPDATED},true\n`);
    expect(here.err()).toBe('');
  });

  test('with everything given asks nothing first', async () => {
    const here = await sandboxRuntime();
    const options = { ...create, name: 'Badges', active: false, config: { a: 1 }, event: 4711 };
    await runWebhooks({ ...options, output: 'json' }, here.runtime);
    expect(here.sandbox.requests().map(({ method }) => method)).toEqual(['POST']);
    expect(bodies(here)[0]).toMatchObject({ name: 'Badges', active: false, config: { a: 1 } });
    const shown = { id: 1, url: URL_A, webhook_id: 1, event_id: 4711, webhook_url: URL_A };
    const given = { name: 'Badges', triggers: [UPDATED], active: false, config: { a: 1 } };
    expect(readDocument(here.out())['webhook']).toEqual({ ...shown, ...given });
  });

  test('ends with the words of the service when it refuses', async () => {
    const here = await sandboxRuntime({ errorShape: 'errors-map' });
    const run = runWebhooks({ ...create, event: 99 }, here.runtime);
    await expect(run).rejects.toMatchObject({ exitCode: 1, details: [expect.stringContaining('event_id')] });
    expect(here.out()).toBe('');
  });

  test.each([
    [
      '',
      'json',
      '{"schema":"eventreg/webhooks-create@1","webhook":null,"exit":0,"stopped_by":null,"error":null}\n',
    ],
    ['{"message":"ok"}', 'csv', 'id,name,url,triggers,active\n'],
    ['', 'table', ''],
  ] as const)('says so when the answer %j shows no record (%s)', async (body, output, expected) => {
    const here = await answering(body);
    expect(await runWebhooks({ ...create, event: 1, output }, here.runtime)).toBe(EXIT.done);
    expect(here.out()).toBe(expected);
    expect(here.err()).toContain('is created; the service does not show it');
  });

  test('that got no answer is sent once, and says that it may have worked', async () => {
    const here = await answering(undefined);
    const run = runWebhooks({ ...create, event: 1 }, here.runtime);
    await expect(run).rejects.toThrow(ServiceError);
    await expect(run).rejects.toMatchObject({ hint: expect.stringContaining('webhooks list') });
    expect(here.calls()).toBe(1);
  });

  test.each([
    [500, 'webhooks list'],
    [422, 'set createWebhook'],
  ])('that was answered with %i says whether it may have worked', async (status, hint) => {
    const here = await withOne({}, { clock: fakeClock({ auto: true }) });
    const service = await faultyService(here.sandbox.url);
    onTestFinished(service.close);
    service.fault = ({ method }) => (method === 'POST' ? { passOn: true, answer: { status } } : undefined);
    const env = { ...here.runtime.env, EVENTREG_INTEG_URL: `${service.url}/integ` };
    const failed = await runWebhooks(create, { ...here.runtime, env }).catch((error: EventregError) => error);
    expect(failed).toMatchObject({ exitCode: 1, hint: hint && expect.stringContaining(hint) });
  });
});

describe('the signing secret', () => {
  test.each(['json', 'ndjson', 'csv', 'table'] as const)(
    'is sent and never printed as %s',
    async (output) => {
      const here = await sandboxRuntime({}, { stdinText: `${SECRET}\n` });
      await runWebhooks({ ...create, secretStdin: true, output, verbose: true }, here.runtime);
      expect(bodies(here)[0]).toMatchObject({ signing_secret_encrypted: SECRET });
      expect([...here.runtime.secrets]).toContain(SECRET);
      expect(here.out() + here.err()).not.toMatch(/hush|signing_secret/);
      expect(here.out() + here.err()).not.toContain(TOKEN);
    },
  );

  test('comes from the environment as well, after stdin', async () => {
    const env = { EVENTREG_WEBHOOK_SECRET: SECRET };
    const here = await sandboxRuntime({}, { env, stdinText: 'other' });
    await runWebhooks(create, here.runtime);
    await runWebhooks({ ...create, secretStdin: true }, here.runtime);
    expect(bodies(here).map((body) => body['signing_secret_encrypted'])).toEqual([SECRET, 'other']);
  });

  test('is not printed even when the service shows it, under whatever key', async () => {
    const config = { secret: 'y', why: SECRET };
    const shown = { id: 1, url: URL_A, name: `n ${SECRET}`, signing_secret: 'x', config };
    const here = await answering(JSON.stringify(shown), { EVENTREG_WEBHOOK_SECRET: SECRET });
    await runWebhooks({ ...create, event: 1, output: 'json' }, here.runtime);
    const left = { id: 1, name: 'n [token]', url: URL_A, triggers: [], active: null };
    expect(readDocument(here.out())['webhook']).toEqual({ ...left, config: { why: '[token]' } });
  });

  test('in a list is left out although nobody knows it', () => {
    const webhook = readWebhook({ id: 1, signing_secret_encrypted: 's', Signing_Secret: 't', name: 'n' });
    if (webhook === undefined) throw new Error('no webhook');
    const record = webhookRecord(webhook, (text) => text);
    expect(record).toEqual({ id: 1, name: 'n', url: null, triggers: [], active: null });
  });

  test.each([
    ['', 'is empty'],
    ['a\nb\n', 'control character'],
    ['x'.repeat(9000), 'longer than 8192'],
  ])('%j is refused before anything is sent', async (stdinText, why) => {
    const here = await sandboxRuntime({}, { stdinText });
    const run = runWebhooks({ ...create, secretStdin: true }, here.runtime);
    await expect(run).rejects.toThrow(UsageError);
    await expect(run).rejects.toThrow(why);
    expect(here.sandbox.requests()).toEqual([]);
  });
});

describe('webhooks list', () => {
  test('prints one record each', async () => {
    const here = await sandboxRuntime();
    await runWebhooks({ ...create, name: 'A', quiet: true }, here.runtime);
    const start = here.out().length;
    expect(await runWebhooks({ ...list, output: 'csv' }, here.runtime)).toBe(EXIT.done);
    expect(here.out().slice(start)).toBe(`id,name,url,triggers,active\n1,A,${URL_A},${UPDATED},true\n`);
  });

  test('needs the address of the webhook service', async () => {
    const here = await sandboxRuntime({}, { env: { EVENTREG_INTEG_URL: '' } });
    await expect(runWebhooks(list, here.runtime)).rejects.toThrow('integ_url');
  });

  test('with --sandbox needs nothing', async () => {
    const here = await sandboxRuntime();
    await runWebhooks({ ...list, sandbox: true, output: 'json' }, here.runtime);
    expect(listIn(here.out())).toEqual([]);
  });
});

describe('webhooks update', () => {
  test('sends the whole webhook with the change, and no secret', async () => {
    const here = await withOne();
    expect(await runWebhooks({ ...update, active: false, output: 'csv' }, here.runtime)).toBe(EXIT.done);
    const kept = { event_id: 4711, name: 'A', webhook_url: URL_A, triggers: [UPDATED], config: { a: 1 } };
    expect(bodies(here)[1]).toEqual({ ...kept, active: false });
    expect(here.out()).toContain(`1,A,${URL_A},${UPDATED},false\n`);
  });

  test('replaces what the flags name', async () => {
    const here = await withOne();
    const url = 'http://other.example.com/';
    const change = { name: 'B', config: {}, active: true };
    await runWebhooks(
      { ...update, ...change, url, trigger: ['x', 'y'], secretStdin: true },
      { ...here.runtime, stdin: Readable.from([SECRET]) },
    );
    const named = { event_id: 4711, webhook_url: url, triggers: ['x', 'y'] };
    expect(bodies(here)[1]).toEqual({ ...named, ...change, signing_secret_encrypted: SECRET });
    expect(here.out() + here.err()).not.toContain('hush');
  });

  test.each<[raw: object, set: object | undefined, expected: object]>([
    [{ id: 1 }, undefined, {}],
    [
      { id: 1, event_id: '4711', name: 'A', url: URL_A, events: [UPDATED], config: [], active: 'yes' },
      undefined,
      { event_id: 4711, webhook_url: URL_A, triggers: [UPDATED], config: {} },
    ],
    [{ id: 1, event_id: 'abc', config: { key: 'abc***' }, status: 'inactive' }, undefined, { active: false }],
    [
      { id: 1, config: { tries: [3, true] }, enabled: 1 },
      undefined,
      { config: { tries: [3, true] }, active: true },
    ],
    [{ id: 1, triggers: [UPDATED, 'registration.upd'] }, undefined, {}],
    [
      { id: 1, url: 'hooks.example.com' },
      { webhook_url: URL_A, name: 'A' },
      { webhook_url: URL_A, name: 'A' },
    ],
    [{ id: 1, url: 'https://hooks.example.com/***' }, { webhook_url: URL_A }, { webhook_url: URL_A }],
    [{ id: 1, url: 'https://hooks.example.com/i', name: 'B' }, { webhook_url: URL_A, name: 'A' }, {}],
    [{ id: 1, url: 'https://other.example/in' }, { webhook_url: URL_A }, {}],
    [{ id: 1, triggers: [UPDATED] }, { triggers: [UPDATED, 'x'] }, {}],
    [{ id: 1, triggers: [{ id: 3, name: UPDATED }] }, undefined, { triggers: [UPDATED] }],
    [{ id: 1, triggers: [{ id: 3 }] }, { triggers: [UPDATED] }, {}],
    [
      { id: 1, event_id: 12 },
      { event_id: 11, name: 'A' },
      { event_id: 12, name: 'A' },
    ],
    ...listed(`
      https://hooks.example.com | https://hooks.example.com/ | HTTPS://HOOKS.EXAMPLE.COM/IN |
      https://hooks.example.com/i... | https://hooks.example.com/i… |
      https://hooks.example.com/in?key=****
    `).map((url): [object, undefined, object] => [{ id: 1, url }, undefined, {}]),
    [{ id: 1, config: {}, active: false }, { config: { a: 1 }, active: true }, { active: false }],
  ])('of %j, set as %j, knows what is whole', (raw, set, expected) => {
    const webhook = readWebhook(raw);
    if (webhook === undefined) throw new Error('no webhook');
    expect(knownBody(shownBody(webhook), set)).toEqual(expected);
  });

  test('refuses an id that is not in the list, naming those that are', async () => {
    const here = await withOne();
    const run = runWebhooks({ ...update, id: '2', active: true }, here.runtime);
    await expect(run).rejects.toThrow(UsageError);
    await expect(run).rejects.toMatchObject({ hint: 'It shows: 1.' });
    expect(here.sandbox.requests().map(({ method }) => method)).not.toContain('PUT');
  });

  test('refuses to change nothing, before anything is sent', async () => {
    const here = await sandboxRuntime();
    await expect(runWebhooks(update, here.runtime)).rejects.toThrow('nothing to change');
    expect(here.sandbox.requests()).toEqual([]);
  });
});

describe('webhooks delete', () => {
  test.each(['200', '204'] as const)('says what became of each (%s)', async (deleteStatus) => {
    const here = await withOne({ deleteStatus });
    const before = here.out();
    expect(await runWebhooks({ ...remove, id: ['1', '9', '1'] }, here.runtime)).toBe(EXIT.rejected);
    expect(here.out()).toBe(before);
    expect(here.err()).toBe(
      'Delete 2 webhooks (1, 9)? Yes (--yes).\nWebhook 1 is deleted.\nWebhook 9 was not there.\n',
    );
    expect(here.sandbox.counts().webhooks).toBe(0);
  });

  test('goes on after a failure, and tells it at the end', async () => {
    const here = await withOne({}, { clock: fakeClock({ auto: true }) });
    const before = here.out().length;
    await runWebhooks(create, here.runtime);
    const service = await faultyService(here.sandbox.url);
    onTestFinished(service.close);
    service.fault = ({ method, path }) =>
      method === 'DELETE' && path.endsWith('/1') ? { answer: { status: 409, body: '{}' } } : undefined;
    const env = { ...here.runtime.env, EVENTREG_INTEG_URL: `${service.url}/integ` };
    const run = runWebhooks({ ...remove, id: ['1', '2'], output: 'ndjson' }, { ...here.runtime, env });
    await expect(run).rejects.toMatchObject({
      exitCode: 1,
      message: '1 of 2 webhooks could not be deleted.',
      details: [expect.stringContaining('delete webhook 1: the service answered 409')],
    });
    expect(here.out().slice(before)).toContain('{"id":1,"result":"failed"}\n{"id":2,"result":"deleted"}\n');
    expect(here.sandbox.counts().webhooks).toBe(1);
  });

  test.each([
    ['says that it did it', { webhookDelete: 'ignored' } as const, '200'],
    ['knows no such path', { webhookDelete: 'absent' } as const, '404'],
  ])(
    'does not believe that it is gone while it is listed, when the service %s',
    async (_what, switches, status) => {
      const here = await withOne(switches, { clock: fakeClock({ auto: true }) });
      const run = runWebhooks({ ...remove, id: ['1'], output: 'ndjson' }, here.runtime);
      await expect(run).rejects.toMatchObject({
        exitCode: 1,
        message: '1 of 1 webhook could not be deleted.',
        details: [
          `Webhook 1 is not deleted: it is still shown, and deleting it at /integ/v1/webhooks/1 was answered with ${status}`,
        ],
        hint: expect.stringContaining('set deleteWebhook in endpoints of the profile') as string,
      });
      expect(here.out()).toContain('{"id":1,"result":"failed"}\n');
      expect(here.err()).not.toContain('is deleted');
    },
  );

  test('waits a moment for a list that lags behind', async () => {
    const here = await withOne({}, { clock: fakeClock({ auto: true }) });
    const service = await faultyService(here.sandbox.url);
    onTestFinished(service.close);
    const stale = JSON.stringify([{ id: 1 }]);
    service.fault = ({ method, nth }) =>
      method === 'GET' && nth === 1 ? { answer: { status: 200, body: stale } } : undefined;
    const env = { ...here.runtime.env, EVENTREG_INTEG_URL: `${service.url}/integ` };
    await runWebhooks({ ...remove, id: ['1'] }, { ...here.runtime, env });
    expect(here.err()).toContain('Webhook 1 is deleted.');
  });

  test.each(['no-ids', 'absent'] as const)(
    'says what a second deletion tells, and that more cannot be told, when the list is %s',
    async (webhookList) => {
      const here = await withOne({ webhookList });
      await runWebhooks(create, here.runtime);
      const run = runWebhooks({ ...remove, id: ['1', '9'], output: 'ndjson' }, here.runtime);
      await expect(run).rejects.toMatchObject({
        exitCode: 1,
        message: 'Whether 1 of 2 webhooks is deleted cannot be told.',
        details: [expect.stringContaining('Whether webhook 9 is deleted cannot be told: ')],
      });
      expect(here.out()).toContain('{"id":"1","result":"deleted"}\n{"id":"9","result":"unknown"}\n');
      expect(here.sandbox.counts().webhooks).toBe(1);
    },
  );

  test.each(['.', '..'])('refuses the id %j before anything is sent', async (id) => {
    const here = await withOne();
    const asked = here.sandbox.requests().length;
    await expect(runWebhooks({ ...remove, id: ['1', id] }, here.runtime)).rejects.toThrow(UsageError);
    expect(here.sandbox.requests()).toHaveLength(asked);
  });

  test('stops at a refused token', async () => {
    const here = await sandboxRuntime({ auth: '401' });
    await expect(runWebhooks({ ...remove, id: ['1', '2'] }, here.runtime)).rejects.toThrow(
      AuthorisationError,
    );
    expect(here.sandbox.requests()).toHaveLength(1);
  });

  test('without a terminal needs --yes', async () => {
    const here = await withOne();
    const run = runWebhooks({ ...remove, yes: false, id: ['1'] }, here.runtime);
    await expect(run).rejects.toThrow(GuardError);
    expect(here.sandbox.counts().webhooks).toBe(1);
  });

  test.each([
    [true, EXIT.done],
    [false, EXIT.guarded],
  ])('asks at a terminal; the answer is %s', async (answer, code) => {
    const { prompt, asked, acting } = fakePrompt({ 'Delete 1 webhook (1)?': answer });
    const here = await sandboxRuntime({}, { tty: true, prompt: async () => prompt });
    await runWebhooks(create, here.runtime);
    const run = runWebhooks({ ...remove, yes: false, id: ['1'] }, here.runtime);
    expect(await run.catch((error: EventregError) => error.exitCode)).toBe(code);
    expect(asked).toHaveLength(1);
    expect(acting).toEqual(asked);
    expect(here.sandbox.counts().webhooks).toBe(answer ? 0 : 1);
  });
});

/** A sandbox that has one webhook already. */
async function withOne(...setting: Parameters<typeof sandboxRuntime>): Promise<SandboxRuntime> {
  const here = await sandboxRuntime(...setting);
  await runWebhooks({ ...create, name: 'A', config: { a: 1 } }, here.runtime);
  return here;
}

/** The bodies of all requests so far, in order. */
function bodies(here: SandboxRuntime): Record<string, unknown>[] {
  return here.sandbox.requests().flatMap(({ body }) => (body === undefined ? [] : [JSON.parse(body)]));
}

/** A webhook service that gives every request the same answer; undefined: it hangs up. */
async function answering(body: string | undefined, env: Record<string, string> = {}) {
  let calls = 0;
  const server = createServer((request, response) => {
    calls += 1;
    request.resume();
    request.on('end', () => {
      if (body === undefined) request.socket.destroy();
      else response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const address = { EVENTREG_INTEG_URL: `http://127.0.0.1:${port}`, ...env };
  const here = await sandboxRuntime({}, { clock: fakeClock({ auto: true }), env: address });
  return { ...here, calls: () => calls };
}
