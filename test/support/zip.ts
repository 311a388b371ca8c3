import { crc32, deflateRawSync } from 'node:zlib';

/** A file to be put into a zip. What is given beside name and content is a lie of its headers. */
export interface ZipFile {
  name: string;
  content: string | Uint8Array;
  /** Stored as it is, not deflated. */
  stored?: boolean;
  /** Name in the header in front of the content. */
  localName?: string;
  /** Sizes and checksum stand behind the content, as streaming writers have it. */
  descriptor?: boolean;
  /** Unpacked size, in both headers. */
  size?: number;
  /** Checksum, in both headers. */
  crc?: number;
  /** Unpacked size, in the header in front of the content only. */
  localSize?: number;
  /** How much longer the packed content is, by both headers, than it really is. */
  reach?: number;
  /** Bytes behind the packed content that belong to it by the headers. */
  trailing?: string;
  /** General purpose flags, in both headers. */
  flags?: number;
  /** Where the table of contents says that the part begins. */
  offset?: number;
  /** Way of packing as the table of contents has it. */
  method?: number;
}

const UTF8_NAMES = 0x0800;
const DESCRIPTOR = 0x08;

/** A zip file of these files, with their lies. `zip64` adds the records for large archives. */
export function zip(files: readonly ZipFile[], { zip64 = false, entryCount = files.length } = {}): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const file of files) {
    const facts = factsOf(file);
    const body = Buffer.concat([localHeader(file, facts), facts.packed, descriptor(file, facts)]);
    directory.push(directoryEntry(file, facts, file.offset ?? at));
    bodies.push(body);
    at += body.length;
  }
  const table = Buffer.concat(directory);
  const large = zip64 ? zip64Records(entryCount, table.length, at) : Buffer.alloc(0);
  return Buffer.concat([...bodies, table, large, endRecord(entryCount, table.length, at, zip64)]);
}

interface Facts {
  packed: Buffer;
  reach: number;
  size: number;
  crc: number;
  method: number;
  flags: number;
}

function factsOf(file: ZipFile): Facts {
  const content = Buffer.from(file.content);
  const stored = file.stored === true;
  return {
    packed: Buffer.concat([stored ? content : deflateRawSync(content), Buffer.from(file.trailing ?? '')]),
    reach: file.reach ?? 0,
    size: file.size ?? content.length,
    crc: file.crc ?? crc32(content),
    method: stored ? 0 : 8,
    flags: UTF8_NAMES | (file.flags ?? 0) | (file.descriptor === true ? DESCRIPTOR : 0),
  };
}

function localHeader(file: ZipFile, facts: Facts): Buffer {
  const name = Buffer.from(file.localName ?? file.name);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(facts.flags, 6);
  header.writeUInt16LE(facts.method, 8);
  if (file.descriptor !== true) writeSizes(header, 14, { ...facts, size: file.localSize ?? facts.size });
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, name]);
}

function directoryEntry(file: ZipFile, facts: Facts, offset: number): Buffer {
  const name = Buffer.from(file.name);
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(20, 6);
  header.writeUInt16LE(facts.flags, 8);
  header.writeUInt16LE(file.method ?? facts.method, 10);
  writeSizes(header, 16, facts);
  header.writeUInt16LE(name.length, 28);
  header.writeUInt32LE(offset, 42);
  return Buffer.concat([header, name]);
}

function writeSizes(header: Buffer, at: number, { crc, packed, reach, size }: Facts): void {
  header.writeUInt32LE(crc, at);
  header.writeUInt32LE(packed.length + reach, at + 4);
  header.writeUInt32LE(size, at + 8);
}

function descriptor(file: ZipFile, facts: Facts): Buffer {
  if (file.descriptor !== true) return Buffer.alloc(0);
  const bytes = Buffer.alloc(16);
  bytes.writeUInt32LE(0x08074b50, 0);
  writeSizes(bytes, 4, facts);
  return bytes;
}

function zip64Records(entryCount: number, length: number, start: number): Buffer {
  const bytes = Buffer.alloc(56 + 20);
  bytes.writeUInt32LE(0x06064b50, 0);
  bytes.writeBigUInt64LE(44n, 4);
  bytes.writeBigUInt64LE(BigInt(entryCount), 24);
  bytes.writeBigUInt64LE(BigInt(entryCount), 32);
  bytes.writeBigUInt64LE(BigInt(length), 40);
  bytes.writeBigUInt64LE(BigInt(start), 48);
  bytes.writeUInt32LE(0x07064b50, 56);
  bytes.writeBigUInt64LE(BigInt(start + length), 64);
  bytes.writeUInt32LE(1, 72);
  return bytes;
}

function endRecord(entryCount: number, length: number, start: number, elsewhere: boolean): Buffer {
  const bytes = Buffer.alloc(22);
  bytes.writeUInt32LE(0x06054b50, 0);
  bytes.writeUInt16LE(elsewhere ? 0xffff : entryCount, 8);
  bytes.writeUInt16LE(elsewhere ? 0xffff : entryCount, 10);
  bytes.writeUInt32LE(elsewhere ? 0xffff_ffff : length, 12);
  bytes.writeUInt32LE(elsewhere ? 0xffff_ffff : start, 16);
  return bytes;
}
