import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { defineDoctor, type DoctorOptions, runDoctor } from '../../../src/commands/doctor/doctor.ts';
import { checkNode } from '../../../src/commands/doctor/doctor-machine.ts';
import { EXIT, InterruptedError } from '../../../src/errors.ts';
import { Journal } from '../../../src/sync/journal/journal.ts';
import type { Switches } from '../../../src/sandbox/store/switches.ts';
import { openCredentials } from '../../../src/settings/credentials.ts';
import { NO_KEYCHAIN } from '../../../src/settings/keychain.ts';
import { openProfiles } from '../../../src/settings/profiles.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { type FakeRuntimeOverrides, fakeRuntime } from '../../support/fake-runtime.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { type SandboxRuntime, sandboxRuntime, TOKEN } from '../sandbox-runtime.ts';
import { pushBench } from '../../sync/push-bench.ts';
import { listIn } from '../../support/documents.ts';
import { type Argv, GLOBALS, parseArgv } from '../parse-argv.ts';
import { paired } from '../../support/tables.ts';

const doctor: DoctorOptions = GLOBALS;
const parse = (argv: Argv): Promise<DoctorOptions> => parseArgv(defineDoctor, 'doctor', argv);

interface Shown {
  check: string;
  result: string;
  found: string;
  advice: string | null;
}

test('the command line of doctor', async () => {
  expect(await parse([])).toMatchObject({ output: 'table' });
  expect(await parse('--json')).toMatchObject({ output: 'json' });
  await expect(parse('now')).rejects.toThrow('too many arguments');
});

describe('doctor with everything in order', () => {
  test('says so, one line a check', async () => {
    const here = await setUp();
    expect(await run(here)).toBe(EXIT.done);
    const { config, state } = here.runtime.paths;
    const { url } = here.sandbox;
    expect(here.out()).toBe(
      [
        '!   field types       1 of 38 fields not known: exhibitor.badge_colour (Badge colour picker)',
        '                      Nothing to mend: their values are sent unchecked, and the service checks them.',
        'ok  node              20.18.1',
        'ok  eventreg          0.0.0-test',
        `ok  config directory  ${config} (not there yet: \`eventreg login\` makes it)`,
        `ok  state directory   ${state}`,
        'ok  journal           not there yet: the first push makes it',
        'ok  profile           default (the current one, nothing saved in it)',
        `ok  base_url          ${url}/api (EVENTREG_BASE_URL; not encrypted, but never leaves this machine)`,
        `ok  integ_url         ${url}/integ (EVENTREG_INTEG_URL; not encrypted, but never leaves this machine)`,
        'ok  other settings    timeout 30 s (default), settle 60 s (default), 503 means refused: no (default), deleted by: id (default), fields: found out (default), paths: as documented (default)',
        'ok  certificates      the authorities that Node.js knows',
        'ok  proxy             none',
        'ok  token             from EVENTREG_TOKEN',
        `ok  reachable         ${url} answered in 0 ms`,
        'ok  answer            200, an event',
        'ok  event             Harbour Trade Fair 2027 (4711), 3 personas',
        "ok  clock             within 2 min of the service's",
        'ok  rate limit        30 requests a window, 29 left; how long a window is, the next push that uses one up will learn',
        '--  requests an hour  how long a window lasts is not known yet',
        'ok  webhooks          0 webhooks',
        '--  persona filter    no registrations of visitor or exhibitor to see it by',
        '',
      ].join('\n'),
    );
    expect(here.err()).toBe('No problems, 1 warning.\n');
    // What is learned of the rate limit is kept there.
    expect(readdirSync(state).filter((name) => !name.startsWith('pacing.'))).toEqual([]);
  });

  test('as json is an array of findings', async () => {
    const here = await setUp();
    expect(await run(here, { output: 'json' })).toBe(EXIT.done);
    const findings = listIn<Shown>(here.out());
    expect(findings).toHaveLength(21);
    expect(findings[0]).toEqual({ check: 'node', result: 'ok', found: '20.18.1', advice: null });
    expect(findings.find(({ check }) => check === 'field types')).toMatchObject({ result: 'warning' });
  });

  test('works with --sandbox, whatever the environment and the profiles say', async () => {
    const here = await setUp({}, { env: { EVENTREG_BASE_URL: 'nonsense', EVENTREG_TOKEN: '' } });
    expect(await run(here, { sandbox: true, output: 'ndjson' })).toBe(EXIT.done);
    expect(found(here, 'profile')).toMatchObject({ result: 'ok', found: 'none (the embedded sandbox)' });
    expect(found(here, 'token')).toMatchObject({ result: 'ok', found: 'from the embedded sandbox' });
    expect(found(here, 'event')).toMatchObject({ result: 'ok' });
    expect(here.err()).toContain('Practice service (sandbox): nothing leaves this machine.\n');
  });

  test('says where a profile has its settings and its token from', async () => {
    const here = await setUp(
      {},
      { env: { EVENTREG_TOKEN: '', EVENTREG_BASE_URL: '', EVENTREG_INTEG_URL: '' } },
    );
    const { config } = here.runtime.paths;
    const { baseUrl, integUrl, url } = here.sandbox;
    const profile = { baseUrl, integUrl, timeout: 5, endpoints: { event: '/event' } };
    (await openProfiles(config)).set('staging', profile);
    await openCredentials({ configDir: config, keychain: NO_KEYCHAIN }).set('staging', url, TOKEN);
    expect(await run(here, { profile: 'staging', output: 'ndjson' })).toBe(EXIT.done);
    expect(found(here, 'config directory')).toMatchObject({ result: 'ok', found: config });
    expect(found(here, 'profile')).toMatchObject({ found: 'staging (--profile)' });
    expect(found(here, 'base_url')?.found).toContain('(the profile; ');
    expect(found(here, 'other settings')?.found).toMatch(
      /^timeout 5 s \(profile\), .*paths: event \/event \(profile\)$/,
    );
    expect(found(here, 'token')?.found).toContain('credentials.json');
    expect(here.out() + here.err()).not.toContain(TOKEN);
  });
});

