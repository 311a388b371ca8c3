import { createHmac, randomBytes } from 'node:crypto';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { describe, expect, test } from 'vitest';
import { sign } from '../../../src/webhooks/signing/sign.ts';
import { verify } from '../../../src/webhooks/signing/verify.ts';
import {
  BODY,
  NOW_MS,
  requestOf,
  SAMPLES,
  type Sample,
  schemeOf,
  title,
  URL_CALLED,
  V1A,
} from './samples.ts';

const unsigned = { id: 'msg_1', timestampMs: NOW_MS, body: BODY, url: URL_CALLED };

/** The headers of a delivery by the sample. */
const signed = (sample: Sample, change: Partial<typeof unsigned> = {}, secret = sample.signing) =>
  sign(schemeOf(sample.scheme), secret, { ...unsigned, ...change });

const hasTime = ({ scheme }: Sample): boolean =>
  schemeOf(scheme).ways.some(({ timestamp }) => timestamp !== undefined);

/** Both deliveries in one, as while a secret is replaced: their signatures in one header. */
function joined(sample: Sample, ...secrets: string[]): Record<string, string> {
  const [way] = schemeOf(sample.scheme).ways;
  const all = secrets.map((secret) => signed(sample, {}, secret));
  const values = all.map((headers) => headers[way.header] ?? '');
  const separator = way.prefix.endsWith(',') ? ' ' : ',';
  return { ...all[0], [way.header]: values.join(separator) };
}

describe.each(SAMPLES.map((sample) => [title(sample), sample] as const))('%s', (_title, sample) => {
  const { scheme, verifying, other } = sample;
  const judge = (headers: Record<string, string>, secret?: string, change = {}) =>
    verify(schemeOf(scheme), secret, requestOf(headers, change));

  test('valid, in any case of the names, by its secret alone', () => {
    const upper = Object.fromEntries(
      Object.entries(signed(sample)).map(([name, value]) => [name.toUpperCase(), value]),
    );
    expect(judge(upper, verifying)).toMatchObject({ verdict: 'valid', scheme });
    expect(judge(signed(sample), other.verifying).verdict).toBe('wrong');
    expect(judge(signed(sample, {}, other.signing), verifying).verdict).toBe('wrong');
  });

  test('wrong: another byte, another time, another id, nothing that can be read', () => {
    const headers = signed(sample);
    const body = Buffer.from(BODY);
    body[1] = 0xfe;
    expect(judge(headers, verifying, { body }).verdict).toBe('wrong');
    const [way] = schemeOf(scheme).ways;
    for (const [name, value] of Object.entries(headers)) {
      expect(
        judge(
          { ...headers, [name]: value.replace(/\d/, (digit) => String((Number(digit) + 1) % 10)) },
          verifying,
        ).verdict,
      ).toBe('wrong');
      const { [name]: _gone, ...rest } = headers;
      expect(judge(rest, verifying).verdict).toBe(name === way.header ? 'unsigned' : 'wrong');
    }
    for (const value of ['x', way.prefix, `${way.prefix}====`, `${way.prefix}${'é'.repeat(64)}`]) {
      expect(judge({ ...headers, [way.header]: value }, verifying).verdict).toMatch(/^(?:wrong|unsigned)$/);
    }
  });

  test('valid but old, on both sides of its tolerance', () => {
    const at = (nowMs: number) => judge(signed(sample), verifying, { nowMs }).verdict;
    const old = hasTime(sample) ? 'valid but old' : 'valid';
    expect([at(NOW_MS + 300_000), at(NOW_MS - 300_000)]).toEqual(['valid', 'valid']);
    expect([at(NOW_MS + 301_000), at(NOW_MS - 301_000)]).toEqual([old, old]);
  });

  test('two signatures in a header: either secret does', () => {
    const headers = joined(sample, other.signing, sample.signing);
    expect(judge(headers, verifying).verdict).toBe('valid');
    expect(judge(headers, other.verifying).verdict).toBe('valid');
    expect(judge(joined(sample, other.signing, other.signing), verifying).verdict).toBe('wrong');
  });

  test('two headers of one name', () => {
    const [way] = schemeOf(scheme).ways;
    const both = [signed(sample, {}, other.signing), signed(sample)];
    const headers = [
      ...Object.entries(both[0] ?? {}),
      ...both.slice(1).map((one) => [way.header, one[way.header] ?? ''] as const),
    ];
    expect(verify(schemeOf(scheme), verifying, { ...requestOf({}), headers }).verdict).toBe('valid');
  });

  test('unsigned, and signed without a secret', () => {
    for (const secret of [undefined, '']) {
      expect(judge(signed(sample), secret).verdict).toBe('signed but no secret given');
      expect(judge({ 'content-type': 'application/json' }, secret).verdict).toBe('unsigned');
    }
    expect(judge({ 'content-type': 'application/json' }, verifying).verdict).toBe('unsigned');
  });
});

