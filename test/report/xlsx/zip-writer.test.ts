import { crc32 } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createZip } from '../../../src/report/xlsx/zip-writer.ts';
import { readParts } from '../read-workbook.ts';

type Parts = readonly (readonly [name: string, pieces: readonly (string | Uint8Array)[]])[];

function crc32Of(...pieces: readonly (string | Uint8Array)[]): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(Buffer.concat(pieces.map((piece) => Buffer.from(piece as string)))));
  return sum;
}

async function zipOf(parts: Parts): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  const zip = createZip(async (bytes) => void chunks.push(bytes));
  for (const [name, pieces] of parts) {
    const part = await zip.open(name);
    for (const piece of pieces) await part.write(piece);
    await part.close();
  }
  await zip.end();
  return Buffer.concat(chunks);
}

/** Checks sizes and checksums as it reads. */
async function unzip(bytes: Buffer): Promise<[string, string][]> {
  return [...(await readParts(bytes))];
}

describe('createZip', () => {
  it('writes parts that are read back in their order', async () => {
    const big = 'a line of text\n'.repeat(20_000);
    const parts: Parts = [
      ['a.xml', ['<a/>']],
      ['deep/ü.xml', [big, big]],
      ['empty', []],
    ];
    expect(await unzip(await zipOf(parts))).toEqual([
      ['a.xml', '<a/>'],
      ['deep/ü.xml', big + big],
      ['empty', ''],
    ]);
  });

  it('writes any text in any pieces', async () => {
    const pieces = fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { maxLength: 4 }), async (all) => {
        const parts = all.map((texts, at) => [`part${at}`, texts] as const);
        expect(await unzip(await zipOf(parts))).toEqual(parts.map(([name, texts]) => [name, texts.join('')]));
      }),
      { numRuns: 30 },
    );
  });

  it('writes bytes as they are, between texts: archives of programs are made with it', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, at) => at);
    const zip = await zipOf([['program', ['before', bytes, 'behind']]]);
    const size = 'before'.length + bytes.length + 'behind'.length;
    expect([
      zip.includes(crc32Of('before', bytes, 'behind')),
      zip.readUInt32LE(zip.indexOf('PK\x01\x02') + 24),
    ]).toEqual([true, size]);
  });

  it('makes the same bytes of the same parts', async () => {
    const parts: Parts = [['a', ['text']]];
    expect(await zipOf(parts)).toEqual(await zipOf(parts));
  });

  it('hands over bytes while a part is written, and waits for them to be taken', async () => {
    let taken = 0;
    let waiting = 0;
    const zip = createZip(async (bytes) => {
      waiting += 1;
      expect(waiting).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      taken += bytes.length;
      waiting -= 1;
    });
    const part = await zip.open('a');
    for (let at = 0; at < 40_000; at += 1) await part.write(`${at * 7919} ${at % 977}\n`);
    expect(taken).toBeGreaterThan(50_000);
    await part.close();
    await zip.end();
  });
});