describe('doctor with nothing configured', () => {
  test('names what is missing and skips what needs it', async () => {
    const here = fakeRuntime({ directory: temporaryDirectory(), env: { EVENTREG_KEYCHAIN: 'off' } });
    expect(await runDoctor(doctor, here.runtime)).toBe(EXIT.usage);
    const lines = here.out().split('\n');
    expect(lines.slice(0, 3)).toEqual([
      '!!  base_url          not set, so nobody knows where the service is',
      '                      Run `eventreg login`, or set EVENTREG_BASE_URL, or rehearse with --sandbox.',
      'ok  node              20.18.1',
    ]);
    expect(lines.slice(8)).toEqual([
      '--  integ_url         not set; only `eventreg webhooks` needs it',
      'ok  other settings    timeout 30 s (default), settle 60 s (default), 503 means refused: no (default), deleted by: id (default), fields: found out (default), paths: as documented (default)',
      'ok  certificates      the authorities that Node.js knows',
      'ok  proxy             none',
      '--  token             the settings come first',
      '--  reachable         the service cannot be asked yet',
      '--  answer            the service cannot be asked yet',
      '--  event             the service cannot be asked yet',
      '--  field types       the service cannot be asked yet',
      '--  clock             the service cannot be asked yet',
      '--  rate limit        the service cannot be asked yet',
      '--  requests an hour  the service cannot be asked yet',
      '--  webhooks          the service cannot be asked yet',
      '--  persona filter    the service cannot be asked yet',
      '',
    ]);
    expect(here.err()).toBe('1 problem, 0 warnings.\n');
  });

  test('but an address, misses the token', async () => {
    const here = await setUp({}, { env: { EVENTREG_TOKEN: '' } });
    expect(await run(here, { output: 'ndjson' })).toBe(EXIT.unauthorised);
    expect(found(here, 'token')).toMatchObject({
      result: 'problem',
      advice: 'Run `eventreg login`, or set EVENTREG_TOKEN.',
    });
    expect(found(here, 'reachable')).toMatchObject({ result: 'skipped' });
  });
});

