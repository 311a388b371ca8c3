import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  sign,
  timingSafeEqual,
  verify,
  createHash,
} from 'node:crypto';

/** What is signed, in pieces: a body may be large, and is not copied. */
export type Content = readonly Uint8Array[];

/** One algorithm, whatever its key and content. */
export interface Algorithm {
  /** Length of a signature in bytes. */
  bytes: number;
  /** Throws an Error when the key has a length that it cannot have. */
  sign: (key: Buffer, content: Content) => Buffer;
  /** Whether a signature of the right length is one of these, in a time that does not depend on it. */
  fits: (key: Buffer, content: Content, signatures: readonly Buffer[]) => boolean[];
}

function hmac(digest: 'sha1' | 'sha256' | 'sha512', bytes: number): Algorithm {
  const compute = (key: Buffer, content: Content): Buffer => {
    const work = createHmac(digest, key);
    for (const piece of content) work.update(piece);
    return work.digest();
  };
  return {
    bytes,
    sign: compute,
    fits(key, content, signatures) {
      const right = compute(key, content);
      return signatures.map((one) => one.length === bytes && timingSafeEqual(one, right));
    },
  };
}

/** What stands before the bare 32 bytes of a key, RFC 8410. */
const PRIVATE_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_HEAD = Buffer.from('302a300506032b6570032100', 'hex');

/** A key is 32 bytes: the public one to verify, the private one to sign; or 64 with both, the private one first. */
const ed25519: Algorithm = {
  bytes: 64,
  sign(key, content) {
    if (key.length !== 32 && key.length !== 64) throw new Error('A key of ed25519 has 32 or 64 bytes.');
    const der = Buffer.concat([PRIVATE_HEAD, key.subarray(0, 32)]);
    return sign(null, Buffer.concat(content), createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }));
  },
  fits(key, content, signatures) {
    if (key.length !== 32 && key.length !== 64) return signatures.map(() => false);
    const der = Buffer.concat([PUBLIC_HEAD, key.subarray(-32)]);
    const opened = createPublicKey({ key: der, format: 'der', type: 'spki' });
    const whole = Buffer.concat(content);
    return signatures.map((one) => one.length === 64 && verify(null, whole, opened, one));
  },
};

export const ALGORITHMS = {
  'hmac-sha1': hmac('sha1', 20),
  'hmac-sha256': hmac('sha256', 32),
  'hmac-sha512': hmac('sha512', 64),
  ed25519,
} as const;
export type AlgorithmName = keyof typeof ALGORITHMS;

/** A way of writing bytes as text. `read` gives undefined for what is not written so, and for no bytes at all. */
interface Encoding {
  read: (text: string) => Buffer | undefined;
  write: (bytes: Buffer) => string;
}

const hex: Encoding = {
  // Buffer.from stops without a word at the first digit that is none.
  read: (text) => (/^(?:[\da-f]{2})+$/i.test(text) ? Buffer.from(text, 'hex') : undefined),
  write: (bytes) => bytes.toString('hex'),
};

/** The alphabet of base64 with or without that of URLs: which of them it is shows only where one of their signs stands. */
const base64: Encoding = {
  read: (text) => readBase64(text.replaceAll('-', '+').replaceAll('_', '/')),
  write: (bytes) => bytes.toString('base64'),
};

const base64url: Encoding = { read: base64.read, write: (bytes) => bytes.toString('base64url') };

/** The digits of hex, written in base64 as if they were the bytes. */
const base64hex: Encoding = {
  read: (text) => hex.read(base64.read(text)?.toString('latin1') ?? ''),
  write: (bytes) => base64.write(Buffer.from(hex.write(bytes))),
};

/** One digit left over is less than a byte. */
function readBase64(text: string): Buffer | undefined {
  const [, digits = ''] = /^([A-Za-z\d+/]{2,})={0,2}$/.exec(text) ?? [];
  return digits === '' || digits.length % 4 === 1 ? undefined : Buffer.from(digits, 'base64');
}

/** How a signature stands in its header. */
export const ENCODINGS = { hex, base64, base64url, base64hex } as const;
export type EncodingName = keyof typeof ENCODINGS;

const textKey = (secret: string): Buffer | undefined =>
  secret === '' ? undefined : Buffer.from(secret, 'utf8');

/** Keys of ed25519 as Standard Webhooks writes them: public and private. */
const ASYMMETRIC = /^wh[ps]k_/;

/** Whether a secret is of a pair: everybody may have the public one, so that it is no key of an HMAC. */
export const isOfPair = (secret: string): boolean => ASYMMETRIC.test(secret);

/** How a secret becomes a key; undefined when it has not that form. Never an empty key: anybody could sign with it. */
export const KEY_FORMS = {
  text: textKey,
  base64: readBase64,
  hex: hex.read,
  'base64-after-prefix': (secret: string) => readBase64(/^\w*_([^_]+)$/.exec(secret)?.[1] ?? ''),
  /** `whsec_` and base64, or base64 alone; any other text is the key itself. */
  standard: (secret: string) =>
    isOfPair(secret) ? undefined : (readBase64(secret.replace(/^whsec_/, '')) ?? textKey(secret)),
  'standard-ed25519': (secret: string) =>
    isOfPair(secret) ? readBase64(secret.replace(ASYMMETRIC, '')) : undefined,
} as const satisfies Record<string, (secret: string) => Buffer | undefined>;
export type KeyForm = keyof typeof KEY_FORMS;

/**
 * What a header holds that may be the secret as it is: all of it, what stands behind `Bearer` and the like, and what
 * `Basic` encodes, whole, or its password; where that is empty, its user.
 */
function tokensIn(value: string): string[] {
  const [, scheme = '', behind = value] = /^(bearer|token|basic|secret|apikey)\s+(.+)$/is.exec(value) ?? [];
  if (scheme.toLowerCase() !== 'basic') return [value, behind];
  const decoded = Buffer.from(behind, 'base64').toString();
  return [value, behind, decoded, decoded.replace(/^[^:]*:(?=.)|:$/s, '')];
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether a header holds the secret as it is, in a time that does not depend on it. */
export function holdsSecret(value: string, secret: string): boolean {
  const wanted = digestOf(secret);
  return tokensIn(value)
    .map((token) => timingSafeEqual(digestOf(token), wanted))
    .includes(true);
}

/** How a header is written that holds the secret. */
export const asToken = (header: string, secret: string): string =>
  header === 'authorization' ? `Bearer ${secret}` : secret;