describe('others agree', () => {
  const body = Buffer.from(JSON.stringify({ event: 'registration.updated', name: 'Zoë 🎟' }));
  const secret = `whsec_${randomBytes(24).toString('base64')}`;

  test.each([
    ['standard', StandardWebhook],
    ['svix', SvixWebhook],
  ] as const)('%s signs and verifies as its library does', (name, Webhook) => {
    const library = new Webhook(secret);
    const nowMs = Date.now();
    const ours = sign(schemeOf(name), secret, { ...unsigned, body, timestampMs: nowMs });
    expect(library.verify(body, ours)).toMatchObject({ name: 'Zoë 🎟' });
    const brand = name === 'svix' ? 'svix' : 'webhook';
    const theirs = {
      [`${brand}-id`]: 'msg_2',
      [`${brand}-timestamp`]: String(Math.floor(nowMs / 1000)),
      [`${brand}-signature`]: library.sign('msg_2', new Date(nowMs), body),
    };
    expect(verify(schemeOf(name), secret, requestOf(theirs, { body, nowMs })).verdict).toBe('valid');
  });

  test('github and slack, as their pages show it', () => {
    const github = {
      'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    };
    const hello = Buffer.from('Hello, World!');
    expect(
      verify(schemeOf('github'), "It's a Secret to Everybody", requestOf(github, { body: hello })).verdict,
    ).toBe('valid');
    const form =
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';
    const slack = {
      'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
      'x-slack-request-timestamp': '1531420618',
    };
    const request = requestOf(slack, { body: Buffer.from(form), nowMs: 1531420618_000 });
    expect(verify(schemeOf('slack'), '8f742231b10e8888abcd99yyyzzz85a5', request).verdict).toBe('valid');
  });
});

test('bodies are signed byte by byte, whatever they are', () => {
  const key = 'hush';
  for (const body of [Buffer.alloc(0), BODY, randomBytes(1024 * 1024), Buffer.from('é', 'latin1')]) {
    const value = `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
    const request = requestOf({ 'x-hub-signature-256': value }, { body });
    expect(verify(schemeOf('github'), key, request).verdict).toBe('valid');
  }
});

describe('what the sentence says', () => {
  const [standard] = SAMPLES as [Sample];
  const why = (headers: Record<string, string>, secret: string, change = {}) =>
    verify(schemeOf(standard.scheme), secret, requestOf(headers, change)).why;

  test('which header, which part, how old; never the secret', () => {
    const headers = signed(standard);
    const { 'webhook-id': _id, ...withoutId } = headers;
    const { 'webhook-timestamp': _time, ...withoutTime } = headers;
    const said = [
      why(headers, standard.verifying, { nowMs: NOW_MS + 720_000 }),
      why(withoutId, standard.verifying),
      why(withoutTime, standard.verifying),
      why({ ...headers, 'webhook-signature': 'v2,abc' }, standard.verifying),
      why(headers, standard.other.verifying),
      verify(schemeOf('hmac-sha256:webhook-signature:hex;key=hex'), 'no hex', requestOf(headers)).why,
      verify(
        schemeOf('square'),
        'a',
        requestOf(signed({ ...standard, scheme: 'square' }), { url: undefined }),
      ).why,
    ];
    expect(said).toEqual([
      'The signature fits, but was made 720 s ago: more than 300 s.',
      'It has no header webhook-id, which is signed.',
      'It has no timestamp in webhook-timestamp, which is signed.',
      'webhook-signature has no signature of 32 bytes in base64 after v1,.',
      'The signature is not that of this body with this secret.',
      'The secret is no key in the form hex.',
      'The address is signed, and it is not known here.',
    ]);
  });

  test('a time that cannot be read is old', () => {
    const scheme = schemeOf('hmac-sha256:x-signature:hex:timestamp.body');
    const value = createHmac('sha256', 'k').update('soon.').update(BODY).digest('hex');
    const request = requestOf({ 'x-signature': value, 'x-timestamp': 'soon' });
    expect(verify(scheme, 'k', request).verdict).toBe('valid but old');
  });
});

describe('signing', () => {
  test.each([
    ['standard', 'whpk_short', /no key of the scheme standard/],
    ['hmac-sha256:x-signature:hex;key=hex', 'no hex', /no key/],
    ['github', '', /no key/],
  ])('%s refuses a secret that is no key, and does not repeat it', (name, secret, words) => {
    expect(() => sign(schemeOf(name), secret, unsigned)).toThrow(words);
  });

  test('a public key cannot sign for the private one', () => {
    const headers = signed(V1A, {}, V1A.verifying);
    expect(verify(schemeOf('standard'), V1A.verifying, requestOf(headers)).verdict).toBe('wrong');
  });
});
