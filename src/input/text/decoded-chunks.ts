import { InputError } from '../../errors.ts';
import { cut, escapeUnseen } from '../../registration/model/cut.ts';
import { mask } from '../../registration/evidence/mask.ts';
import type { StoredInput } from '../source/stored-input.ts';
import type { Encoding } from './encoding.ts';
import { decoderOf, LineCounter, SAVE_AS_UTF8 } from './text-decoder.ts';

const NOTHING: Buffer = Buffer.alloc(0);
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
  const decode = decoderOf(encoding);
  const lines = new LineCounter();
  let carry = NOTHING;
  const take = (chunk: Buffer, isEnd: boolean): Buffer => {
    const bytes = carry.length === 0 ? chunk : Buffer.concat([carry, chunk]);
    const { piece, taken, fault } = decode(bytes, isEnd);
    carry = Buffer.from(bytes.subarray(taken));
    const nul = piece.indexOf(0);
    lines.advance(piece, 0, nul === -1 ? piece.length : nul);
    const wrong = nul === -1 ? fault : NUL;
    if (wrong === undefined) return piece;
    throw new InputError(`${input.file}:${lines.line}: ${wrong.what}`, { hint: wrong.hint });
  };
  for await (const chunk of input.chunks(mark?.encoding === encoding ? mark.length : 0)) {
    const piece = take(chunk, false);
    if (piece.length > 0) yield piece;
  }
  take(NOTHING, true);
}

const NUL = {
  what: 'this line holds a NUL byte, so the file is damaged or is not text.',
  hint: `${SAVE_AS_UTF8} If it is UTF-16, say so with --set encoding=utf-16le.`,
};

const LONGEST_SHOWN = 100;
/** No character is longer than four bytes. */
const MOST_BYTES = 4 * (LONGEST_SHOWN + 1);

/** A physical line of a text, counted from 1, its values masked, with the unprintable escaped. */
export async function showLine(input: StoredInput, encoding: Encoding, line: number): Promise<string> {
  const lines = new LineCounter();
  const kept: number[] = [];
  for await (const piece of decodedChunks(input, encoding)) {
    for (let at = 0; at < piece.length; at++) {
      lines.advance(piece, at, at + 1);
      if (lines.line > line || kept.length === MOST_BYTES) return shownOf(kept);
      if (lines.line === line) kept.push(piece[at] ?? 0);
    }
  }
  return shownOf(kept);
}

const shownOf = (kept: number[]): string => printable(mask(Buffer.from(kept).toString()));

/** The first 100 characters of a text, with what cannot be printed as `\t` or `\u{200b}`. */
export function printable(text: string): string {
  // The line end before the line is counted with it.
  return escapeUnseen(cut(text.replace(/^[\r\n]+/, ''), LONGEST_SHOWN + 1));
}
