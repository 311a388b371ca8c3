import { expect, test } from 'vitest';
import type { Switches } from '../../src/sandbox/store/switches.ts';
import { pushBench, visitors } from '../sync/push-bench.ts';

const TOKEN = 'bench-token-1234';

type Env = Record<string, string>;

const REFUSED = { answer: { status: 403, body: `{"message":"no entry with Bearer ${TOKEN}"}` } };

/** What is wrong, the exit code, and what is said after "Could not read the event: ", with the hint. */
test.each<[string, Partial<Switches>, (base: string) => Env, number, says: RegExp, hint: RegExp]>([
  [
    'nothing listens there',
    {},
    () => ({ EVENTREG_BASE_URL: 'http://127.0.0.1:9/api' }),
    1,
    /^http:\/\/127\.0\.0\.1:9: nothing listens there \(connection refused\)\.$/,
    /^Check the address with `eventreg profiles show`, and the way to it with `eventreg doctor`\.$/,
  ],
  [
    'the token is not accepted',
    { auth: '401' },
    () => ({}),
    4,
    /^the service did not accept the token \(401: .+\)\.$/,
    /^Log in again with `eventreg login`, or set EVENTREG_TOKEN\.$/,
  ],
  [
    'the address is wrong',
    {},
    (base) => ({ EVENTREG_BASE_URL: base.replace('/api', '/elsewhere') }),
    1,
    /^the service answered 404: /,
    /^Nothing is found at \/elsewhere\/event: check base_url with `eventreg profiles show`\.$/,
  ],
  [
    'a login page answers with status 200',
    { event: 'html' },
    () => ({}),
    1,
    /^http:\/\/127\.0\.0\.1:\d+\/api\/event answered 200 with a web page titled ".+" where JSON was expected\.$/,
    /check base_url/,
  ],
  [
    'a redirect is not followed',
    { event: 'redirect' },
    () => ({}),
    1,
    /^.+\/api\/event redirects to .*\/login \(302\)\.$/,
    /Redirects are never followed/,
  ],
])('a service that cannot be used is told in one line with a hint: %s', async (...row) => {
  const [, switches, change, code, says, hint] = row;
  const bench = await pushBench(switches);
  const env = { ...bench.env, ...change(bench.env['EVENTREG_BASE_URL'] ?? '') };
  const ended = await bench.run(['push', bench.write('a.csv', visitors('A'))], { env });
  const [line = '', advice = '', ...rest] = ended.err.trimEnd().split('\n');
  expect([ended.code, ended.out, rest]).toEqual([code, '', []]);
  expect(line.replace('eventreg: Could not read the event: ', '')).toMatch(says);
  expect(advice.replace('hint: ', '')).toMatch(hint);
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
