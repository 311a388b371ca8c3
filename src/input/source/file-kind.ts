import { InputError } from '../../errors.ts';

const SAVE_AS_XLSX =
  'Open it in Excel, choose File > Save As, and save it as "Excel Workbook (.xlsx)" or as "CSV UTF-8 (Comma delimited) (*.csv)".';
const TAKE_OFF_PASSWORD =
  'Open it in Excel with the password, take the password off (File > Info > Protect Workbook > Encrypt with Password), and save it as "Excel Workbook (.xlsx)".';
const ASK_FOR_LIST = 'Ask for the list as a spreadsheet or as CSV.';

interface FileKind {
  what: string;
  hint: string;
}

/** Files that are often handed in and hold no table that we read, by their first bytes. */
const KINDS: readonly (readonly [magic: readonly number[], what: string, hint: string])[] = [
  [ascii('%PDF-'), 'a PDF file', ASK_FOR_LIST],
  [[0x1f, 0x8b], 'a gzip file', 'Unpack it first, for example with "gunzip".'],
  [ascii('7z\xbc\xaf'), 'a 7z archive', 'Unpack it first.'],
  [ascii('Rar!\x1a\x07'), 'a RAR archive', 'Unpack it first.'],
  [ascii('\x89PNG'), 'a picture (PNG)', ASK_FOR_LIST],
  [[0xff, 0xd8, 0xff], 'a picture (JPEG)', ASK_FOR_LIST],
  [ascii('GIF8'), 'a picture (GIF)', ASK_FOR_LIST],
  [
    ascii('{\\rtf'),
    'a text document (RTF)',
    'Copy its table into a spreadsheet, and save that as "Excel Workbook (.xlsx)".',
  ],
];
const DAMAGED: FileKind = {
  what: 'a damaged workbook: it does not begin as one',
  hint: 'Open it in a spreadsheet program and save it anew, or ask for it once more: it may have been changed on its way.',
};
const OLE2 = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const ZIPS = [ascii('PK\x03\x04'), ascii('PK\x05\x06'), ascii('PK\x07\x08')];

/** How many of the first bytes `refuseBinary` wants to see. */
export const MAGIC_LENGTH = 64 * 1024;
/** Where markup names itself, in characters. */
const MARKUP_LENGTH = 4096;

/** Whether the first bytes are those of a zip file, as every workbook is one. */
export function isZip(head: Uint8Array): boolean {
  return ZIPS.some((magic) => startsWith(head, magic));
}

/**
 * Throws an InputError, with what to do, when the first bytes are those of a known kind of file that is
 * neither text nor a zip: the content decides, never the extension. Web pages and XML that call themselves
 * .xls count.
 */
export function refuseBinary(head: Uint8Array, file: string): void {
  const kind = findKind(head) ?? (/\.(?:xlsx|ods)$/i.test(file) && isNoText(head) ? DAMAGED : undefined);
  if (kind !== undefined) throw new InputError(`${file}: this is ${kind.what}.`, { hint: kind.hint });
}

function findKind(head: Uint8Array): FileKind | undefined {
  if (startsWith(head, OLE2)) return ole2Kind(head);
  const [, what, hint] = KINDS.find(([magic]) => startsWith(head, magic)) ?? [];
  return what === undefined || hint === undefined ? markupKind(head) : { what, hint };
}

/** Old Office files and encrypted new ones share a container; the names of its streams tell them apart. */
function ole2Kind(head: Uint8Array): FileKind {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const holds = (name: string): boolean => bytes.includes(Buffer.from(name, 'utf16le'));
  if (holds('EncryptedPackage')) return { what: 'a workbook with a password', hint: TAKE_OFF_PASSWORD };
  if (holds('WordDocument')) return { what: 'an old Word document (.doc)', hint: ASK_FOR_LIST };
  if (holds('Workbook\0') || holds('Book\0')) {
    return { what: 'an old Excel workbook (.xls)', hint: SAVE_AS_XLSX };
  }
  return {
    what: 'an old Excel workbook (.xls) or a workbook with a password',
    hint: `${SAVE_AS_XLSX} A password must be taken off.`,
  };
}

function markupKind(head: Uint8Array): FileKind | undefined {
  const text = beginning(head);
  if (!text.startsWith('<')) return undefined;
  if (text.includes('urn:schemas-microsoft-com:office:spreadsheet') || text.includes('<?mso-application')) {
    return { what: 'an Excel 2003 XML spreadsheet', hint: SAVE_AS_XLSX };
  }
  if (/<(?:!doctype html|html|head|body|meta|table)[\s>]/i.test(text)) {
    return { what: 'a web page (HTML), whatever its name says', hint: SAVE_AS_XLSX };
  }
  return text.startsWith('<?xml') ? { what: 'an XML file', hint: ASK_FOR_LIST } : undefined;
}

/** The first characters without what may stand in front of markup; UTF-16 only with its mark. */
function beginning(head: Uint8Array): string {
  const bytes = Buffer.from(head.subarray(0, MARKUP_LENGTH));
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.subarray(2).toString('utf16le').trimStart();
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return bytes.subarray(firstNonBlank(bytes, marked ? 3 : 0)).toString('latin1');
}

/** Text in UTF-16 has bytes of 0 too, and begins with its mark where a program has written it. */
function isNoText(head: Uint8Array): boolean {
  const isMarked = startsWith(head, [0xff, 0xfe]) || startsWith(head, [0xfe, 0xff]);
  return !isMarked && head.includes(0);
}

function startsWith(head: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, at) => head[at] === byte);
}

function ascii(text: string): number[] {
  return [...Buffer.from(text, 'latin1')];
}

/** How files of rows may be written. */
export const INPUT_FORMATS = ['csv', 'json', 'ndjson', 'xlsx', 'ods'] as const;
export type InputFormat = (typeof INPUT_FORMATS)[number];

/** Space, tab, LF and CR. */
const BLANKS = ascii(' \t\n\r');

/** Index of the first byte from `from` on that is not white space, or the length. */
export function firstNonBlank(bytes: Uint8Array, from = 0): number {
  let at = from;
  while (at < bytes.length && BLANKS.includes(bytes[at] ?? 0)) at++;
  return at;
}
