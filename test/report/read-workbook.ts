import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { buffer } from 'node:stream/consumers';
import { once } from 'node:events';
import { readXlsx, type Sheet } from 'hucre/xlsx';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';

/** All sheets of a workbook, read by a library that has nothing to do with the one that wrote it. */
export async function readSheets(bytes: Uint8Array): Promise<Sheet[]> {
  return (await readXlsx(bytes)).sheets;
}

/** Rows of a sheet as texts, null for blank cells; dates as the library makes them. */
export async function readRows(bytes: Uint8Array): Promise<unknown[][]> {
  return (await readSheets(bytes))[0]?.rows ?? [];
}

/** The XML of every part, by name. */
export async function readParts(bytes: Uint8Array): Promise<Map<string, string>> {
  const file = await promisify<Buffer, object, ZipFile>(fromBuffer)(Buffer.from(bytes), {
    lazyEntries: true,
  });
  const parts = new Map<string, string>();
  file.on('entry', (entry: Entry) => {
    file.openReadStream(entry, (error, stream) => {
      if (error) throw error;
      void buffer(stream).then((content) => {
        // The library leaves this to others.
        if (crc32(content) !== entry.crc32) return file.emit('error', new Error('wrong checksum'));
        parts.set(entry.fileName, content.toString());
        return file.readEntry();
      });
    });
  });
  file.readEntry();
  await once(file, 'end');
  return parts;
}
