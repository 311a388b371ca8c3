import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXIT } from '../../src/errors.ts';
import { barcodes, pushBench, visitors } from '../sync/push-bench.ts';

const PAGE = 2048;

/** What disks do to one page of a file: the page is other bytes, half of it was never written, or nothing after it was. */
const DAMAGES: Readonly<Record<string, (bytes: Buffer, page: number) => Buffer>> = {
  'is garbage': (bytes, page) => bytes.fill(0xa5, page * PAGE, (page + 1) * PAGE),
  'is half zeros': (bytes, page) => bytes.fill(0, page * PAGE + PAGE / 2, (page + 1) * PAGE),
  'is the first of those cut off': (bytes, page) => bytes.subarray(0, page * PAGE),
};

/**
 * Whichever page of a journal is damaged: either nothing of the damage matters, or the journal is
 * refused. Nothing is sent that was sent before.
 */
test.each(Object.entries(DAMAGES))('a journal of which any one page %s', async (_name, damage) => {
  const bench = await pushBench({ upsert: 'double' });
  const file = bench.write('guests.csv', visitors(...barcodes(30)));
  expect((await bench.push([file])).code).toBe(EXIT.done);
  const whole = readFileSync(join(bench.directory, 'state', 'journal.sqlite'));
  const pages = whole.length / PAGE;
  expect(pages).toBeGreaterThan(10);
  let refused = 0;
  for (let page = 0; page < pages; page += 1) {
    const state = join(bench.directory, `state-${page}`);
    mkdirSync(state);
    cpSync(join(bench.directory, 'state'), state, { recursive: true });
    const journal = join(state, 'journal.sqlite');
    writeFileSync(journal, damage(Buffer.from(whole), page));
    const paths = { config: join(bench.directory, 'config'), state };
    const { code, err } = await bench.push([file], { paths });
    expect(bench.posts()).toHaveLength(30);
    if (code === EXIT.done) continue;
    refused += 1;
    expect(`page ${page}, exit ${code}:\n${err}`).toMatch(/exit 1:\n[^]*^eventreg: .*journal/m);
    expect(err).toContain(journal);
    expect(err).toMatch(/^hint: \S/m);
  }
  expect(refused).toBeGreaterThan(pages / 3);
});
