import type { Entry } from 'yauzl';
import type { StoredInput } from '../source/stored-input.ts';
import { damagedWorkbook } from './xlsx-damage.ts';

const END_RECORD = 22;
const ZIP64_LOCATOR = 20;
const ZIP64_LOCATOR_MARK = 0x07064b50;
const ZIP64_RECORD = 56;
const ENTRY_HEADER = 46;

/**
 * Throws an InputError unless parts and table of contents lie side by side and the table is as long as
 * the file says: overlapping parts make small files explode, and hidden entries make programs disagree.
 */
export async function checkLayout(
  input: StoredInput,
  parts: readonly ZipPart[],
  entries: readonly Entry[],
  commentLength: number,
): Promise<void> {
  const directory = await findDirectory(input, input.size - END_RECORD - commentLength);
  const length = entries.reduce((sum, entry) => sum + entryLength(entry), 0);
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

function entryLength({ fileNameLength, extraFieldLength, fileCommentLength }: Entry): number {
  return ENTRY_HEADER + fileNameLength + extraFieldLength + fileCommentLength;
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
