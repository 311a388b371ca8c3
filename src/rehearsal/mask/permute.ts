import { hash } from 'node:crypto';
import type { Sign } from './alphabets.ts';

/** Fewer would let halves show through. */
const ROUNDS = 6;
const DIGEST_BYTES = 32;
const HASH = 'sha256';

/**
 * Other signs of the same alphabets, as the key says: equal ones for equal ones, and others for others, since it is a
 * permutation (a Feistel network whose halves are sequences of signs). Who has the key could turn it back.
 */
export function permute(key: string, signs: readonly Sign[]): string[] {
  const places = signs.map(({ place }) => place);
  const middle = signs.length >> 1;
  for (let round = 0; round < ROUNDS; round += 1) {
    const isFirst = round % 2 === 0;
    const [from, to] = isFirst ? [middle, signs.length] : [0, middle];
    const other = isFirst ? signsAt(signs, places, 0, middle) : signsAt(signs, places, middle, signs.length);
    const shifts = shiftsOf(key, `${round}\n${other}`, to - from);
    for (let at = from; at < to; at += 1) {
      const length = signs[at]?.alphabet.length ?? 1;
      places[at] = ((places[at] ?? 0) + (shifts[at - from] ?? 0)) % length;
    }
  }
  return signs.map(({ alphabet, write }, at) => write(alphabet[places[at] ?? 0] ?? ''));
}

function signsAt(signs: readonly Sign[], places: readonly number[], from: number, to: number): string {
  return signs
    .slice(from, to)
    .map(({ alphabet }, at) => alphabet[places[from + at] ?? 0])
    .join('');
}

/** So many numbers below 2^16, of the key and a text. */
function shiftsOf(key: string, text: string, length: number): number[] {
  const blocks: Buffer[] = [];
  for (let block = 0; block * DIGEST_BYTES < length * 2; block += 1)
    blocks.push(keyed(key, `${block} ${text}`));
  return Array.from({ length }, (_, at) => {
    const byte = at * 2;
    return blocks[Math.floor(byte / DIGEST_BYTES)]?.readUInt16BE(byte % DIGEST_BYTES) ?? 0;
  });
}

const MARK_CHARACTERS = 6;

/** What tells a key from others, and does not tell it. */
export const markOf = (key: string): string => keyed(key, 'mark').toString('hex').slice(0, MARK_CHARACTERS);

/** HMAC of a text. `createHmac` takes five times as long for texts as short as these. */
export function keyed(key: string, text: string): Buffer {
  let pads = padsOfKeys.get(key);
  if (pads === undefined) padsOfKeys.set(key, (pads = { inner: padOf(key, 0x36), outer: padOf(key, 0x5c) }));
  const inner = hash(HASH, Buffer.concat([pads.inner, Buffer.from(text)]), 'buffer');
  return hash(HASH, Buffer.concat([pads.outer, inner]), 'buffer');
}

/** Of the one key or two that a command has. */
const padsOfKeys = new Map<string, { inner: Buffer; outer: Buffer }>();
const BLOCK_BYTES = 64;

function padOf(key: string, pad: number): Buffer {
  const bytes = Buffer.from(key);
  const short = bytes.length > BLOCK_BYTES ? hash(HASH, bytes, 'buffer') : bytes;
  return Buffer.from(Array.from({ length: BLOCK_BYTES }, (_, at) => (short[at] ?? 0) ^ pad));
}
