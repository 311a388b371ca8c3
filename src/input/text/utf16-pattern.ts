import type { StoredInput } from '../source/stored-input.ts';

const LOOKED_AT = 4096;
/** Nearly all characters of a Latin text; of other alphabets too few to tell them from stray NULs. */
const LEAST_SHARE = 0.7;

/**
 * Whether the bytes of an input look like UTF-16 without a byte order mark: most characters have a
 * NUL beside them, always on the same side.
 */
export async function guessUtf16(input: StoredInput): Promise<'utf-16le' | 'utf-16be' | undefined> {
  const head = await input.bytes(0, LOOKED_AT);
  const nuls = countNuls(head);
  if (nuls.even + nuls.odd < (LEAST_SHARE * head.length) / 2) return undefined;
  if (nuls.odd > 10 * nuls.even) return 'utf-16le';
  return nuls.even > 10 * nuls.odd ? 'utf-16be' : undefined;
}

/** NUL bytes at even and at odd places. */
function countNuls(bytes: Uint8Array): { even: number; odd: number } {
  const nuls = { even: 0, odd: 0 };
  for (const [at, byte] of bytes.entries()) {
    if (byte === 0) nuls[at % 2 === 0 ? 'even' : 'odd']++;
  }
  return nuls;
}
