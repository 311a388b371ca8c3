import { Readable } from 'node:stream';
import {
  type Entry,
  fromRandomAccessReaderPromise,
  type LocalFileHeader,
  RandomAccessReader,
  type ZipFile,
} from 'yauzl';
import { asInputError } from '../source/input-source.ts';
import type { StoredInput } from '../source/stored-input.ts';
import { damagedWorkbook, oversizedWorkbook } from './workbook-damage.ts';

/** By name in lower case: names of parts are the same in any case. */
export type ZipParts = ReadonlyMap<string, ZipPart>;

const MOST_PARTS = 1_000;
const ENCRYPTED = 0x01;
/** The local header leaves sizes and checksum to a descriptor behind the packed bytes. */
const SIZES_FOLLOW = 0x08;
/** Stands for "see the ZIP64 field". */
const ELSEWHERE = 0xffff_ffff;

/** Lets yauzl read an input, and remembers why that failed. */
class InputReader extends RandomAccessReader {
  readonly #input: StoredInput;
  failure: unknown;

  constructor(input: StoredInput) {
    super();
    this.#input = input;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#input.chunks(start, end));
  }

  override read(
    target: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    const take = (bytes: Buffer): void => {
      bytes.copy(target, offset);
      callback(bytes.length < length ? new Error('The file ends too early.') : null);
    };
    const fail = (error: unknown): void => {
      this.failure = error;
      callback(error as Error);
    };
    this.#input.bytes(position, position + length).then(take, fail);
  }
}

/**
 * The parts of a zip file. Throws an InputError when it is cut off, when its headers contradict each
 * other, when parts overlap or are encrypted, or when there are more than 1,000 of them.
 */
export async function openZip(input: StoredInput): Promise<ZipParts> {
  const reader = new InputReader(input);
  const attempt = async <T>(work: Promise<T>): Promise<T> =>
    await work.catch((error: unknown) => {
      if (reader.failure !== undefined) throw asInputError(reader.failure, input.file);
      throw damagedWorkbook(input.file, 'its table of contents is cut off or makes no sense', error);
    });
  const options = { autoClose: false, lazyEntries: true, decodeStrings: false };
  const zip = await attempt(fromRandomAccessReaderPromise(reader, input.size, options));
  if (zip.entryCount > MOST_PARTS) {
    throw oversizedWorkbook(input.file, 'it consists of more than 1,000 parts');
  }
  const entries = await attempt(collectEntries(zip));
  const parts = new Map<string, ZipPart>();
  for (const entry of entries) {
    const part = describePart(entry, await attempt(zip.readLocalFileHeaderPromise(entry)), input.file);
    const key = part.name.toLowerCase();
    if (parts.has(key)) throw damagedWorkbook(input.file, `two parts are called ${part.name}`);
    parts.set(key, part);
  }
  await checkLayout(input, [...parts.values()], entries, zip.comment.length);
  return parts;
}

async function collectEntries(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) entries.push(entry);
  return entries;
}

/** What both headers of a part say; they must agree, or two programs would read two different files. */
function describePart(entry: Entry, local: LocalFileHeader, file: string): ZipPart {
  const name = entry.fileNameRaw.toString().replaceAll('\\', '/');
  const wrong = (what: string) => damagedWorkbook(file, `the part ${name} ${what}`);
  if (name.startsWith('/') || /^[a-z]:/i.test(name) || name.split('/').includes('..')) {
    throw wrong('lies outside the file');
  }
  if (((entry.generalPurposeBitFlag | local.generalPurposeBitFlag) & ENCRYPTED) !== 0) {
    throw wrong('is encrypted');
  }
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8) {
    throw wrong('is packed in a way that workbooks do not use');
  }
  if (
    !entry.fileNameRaw.equals(local.fileName) ||
    entry.compressionMethod !== local.compressionMethod ||
    !agree(entry, local)
  ) {
    throw wrong('is described in two different ways');
  }
  return {
    name,
    deflated: entry.compressionMethod === 8,
    headerAt: entry.relativeOffsetOfLocalHeader,
    start: local.fileDataStart,
    packedSize: entry.compressedSize,
    size: entry.uncompressedSize,
    crc32: entry.crc32,
  };
}

/** Whether sizes and checksum are the same, or left to the descriptor or the ZIP64 field. */
function agree(entry: Entry, local: LocalFileHeader): boolean {
  const follows = (local.generalPurposeBitFlag & SIZES_FOLLOW) !== 0;
  const same = (told: number, here: number): boolean =>
    here === told || here === ELSEWHERE || (follows && here === 0);
  return (
    same(entry.crc32, local.crc32) &&
    same(entry.compressedSize, local.compressedSize) &&
    same(entry.uncompressedSize, local.uncompressedSize)
  );
}

const END_RECORD = 22;
const ZIP64_LOCATOR = 20;
const ZIP64_LOCATOR_MARK = 0x07064b50;
const ZIP64_RECORD = 56;
const ENTRY_HEADER = 46;

/**
 * Throws an InputError unless parts and table of contents lie side by side and the table is as long as
 * the file says: overlapping parts make small files explode, and hidden entries make programs disagree.
 */
async function checkLayout(
  input: StoredInput,
  parts: readonly ZipPart[],
  entries: readonly Entry[],
  commentLength: number,
): Promise<void> {
  const directory = await findDirectory(input, input.size - END_RECORD - commentLength);
  const length = entries.reduce((sum, { fileNameLength, extraFieldLength, fileCommentLength }) => {
    return sum + ENTRY_HEADER + fileNameLength + extraFieldLength + fileCommentLength;
  }, 0);
  if (length !== directory.length) {
    throw damagedWorkbook(input.file, 'its table of contents is not as long as it says');
  }
  let free = 0;
  for (const part of parts.toSorted((a, b) => a.headerAt - b.headerAt)) {
    if (part.headerAt < free) throw damagedWorkbook(input.file, `the part ${part.name} overlaps another one`);
    free = part.start + part.packedSize;
  }
  if (free > directory.start) throw damagedWorkbook(input.file, 'its table of contents overlaps a part');
}

/** Where the table of contents lies, by the record at the end of the file or its ZIP64 form. */
async function findDirectory(
  input: StoredInput,
  endRecordAt: number,
): Promise<{ start: number; length: number }> {
  const end = await input.bytes(endRecordAt, endRecordAt + END_RECORD);
  const plain = { start: end.readUInt32LE(16), length: end.readUInt32LE(12) };
  const locatorAt = Math.max(0, endRecordAt - ZIP64_LOCATOR);
  const locator = await input.bytes(locatorAt, locatorAt + ZIP64_LOCATOR);
  if (locator.length < ZIP64_LOCATOR || locator.readUInt32LE(0) !== ZIP64_LOCATOR_MARK) return plain;
  const recordAt = Number(locator.readBigUInt64LE(8));
  const record = await input.bytes(recordAt, recordAt + ZIP64_RECORD);
  return { start: Number(record.readBigUInt64LE(48)), length: Number(record.readBigUInt64LE(40)) };
}

/** One file inside a zip file, where its packed bytes lie and what they must unpack to. */
export interface ZipPart {
  name: string;
  deflated: boolean;
  /** Of the header in front of the packed bytes. */
  headerAt: number;
  /** Of the packed bytes. */
  start: number;
  packedSize: number;
  size: number;
  crc32: number;
}
