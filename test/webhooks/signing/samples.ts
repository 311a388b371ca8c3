import { createHash, generateKeyPairSync } from 'node:crypto';
import { parseScheme } from '../../../src/webhooks/signing/parse-scheme.ts';
import type { Scheme } from '../../../src/webhooks/signing/scheme.ts';
import type { SignedRequest } from '../../../src/webhooks/signing/check-way.ts';

export const NOW_MS = Date.UTC(2027, 0, 1, 12);
export const URL_CALLED = 'https://hooks.example.com/in?a=1';
/** Neither JSON nor UTF-8. */
export const BODY = Buffer.from([0x7b, 0xff, 0x00, 0xc3, 0x28, 0x0a, 0x22]);

/** 32 bytes that differ by their name. */
const bytesOf = (name: string): Buffer => createHash('sha256').update(name).digest();

const pair = (): { privateKey: string; publicKey: string } => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32);
  const open = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  return {
    privateKey: `whsk_${Buffer.concat([seed, open]).toString('base64')}`,
    publicKey: `whpk_${open.toString('base64')}`,
  };
};

/** A scheme with secrets of its form: what signs, what verifies, and the same of another. */
export interface Sample {
  scheme: string;
  signing: string;
  verifying: string;
  other: { signing: string; verifying: string };
}

const same = (scheme: string, one: string, other: string): Sample => ({
  scheme,
  signing: one,
  verifying: one,
  other: { signing: other, verifying: other },
});

const standard = (scheme: string): Sample =>
  same(scheme, `whsec_${bytesOf('a').toString('base64')}`, `whsec_${bytesOf('b').toString('base64')}`);

const [first, second] = [pair(), pair()];

export const V1A: Sample = {
  scheme: 'standard',
  signing: first.privateKey,
  verifying: first.publicKey,
  other: { signing: second.privateKey, verifying: second.publicKey },
};

/** The eight with a name. */
export const NAMED_SAMPLES: readonly Sample[] = [
  standard('standard'),
  V1A,
  standard('svix'),
  same('github', "It's a Secret to Everybody", 'nobody knows'),
  same('stripe', 'whsec_1PqhSgJ7ab', 'whsec_2PqhSgJ7ab'),
  same('shopify', 'hush', 'hash'),
  same('slack', '8f742231b10e8888abcd99yyyzzz85a5', '8f742231b10e8888abcd99yyyzzz85a6'),
  same('square', 'asdf1234', 'asdf1235'),
];

/** Two by SPEC. */
export const SPEC_SAMPLES: readonly Sample[] = [
  same('hmac-sha256:x-signature:hex:timestamp.body', 'correct horse', 'battery staple'),
  same(
    'hmac-sha512:x-acme-hmac:base64url:id.body;key=hex;prefix=s2=;id=x-acme-delivery',
    bytesOf('c').toString('hex'),
    bytesOf('d').toString('hex'),
  ),
];

export const SAMPLES = [...NAMED_SAMPLES, ...SPEC_SAMPLES];

export const title = ({ scheme, verifying }: Sample): string => `${scheme} ${verifying.slice(0, 5)}`;

export function schemeOf(text: string): Scheme {
  const scheme = parseScheme(text);
  if (scheme === 'auto') throw new Error('no scheme');
  return scheme;
}

/** A delivery with these headers. */
export function requestOf(
  headers: Record<string, string>,
  change: Partial<SignedRequest> = {},
): SignedRequest {
  return { headers: Object.entries(headers), body: BODY, url: URL_CALLED, nowMs: NOW_MS, ...change };
}

/** Headers that any delivery has, some of which look like signatures, ids and times. */
export const NOISE: Record<string, string> = {
  host: '127.0.0.1:4318',
  'user-agent': 'hooks/1.0 (+https://example.com)',
  'content-type': 'application/json',
  'content-length': '7',
  date: 'Fri, 01 Jan 2027 12:00:00 GMT',
  etag: bytesOf('etag').toString('hex'),
  'x-request-id': '4f0c6f4e-8d0e-4c5e-9d6e-0f2e6a9b1c2d',
  'x-amzn-trace-id': 'Root=1-67891233-abcdef012345678912345678',
  'content-digest': `sha-256=:${bytesOf('digest').toString('base64')}:`,
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  'x-start': 't=1798804800123',
};