describe('doctor finds in the settings', () => {
  test.each<[string, Record<string, string>, string, string]>([
    ['an unencrypted address', { EVENTREG_BASE_URL: 'http://events.example.com' }, 'base_url', 'unencrypted'],
    [
      'a wrong webhook address',
      { EVENTREG_INTEG_URL: 'events' },
      'integ_url',
      'It comes from EVENTREG_INTEG_URL.',
    ],
    [
      'a password in an address',
      { EVENTREG_BASE_URL: 'https://a:hush@b.example.com' },
      'base_url',
      'password',
    ],
    ['a profile that is not there', { EVENTREG_PROFILE: 'none' }, 'profile', 'There is no profile none.'],
    ['unchecked certificates', { NODE_TLS_REJECT_UNAUTHORIZED: '0' }, 'certificates', 'refused'],
    [
      'a proxy that is none',
      { HTTPS_PROXY: 'socks5://user:hush@proxy:1' },
      'proxy',
      'HTTPS_PROXY is no address',
    ],
    ['a proxy that is no address', { http_proxy: 'proxy:hush' }, 'proxy', 'HTTP_PROXY is no address'],
  ])('%s', async (_what, env, check, text) => {
    const here = await setUp({}, { env });
    expect(await run(here, { output: 'ndjson' })).toBe(EXIT.usage);
    expect(found(here, check)).toMatchObject({ result: 'problem', found: expect.stringContaining(text) });
    expect(found(here, 'token')).toMatchObject({ result: 'skipped' });
    expect(here.out()).not.toContain('hush');
    expect(here.sandbox.requests()).toEqual([]);
  });

  test('damaged profiles', async () => {
    const here = await setUp();
    mkdirSync(here.runtime.paths.config, { mode: 0o700 });
    writeFileSync(join(here.runtime.paths.config, 'profiles.json'), '{', { mode: 0o600 });
    expect(await run(here, { output: 'ndjson' })).toBe(EXIT.usage);
    expect(said(here, 'profile')).toMatch(/^problem: .*profiles\.json cannot be read: it is no JSON/);
    expect(found(here, 'shared state')).toBeUndefined();
    expect(said(here, 'journal')).toMatch(/^ok: /);
  });

  test('a token that cannot be one, without showing it', async () => {
    const here = await setUp({}, { env: { EVENTREG_TOKEN: 'tok hush' } });
    expect(await run(here, { output: 'ndjson' })).toBe(EXIT.unauthorised);
    expect(said(here, 'token')).toMatch(/^problem: .*a space/);
    expect(here.out() + here.err()).not.toContain('hush');
  });

  test('a token too short to be one, which leaves other words alone', async () => {
    const here = await setUp({}, { env: { EVENTREG_TOKEN: 't' } });
    expect(await run(here, { output: 'ndjson' })).toBe(EXIT.unauthorised);
    expect(found(here, 'token')?.found).toContain('The token has fewer than 8 characters');
    expect(here.out()).not.toContain('[token]');
  });

  test('a proxy, whose password it keeps to itself, and missing certificates', async () => {
    const env = {
      HTTPS_PROXY: 'http://user:hush@proxy.example.com:8080',
      NO_PROXY: '.example.org',
      NODE_EXTRA_CA_CERTS: '/nowhere/ca.pem',
    };
    const here = await setUp({}, { env });
    expect(await run(here, { output: 'ndjson' })).toBe(EXIT.done);
    expect(found(here, 'proxy')?.found).toBe(
      'http://proxy.example.com:8080 for https, but not for .example.org; never for this machine',
    );
    expect(found(here, 'certificates')).toMatchObject({ result: 'warning' });
    expect(here.out()).not.toContain('hush');
  });
});

