import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createCli } from '../support/cli.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

test('A workbook template goes into push without a question, and its example is nobody', async () => {
  const directory = temporaryDirectory();
  const cli = createCli(directory);
  const file = join(directory, 'guests.xlsx');
  expect((await cli.run(['event', 'template', 'visitor', '--to', file, '--sandbox'])).code).toBe(0);
  const pushed = await cli.run(['push', file, '--sandbox', '--json']);
  expect([pushed.code, JSON.parse(pushed.out)]).toMatchObject([
    2,
    { error: { message: expect.stringContaining('nobody to send but the example') as string } },
  ]);
});

test.each(['libreoffice.xlsx', 'libreoffice.ods', 'utf-16le.txt', 'windows-1252.csv', 'list.json'])(
  '%s comes through a pipe as it comes from a file',
  async (name) => {
    const cli = createCli(temporaryDirectory());
    const stdin = readFileSync(join('fixtures/same-guests', name));
    const { code, out } = await cli.run(['push', '-', '--sandbox', '--dry-run', '--json'], { stdin });
    expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ pending: 500, rejected: 0 })]);
  },
);
