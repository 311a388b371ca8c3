import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { guest, listOf, nextList, planOf, textBelow, TOKEN } from '../commands/rehearse/rehearsal.ts';
import { createCli } from '../support/cli.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { listed } from '../support/tables.ts';

const GUESTS = 20;

test('a list has the same plan at the clone of an event as at the event, and the event is only read', async () => {
  const directory = temporaryDirectory();
  const live = await startSandbox({ file: join(directory, 'live.sqlite'), switches: { limit: 0 } });
  onTestFinished(() => live.close());
  const cli = createCli(directory, {
    EVENTREG_BASE_URL: live.baseUrl,
    EVENTREG_INTEG_URL: live.integUrl,
    EVENTREG_TOKEN: live.token,
  });
  const run = async (argv: readonly string[]): Promise<{ code: number; out: string; err: string }> => {
    const { code = -1, out, err } = await cli.run(argv, { cwd: directory });
    return { code, out, err };
  };
  writeFileSync(join(directory, 'first.csv'), listOf(Array.from({ length: GUESTS }, (_, n) => guest(n))));
  writeFileSync(join(directory, 'next.csv'), nextList(GUESTS));
  const pushed = await run(['push', 'first.csv', '--no-check-dns', '--yes', '--progress', 'none']);
  expect([pushed.code, live.counts().registrations]).toEqual([0, GUESTS]);
  const before = live.requests().length;

  const made = await run(['sandbox', 'clone', '--as', 'fair', '--json']);
  expect([made.code, JSON.parse(made.out)]).toMatchObject([0, { name: 'fair', registrations: GUESTS }]);
  expect((await run(['sandbox', 'mask', 'next.csv'])).code).toBe(0);
  const there = await planOf({ run }, 'next.masked.csv', '--sandbox=fair');
  expect(there).toBe(await planOf({ run }, 'next.csv'));
  expect(there).toContain('"to_update"');

  // What is done to the clone is not done to the event.
  const practised = await run(
    listed('push | next.masked.csv | --sandbox=fair | --no-check-dns | --invalid | skip | --yes'),
  );
  expect(practised.code).toBe(3);
  expect(
    live
      .requests()
      .slice(before)
      .map(({ method }) => method),
  ).not.toContain('POST');
  expect(live.counts().registrations).toBe(GUESTS);
  expect(textBelow(join(directory, 'home', 'state', 'clones')).match(TOKEN)).toBeNull();
});
