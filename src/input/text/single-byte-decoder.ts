import { isAscii } from 'node:buffer';
import { InputError } from '../../errors.ts';
import { ENCODING_TITLES } from './encoding.ts';
import { LineCounter } from './line-counter.ts';
import { NO_CHARACTER, type SingleByteEncoding, UPPER_HALVES } from './single-byte-tables.ts';
import { type ChunkDecoder, refuseNul, SAVE_AS_UTF8 } from './text-decoder.ts';

const NOTHING = Buffer.alloc(0);

/** Transcodes an encoding of one byte a character. Throws an InputError at a byte that stands for none. */
export function decodeSingleByte(file: string, encoding: SingleByteEncoding): ChunkDecoder {
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
