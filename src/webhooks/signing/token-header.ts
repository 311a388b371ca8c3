import { createHash, timingSafeEqual } from 'node:crypto';

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
