import { UsageError } from '../../errors.ts';

/** How the characters of a text are written as bytes. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | SingleByteEncoding;

/** What people call them. */
export const ENCODING_TITLES: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  'windows-1252': 'Windows-1252',
  'windows-1250': 'Windows-1250',
  macintosh: 'Mac Roman',
};

const NAMES: ReadonlyMap<string, Encoding> = new Map([
  ...(Object.keys(ENCODING_TITLES) as Encoding[]).map((name) => [name, name] as const),
  ['utf8', 'utf-8'],
  ['utf16le', 'utf-16le'],
  ['utf16be', 'utf-16be'],
  ['latin1', 'windows-1252'],
  ['iso-8859-1', 'windows-1252'],
  ['cp1252', 'windows-1252'],
  ['cp1250', 'windows-1250'],
  ['mac', 'macintosh'],
]);

/** Reads `--set encoding`, in any case. */
export function readEncodingFlag(flag: string): Encoding {
  const encoding = NAMES.get(flag.trim().toLowerCase());
  if (encoding !== undefined) return encoding;
  throw new UsageError(`--set encoding="${flag}" is not an encoding that can be read.`, {
    hint: `Choose one of ${Object.keys(ENCODING_TITLES).join(', ')}.`,
  });
}

/** Whether every character of an encoding is one byte. */
export function isSingleByte(encoding: Encoding): encoding is SingleByteEncoding {
  return SINGLE_BYTE_ENCODINGS.some((name) => name === encoding);
}

const BEYOND_ASCII = /\P{ASCII}/gu;

/**
 * Text as bytes of an encoding, without byte order mark. Characters that the encoding lacks become `?`,
 * one each. Meant for writing rows back as the user's own programs read them.
 */
export function encodeText(text: string, encoding: Encoding): Buffer {
  if (isSingleByte(encoding)) return encodeSingleBytes(text, encoding);
  if (encoding === 'utf-8') return Buffer.from(text);
  const units = Buffer.from(text, 'utf16le');
  return encoding === 'utf-16be' ? units.swap16() : units;
}

function encodeSingleBytes(text: string, encoding: SingleByteEncoding): Buffer {
  const upper = UPPER_HALVES[encoding];
  const encoded = text.replace(BEYOND_ASCII, (character) => {
    const at = character === NO_CHARACTER ? -1 : upper.indexOf(character);
    return at === -1 ? '?' : String.fromCharCode(at + 0x80);
  });
  return Buffer.from(encoded, 'latin1');
}

/** Encodings of one byte a character that spreadsheet programs write without saying so. */
export const SINGLE_BYTE_ENCODINGS = ['windows-1252', 'windows-1250', 'macintosh'] as const;
export type SingleByteEncoding = (typeof SINGLE_BYTE_ENCODINGS)[number];

/** Stands where a byte has no character. */
export const NO_CHARACTER = '\uFFFD';

/** The characters of the bytes 0x80 to 0xFF, in order. */
export const UPPER_HALVES: Readonly<Record<SingleByteEncoding, string>> = {
  'windows-1252': upperHalf('windows-1252'),
  'windows-1250': upperHalf('windows-1250'),
  macintosh: upperHalf('macintosh'),
};

function upperHalf(encoding: SingleByteEncoding): string {
  const bytes = Uint8Array.from({ length: 0x80 }, (_, at) => at + 0x80);
  // With `stream`, lest many releases of Node read 0x80 to 0x9F of windows-1252 as control characters.
  const read = new TextDecoder(encoding).decode(bytes, { stream: true });
  return read.replace(/[\u0080-\u009F]/g, NO_CHARACTER);
}

/** Text of bytes in a single-byte encoding, given as one character a byte; U+FFFD for those without a character. */
export function decodeSingleBytes(bytes: string, encoding: SingleByteEncoding): string {
  const upper = UPPER_HALVES[encoding];
  return bytes.replace(BEYOND_ASCII, (byte) => upper.charAt(byte.charCodeAt(0) - 0x80));
}
