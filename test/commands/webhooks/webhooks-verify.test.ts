import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { main } from '../../../src/main.ts';
import { sign } from '../../../src/webhooks/signing/sign.ts';
import { VERDICTS } from '../../../src/webhooks/signing/check-way.ts';
import { documentSchemas } from '../../../src/documents/documents.ts';
import { BODY, NOW_MS, schemeOf } from '../../webhooks/signing/samples.ts';
import { readDocument } from '../../support/documents.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { type FakeRuntimeOverrides, fakeRuntime } from '../../support/fake-runtime.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const SECRET = 'hush-7Kp/=';
const URL_CALLED = 'https://hooks.example.com/in';

/** Runs `webhooks verify` on the body; its clock stands at NOW_MS. */
async function run(
  args: readonly string[],
  overrides: FakeRuntimeOverrides = {},
): Promise<{ code: number; out: string; err: string }> {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'body.bin'), BODY);
  const clock = fakeClock({ startMs: NOW_MS });
  const { runtime, out, err } = fakeRuntime({ directory, clock, stdinText: `${SECRET}\n`, ...overrides });
  const code = await main(['webhooks', 'verify', '--body', 'body.bin', ...args], runtime);
  return { code, out: out(), err: err() };
}

const headersOf = (scheme: string, timestampMs = NOW_MS): string[] =>
  Object.entries(
    sign(schemeOf(scheme), SECRET, { id: 'msg_1', timestampMs, body: BODY, url: URL_CALLED }),
  ).flatMap(([name, value]) => ['--header', `${name}: ${value}`]);

describe('webhooks verify', () => {
  test.each(['standard', 'github', 'slack', 'hmac-sha512:x-signature:base64'])(
    'finds out that it is %s, and exits with 0',
    async (scheme) => {
      const found = await run([...headersOf(scheme), '--secret-stdin', '--json']);
      expect([found.code, readDocument(found.out)]).toMatchObject([
        0,
        { schema: 'eventreg/webhooks-verify@1', verdict: 'valid', scheme, exit: 0 },
      ]);
      const strict = await run([
        ...headersOf(scheme),
        '--secret-stdin',
        '--scheme',
        scheme,
        '--output',
        'csv',
      ]);
      expect([strict.code, strict.out]).toEqual([
        0,
        expect.stringMatching(new RegExp(`^verdict,scheme,why\nvalid,${scheme},"?The signature fits`)),
      ]);
      expect(found.out + strict.out + strict.err).not.toContain(SECRET);
    },
  );

  test.each([
    ['valid but old', headersOf('slack', NOW_MS - 600_000), 'made 600 s ago: more than 300 s'],
    [
      'wrong',
      [...headersOf('slack').slice(0, 2), ...headersOf('slack', NOW_MS - 1000).slice(2)],
      'in no way',
    ],
    ['unsigned', ['--header', 'Content-Type: text/plain'], 'It has no header of a signature.'],
  ])('says that it is %s, and exits with 3', async (verdict, headers, why) => {
    const { code, out } = await run([...headers, '--secret-stdin', '--output', 'ndjson']);
    expect([code, JSON.parse(out)]).toMatchObject([3, { verdict, why: expect.stringContaining(why) }]);
  });

  test('takes the secret from the environment, and says when there is none', async () => {
    const env = { EVENTREG_WEBHOOK_SECRET: SECRET };
    expect((await run(headersOf('github'), { env })).out).toContain('valid\tgithub\tThe signature fits');
    const { code, out } = await run(headersOf('github'));
    expect([code, out]).toEqual([
      3,
      expect.stringContaining('signed but no secret given\t\tIt has a header'),
    ]);
  });

  test('knows the address that is signed from --url', async () => {
    const args = [...headersOf('square'), '--secret-stdin', '--scheme', 'square'];
    expect((await run(args)).out).toContain('The address is signed, and it is not known here.');
    expect((await run([...args, '--url', URL_CALLED])).code).toBe(0);
  });

  test.each([
    [['--header', 'nonsense'], '--header: must be like "X-Signature: abc"'],
    [['--scheme', 'gitlab'], 'There is no scheme of signatures "gitlab".'],
    [['--body', 'gone.bin'], 'gone.bin: there is no such file.'],
    [['--secret', 'x'], "unknown option '--secret'"],
  ])('refuses %j', async (args, why) => {
    const { code, err } = await run(args);
    expect([code, err]).toEqual([2, expect.stringContaining(why)]);
  });

  test('shows nothing that a header could do to the terminal', async () => {
    const { out } = await run(['--header', 'x-\u001b[31m-signature: abc', '--secret-stdin']);
    expect(out).toContain('x-\\u{1b}[31m-signature');
  });

  test('its document knows every verdict', () => {
    const schema = documentSchemas()['webhooks-verify@1'];
    const base = {
      schema: 'eventreg/webhooks-verify@1',
      scheme: null,
      why: '',
      exit: 3,
      stopped_by: null,
      error: null,
    };
    for (const verdict of VERDICTS) expect(schema?.safeParse({ ...base, verdict }).success).toBe(true);
  });
});
