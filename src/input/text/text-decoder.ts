import { isAscii, isUtf8 } from 'node:buffer';
import {
  decodeSingleBytes,
  type Encoding,
  ENCODING_TITLES,
  isSingleByte,
  NO_CHARACTER,
  type SingleByteEncoding,
} from './encoding.ts';

/** The remedy for every text that cannot be read as it is. */
export const SAVE_AS_UTF8 =
  'Save it again as UTF-8: in Excel, File > Save As > "CSV UTF-8 (Comma delimited) (*.csv)".';
const LF = 10;
const CR = 13;

/** The beginning of some bytes as UTF-8. */
interface Decoded {
  piece: Buffer;
  /** Of how many bytes; those behind them are a character that the end cuts off. */
  taken: number;
  /** What is wrong with the line in which the piece ends. */
  fault?: { what: string; hint: string } | undefined;
}

/** Turns bytes, cut anywhere, into UTF-8; `isEnd` when none follow. */
type Decode = (bytes: Buffer, isEnd: boolean) => Decoded;

/** What decodes the bytes of an encoding. */
export function decoderOf(encoding: Encoding): Decode {
  if (isSingleByte(encoding)) return (bytes) => decodeSingleByte(bytes, encoding);
  if (encoding === 'utf-8') return decodeUtf8;
  return (bytes, isEnd) => decodeUtf16(bytes, encoding === 'utf-16be', isEnd);
}

function decodeUtf8(bytes: Buffer, isEnd: boolean): Decoded {
  const taken = isEnd ? bytes.length : wholeCharacters(bytes);
  const piece = bytes.subarray(0, taken);
  if (isUtf8(piece)) return { piece, taken };
  const what = 'this file is not UTF-8: this line holds a character in another encoding.';
  return { piece: piece.subarray(0, startOfBadLine(piece)), taken, fault: { what, hint: SAVE_AS_UTF8 } };
}

function decodeUtf16(bytes: Buffer, isBigEndian: boolean, isEnd: boolean): Decoded {
  const taken = wholeUnits(bytes, isBigEndian);
  const units = Buffer.from(bytes.subarray(0, taken));
  const text = (isBigEndian ? units.swap16() : units).toString('utf16le');
  const damage = text.search(/\p{Surrogate}/u);
  const piece = Buffer.from(damage === -1 ? text : text.slice(0, damage));
  if (damage === -1 && !(isEnd && taken < bytes.length)) return { piece, taken };
  const what = 'this UTF-16 text is damaged: this line holds half a character.';
  return { piece, taken, fault: { what, hint: SAVE_AS_UTF8 } };
}

function decodeSingleByte(bytes: Buffer, encoding: SingleByteEncoding): Decoded {
  const taken = bytes.length;
  if (isAscii(bytes)) return { piece: bytes, taken };
  const text = decodeSingleBytes(bytes.toString('latin1'), encoding);
  const at = text.indexOf(NO_CHARACTER);
  if (at === -1) return { piece: Buffer.from(text), taken };
  const byte = (bytes[at] ?? 0).toString(16).toUpperCase();
  const what = `this file is not ${ENCODING_TITLES[encoding]}: the byte 0x${byte} in this line stands for no character.`;
  const hint = `Name another encoding with --set encoding. ${SAVE_AS_UTF8}`;
  return { piece: Buffer.from(text.slice(0, at)), taken, fault: { what, hint } };
}

/** Length without a UTF-8 character that the end of the bytes cuts off. */
export function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    if (byte >= 0xc0) return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
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
