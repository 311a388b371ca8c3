import { isUtf8 } from 'node:buffer';
import { InputError } from '../../errors.ts';

/** The remedy for every text that cannot be read as it is. */
export const SAVE_AS_UTF8 =
  'Save it again as UTF-8: in Excel, File > Save As > "CSV UTF-8 (Comma delimited) (*.csv)".';
const NOTHING = Buffer.alloc(0);
const LF = 10;
const CR = 13;

/** Turns chunks of a file, cut anywhere, into chunks of valid UTF-8 without NUL, cut between characters. */
export interface ChunkDecoder {
  push(chunk: Buffer): Buffer;
  /** Throws when the file ended inside a character. */
  end(): void;
}

/** Passes UTF-8 through, strictly. Throws an InputError naming the first line that is not. */
export function decodeUtf8(file: string): ChunkDecoder {
  const lines = new LineCounter();
  let carry: Buffer = NOTHING;
  const notUtf8 = (piece: Buffer): InputError => {
    lines.advance(piece, 0, startOfBadLine(piece));
    return new InputError(
      `${file}:${lines.line}: this file is not UTF-8: this line holds a character in another encoding.`,
      { hint: SAVE_AS_UTF8 },
    );
  };
  return {
    push(chunk) {
      const bytes = carry.length === 0 ? chunk : Buffer.concat([carry, chunk]);
      const cut = wholeCharacters(bytes);
      const piece = bytes.subarray(0, cut);
      carry = Buffer.from(bytes.subarray(cut));
      if (!isUtf8(piece)) throw notUtf8(piece);
      refuseNul(piece, lines, file);
      lines.advance(piece, 0, piece.length);
      return piece;
    },
    end() {
      if (carry.length > 0) throw notUtf8(carry);
    },
  };
}

/** Transcodes UTF-16 to UTF-8. Throws an InputError naming the line of the first half character. */
export function decodeUtf16(file: string, bigEndian: boolean): ChunkDecoder {
  const lines = new LineCounter();
  let carry: Buffer = NOTHING;
  const damaged = (): InputError =>
    new InputError(`${file}:${lines.line}: this UTF-16 text is damaged: this line holds half a character.`, {
      hint: SAVE_AS_UTF8,
    });
  return {
    push(chunk) {
      const bytes = Buffer.concat([carry, chunk]);
      const cut = wholeUnits(bytes, bigEndian);
      carry = bytes.subarray(cut);
      const units = bytes.subarray(0, cut);
      const text = (bigEndian ? units.swap16() : units).toString('utf16le');
      const damage = /\p{Surrogate}/u.exec(text);
      const piece = Buffer.from(damage === null ? text : text.slice(0, damage.index));
      refuseNul(piece, lines, file);
      lines.advance(piece, 0, piece.length);
      if (damage !== null) throw damaged();
      return piece;
    },
    end() {
      if (carry.length > 0) throw damaged();
    },
  };
}

/** Throws an InputError for the first NUL byte of a piece, whose beginning the counter has reached. */
export function refuseNul(piece: Buffer, lines: LineCounter, file: string): void {
  const at = piece.indexOf(0);
  if (at === -1) return;
  lines.advance(piece, 0, at);
  throw nulError(file, lines.line);
}

/** The error for a line with a NUL byte. */
export function nulError(file: string, line: number): InputError {
  return new InputError(
    `${file}:${line}: this line holds a NUL byte, so the file is damaged or is not text.`,
    { hint: `${SAVE_AS_UTF8} If it is UTF-16, say so with --set encoding=utf-16.` },
  );
}

/** Length without a UTF-8 character that the end of the bytes cuts off. */
export function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte >= 0xc0) return sequenceLength(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}

/** Length without an odd byte and without a first half of a surrogate pair at the end. */
function wholeUnits(bytes: Buffer, bigEndian: boolean): number {
  const even = bytes.length - (bytes.length % 2);
  const high = even === 0 ? 0 : (bytes[bigEndian ? even - 2 : even - 1] ?? 0);
  return (high & 0xfc) === 0xd8 ? even - 2 : even;
}

/** Where the first line begins that is not valid UTF-8. A line end never is part of a longer character. */
function startOfBadLine(piece: Buffer): number {
  let start = 0;
  for (let at = 0; at <= piece.length; at++) {
    if (at < piece.length && piece[at] !== LF && piece[at] !== CR) continue;
    if (!isUtf8(piece.subarray(start, at))) return start;
    start = at + 1;
  }
  return start;
}

/** Counts physical lines over chunks of bytes. LF, CRLF and a bare CR each end one line, also when cut. */
export class LineCounter {
  /** The line that the next byte stands on, from 1. */
  line = 1;
  #before = 0;

  /** Goes over the bytes from `from` up to, not including, `to`. */
  advance(bytes: Uint8Array, from: number, to: number): void {
    let before = this.#before;
    for (let at = from; at < to; at++) {
      const byte = bytes[at] ?? 0;
      if (byte === CR || (byte === LF && before !== CR)) this.line++;
      before = byte;
    }
    this.#before = before;
  }
}

/** How many line ends a text holds: LF, CRLF and bare CR count one each. */
export function countLineEnds(text: string): number {
  if (!text.includes('\n') && !text.includes('\r')) return 0;
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}
