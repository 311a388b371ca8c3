import {
  type Encoding,
  ENCODING_TITLES,
  isSingleByte,
  NO_CHARACTER,
  type SingleByteEncoding,
  UPPER_HALVES,
} from './encoding.ts';
import type { StoredInput } from '../source/stored-input.ts';
import {
  type ChunkDecoder,
  decodeUtf16,
  decodeUtf8,
  LineCounter,
  refuseNul,
  SAVE_AS_UTF8,
} from './text-decoder.ts';
import { isAscii } from 'node:buffer';
import { InputError } from '../../errors.ts';

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

const NOTHING = Buffer.alloc(0);

/** Transcodes an encoding of one byte a character. Throws an InputError at a byte that stands for none. */
function decodeSingleByte(file: string, encoding: SingleByteEncoding): ChunkDecoder {
  const lines = new LineCounter();
  // UTF-8 of the bytes from 0x80 on; empty where there is no character.
  const upper = Array.from(UPPER_HALVES[encoding], (character) =>
    character === NO_CHARACTER ? NOTHING : Buffer.from(character),
  );
  const damaged = (chunk: Buffer, at: number): InputError => {
    lines.advance(chunk, 0, at);
    const byte = (chunk[at] ?? 0).toString(16).toUpperCase();
    return new InputError(
      `${file}:${lines.line}: this file is not ${ENCODING_TITLES[encoding]}: the byte 0x${byte} in this line stands for no character.`,
      { hint: `Name another encoding with --set encoding. ${SAVE_AS_UTF8}` },
    );
  };
  const transcode = (chunk: Buffer): Buffer => {
    const piece = Buffer.allocUnsafe(3 * chunk.length);
    let length = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      const character = byte < 0x80 ? undefined : upper[byte - 0x80];
      if (character === undefined) piece[length++] = byte;
      else if (character.length === 0) throw damaged(chunk, at);
      else for (const part of character) piece[length++] = part;
    }
    return piece.subarray(0, length);
  };
  return {
    push(chunk) {
      refuseNul(chunk, lines, file);
      const piece = isAscii(chunk) ? chunk : transcode(chunk);
      lines.advance(chunk, 0, chunk.length);
      return piece;
    },
    end() {
      // No character is longer than its byte.
    },
  };
}

const LONGEST_SHOWN = 100;
/** No character is longer than four bytes. */
const MOST_BYTES = 4 * (LONGEST_SHOWN + 1);
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** A physical line of a text, counted from 1: at most 100 characters, with the unprintable escaped. */
export async function showLine(input: StoredInput, encoding: Encoding, line: number): Promise<string> {
  const lines = new LineCounter();
  const kept: number[] = [];
  for await (const piece of decodedChunks(input, encoding)) {
    for (let at = 0; at < piece.length; at++) {
      lines.advance(piece, at, at + 1);
      if (lines.line > line || kept.length === MOST_BYTES) return printable(Buffer.from(kept).toString());
      if (lines.line === line) kept.push(piece[at] ?? 0);
    }
  }
  return printable(Buffer.from(kept).toString());
}

/** Cuts a text to 100 characters and writes what cannot be printed as `\t` or `\u{200b}`. */
export function printable(text: string): string {
  // The line end before the line is counted with it.
  const characters = Array.from(text.replace(/^[\r\n]+/, ''));
  const cut = characters.length > LONGEST_SHOWN ? [...characters.slice(0, LONGEST_SHOWN), '…'] : characters;
  return cut.join('').replace(UNPRINTABLE, escape);
}

function escape(character: string): string {
  if (character === '\t') return String.raw`\t`;
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
