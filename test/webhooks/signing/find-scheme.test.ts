import { createHash, createHmac } from 'node:crypto';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ALGORITHMS } from '../../../src/webhooks/signing/algorithms.ts';
import { findScheme } from '../../../src/webhooks/signing/find-scheme.ts';
import { parseScheme } from '../../../src/webhooks/signing/parse-scheme.ts';
import { sign } from '../../../src/webhooks/signing/sign.ts';
import { verify } from '../../../src/webhooks/signing/verify.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { BODY, NOISE, NOW_MS, requestOf, SAMPLES, schemeOf, title, URL_CALLED, V1A } from './samples.ts';

const unsigned = { id: 'msg_1', timestampMs: NOW_MS, body: BODY, url: URL_CALLED };
const KEY = createHash('sha256').update('key').digest();

/** Ways in which services sign, and secrets of their form. */
const OTHERS: readonly [spec: string, secret: string][] = [
  ['hmac-sha256:x-signature:hex', 'text key'],
  ['hmac-sha1:x-hub-signature:hex;prefix=sha1=', 'text key'],
  ['hmac-sha512:x-paystack-signature:hex', 'sk_live_abc'],
  ['hmac-sha256:x-signature:hex;prefix=sha256=', 'text key'],
  ['hmac-sha256:x-signature:hex:timestamp.body', 'text key'],
  ['hmac-sha256:x-signature:hex:timestampbody;timestamp=x-request-time', 'text key'],
  ['hmac-sha256:x-signature:base64:timestamp:body;timestamp=x-signature/ts;prefix=h1=', 'text key'],
  ['hmac-sha256:x-signature:base64:urlbody', 'text key'],
  ['hmac-sha256:x-sign:base64hex:body', 'text key'],
  ['hmac-sha256:x-signature:base64url:id.body;id=x-delivery-id', 'text key'],
  [
    'hmac-sha256:x-zm-signature:hex:v0:timestamp:body;prefix=v0=;timestamp=x-zm-request-timestamp',
    'text key',
  ],
  ['hmac-sha256:x-signature:base64;key=base64', KEY.toString('base64')],
  ['hmac-sha256:x-signature:hex;key=hex', KEY.toString('hex')],
  ['hmac-sha256:x-signature:hex;key=base64-after-prefix', `hook_test_${KEY.toString('base64')}`],
  ['ed25519:x-signature-ed25519:hex:timestampbody;key=hex;timestamp=x-signature-timestamp', ''],
];

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;
const TOKEN = 'tok-Kp7/9=x';

/** A secret that is sent as it is: the header, and what stands there. */
const TOKENS: readonly [header: string, value: string][] = [
  ['X-Gitlab-Token', TOKEN],
  ['X-Telegram-Bot-Api-Secret-Token', TOKEN],
  ['Authorization', `Bearer ${TOKEN}`],
  ['Authorization', `Token ${TOKEN}`],
  ['Authorization', TOKEN],
  ['Authorization', basic(`hooks:${TOKEN}`)],
  ['Authorization', basic(`${TOKEN}:`)],
  ['Authorization', basic(TOKEN)],
  ['X-Api-Key', TOKEN],
  ['X-Webhook-Secret', ` ${TOKEN} `],
  ['X-Acme', TOKEN],
];

test('of ways to sign there are 36 at least', () => {
  expect(SAMPLES.length + OTHERS.length + TOKENS.length).toBeGreaterThanOrEqual(36);
});

