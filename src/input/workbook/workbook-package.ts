import type { StoredInput } from '../source/stored-input.ts';
import { damagedWorkbook, oversizedWorkbook } from './workbook-damage.ts';
import { XmlFeed, type XmlReader } from './xml-feed.ts';
import type { ZipPart, ZipParts } from './open-zip.ts';
import { pipeline, Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';

/** Few enough that the cells in them, all sharing long texts, fit into memory. */
const PIECE_BYTES = 1024;

/** A workbook as a set of XML parts. */
export class WorkbookPackage {
  readonly input: StoredInput;
  readonly #parts: ZipParts;

  constructor(input: StoredInput, parts: ZipParts) {
    this.input = input;
    this.#parts = parts;
  }

  /** Whether a part of this name is in the file. */
  has(name: string): boolean {
    return this.#parts.has(name.toLowerCase());
  }

  /** Bytes of a part that is there, unpacked. */
  sizeOf(name: string): number {
    return this.#parts.get(name.toLowerCase())?.size ?? 0;
  }

  /**
   * Parses a part, one step for each chunk of it, and one whenever the reader is full. Throws an InputError
   * when the part is missing or damaged.
   */
  async *parse(name: string, root: string, reader: XmlReader): AsyncGenerator<void> {
    const { file } = this.input;
    const part = this.#parts.get(name.toLowerCase());
    if (part === undefined) throw damagedWorkbook(file, `its part ${name} is missing`);
    const refuse = (what: string, cause?: unknown) =>
      damagedWorkbook(file, `in its part ${name}, ${what}`, cause);
    const feed = new XmlFeed(root, reader, refuse);
    for await (const chunk of partChunks(this.input, part)) {
      for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
        feed.push(chunk.subarray(at, at + PIECE_BYTES));
        if (reader.isFull?.() === true) yield;
      }
      yield;
    }
    feed.end();
    yield;
  }

  /** Parses a part to its end. */
  async read<R extends XmlReader>(name: string, root: string, reader: R): Promise<R> {
    for await (const _ of this.parse(name, root, reader));
    return reader;
  }
}

const MEBIBYTE = 1024 * 1024;
/** Below this no ratio is suspicious: repetitive styles pack very well. */
const HARMLESS_BYTES = MEBIBYTE;
const HIGHEST_RATIO = 100;
/** A full sheet of real rows unpacks to some 600 MB, but never from as little as a bomb does. */
const MOST_BYTES = 1024 * MEBIBYTE;
const LARGE_BYTES = 200 * MEBIBYTE;
const HIGHEST_RATIO_OF_LARGE = 40;
const CHUNK_BYTES = 64 * 1024;

/**
 * The unpacked bytes of a part, chunk by chunk. Throws an InputError before the first byte when the part
 * is beyond the limits, at once when it is longer than it says, and at its end when it is shorter or its
 * checksum is wrong: what was read until then must not be used.
 */
export async function* partChunks(input: StoredInput, part: ZipPart): AsyncGenerator<Buffer> {
  refuseOversize(part, input.file);
  const packed = input.chunks(part.start, part.start + part.packedSize);
  let size = 0;
  let checksum = 0;
  for await (const chunk of part.deflated ? inflate(packed, part, input.file) : packed) {
    size += chunk.length;
    if (size > part.size) throw wrong(part, input.file, 'is longer than it says');
    checksum = crc32(chunk, checksum);
    yield chunk;
  }
  if (size < part.size) throw wrong(part, input.file, 'is shorter than it says');
  if (checksum !== part.crc32) throw wrong(part, input.file, 'has a wrong checksum');
}

/** Judges by what the headers say; `partChunks` sees to it that they say the truth. */
function refuseOversize({ name, size, packedSize }: ZipPart, file: string): void {
  if (size <= HARMLESS_BYTES) return;
  const ratio = size / Math.max(1, packedSize);
  const refuse = (what: string) => oversizedWorkbook(file, `its part ${name} unpacks to ${what}`);
  if (ratio > HIGHEST_RATIO) throw refuse('more than 100 times its size');
  if (size > MOST_BYTES) throw refuse('more than 1 GiB');
  if (size > LARGE_BYTES && ratio > HIGHEST_RATIO_OF_LARGE) {
    throw refuse('more than 200 MiB, and to more than 40 times its size');
  }
}

async function* inflate(packed: AsyncGenerator<Buffer>, part: ZipPart, file: string): AsyncGenerator<Buffer> {
  const inflater = createInflateRaw({ chunkSize: CHUNK_BYTES });
  // Errors of the input come out of the inflater.
  pipeline(Readable.from(packed), inflater, () => undefined);
  try {
    for await (const chunk of inflater) yield chunk as Buffer;
  } catch (error) {
    const isOfZlib = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
    throw isOfZlib ? wrong(part, file, 'cannot be unpacked', error) : error;
  }
  if (inflater.bytesWritten !== part.packedSize) throw wrong(part, file, 'is followed by bytes of no use');
}

function wrong(part: ZipPart, file: string, what: string, cause?: unknown): Error {
  return damagedWorkbook(file, `its part ${part.name} ${what}`, cause);
}