describe('doctor finds on the machine', () => {
  test.each(
    paired(`
      20.18.1 → ok | v20.20.0 → ok | 26.0.0 → ok | 20.18.0 → problem | 20.17.9 → problem |
      18.99.99 → problem
    `),
  )('node %s is %s', (version, result) => {
    expect(checkNode(version).result).toBe(result);
  });

  test('files that are open to others', async () => {
    const here = await setUp();
    const { config } = here.runtime.paths;
    mkdirSync(config, { mode: 0o700 });
    writeFileSync(join(config, 'credentials.json'), '{"tokens":{}}');
    chmodSync(join(config, 'credentials.json'), 0o644);
    await run(here, { output: 'ndjson' });
    expect(said(here, 'config directory')).toBe(
      `warning: others may look into ${join(config, 'credentials.json')}`,
    );
  });

  test('directories that are none', async () => {
    const here = await setUp();
    const { config, state } = here.runtime.paths;
    writeFileSync(config, '');
    writeFileSync(state, '');
    expect(await run(here, { output: 'ndjson' })).not.toBe(EXIT.done);
    expect(found(here, 'config directory')).toMatchObject({ result: 'problem' });
    expect(said(here, 'state directory')).toBe(`problem: ${state} cannot be written to (EEXIST)`);
  });

  test('a state directory that the sandbox cannot use either', async () => {
    const here = await setUp();
    writeFileSync(here.runtime.paths.state, '');
    expect(await run(here, { sandbox: true, output: 'ndjson' })).toBe(EXIT.failed);
    expect(found(here, 'sandbox')).toMatchObject({ result: 'problem' });
  });

  test('a journal, sound or damaged', async () => {
    const here = await setUp();
    const { state } = here.runtime.paths;
    new Journal(state).close();
    await run(here, { output: 'ndjson' });
    expect(found(here, 'journal')).toMatchObject({ result: 'ok', found: join(state, 'journal.sqlite') });
    const other = await setUp();
    mkdirSync(other.runtime.paths.state, { mode: 0o700 });
    writeFileSync(join(other.runtime.paths.state, 'journal.sqlite'), 'not a database, but text. '.repeat(99));
    expect(await run(other, { output: 'ndjson' })).toBe(EXIT.failed);
    expect(said(other, 'journal')).toMatch(/^problem: .*is damaged/);
  });
});

