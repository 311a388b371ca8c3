import { createHmac, createPrivateKey, createPublicKey, sign, timingSafeEqual, verify } from 'node:crypto';

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
