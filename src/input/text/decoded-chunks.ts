import { type Encoding, isSingleByte } from './encoding.ts';
import { decodeSingleByte } from './single-byte-decoder.ts';
import type { StoredInput } from '../source/stored-input.ts';
import { type ChunkDecoder, decodeUtf16, decodeUtf8 } from './text-decoder.ts';

const MARKS: readonly { encoding: Encoding; bytes: Buffer }[] = [
  { encoding: 'utf-8', bytes: Buffer.of(0xef, 0xbb, 0xbf) },
  { encoding: 'utf-16le', bytes: Buffer.of(0xff, 0xfe) },
  { encoding: 'utf-16be', bytes: Buffer.of(0xfe, 0xff) },
];
const LONGEST_MARK = 3;

/** What a text says of its encoding by its first bytes. */
export interface ByteOrderMark {
  encoding: Encoding;
  /** In bytes. */
  length: number;
}

/** The byte order mark at the beginning of an input, if there is one. */
export async function readMark(input: StoredInput): Promise<ByteOrderMark | undefined> {
  const head = await input.bytes(0, LONGEST_MARK);
  const mark = MARKS.find(({ bytes }) => head.subarray(0, bytes.length).equals(bytes));
  return mark === undefined ? undefined : { encoding: mark.encoding, length: mark.bytes.length };
}

/**
 * The text of an input as chunks of valid UTF-8 that are cut between characters, without byte order mark
 * and without NUL. Throws an InputError naming the line where the bytes are no such text.
 */
export async function* decodedChunks(input: StoredInput, encoding: Encoding): AsyncGenerator<Buffer> {
  const mark = await readMark(input);
  const decoder = createDecoder(encoding, input.file);
  for await (const chunk of input.chunks(mark?.encoding === encoding ? mark.length : 0)) {
    const piece = decoder.push(chunk);
    if (piece.length > 0) yield piece;
  }
  decoder.end();
}

function createDecoder(encoding: Encoding, file: string): ChunkDecoder {
  if (isSingleByte(encoding)) return decodeSingleByte(file, encoding);
  return encoding === 'utf-8' ? decodeUtf8(file) : decodeUtf16(file, encoding === 'utf-16be');
}