describe('doctor finds at the service', () => {
  test.each<[string, Partial<Switches>, number, string]>([
    ['does not accept the token (401: Unauthenticated.)', { auth: '401' }, EXIT.unauthorised, 'login'],
    ['302, a redirect to /login', { event: 'redirect' }, EXIT.usage, 'put it into base_url'],
    ['200, but a web page titled "Log in"', { event: 'html' }, EXIT.usage, 'web site, not the service'],
    ['404: The event is not available.', { event: '404' }, EXIT.failed, 'no active event'],
    ['500: Something went wrong.', { event: '500' }, EXIT.failed, 'try again later'],
  ])('%s', async (text, switches, code, advice) => {
    const here = await setUp(switches);
    expect(await run(here, { output: 'ndjson' })).toBe(code);
    expect(found(here, 'reachable')).toMatchObject({ result: 'ok' });
    expect(found(here, 'answer')).toMatchObject({
      result: 'problem',
      found: expect.stringContaining(text),
      advice: expect.stringContaining(advice),
    });
    for (const check of ['event', 'field types', 'rate limit', 'persona filter']) {
      expect(found(here, check)).toMatchObject({ result: 'skipped' });
    }
    expect(found(here, 'clock')).toMatchObject({ result: 'ok' });
    expect(here.out() + here.err()).not.toContain(TOKEN);
  });

  test('nothing that listens', async () => {
    const here = await setUp();
    await here.sandbox.close();
    expect(await run(here, { output: 'ndjson', verbose: true })).toBe(EXIT.failed);
    expect(found(here, 'reachable')).toMatchObject({
      result: 'problem',
      found: `${here.sandbox.url}: nothing listens there (connection refused)`,
      advice: expect.stringContaining('base_url'),
    });
    for (const check of ['answer', 'event', 'clock', 'rate limit', 'persona filter']) {
      expect(found(here, check)).toMatchObject({ result: 'skipped' });
    }
    expect(found(here, 'webhooks')).toMatchObject({ result: 'problem' });
    expect(here.out() + here.err()).not.toContain(TOKEN);
  });

  test('no rate headers', async () => {
    const here = await setUp({ rateHeaders: 'never' });
    expect(await run(here, { output: 'ndjson' })).toBe(EXIT.done);
    expect(said(here, 'rate limit')).toBe(
      'warning: the answer did not have X-Ratelimit-Limit and X-Ratelimit-Remaining, and nothing is known from earlier answers',
    );
  });

  test('what a push has learnt of the limit, where only its requests are told', async () => {
    const bench = await pushBench({ limit: 10, windowMs: 10_000, rateHeaders: 'posts' });
    const rows = Array.from({ length: 30 }, (_, at) => `visitor,B${at},Ada`);
    await bench.push([bench.write('a.csv', ['persona,barcode,First name', ...rows].join('\n'))]);
    for (const _ of ['once', 'again']) {
      const { code, out } = await bench.run(['doctor', '--output', 'ndjson']);
      expect(code).toBe(EXIT.done);
      expect(said({ out: () => out }, 'rate limit')).toMatch(
        /^ok: 10 requests every 10 s, .*; known from earlier answers/,
      );
      expect(found({ out: () => out }, 'requests an hour')?.found).toMatch(/^3,600; /);
    }
  });

  test('what a push has found out of a limit that nothing tells of', async () => {
    const bench = await pushBench({ limit: 10, windowMs: 10_000, rateHeaders: 'never' });
    const rows = Array.from({ length: 40 }, (_, at) => `visitor,B${at},Ada`);
    await bench.push([bench.write('a.csv', ['persona,barcode,First name', ...rows].join('\n'))]);
    for (const _ of ['once', 'again']) {
      await bench.clock.advance(60_000);
      const { out } = await bench.run(['doctor', '--output', 'ndjson']);
      expect(said({ out: () => out }, 'rate limit')).toMatch(
        /^ok: \d+ requests every 10 s, .*; known from earlier answers/,
      );
    }
  });

  test('how long it takes to answer, without the waiting before', async () => {
    const here = await setUp({ limit: 4, windowMs: 20_000, pastLimit: '429-retry-after' });
    for (const persona of ['visitor', 'visitor', 'visitor', 'exhibitor']) await post(here, persona);
    expect(await run(here, { output: 'ndjson' })).toBe(EXIT.done);
    expect(here.err()).toContain('Waiting 20 s for the request budget.');
    expect(found(here, 'reachable')?.found).toMatch(/ answered in 0 ms$/);
  });

  test.each(['429-retry-after', '503-retry-after'] as const)(
    'that it takes no requests for long, as %s says',
    async (pastLimit) => {
      const here = await setUp({ limit: 1, windowMs: 600_000, pastLimit });
      await post(here, 'visitor');
      expect(await run(here, { output: 'ndjson' })).toBe(EXIT.gaveUp);
      const until = new Date(here.runtime.clock.now() + 600_000).toISOString().replace('.000Z', 'Z');
      expect(said(here, 'reachable')).toBe(
        `problem: not asked: the service takes no requests until ${until}`,
      );
      expect(found(here, 'rate limit')?.found).toMatch(/^1 request a window, 0 left/);
      expect(found(here, 'webhooks')).toMatchObject({ result: 'skipped' });
      expect(here.sandbox.requests()).toHaveLength(2);
      expect(here.err()).not.toContain('Waiting');
    },
  );

  test.each([
    [121_000, 'warning', "2 min 1 s ahead of the service's"],
    [-3_600_000, 'warning', "1 h behind the service's"],
    [119_000, 'ok', "within 2 min of the service's"],
  ])('a clock that is %d ms off', async (differenceMs, result, text) => {
    const clock = fakeClock({ auto: true });
    const here = await setUp({}, { clock });
    const shifted = { ...clock, now: () => clock.now() + differenceMs };
    await runDoctor({ ...doctor, output: 'ndjson' }, { ...here.runtime, clock: shifted });
    expect(found(here, 'clock')).toMatchObject({ result, found: text });
  });

  test.each<[string, Partial<Switches>, string, string]>([
    ['works', {}, 'ok', 'works'],
    [
      'is ignored',
      { filterSpelling: 'none' },
      'warning',
      'the service ignores the persona filter: eventreg filters itself',
    ],
    ['takes one name only', { filterSpelling: 'strict-pesona' }, 'ok', 'works'],
  ])('that the persona filter %s', async (_what, switches, result, text) => {
    // The first registration is of the first persona, which a single question would not notice.
    for (const persona of ['visitor', 'exhibitor'] as const) {
      const here = await setUp(switches);
      await post(here, persona);
      expect(await run(here, { output: 'ndjson' })).toBe(EXIT.done);
      expect(found(here, 'persona filter')).toMatchObject({ result, found: text });
    }
  });

  test('webhooks, or that nobody said where they are', async () => {
    const here = await setUp({}, { env: { EVENTREG_INTEG_URL: '' } });
    expect(await run(here, { output: 'ndjson' })).toBe(EXIT.done);
    expect(found(here, 'integ_url')).toMatchObject({ result: 'skipped' });
    expect(found(here, 'webhooks')).toMatchObject({ result: 'skipped' });
  });

  test('names that would drive the terminal, and makes them safe', async () => {
    const here = await setUp({ event: '404' }, { env: { NODE_EXTRA_CA_CERTS: '/a\u001b[2Jb' } });
    await run(here);
    expect(here.out()).toContain('names /a\\u{1b}[2Jb, which is no file');
  });
});

