import { once } from 'node:events';
import { crc32, createDeflateRaw } from 'node:zlib';
import { EventregError, EXIT } from '../../errors.ts';

/** Takes bytes; resolves when it can take more. */
export type WriteBytes = (bytes: Uint8Array) => Promise<void>;

/** A file inside of an archive, written from its beginning to its end. */
export interface ZipPart {
  write(data: string | Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** Writes an archive in one pass, one part after the other: nothing but a record of each part is kept. */
export interface ZipWriter {
  open(name: string): Promise<ZipPart>;
  end(): Promise<void>;
}

interface Entry {
  name: Buffer;
  offset: number;
  crc: number;
  packed: number;
  size: number;
}

const CHUNK_CHARACTERS = 64 * 1024;
const MOST_BYTES = 0xffff_ffff;
const VERSION = 20;
/** Sizes follow the data; names are UTF-8. */
const FLAGS = 0x0808;
const DEFLATE = 8;
/** 1 January 1980, so that the same rows make the same file. */
const DOS_DATE = 0x21;

/** An archive in the plain format, deflated, up to 4 GB. */
export function createZip(write: WriteBytes): ZipWriter {
  const entries: Entry[] = [];
  let offset = 0;
  const put = async (bytes: Uint8Array): Promise<void> => {
    offset += bytes.length;
    await write(bytes);
  };
  return {
    async open(name) {
      const entry = { name: Buffer.from(name), offset, crc: 0, packed: 0, size: 0 };
      entries.push(entry);
      await put(Buffer.concat([fields([4, 0x04034b50], ...headOf(entry), [2, 0]), entry.name]));
      return deflatedPart(entry, put);
    },
    async end() {
      const start = offset;
      for (const entry of entries) await put(directoryRecord(entry));
      const count = entries.length;
      const size = offset - start;
      await put(fields([4, 0x06054b50], [4, 0], [2, count], [2, count], [4, size], [4, start], [2, 0]));
    },
  };
}

function deflatedPart(entry: Entry, put: WriteBytes): ZipPart {
  const deflate = createDeflateRaw();
  const packed: Buffer[] = [];
  deflate.on('data', (chunk: Buffer) => packed.push(chunk));
  let pending = '';

  const drain = async (): Promise<void> => {
    const bytes = Buffer.concat(packed.splice(0));
    entry.packed += bytes.length;
    if (bytes.length > 0) await put(bytes);
  };
  const pack = async (more: Uint8Array = new Uint8Array()): Promise<void> => {
    const bytes = Buffer.concat([Buffer.from(pending), more]);
    pending = '';
    entry.crc = crc32(bytes, entry.crc);
    entry.size += bytes.length;
    await new Promise<void>((resolve, reject) => {
      deflate.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
    await drain();
  };
  return {
    async write(data) {
      if (typeof data === 'string') pending += data;
      else await pack(data);
      if (pending.length >= CHUNK_CHARACTERS) await pack();
    },
    async close() {
      await pack();
      const ended = once(deflate, 'end');
      deflate.end();
      await ended;
      await drain();
      if (entry.size > MOST_BYTES || entry.offset > MOST_BYTES - entry.packed) throw tooLarge();
      await put(fields([4, 0x08074b50], [4, entry.crc], [4, entry.packed], [4, entry.size]));
    },
  };
}

function directoryRecord(entry: Entry): Buffer {
  // Behind the length of the name: extra field, comment, disk and attributes, of which there are none.
  const rest = fields([2, 0], [2, 0], [2, 0], [2, 0], [4, 0], [4, entry.offset]);
  return Buffer.concat([fields([4, 0x02014b50], [2, VERSION], ...headOf(entry)), rest, entry.name]);
}

type Field = [bytes: 2 | 4, value: number];

/** What a part's own header and its record in the directory have in common. */
function headOf({ name, crc, packed, size }: Entry): Field[] {
  const sizes: Field[] = [
    [4, crc],
    [4, packed],
    [4, size],
  ];
  return [[2, VERSION], [2, FLAGS], [2, DEFLATE], [2, 0], [2, DOS_DATE], ...sizes, [2, name.length]];
}

function fields(...all: Field[]): Buffer {
  const bytes = Buffer.alloc(all.reduce((sum, [width]) => sum + width, 0));
  let at = 0;
  for (const [width, value] of all) at = bytes.writeUIntLE(value, at, width);
  return bytes;
}

function tooLarge(): EventregError {
  return new EventregError(EXIT.failed, 'There is more than 4 GB to write, which no workbook can hold.', {
    hint: 'Use csv.',
  });
}
