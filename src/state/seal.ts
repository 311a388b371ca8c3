import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

const NONCE_BYTES = 12;
export const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';
/** What is packed unpacks to no more than that. */
const MOST_BYTES = 2 ** 31;

const none = (columns: number): string => '\0'.repeat(columns);
/** What most changes have in common, as SQLite tells them: each is small, and packed alone. Another text reads none of this. */
const dictionary = Buffer.from(
  `P\x02\x01\0counter\0\x17\0\x01${none(7)}P\x15\x01\x02${none(19)}operation\0\x17\0\x03\x0f202\x03\x07sending${none(8)}\x01${none(7)}\x01\x03P[{"no":1,"at":17,"requestId":"\x03\x04done${none(5)}\x03\x08unlisted\x03\x0freg-\0\x01${none(7)}\xc9\0\x03\x81\x12","answer":{"no":1,"at":17,"status":201,"detail":"done"}}]\0\0\x01\0\0\x01`,
  'latin1',
);

/** What something sealed is bound to: anything else in its place is noticed. */
export type Bound = readonly (string | number)[];

/** Packs and seals. The last bytes are its tag: what follows is bound to it. */
export function seal(key: Buffer, bound: Bound, content: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(JSON.stringify(bound)));
  const sealed = [cipher.update(deflateRawSync(content, { dictionary })), cipher.final()];
  return Buffer.concat([nonce, ...sealed, cipher.getAuthTag()]);
}

/** Throws where the key is another, or anything of it was changed. */
export function unseal(key: Buffer, bound: Bound, sealed: Buffer): Buffer {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(JSON.stringify(bound)))
    .setAuthTag(tagOf(sealed));
  const packed = [decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()];
  return inflateRawSync(Buffer.concat(packed), { maxOutputLength: MOST_BYTES, dictionary });
}

/** What the next change is bound to. */
export const tagOf = (sealed: Buffer): Buffer => sealed.subarray(-TAG_BYTES);

/** By what it is seen that a key is that of a space, and from where its changes begin. */
export const markOf = (key: Buffer, space: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', `mark of ${space}`, 2 * TAG_BYTES));
