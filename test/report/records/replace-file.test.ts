import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXIT } from '../../../src/errors.ts';
import { replaceFile } from '../../../src/report/records/replace-file.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

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
