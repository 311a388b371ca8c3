import { isUtf8 } from 'node:buffer';
import { InputError } from '../../errors.ts';
import type { ChoiceQuestion } from '../../registration/model/question.ts';
import { type ByteOrderMark, decodedChunks, readMark } from './decoded-chunks.ts';
import { type Encoding, ENCODING_TITLES, readEncodingFlag } from './encoding.ts';
import { wholeCharacters } from './text-decoder.ts';
import type { StoredInput } from '../source/stored-input.ts';

/** What the encoding of a text is, and how that was found out. */
interface FoundEncoding {
  encoding: Encoding;
  /** When another encoding is as likely. */
  question: ChoiceQuestion | undefined;
  remarks: readonly string[];
}

/** The encoding that the first bytes, or the flag, leave no doubt about; undefined when all must be read. */
export async function knownEncoding(
  input: StoredInput,
  flag: string | undefined,
): Promise<FoundEncoding | undefined> {
  const mark = await readMark(input);
  if (flag !== undefined) return certain(checkFlag(input, readEncodingFlag(flag), mark));
  if (mark !== undefined) return certain(mark.encoding);
  const guess = await guessUtf16(input);
  return guess === undefined
    ? undefined
    : { ...certain(guess), remarks: [`Read as ${ENCODING_TITLES[guess]}, without a byte order mark.`] };
}

function certain(encoding: Encoding): FoundEncoding {
  return { encoding, question: undefined, remarks: [] };
}

function checkFlag({ file }: StoredInput, encoding: Encoding, mark: ByteOrderMark | undefined): Encoding {
  if (mark === undefined || mark.encoding === encoding) return encoding;
  throw new InputError(
    `${file}: this file says with its first bytes that it is ${ENCODING_TITLES[mark.encoding]}, not ${ENCODING_TITLES[encoding]}.`,
    { hint: 'Leave --set encoding out.' },
  );
}

/**
 * Finds the encoding of a text that is UTF-8 or of one byte a character, reading all of it. Throws an
 * InputError naming the line with a NUL, and where no encoding fits.
 */
export async function detectEncoding(input: StoredInput): Promise<FoundEncoding> {
  let carry: Buffer = Buffer.alloc(0);
  let utf8 = true;
  for await (const chunk of input.chunks()) {
    // Reads on to the NUL, which is refused: there every other byte is a character.
    if (chunk.includes(0)) for await (const _ of decodedChunks(input, 'macintosh'));
    if (!utf8) continue;
    const bytes = carry.length === 0 ? chunk : Buffer.concat([carry, chunk]);
    const cut = wholeCharacters(bytes);
    utf8 = isUtf8(bytes.subarray(0, cut));
    carry = Buffer.from(bytes.subarray(cut));
  }
  if (utf8 && carry.length === 0) return certain('utf-8');
  const { chooseSingleByte, HighByteWords } = await import('./detect-single-byte.ts');
  const words = new HighByteWords();
  for await (const chunk of input.chunks()) words.push(chunk);
  const { encoding, question, remark } = chooseSingleByte(words.end(), input.file);
  return { encoding, question, remarks: question === undefined ? [remark] : [] };
}

const LOOKED_AT = 4096;
/** Nearly all characters of a Latin text; of other alphabets too few to tell them from stray NULs. */
const LEAST_SHARE = 0.7;

/**
 * Whether the bytes of an input look like UTF-16 without a byte order mark: most characters have a
 * NUL beside them, always on the same side.
 */
async function guessUtf16(input: StoredInput): Promise<'utf-16le' | 'utf-16be' | undefined> {
  const head = await input.bytes(0, LOOKED_AT);
  const [even = 0, odd = 0] = [0, 1].map(
    (side) => head.filter((byte, at) => byte === 0 && at % 2 === side).length,
  );
  if (even + odd < (LEAST_SHARE * head.length) / 2) return undefined;
  if (odd > 10 * even) return 'utf-16le';
  return even > 10 * odd ? 'utf-16be' : undefined;
}