describe('auto finds', () => {
  test.each(TOKENS)('the secret in %s: %s', (header, value) => {
    const request = requestOf({ ...NOISE, [header]: value });
    const found = verify('auto', TOKEN, request);
    expect(found).toMatchObject({ verdict: 'valid', scheme: `token:${header.toLowerCase()}` });
    expect(JSON.stringify(found)).not.toContain(TOKEN);
    expect(verify(parseScheme(found.scheme ?? ''), TOKEN, request).verdict).toBe('valid');
    for (const other of [`${TOKEN}x`, TOKEN.slice(1), 'hooks']) {
      expect(verify(parseScheme(found.scheme ?? ''), other, request).verdict).toBe('wrong');
      expect(verify('auto', other, request).verdict).not.toBe('valid');
    }
  });

  test('a secret as it is only where there is no signature, and where it is no short word', () => {
    const signed = sign(schemeOf('github'), TOKEN, unsigned);
    const headers = { ...NOISE, 'x-acme': TOKEN, ...signed };
    expect(verify('auto', TOKEN, requestOf(headers)).scheme).toBe('github');
    expect(verify('auto', '7', requestOf(NOISE)).verdict).toBe('unsigned');
  });

  test.each([
    ['x-gitlab-token', 'another', 'wrong'],
    ['authorization', 'Bearer another', 'wrong'],
    ['x-acme', KEY.toString('hex'), 'wrong'],
    ['x-proof', `v1=${KEY.toString('base64')}`, 'wrong'],
    ['x-body-sha256', KEY.toString('hex'), 'unsigned'],
    ['x-request-id', KEY.toString('hex'), 'unsigned'],
    ['x-acme', 'registration.updated', 'unsigned'],
  ])('of %s: %s that it is %s', (header, value, verdict) => {
    expect(verify('auto', TOKEN, requestOf({ ...NOISE, [header]: value })).verdict).toBe(verdict);
  });

  test.each(SAMPLES.map((sample) => [title(sample), sample] as const))(
    '%s by its name or SPEC',
    (_title, sample) => {
      const headers = { ...NOISE, ...sign(schemeOf(sample.scheme), sample.signing, unsigned) };
      const found = verify('auto', sample.verifying, requestOf(headers));
      expect(found).toMatchObject({ verdict: 'valid', scheme: schemeOf(sample.scheme).name });
      expect(verify('auto', sample.other.verifying, requestOf(headers)).verdict).toBe('wrong');
    },
  );

  test.each(OTHERS.filter(([, secret]) => secret !== ''))('%s', (spec, secret) => {
    const headers = { ...NOISE, ...sign(schemeOf(spec), secret, unsigned) };
    const { scheme = '', verdict } = verify('auto', secret, requestOf(headers));
    expect(verdict).toBe('valid');
    expect(scheme).toBe(schemeOf(spec).name);
    // What is found can be saved, and is as strict as any other.
    expect(verify(parseScheme(scheme), secret, requestOf(headers)).verdict).toBe('valid');
    expect(verify(parseScheme(scheme), `${secret}x`, requestOf(headers)).verdict).toBe('wrong');
  });

  test('each of them over the largest body that is taken', () => {
    const body = Buffer.alloc(1024 * 1024, 'x');
    const all = [
      ...SAMPLES.map(({ scheme, signing, verifying }) => [scheme, signing, verifying] as const),
      ...OTHERS.map(([spec, secret]) => [spec, secret, secret] as const),
    ];
    const missed = all.filter(([spec, signing, verifying]) => {
      if (signing === '') return false;
      const headers = { ...NOISE, ...sign(schemeOf(spec), signing, { ...unsigned, body }) };
      return verify('auto', verifying, requestOf(headers, { body })).scheme !== schemeOf(spec).name;
    });
    expect(missed).toEqual([]);
  });

  test('a public key of ed25519, as Discord has it', async () => {
    const { generateKeyPairSync, sign: signWith } = await import('node:crypto');
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const hex = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
    const time = String(NOW_MS / 1000);
    const signature = signWith(null, Buffer.concat([Buffer.from(time), BODY]), privateKey).toString('hex');
    const headers = { ...NOISE, 'x-signature-ed25519': signature, 'x-signature-timestamp': time };
    expect(verify('auto', hex, requestOf(headers))).toMatchObject({
      verdict: 'valid',
      scheme: schemeOf(OTHERS.at(-1)?.[0] ?? '').name,
    });
  });

  test('one that is old, and says so', () => {
    const headers = sign(schemeOf('slack'), 'hush', { ...unsigned, timestampMs: NOW_MS - 3_600_000 });
    expect(verify('auto', 'hush', requestOf(headers))).toMatchObject({
      verdict: 'valid but old',
      scheme: 'slack',
    });
  });

  test('nothing where there is no signature, or no secret', () => {
    const headers = sign(schemeOf('slack'), 'hush', unsigned);
    expect(verify('auto', 'hush', requestOf(NOISE)).verdict).toBe('unsigned');
    expect(verify('auto', undefined, requestOf(NOISE)).verdict).toBe('unsigned');
    expect(verify('auto', '', requestOf(headers)).verdict).toBe('signed but no secret given');
  });
});

