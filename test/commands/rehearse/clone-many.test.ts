import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { guest, listOf, peopledEvent, textBelow, TOKEN } from './rehearsal.ts';

const GUESTS = 10_000;

/** For the night. */
test('a clone of 10,000 registrations has nothing of anybody, and reads only', async () => {
  const live = await peopledEvent({}, GUESTS - 1);
  const directory = temporaryDirectory();
  const paths = { state: join(directory, 'state'), config: join(directory, 'config') };
  const during: (readonly string[] | null)[] = [];
  live.service.fault = ({ nth }) => {
    if (nth % 25 === 24) during.push(textBelow(directory).match(TOKEN));
    return undefined;
  };
  const made = await live.run(['sandbox', 'clone', '--as', 'fair', '--verbose'], { paths, cwd: directory });
  expect([made.code, made.err]).toEqual([0, expect.stringContaining('10,000 registrations, masked.')]);
  const requests = live.sandbox.requests();
  expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(requests.length).toBeLessThanOrEqual(GUESTS / 100 + 3);
  expect(during.length).toBeGreaterThan(3);
  live.write('list.csv', listOf(Array.from({ length: GUESTS }, (_, n) => guest(n))));
  const to = join(directory, 'list.csv');
  const masked = await live.run(['sandbox', 'mask', 'list.csv', '--to', to, '--verbose'], { paths });
  const said = [made.out, made.err, masked.out, masked.err].map((text) => text.match(TOKEN));
  expect([textBelow(directory).match(TOKEN), ...during, ...said].filter((found) => found !== null)).toEqual(
    [],
  );
  expect(masked.code).toBe(0);
});
