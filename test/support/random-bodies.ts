import { randomBytes } from 'node:crypto';
import type { Random } from '../model/random.ts';

const LARGEST = 1024 * 1024;

/** A body that none but bytes survive: JSON, text with a byte order mark, what is no UTF-8, nothing, or 1 MiB. */
export function randomBody(random: Random, nth: number): Buffer {
  const size = random.below(5_000);
  const bytes = randomBytes(nth % 40 === 0 ? LARGEST : size);
  switch (random.pick(['json', 'text', 'bytes', 'nothing'])) {
    case 'json':
      return Buffer.from(JSON.stringify({ event: 'x', nth, text: bytes.toString('latin1', 0, size) }));
    case 'text':
      return Buffer.from(`\uFEFF${'é\r\n"\u0000'.repeat(size / 8)}${nth}`);
    case 'nothing':
      return Buffer.alloc(0);
    default:
      return bytes;
  }
}
