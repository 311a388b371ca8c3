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
