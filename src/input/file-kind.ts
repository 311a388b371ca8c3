import { InputError } from '../errors.ts';

const SAVE_AS_CSV =
  'Open it in Excel, choose File > Save As, and save it as "CSV UTF-8 (Comma delimited) (*.csv)".';

interface FileKind {
  magic: readonly number[];
  what: string;
  hint: string;
}

/** Files that are often handed in and are no text, by their first bytes. */
const KINDS: readonly FileKind[] = [
  {
    magic: [0x50, 0x4b, 0x03, 0x04],
    what: 'an Excel workbook (.xlsx) or another zip file',
    hint: SAVE_AS_CSV,
  },
  { magic: [0x50, 0x4b, 0x05, 0x06], what: 'an empty zip file', hint: SAVE_AS_CSV },
  {
    magic: [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1],
    what: 'an old Excel workbook (.xls) or a workbook with a password',
    hint: SAVE_AS_CSV,
  },
  {
    magic: [0x25, 0x50, 0x44, 0x46, 0x2d],
    what: 'a PDF file',
    hint: 'Ask for the list as a spreadsheet or as CSV.',
  },
  { magic: [0x1f, 0x8b], what: 'a gzip file', hint: 'Unpack it first, for example with "gunzip".' },
];

/** How many of the first bytes `refuseBinary` wants to see. */
export const MAGIC_LENGTH = 8;

/** Throws an InputError when the first bytes are those of a known kind of file that is not text. */
export function refuseBinary(head: Uint8Array, file: string): void {
  const kind = KINDS.find(({ magic }) => magic.every((byte, at) => head[at] === byte));
  if (kind !== undefined)
    throw new InputError(`${file}: this is ${kind.what}, not text.`, { hint: kind.hint });
}
