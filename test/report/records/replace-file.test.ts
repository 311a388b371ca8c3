import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXIT } from '../../../src/errors.ts';
import { createOutputSink } from '../../../src/report/records/output-sink.ts';
import { createRecordWriter, type OutputFormat } from '../../../src/report/records/record-writer.ts';
import { replaceFile, streamInto } from '../../../src/report/records/replace-file.ts';
import { readDocument } from '../../support/documents.ts';
import { canMount, mountedDisk } from '../../e2e/limited-disk.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { barcodes, pushBench, visitors } from '../../sync/push-bench.ts';

/** A folder on a disk that has no room left. */
function fullDisk(): string {
  const { directory } = mountedDisk(100);
  const folder = join(directory, 'here');
  mkdirSync(folder);
  try {
    writeFileSync(join(directory, 'rest'), Buffer.alloc(200_000));
  } catch {
    // That is what it is for.
  }
  return folder;
}

test.runIf(canMount()).each<OutputFormat>(['csv', 'json', 'ndjson', 'xlsx'])(
  'on a full disk records as %s end with an error, and nothing stays',
  async (format) => {
    const folder = fullDisk();
    const writing = replaceFile(join(folder, `a.${format}`), async (file) => {
      const stream = streamInto(file);
      const writer = createRecordWriter({
        format,
        stream,
        columns: ['barcode', 'name'],
        width: 80,
        color: false,
      });
      for (let row = 0; row < 500; row += 1)
        await writer.write({ barcode: `B${row}`, name: 'x'.repeat(400) });
      await writer.end();
    });
    await expect(writing).rejects.toMatchObject({ exitCode: EXIT.failed, code: 'machine' });
    expect(readdirSync(folder)).toEqual([]);
  },
);

test.runIf(canMount())('on a full disk a file that is written at once is named', async () => {
  const folder = fullDisk();
  const writing = replaceFile(join(folder, 'a.csv'), (file) => file.writeFile('x'.repeat(9000)));
  await expect(writing).rejects.toMatchObject({
    code: 'machine',
    message: expect.stringMatching(/a\.csv cannot be written: ENOSPC/),
  });
  expect(readdirSync(folder)).toEqual([]);
});

test('a stream that has failed and is kept open does not keep its writer waiting', async () => {
  const file = await open('/dev/full', 'w');
  const stream = file.createWriteStream({ autoClose: false });
  const sink = createOutputSink(stream);
  await expect(sink.write('x'.repeat(100_000))).rejects.toThrow('ENOSPC');
  await expect(sink.flush()).rejects.toThrow('ENOSPC');
  stream.destroy();
});

test.runIf(canMount())(
  'a report that finds no room takes neither the rows nor their counts along',
  async () => {
    const bench = await pushBench();
    const report = join(fullDisk(), 'a.xml');
    const file = bench.write('a.csv', visitors(...barcodes(3)));
    const ended = await bench.push([file, '--report', `junit=${report}`]);
    expect([ended.code, bench.kept().length]).toEqual([EXIT.failed, 3]);
    expect(readDocument(ended.out)).toMatchObject({
      sent: 3,
      error: {
        code: 'machine',
        hint: expect.stringContaining('All else was done; only the report is missing.'),
      },
    });
  },
);

test('what the file system refuses is said in a sentence that names the file', async () => {
  const path = join(temporaryDirectory(), 'none', 'guests.xlsx');
  await expect(replaceFile(path, async () => undefined)).rejects.toMatchObject({
    message: expect.stringContaining(`${path} cannot be written: ENOENT`) as string,
    exitCode: EXIT.failed,
    hint: expect.stringContaining('choose another place') as string,
  });
});

test('what the content has to say goes on as it is, and leaves nothing behind', async () => {
  const folder = temporaryDirectory();
  const gone = new Error('the list is gone');
  const writing = replaceFile(join(folder, 'guests.csv'), async () => await Promise.reject(gone));
  await expect(writing).rejects.toBe(gone);
  expect(readdirSync(folder)).toEqual([]);
});