describe('auto is not deceived', () => {
  test('by 300 random headers and secrets', () => {
    const random = seededRandom(16);
    const bytes = (length: number): Buffer =>
      Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
    const encodings = ['hex', 'base64', 'base64url'] as const;
    const pick = <Value>(values: readonly Value[]): Value =>
      values[Math.floor(random() * values.length)] as Value;
    const found = Array.from({ length: 300 }, () => {
      const headers = Object.fromEntries(
        Array.from({ length: 6 }, (_none, at) => [
          `x-${pick(['signature', 'id', 'hmac', 'token'])}-${at}`,
          `${pick(['', 'v1=', 'v1,', 'sha256='])}${bytes(pick([20, 32, 64])).toString(pick(encodings))}`,
        ]),
      );
      const secret = pick(['', 'whsec_', 'a_']) + bytes(pick([1, 16, 24, 32])).toString(pick(encodings));
      return findScheme(secret, requestOf({ ...NOISE, ...headers }, { body: bytes(40) }));
    });
    expect(found.filter((scheme) => scheme !== undefined)).toEqual([]);
  });

  test.each(['zz', 'a_', 'whsec_', '====', 'x_QQ==', '00'])(
    'by what is signed with nothing, or a key that all can guess, where the secret is %j',
    (secret) => {
      for (const key of [Buffer.alloc(0), Buffer.alloc(1), Buffer.from('A'), Buffer.from('QQ==')]) {
        const value = createHmac('sha256', key).update(BODY).digest('hex');
        expect(findScheme(secret, requestOf({ 'x-signature': value }))).toBeUndefined();
      }
    },
  );

  test.each([
    ['text', 'x-hub-signature-256', 'sha256=', 'hex'],
    ['text', 'webhook-signature', 'v1,', 'base64'],
    ['bytes', 'webhook-signature', 'v1,', 'base64'],
  ] as const)(
    'by what anybody signs with the %s of a public key, in %s',
    (which, header, prefix, encoding) => {
      const { verifying } = V1A;
      const key = which === 'text' ? verifying : Buffer.from(verifying.replace('whpk_', ''), 'base64');
      const value = createHmac('sha256', key).update(BODY).digest(encoding);
      expect(findScheme(verifying, requestOf({ [header]: `${prefix}${value}` }))).toBeUndefined();
    },
  );

  test('by all those of another body', () => {
    const another = { ...unsigned, body: Buffer.from('another') };
    const headers = OTHERS.flatMap(([spec, secret]) =>
      secret === '' ? [] : Object.entries(sign(schemeOf(spec), secret, another)),
    );
    for (const [, secret] of OTHERS) {
      expect(findScheme(secret, { ...requestOf(NOISE), headers })).toBeUndefined();
    }
  });

  test('by a thousand headers', () => {
    const many = Array.from({ length: 1000 }, (_none, at) => [`x-${at}-id`, '1798804800'] as const);
    const request = { ...requestOf({}), headers: [...many, ['x-signature', 'ab'.repeat(32)] as const] };
    expect(verify('auto', 'hush', request).verdict).toBe('wrong');
  });
});

test.each([
  [1024 * 1024, 24],
  // Three forms of the key, and 62 contents that differ.
  [100 * 1024, 3 * 62],
])('over %i bytes it makes %i signatures at most, none of them twice', (length, most) => {
  const { fits } = ALGORITHMS['hmac-sha256'];
  let made = 0;
  vi.spyOn(ALGORITHMS['hmac-sha256'], 'fits').mockImplementation((...given) => {
    made += 1;
    return fits(...given);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const many = Object.fromEntries(
    Array.from({ length: 20 }, (_none, at) => [`x-${at}-id`, `${1798804800 + at}`]),
  );
  const headers = { ...many, 'x-signature': 'ab'.repeat(32) };
  const request = requestOf(headers, { body: Buffer.alloc(length) });
  expect(verify('auto', KEY.toString('hex'), request).verdict).toBe('wrong');
  expect(made).toBe(most);
});