test('doctor ends when it is interrupted', async () => {
  const stopping = new AbortController();
  stopping.abort(new InterruptedError());
  const here = await setUp({}, { stopping: stopping.signal });
  await expect(run(here)).rejects.toThrow(InterruptedError);
});

test('doctor asks once with a token that is refused', async () => {
  const here = await setUp({ auth: '401' });
  await run(here, { output: 'ndjson' });
  expect(found(here, 'webhooks')).toMatchObject({ result: 'skipped' });
  expect(here.sandbox.requests()).toHaveLength(1);
});

test('doctor does not print a token that stands in an address by mistake', async () => {
  const here = await setUp(
    {},
    { env: { EVENTREG_BASE_URL: `https://events.example.com/${TOKEN}`, HTTPS_PROXY: 'none' } },
  );
  await run(here);
  expect(here.out()).toContain('https://events.example.com/[token] (EVENTREG_BASE_URL; encrypted)');
  expect(here.out() + here.err()).not.toContain(TOKEN);
  expect(existsSync(here.runtime.paths.config)).toBe(false);
});

/** Its clock stands still, so that every answer takes 0 ms. */
async function setUp(
  switches: Partial<Switches> = {},
  overrides: FakeRuntimeOverrides = {},
): Promise<SandboxRuntime> {
  return await sandboxRuntime(switches, { clock: fakeClock({ auto: true }), ...overrides });
}

async function run(here: SandboxRuntime, options: Partial<DoctorOptions> = {}): Promise<number> {
  return await runDoctor({ ...doctor, ...options }, here.runtime);
}

/** A finding of a run with `ndjson`. */
function found(here: { out: () => string }, check: string): Shown | undefined {
  const findings = here.out().trim().split('\n');
  return findings.map((line) => JSON.parse(line) as Shown).find((finding) => finding.check === check);
}

const said = (here: { out: () => string }, check: string): string => {
  const { result, found: text } = found(here, check) ?? {};
  return `${result}: ${text}`;
};

/** Puts one registration into the service, past the commands. */
async function post({ sandbox }: SandboxRuntime, persona: string): Promise<void> {
  const response = await fetch(`${sandbox.baseUrl}/registration`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ persona, fields: {}, barcode: 'B1' }),
  });
  expect(response.ok).toBe(true);
}
