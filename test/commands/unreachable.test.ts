import { expect, test } from 'vitest';
import type { Switches } from '../../src/sandbox/store/switches.ts';
import { pushBench, visitors } from '../sync/push-bench.ts';

const TOKEN = 'bench-token-1234';

const REFUSED = { answer: { status: 403, body: `{"message":"no entry with Bearer ${TOKEN}"}` } };

const CHECK = '`eventreg doctor` shows';

/** The way to the service, the exit code, and what is said after "Could not read the event: ", with the hint. */
test.each<[Partial<Switches>, path: string, number, says: RegExp, hint: string]>([
  [{}, ':9/api', 1, /^.+:9: nothing listens there \(connection refused\)\.$/, `${CHECK} which address`],
  [{ auth: '401' }, '/api', 4, /^the service did not accept the token \(401: .+\)\.$/, 'EVENTREG_TOKEN.'],
  [
    {},
    '/elsewhere',
    1,
    /^the service answered 404: /,
    'at /elsewhere/event: check base_url, which `eventreg doctor` shows.',
  ],
  [{ event: 'html' }, '/api', 1, /^.+ answered 200 with a web page titled ".+"/, 'check base_url'],
  [{ event: 'redirect' }, '/api', 1, /^.+ redirects to .*\/login \(302\)\.$/, 'Redirects are never followed'],
])('of what is behind %j at %s one line is told, with a hint', async (switches, path, code, says, hint) => {
  const bench = await pushBench(switches);
  const base = bench.env['EVENTREG_BASE_URL'] ?? '';
  const url = path.startsWith(':') ? `http://127.0.0.1${path}` : base.replace('/api', path);
  const env = { ...bench.env, EVENTREG_BASE_URL: url };
  const ended = await bench.run(['push', bench.write('a.csv', visitors('A'))], { env });
  const [line = '', advice = '', ...rest] = ended.err.trimEnd().split('\n');
  expect([ended.code, ended.out, rest]).toEqual([code, '', []]);
  expect(line.replace('eventreg: Could not read the event: ', '')).toMatch(says);
  expect(advice).toMatch(/^hint: /);
  expect(advice).toContain(hint);
  expect(ended.err).not.toContain(TOKEN);
});

test('a service that repeats the token in its answer does not get it printed', async () => {
  const bench = await pushBench();
  bench.service.fault = () => REFUSED;
  const ended = await bench.run(['push', bench.write('a.csv', visitors('A')), '--verbose']);
  expect([ended.code, ended.err]).toEqual([4, expect.stringContaining('no entry with Bearer [token]')]);
});

test('where nothing is configured the hint says what may be', async () => {
  const bench = await pushBench();
  const env = { EVENTREG_KEYCHAIN: 'off' };
  const ended = await bench.run(['push', bench.write('a.csv', visitors('A'))], { env });
  const hint = 'hint: Run `eventreg login`, or set EVENTREG_BASE_URL, or rehearse with --sandbox.';
  expect([ended.code, ended.err]).toEqual([2, expect.stringContaining(hint)]);
});
