import { mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { Journal } from '../../src/sync/journal/journal.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { pushBench, visitors } from './push-bench.ts';

test('A journal of 0 bytes beside the locks of its runs is refused, and nothing is sent twice', async () => {
  const bench = await pushBench({ upsert: 'double' });
  const file = bench.write('a.csv', visitors('A', 'B'));
  await bench.push([file]);
  const state = join(bench.directory, 'state');
  const journal = join(state, 'journal.sqlite');
  expect(readdirSync(join(state, 'locks'))).toHaveLength(1);
  truncateSync(journal, 0);
  for (const part of ['-wal', '-shm']) rmSync(`${journal}${part}`, { force: true });
  const ended = await bench.push([file]);
  expect(ended.code).toBe(EXIT.failed);
  expect(ended.err).toContain(
    `The journal ${journal} is damaged: it is empty, but a run in ${state}/locks is`,
  );
  expect(bench.posts()).toHaveLength(2);
  // As the hint says.
  rmSync(journal);
  expect(await bench.push([file])).toMatchObject({ code: EXIT.done, summary: { sent: 0, unchanged: 2 } });
});

test.each(['', 'x'])('A journal of 0 bytes beside the log "%s" is refused', (log) => {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'journal.sqlite'), '');
  writeFileSync(join(directory, 'journal.sqlite-wal'), log);
  expect(() => new Journal(directory)).toThrow('it is empty, but its log (-wal) is there');
});

test('A journal of 0 bytes beside nothing was never begun', () => {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'journal.sqlite'), '');
  mkdirSync(join(directory, 'locks'));
  new Journal(directory).close();
});
