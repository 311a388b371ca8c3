import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openTeam, useCluster, WITHOUT } from '../../state/state-bench.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { guest, listOf, liveEvent, nextList, planOf } from './rehearsal.ts';

const cluster = useCluster();
const GUESTS = 16;

describe.skipIf(WITHOUT !== undefined)('a clone where the state is shared', () => {
  test.each([
    ['has nothing of its own', false],
    ['knows something of its own', true],
  ])('knows on a machine that %s what the others know', async (_, hasOwn) => {
    const url = cluster().url();
    const { key } = await openTeam(url);
    const shared = { EVENTREG_STATE: url, EVENTREG_STATE_KEY: key };
    const live = await liveEvent({}, GUESTS, shared);
    const directory = temporaryDirectory();
    const paths = { state: join(directory, 'state'), config: join(directory, 'config') };
    const run: typeof live.run = (argv, overrides) =>
      live.run(argv, { env: { ...live.env, ...shared }, paths, ...overrides });
    // Who is not listed any more is known by digests, which mean nothing in a journal with others.
    const isKnown = (line: string): boolean => !hasOwn || !line.startsWith('visitor,EV-8,');
    live.write('next.csv', nextList(GUESTS).split('\n').filter(isKnown).join('\n'));
    live.write('own.csv', listOf([guest(0)]));
    if (hasOwn) await run(['push', 'own.csv', '--no-check-dns', '--yes'], { env: live.env });
    const before = live.posts().length;
    expect(await run(['sandbox', 'clone', '--as', 'fair'])).toMatchObject({ code: 0 });
    expect(await run(['sandbox', 'mask', 'next.csv'])).toMatchObject({ code: 0 });
    const plan = await planOf({ run }, 'next.csv');
    // Whom somebody has edited, and whom nobody knows of without what was sent.
    expect(plan).toMatch(/kept|conflict/);
    expect(await planOf({ run }, 'next.masked.csv', '--sandbox=fair')).toBe(plan);
    expect(live.posts()).toHaveLength(before);
    // What practises leaves nothing with the others.
    expect((await run(['runs', '--json'])).out).not.toContain('fair');
  });
});
