import { type Encoding, isSingleByte } from './encoding.ts';
import { NO_CHARACTER, type SingleByteEncoding, UPPER_HALVES } from './single-byte-tables.ts';

const QUESTION_MARK = 0x3f;

/**
 * Text as bytes of an encoding, without byte order mark. Characters that the encoding lacks become `?`,
 * one each. Meant for writing rows back as the user's own programs read them.
 */
export function encodeText(text: string, encoding: Encoding): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text);
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  return isSingleByte(encoding) ? encodeSingleBytes(text, encoding) : Buffer.from(text);
}

function encodeSingleBytes(text: string, encoding: SingleByteEncoding): Buffer {
  const upper = UPPER_HALVES[encoding];
  const bytes = Buffer.allocUnsafe(text.length);
  let length = 0;
  for (const character of text) {
    const code = character.charCodeAt(0);
    const at = code < 0x80 || character === NO_CHARACTER ? -1 : upper.indexOf(character);
    bytes[length++] = code < 0x80 ? code : at === -1 ? QUESTION_MARK : at + 0x80;
  }
  return bytes.subarray(0, length);
}
